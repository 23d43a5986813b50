-- An order is by a customer, paid from their address, and sent to one that is there.
SELECT o.o_id AS order_id, o.o_c_id, o.o_bill_addr_id, o.o_ship_addr_id
FROM orders o LEFT JOIN customer c ON c.c_id = o.o_c_id
WHERE o.o_id > {{ after.orders }}
  AND (c.c_id IS NULL OR c.c_addr_id <> o.o_bill_addr_id
    OR NOT EXISTS (SELECT 1 FROM address a WHERE a.addr_id = o.o_ship_addr_id))
