-- The lines of new carts.
SELECT l.scl_id FROM shopping_cart_line l
WHERE l.scl_id > {{ after.shopping_cart_line }}
  AND EXISTS (SELECT 1 FROM shopping_cart c WHERE c.sc_id = l.scl_sc_id AND c.sc_id > {{ after.shopping_cart }})
