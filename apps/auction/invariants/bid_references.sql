-- A bid is by a user, on an item.
SELECT b.id AS bid_id, b.user_id, b.item_id
FROM bids b
WHERE b.id > {{ after.bids }}
  AND (NOT EXISTS (SELECT 1 FROM users u WHERE u.id = b.user_id)
    OR NOT EXISTS (SELECT 1 FROM items i WHERE i.id = b.item_id))
