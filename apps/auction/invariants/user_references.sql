-- A user lives in a region.
SELECT u.id AS user_id, u.region
FROM users u
WHERE u.id > {{ after.users }} AND NOT EXISTS (SELECT 1 FROM regions r WHERE r.id = u.region)
