-- A line has the discount of its customer, and costs no more than the publisher suggests with that taken off.
-- Loaded lines have discounts of their own.
SELECT l.ol_id AS line_id, l.ol_discount, c.c_discount, l.ol_price, i.i_srp
FROM order_line l JOIN orders o ON o.o_id = l.ol_o_id JOIN customer c ON c.c_id = o.o_c_id JOIN item i ON i.i_id = l.ol_i_id
WHERE l.ol_id > {{ after.order_line }}
  AND (l.ol_price > ROUND(i.i_srp * (100 - l.ol_discount) / 100, 2)
    OR ({{ after.order_line }} > 0 AND l.ol_discount <> c.c_discount))
