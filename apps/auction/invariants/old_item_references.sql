-- An archived item has a seller and a category.
SELECT o.id AS item_id, o.seller, o.category
FROM old_items o
WHERE o.id > {{ after.old_items }}
  AND (NOT EXISTS (SELECT 1 FROM users u WHERE u.id = o.seller)
    OR NOT EXISTS (SELECT 1 FROM categories c WHERE c.id = o.category))
