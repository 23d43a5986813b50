-- An order is sent when it was made or at most a week later.
SELECT o.o_id AS order_id, o.o_date, o.o_ship_date
FROM orders o
WHERE o.o_id > {{ after.orders }}
  AND (o.o_ship_date < o.o_date - INTERVAL '1' SECOND OR o.o_ship_date > o.o_date + INTERVAL '604801' SECOND)
