-- The rating of a user is the sum of what was said of them.
-- All comments are added up in one go: for each user by itself it takes a minute where the table is larger than memory.
WITH touched AS (
    SELECT id FROM users WHERE id > {{ after.users }}
    UNION SELECT to_user_id FROM comments WHERE id > {{ after.comments }}
),
ratings AS (SELECT to_user_id, SUM(rating) AS rating FROM comments GROUP BY to_user_id)
SELECT u.id AS user_id, u.rating, COALESCE(r.rating, 0) AS sum_of_ratings
FROM users u LEFT JOIN ratings r ON r.to_user_id = u.id
WHERE ({{ after.users }} = 0 OR u.id IN (SELECT id FROM touched)) AND u.rating <> COALESCE(r.rating, 0)
