-- Each payment is that of an order, sent to the country that it names.
SELECT p.cx_o_id AS order_id, p.cx_co_id, a.addr_co_id
FROM cc_xacts p LEFT JOIN orders o ON o.o_id = p.cx_o_id LEFT JOIN address a ON a.addr_id = o.o_ship_addr_id
WHERE p.cx_o_id > {{ after.cc_xacts }} AND (a.addr_id IS NULL OR a.addr_co_id <> p.cx_co_id)
