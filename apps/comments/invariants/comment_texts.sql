-- A comment has a name, an address with an @ and a text.
SELECT id AS comment_id, name, email
FROM comments
WHERE id > {{ after.comments }} AND (name = '' OR comment = '' OR email NOT LIKE '%@%')
