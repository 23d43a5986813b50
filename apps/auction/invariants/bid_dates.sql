-- Bids are made while their auction is open.
SELECT b.id AS bid_id, b.date, b.item_id, i.start_date, i.end_date
FROM bids b JOIN items i ON i.id = b.item_id
WHERE b.id > {{ after.bids }}
  AND (b.date < i.start_date - INTERVAL '1' SECOND OR b.date > i.end_date + INTERVAL '1' SECOND)
