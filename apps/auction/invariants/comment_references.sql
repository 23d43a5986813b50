-- A comment is by a user, on the seller of its item, and nobody rates themselves.
SELECT c.id AS comment_id, c.from_user_id, c.to_user_id, c.item_id, COALESCE(i.seller, o.seller) AS seller
FROM comments c LEFT JOIN items i ON i.id = c.item_id LEFT JOIN old_items o ON o.id = c.item_id
WHERE c.id > {{ after.comments }}
  AND (COALESCE(i.seller, o.seller, 0) <> c.to_user_id OR c.from_user_id = c.to_user_id
    OR NOT EXISTS (SELECT 1 FROM users u WHERE u.id = c.from_user_id)
    OR NOT EXISTS (SELECT 1 FROM users u WHERE u.id = c.to_user_id))
