-- No two orders are paid with the same authorisation.
SELECT p.cx_auth_id, COUNT(*) AS orders_count, MIN(p.cx_o_id) AS order_id
FROM cc_xacts p
WHERE p.cx_o_id > {{ after.cc_xacts }}
GROUP BY p.cx_auth_id
HAVING COUNT(*) > 1
