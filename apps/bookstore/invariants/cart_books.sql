-- No book is in a cart twice.
SELECT l.scl_sc_id AS cart_id, l.scl_i_id AS item_id, COUNT(*) AS lines_count
FROM shopping_cart_line l
WHERE l.scl_id > {{ after.shopping_cart_line }}
GROUP BY l.scl_sc_id, l.scl_i_id
HAVING COUNT(*) > 1
