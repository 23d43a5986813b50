-- A book has an author, and five other books go with it.
SELECT i.i_id AS item_id, i.i_a_id, i.i_related1, i.i_related2, i.i_related3, i.i_related4, i.i_related5
FROM item i
WHERE NOT EXISTS (SELECT 1 FROM author a WHERE a.a_id = i.i_a_id)
   OR i.i_id IN (i.i_related1, i.i_related2, i.i_related3, i.i_related4, i.i_related5)
   OR i.i_related1 IN (i.i_related2, i.i_related3, i.i_related4, i.i_related5)
   OR i.i_related2 IN (i.i_related3, i.i_related4, i.i_related5)
   OR i.i_related3 IN (i.i_related4, i.i_related5) OR i.i_related4 = i.i_related5
