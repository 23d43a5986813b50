-- The stock of a book is what deliveries of 21 have left of it after all its orders.
-- So it was generated: but for a multiple of 21, the stock and the copies sold are together the book's number.
WITH touched AS (SELECT DISTINCT ol_i_id FROM order_line WHERE ol_id > {{ after.order_line }}),
     sales AS (
         SELECT l.ol_i_id, SUM(l.ol_qty) AS sold
         FROM touched t JOIN order_line l ON l.ol_i_id = t.ol_i_id
         GROUP BY l.ol_i_id
     )
SELECT i.i_id AS item_id, i.i_stock, s.sold
FROM sales s JOIN item i ON i.i_id = s.ol_i_id
WHERE MOD(i.i_stock + s.sold - i.i_id, 21) <> 0
