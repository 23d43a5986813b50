-- No two carts became the same order, and each cart that was ordered became one that is there.
SELECT c.sc_o_id AS order_id, COUNT(*) AS carts
FROM shopping_cart c LEFT JOIN orders o ON o.o_id = c.sc_o_id
WHERE c.sc_id > {{ after.shopping_cart }} AND c.sc_o_id IS NOT NULL
GROUP BY c.sc_o_id
HAVING COUNT(*) > 1 OR COUNT(o.o_id) < 1
