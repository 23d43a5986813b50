-- New addresses of new customers and of new orders.
SELECT a.addr_id FROM address a
WHERE a.addr_id > {{ after.address }}
  AND (EXISTS (SELECT 1 FROM customer c WHERE c.c_addr_id = a.addr_id AND c.c_id > {{ after.customer }})
    OR a.addr_id IN (SELECT o.o_ship_addr_id FROM orders o WHERE o.o_id > {{ after.orders }}))
