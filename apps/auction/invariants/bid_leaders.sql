-- Whoever would pay most for an item, and said so first, has its last bid.
WITH touched AS (SELECT DISTINCT item_id FROM bids WHERE id > {{ after.bids }}),
     ranked AS (
         SELECT b.item_id, b.user_id,
                ROW_NUMBER() OVER (PARTITION BY b.item_id ORDER BY b.max_bid DESC, b.id) AS by_maximum,
                ROW_NUMBER() OVER (PARTITION BY b.item_id ORDER BY b.id DESC) AS by_age
         FROM touched t JOIN bids b ON b.item_id = t.item_id
     )
SELECT m.item_id, m.user_id AS leader, l.user_id AS last_bidder
FROM ranked m JOIN ranked l ON l.item_id = m.item_id
WHERE m.by_maximum = 1 AND l.by_age = 1 AND m.user_id <> l.user_id
