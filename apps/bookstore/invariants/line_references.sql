-- A line belongs to an order and is about a book, of which there is at least one copy.
SELECT l.ol_id AS line_id, l.ol_o_id, l.ol_i_id, l.ol_qty
FROM order_line l
WHERE l.ol_id > {{ after.order_line }}
  AND (l.ol_qty < 1 OR NOT EXISTS (SELECT 1 FROM orders o WHERE o.o_id = l.ol_o_id)
    OR NOT EXISTS (SELECT 1 FROM item i WHERE i.i_id = l.ol_i_id))
