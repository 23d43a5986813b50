-- Nobody buys a copy that is not there.
SELECT i.id AS item_id, i.quantity FROM items i WHERE i.quantity < 0
