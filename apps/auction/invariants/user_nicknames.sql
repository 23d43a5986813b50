-- No two users have the same nickname.
SELECT u.id AS user_id, o.id AS other_user_id, u.nickname
FROM users u JOIN users o ON o.nickname = u.nickname AND o.id < u.id
WHERE u.id > {{ after.users }}
