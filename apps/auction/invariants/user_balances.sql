-- A user has paid a fee of 1.00 for each auction.
WITH touched AS (
    SELECT id FROM users WHERE id > {{ after.users }}
    UNION SELECT seller FROM items WHERE id > {{ after.items }}
    UNION SELECT seller FROM old_items WHERE id > {{ after.old_items }}
),
auctions AS (
    SELECT i.seller FROM touched t JOIN items i ON i.seller = t.id
    UNION ALL SELECT o.seller FROM touched t JOIN old_items o ON o.seller = t.id
),
fees AS (SELECT seller, COUNT(*) AS auctions FROM auctions GROUP BY seller)
SELECT u.id AS user_id, u.balance, COALESCE(f.auctions, 0) AS auctions
FROM touched t JOIN users u ON u.id = t.id LEFT JOIN fees f ON f.seller = u.id
WHERE u.balance <> -1.00 * COALESCE(f.auctions, 0)
