-- An item that is archived is no longer among the items.
SELECT i.id AS item_id FROM items i JOIN old_items o ON o.id = i.id
