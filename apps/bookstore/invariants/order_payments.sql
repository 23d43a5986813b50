-- Each order is paid once, with its total.
SELECT o.o_id AS order_id, o.o_total, p.cx_xact_amt
FROM orders o LEFT JOIN cc_xacts p ON p.cx_o_id = o.o_id
WHERE o.o_id > {{ after.orders }} AND (p.cx_o_id IS NULL OR p.cx_xact_amt <> o.o_total)
