-- The leader of an item answers every bid of somebody else that does not beat the leader's maximum.
SELECT b.id
FROM bids b
WHERE b.id > {{ after.bids }}
  AND b.user_id <> (SELECT o.user_id FROM bids o WHERE o.item_id = b.item_id AND o.id < b.id ORDER BY o.id DESC LIMIT 1)
  AND b.user_id = (SELECT l.user_id FROM bids l WHERE l.item_id = b.item_id AND l.id < b.id
                   ORDER BY l.max_bid DESC, l.id LIMIT 1)
