-- A purchase is of at least one copy of an item, by a user who does not sell it.
SELECT p.id AS purchase_id, p.buyer_id, p.item_id, p.qty
FROM buy_now p LEFT JOIN items i ON i.id = p.item_id LEFT JOIN old_items o ON o.id = p.item_id
WHERE p.id > {{ after.buy_now }}
  AND (p.qty < 1 OR COALESCE(i.seller, o.seller, p.buyer_id) = p.buyer_id
    OR NOT EXISTS (SELECT 1 FROM users u WHERE u.id = p.buyer_id))
