-- A cart that has not been ordered holds 1 to 10 books.
SELECT c.sc_id AS cart_id, COUNT(l.scl_id) AS books
FROM shopping_cart c LEFT JOIN shopping_cart_line l ON l.scl_sc_id = c.sc_id
WHERE c.sc_id > {{ after.shopping_cart }} AND c.sc_o_id IS NULL
GROUP BY c.sc_id
HAVING COUNT(l.scl_id) < 1 OR COUNT(l.scl_id) > 10
