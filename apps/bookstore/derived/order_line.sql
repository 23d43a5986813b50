-- The lines of new orders.
SELECT l.ol_id FROM order_line l
WHERE l.ol_id > {{ after.order_line }} AND EXISTS (SELECT 1 FROM orders o WHERE o.o_id = l.ol_o_id AND o.o_id > {{ after.orders }})
