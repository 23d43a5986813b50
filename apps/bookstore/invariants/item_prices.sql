-- A book costs something, and no more than its publisher suggests.
SELECT i.i_id AS item_id, i.i_cost, i.i_srp FROM item i WHERE i.i_cost < 0.01 OR i.i_cost > i.i_srp
