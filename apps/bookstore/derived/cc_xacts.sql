-- The payments of new orders.
SELECT p.cx_o_id FROM cc_xacts p
WHERE p.cx_o_id > {{ after.cc_xacts }} AND EXISTS (SELECT 1 FROM orders o WHERE o.o_id = p.cx_o_id)
