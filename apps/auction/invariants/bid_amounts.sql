-- A bid is for at least one copy, at least the first price, and at most what its bidder would pay.
SELECT b.id AS bid_id, b.item_id, b.qty, b.bid, b.max_bid, i.initial_price
FROM bids b JOIN items i ON i.id = b.item_id
WHERE b.id > {{ after.bids }} AND (b.qty < 1 OR b.bid < i.initial_price OR b.bid > b.max_bid)
