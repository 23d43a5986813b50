-- The price of an item is its highest bid, and there is none without bids.
SELECT i.id AS item_id, i.max_bid, MAX(b.bid) AS highest_bid
FROM items i LEFT JOIN bids b ON b.item_id = i.id
GROUP BY i.id, i.max_bid
HAVING COALESCE(i.max_bid, -1) <> COALESCE(MAX(b.bid), -1)
