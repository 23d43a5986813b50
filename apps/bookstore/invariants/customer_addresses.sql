-- A customer has an address, and a discount of 0 to 50 %.
SELECT c.c_id AS customer_id, c.c_addr_id, c.c_discount
FROM customer c
WHERE c.c_id > {{ after.customer }}
  AND (c.c_discount < 0 OR c.c_discount > 50 OR NOT EXISTS (SELECT 1 FROM address a WHERE a.addr_id = c.c_addr_id))
