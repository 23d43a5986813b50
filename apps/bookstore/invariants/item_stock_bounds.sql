-- There are always 10 to 30 copies of a book.
SELECT i.i_id AS item_id, i.i_stock FROM item i WHERE i.i_stock < 10 OR i.i_stock > 30
