//! AboutMe: logs a user in and shows all about them.
//!
//! After the parameters: a wrong log-in is 403 (see the module `log_in`). The price of an item is [`Item::price`]; how an
//! auction of theirs ended is [`Item::outcome`].
//!
//! ```sql
//! SELECT id, password FROM users WHERE nickname = ?
//! SELECT u.firstname, u.lastname, u.nickname, u.email, u.rating, u.balance, u.creation_date, r.name AS region
//!     FROM users u JOIN regions r ON r.id = u.region WHERE u.id = ?
//! -- bids on open items
//! SELECT i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.end_date, MAX(b.bid) AS own_bid,
//!     MAX(b.max_bid) AS own_most FROM bids b JOIN items i ON i.id = b.item_id
//!     WHERE b.user_id = ? AND i.end_date >= NOW()
//!     GROUP BY i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.end_date ORDER BY i.end_date, i.id
//! -- won
//! SELECT i.id, i.name, i.max_bid, i.end_date, i.seller, u.nickname FROM items i JOIN users u ON u.id = i.seller
//!     WHERE i.id IN (SELECT item_id FROM bids WHERE user_id = ?) AND i.end_date < NOW() AND i.quantity > 0
//!     AND i.max_bid >= i.reserve_price
//!     AND (SELECT b.user_id FROM bids b WHERE b.item_id = i.id ORDER BY b.max_bid DESC, b.id LIMIT 1) = ?
//!     ORDER BY i.end_date DESC, i.id DESC
//! -- bought at once
//! SELECT p.id, p.item_id, p.qty, p.date, i.name, i.buy_now FROM buy_now p JOIN items i ON i.id = p.item_id
//!     WHERE p.buyer_id = ? AND p.date >= NOW() - INTERVAL 30 DAY
//!     UNION ALL
//!     SELECT p.id, p.item_id, p.qty, p.date, i.name, i.buy_now FROM buy_now p JOIN old_items i ON i.id = p.item_id
//!     WHERE p.buyer_id = ? AND p.date >= NOW() - INTERVAL 30 DAY
//!     ORDER BY date DESC, id DESC
//! -- selling
//! SELECT id, name, initial_price, quantity, reserve_price, buy_now, nb_of_bids, max_bid, end_date FROM items
//!     WHERE seller = ? AND end_date >= NOW() ORDER BY end_date, id
//! -- sold
//! SELECT id, name, quantity, reserve_price, max_bid, end_date FROM items
//!     WHERE seller = ? AND end_date < NOW() AND end_date >= NOW() - INTERVAL 30 DAY
//!     UNION ALL
//!     SELECT id, name, quantity, reserve_price, max_bid, end_date FROM old_items
//!     WHERE seller = ? AND end_date >= NOW() - INTERVAL 30 DAY
//!     ORDER BY end_date DESC, id DESC
//! -- comments
//! SELECT c.from_user_id, u.nickname, c.item_id, c.rating, c.date, c.comment
//!     FROM comments c JOIN users u ON u.id = c.from_user_id
//!     WHERE c.to_user_id = ? ORDER BY c.date DESC, c.id DESC
//! ```

use super::{Visit, log_in::LogIn, render};
use crate::{
    fault::Fault,
    rows::{Comment, Item, Purchase, User},
    store::OwnBid,
};
use askama::Template;

#[derive(Template)]
#[template(path = "about_me.html")]
struct Page<'a> {
    user: &'a User,
    region: &'a str,
    bids: Vec<OwnBid<'a>>,
    won: Vec<(&'a Item, &'a str)>,
    bought: Vec<(&'a Purchase, &'a Item)>,
    selling: Vec<&'a Item>,
    sold: Vec<&'a Item>,
    comments: Vec<(&'a Comment, &'a str)>,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, now, .. } = visit;
    let user = LogIn::read(form)?.user(store)?;
    Ok(render(&Page {
        user,
        region: &store.region(user.region)?.name,
        bids: store.bids_of(user.id, *now),
        won: store.won_by(user.id, *now),
        bought: store.bought_by(user.id, *now),
        selling: store.selling(user.id, *now),
        sold: store.sold_by(user.id, *now),
        comments: store.comments_about(user.id),
    }))
}
