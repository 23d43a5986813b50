-- An item is sold for some time, and its reserve price and its price to buy at once are 0 or not below the first price.
SELECT i.id AS item_id, i.initial_price, i.reserve_price, i.buy_now, i.start_date, i.end_date
FROM items i
WHERE i.id > {{ after.items }}
  AND (i.initial_price < 0.01 OR i.end_date < i.start_date - INTERVAL '1' SECOND
    OR (i.reserve_price <> 0 AND i.reserve_price < i.initial_price)
    OR (i.buy_now <> 0 AND (i.buy_now < i.initial_price OR i.buy_now < i.reserve_price)))
