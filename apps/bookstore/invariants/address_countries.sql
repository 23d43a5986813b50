-- An address is in a country.
SELECT a.addr_id AS address_id, a.addr_co_id
FROM address a
WHERE a.addr_id > {{ after.address }} AND NOT EXISTS (SELECT 1 FROM country c WHERE c.co_id = a.addr_co_id)
