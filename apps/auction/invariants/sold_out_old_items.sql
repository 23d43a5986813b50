-- An archived item without copies ended with its last purchase.
SELECT o.id AS item_id, o.end_date, MAX(p.date) AS last_purchase
FROM old_items o LEFT JOIN buy_now p ON p.item_id = o.id
WHERE o.id > {{ after.old_items }} AND o.quantity = 0
GROUP BY o.id, o.end_date
HAVING COUNT(p.id) = 0 OR MAX(p.date) <> o.end_date
