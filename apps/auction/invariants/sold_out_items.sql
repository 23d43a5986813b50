-- An item without copies was closed by its last purchase.
SELECT i.id AS item_id, i.end_date, MAX(p.date) AS last_purchase
FROM items i LEFT JOIN buy_now p ON p.item_id = i.id
WHERE i.quantity = 0
GROUP BY i.id, i.end_date
HAVING COUNT(p.id) = 0 OR MAX(p.date) < i.end_date OR MAX(p.date) > i.end_date + INTERVAL '3' SECOND
