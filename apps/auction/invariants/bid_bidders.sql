-- Nobody bids on what they sell.
SELECT b.id AS bid_id, b.user_id, b.item_id
FROM bids b JOIN items i ON i.id = b.item_id
WHERE b.id > {{ after.bids }} AND b.user_id = i.seller
