-- A user has paid a fee of 1.00 for each auction.
-- All auctions are counted in one go, as in user_ratings.
WITH touched AS (
    SELECT id FROM users WHERE id > {{ after.users }}
    UNION SELECT seller FROM items WHERE id > {{ after.items }}
    UNION SELECT seller FROM old_items WHERE id > {{ after.old_items }}
),
auctions AS (SELECT seller FROM items UNION ALL SELECT seller FROM old_items),
fees AS (SELECT seller, COUNT(*) AS auctions FROM auctions GROUP BY seller)
SELECT u.id AS user_id, u.balance, COALESCE(f.auctions, 0) AS auctions
FROM users u LEFT JOIN fees f ON f.seller = u.id
WHERE ({{ after.users }} = 0 OR u.id IN (SELECT id FROM touched)) AND u.balance <> -1.00 * COALESCE(f.auctions, 0)
