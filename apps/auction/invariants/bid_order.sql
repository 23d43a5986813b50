-- Each bid on an item is above the one before it, or an answer that meets it.
WITH touched AS (SELECT DISTINCT item_id FROM bids WHERE id > {{ after.bids }}),
     ordered AS (
         SELECT b.id, b.item_id, b.bid, b.max_bid, LAG(b.bid) OVER (PARTITION BY b.item_id ORDER BY b.id) AS bid_before
         FROM touched t JOIN bids b ON b.item_id = t.item_id
     )
SELECT id AS bid_id, item_id, bid, bid_before
FROM ordered
WHERE bid < bid_before OR (bid = bid_before AND bid < max_bid)
