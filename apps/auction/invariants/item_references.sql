-- An item has a seller and a category.
SELECT i.id AS item_id, i.seller, i.category
FROM items i
WHERE i.id > {{ after.items }}
  AND (NOT EXISTS (SELECT 1 FROM users u WHERE u.id = i.seller)
    OR NOT EXISTS (SELECT 1 FROM categories c WHERE c.id = i.category))
