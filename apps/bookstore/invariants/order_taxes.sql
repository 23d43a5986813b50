-- An order costs its sub-total, a tax of 8.25 %, and 3.00 and 1.00 for each line to send it.
SELECT o.o_id AS order_id, o.o_sub_total, o.o_tax, o.o_total, COUNT(l.ol_id) AS lines_count
FROM orders o LEFT JOIN order_line l ON l.ol_o_id = o.o_id
WHERE o.o_id > {{ after.orders }}
GROUP BY o.o_id, o.o_sub_total, o.o_tax, o.o_total
HAVING o.o_tax <> ROUND(o.o_sub_total * 0.0825, 2) OR o.o_total <> o.o_sub_total + o.o_tax + 3 + COUNT(l.ol_id)
