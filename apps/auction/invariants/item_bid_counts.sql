-- Every item counts its bids.
SELECT i.id AS item_id, i.nb_of_bids, COUNT(b.id) AS bids
FROM items i LEFT JOIN bids b ON b.item_id = i.id
GROUP BY i.id, i.nb_of_bids
HAVING i.nb_of_bids <> COUNT(b.id)
