-- An order that was not loaded became of a cart.
-- When all is audited, nobody knows which ones were loaded; then the first that became of a cart tells.
SELECT o.o_id AS order_id
FROM orders o
WHERE o.o_id > {{ after.orders }}
  AND o.o_id NOT IN (SELECT c.sc_o_id FROM shopping_cart c WHERE c.sc_o_id IS NOT NULL)
  AND ({{ after.orders }} > 0 OR o.o_id > (SELECT MIN(d.sc_o_id) FROM shopping_cart d))
