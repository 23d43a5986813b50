-- No two customers have the same user name.
SELECT c.c_id AS customer_id, o.c_id AS other_customer_id, c.c_uname
FROM customer c JOIN customer o ON o.c_uname = c.c_uname AND o.c_id < c.c_id
WHERE c.c_id > {{ after.customer }}
