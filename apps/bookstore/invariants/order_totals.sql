-- The sub-total of an order is what its lines come to.
SELECT o.o_id AS order_id, o.o_sub_total, SUM(l.ol_qty * l.ol_price) AS lines_total
FROM orders o LEFT JOIN order_line l ON l.ol_o_id = o.o_id
WHERE o.o_id > {{ after.orders }}
GROUP BY o.o_id, o.o_sub_total
HAVING COUNT(l.ol_id) = 0 OR SUM(l.ol_qty * l.ol_price) <> o.o_sub_total
