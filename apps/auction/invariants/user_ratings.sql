-- The rating of a user is the sum of what was said of them.
WITH touched AS (
    SELECT id FROM users WHERE id > {{ after.users }}
    UNION SELECT to_user_id FROM comments WHERE id > {{ after.comments }}
),
ratings AS (
    SELECT c.to_user_id, SUM(c.rating) AS rating FROM touched t JOIN comments c ON c.to_user_id = t.id GROUP BY c.to_user_id
)
SELECT u.id AS user_id, u.rating, COALESCE(r.rating, 0) AS sum_of_ratings
FROM touched t JOIN users u ON u.id = t.id LEFT JOIN ratings r ON r.to_user_id = u.id
WHERE u.rating <> COALESCE(r.rating, 0)
