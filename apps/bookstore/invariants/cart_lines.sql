-- A line of a cart has 1 to 99 copies of a book, and its cart is there and has not been ordered.
SELECT l.scl_id AS line_id, l.scl_sc_id, l.scl_i_id, l.scl_qty, c.sc_o_id
FROM shopping_cart_line l LEFT JOIN shopping_cart c ON c.sc_id = l.scl_sc_id
WHERE l.scl_id > {{ after.shopping_cart_line }}
  AND (l.scl_qty < 1 OR l.scl_qty > 99 OR c.sc_id IS NULL OR c.sc_o_id IS NOT NULL
    OR NOT EXISTS (SELECT 1 FROM item i WHERE i.i_id = l.scl_i_id))
