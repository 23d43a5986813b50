//! Bidding, through the forms.

use super::*;
use crate::rows::Bid;

#[test]
fn a_bidder_logs_in_and_bids_through_the_forms() {
    let mut site = Site::new();
    let item = site.item(|item| open(item) && item.max_bid.is_some() && item.quantity > 1);
    let page = site.get(&format!("PutBidAuth?itemId={}", item.id));
    let page = site.post("PutBid", &format!("itemId={}&{LOG_IN}", value(&page, "itemId")));
    assert_eq!(value(&page, "bid"), item.least_bid().to_string());
    assert_eq!(all(&page, "[name=qty]")[0].attr("max").unwrap(), item.quantity.to_string());
    let (bids, token) = (site.0.store.bids.len() as i64, value(&page, "token"));
    let offer = format!("itemId={}&token={token}&bid=9000.5&maxBid=9001&qty={}", item.id, item.quantity);
    let page = site.post("StoreBid", &offer);
    assert_decent(&page);
    assert_eq!(acknowledged(&page), bids + 1);
    assert!(text(&page, "main").contains("You are the highest bidder at 9000.50."));
    let stored = Bid {
        id: bids + 1,
        user_id: VISITOR,
        item_id: item.id,
        qty: item.quantity,
        bid: Money(900_050),
        max_bid: Money(900_100),
        date: EPOCH,
    };
    assert_eq!(site.0.store.bids.last(), Some(&stored));
    let raised = Item { nb_of_bids: item.nb_of_bids + 1, max_bid: Some(Money(900_050)), ..item.clone() };
    assert_eq!(site.0.store.item(item.id), Ok(&raised));
    assert_eq!(text(&site.get(&format!("ViewItem?itemId={}", item.id)), "dd"), "9000.50");
}

#[test]
fn who_is_outbid_is_told_and_both_bids_are_in_the_history() {
    let mut site = Site::new();
    let item = site.sell(|_| {});
    let leader = store::Offer { user: 2, item: item.id, bid: Money(1_000), max_bid: Money(5_000), qty: 2 };
    site.0.store.bid(&leader, EPOCH).unwrap();
    let bids = site.0.store.bids.len() as i64;
    let page = site.post("StoreBid", &site.bid(&item, "12", "20.5", "1"));
    assert_eq!(acknowledged(&page), bids + 1);
    assert!(text(&page, "main").contains("You have been outbid: the price is now 20.51."));
    assert_eq!(facts(&page)["Bid"], "20.50");
    let answer = &site.0.store.bids[bids as usize + 1];
    assert_eq!((answer.user_id, answer.qty, answer.max_bid), (2, 2, Money(5_000)));
    let history = site.get(&format!("ViewBidHistory?itemId={}", item.id));
    let rows = all(&history, "tbody tr").into_iter().map(|row| row.text().collect::<String>());
    let bidders: Vec<String> =
        rows.map(|row| row.split_whitespace().take(3).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(bidders, ["user2 20.51 2", "user7 20.50 1", "user2 10.00 2"]);
}

#[test]
fn logging_in_is_refused_in_order() {
    let mut site = Site::new();
    let (running, closed) = (site.item(open).id, site.item(|item| !open(item)).id);
    let own = site.sell(|new| new.seller = VISITOR).id;
    let mut refused = |body: &str| site.refused("POST", "PutBid", body);
    let wrong = (403, "The nickname or the password is wrong.".to_owned());
    assert_eq!(refused(&format!("itemId={running}&nickname=user7&password=password8")), wrong);
    assert_eq!(refused(&format!("itemId={running}&nickname=User7&password=password7")), wrong);
    assert_eq!(refused(&format!("itemId={running}&nickname=nobody&password=password7")), wrong);
    assert_eq!(refused("itemId=999999999&nickname=nobody&password=password7"), wrong);
    let unknown = |id: i64| (404, format!("There is no item {id}."));
    assert_eq!(refused(&format!("itemId=999999999&{LOG_IN}")), unknown(999_999_999));
    assert_eq!(refused(&format!("itemId=1&{LOG_IN}")), unknown(1), "an old item");
    assert_eq!(refused(&format!("itemId={closed}&{LOG_IN}")), conflict("This auction is closed."));
    let own = format!("itemId={own}&{LOG_IN}");
    assert_eq!(refused(&own), conflict("You can't bid on, buy or rate what you sell yourself."));
}

#[test]
fn a_bid_is_refused_in_order() {
    let mut site = Site::new();
    let item = site.item(|item| open(item) && item.max_bid.is_some());
    let closed = site.item(|item| !open(item));
    let own = site.sell(|new| new.seller = VISITOR);
    let highest = item.max_bid.unwrap();
    let good = site.bid(&item, "999999", "999999", "1");
    let token = site.0.key.sign(7, EPOCH);
    let expired = site.0.key.sign(7, EPOCH + -application::TOKEN_LIFE + -1);
    let too_low = conflict(&format!("The bid must be at least {}.", item.least_bid()));
    let quantity = conflict(&format!("The quantity must be from 1 to {}.", item.quantity));
    let unknown = |body: &str| body.replacen(&format!("itemId={}&", item.id), "itemId=999999999&", 1);
    let cases = [
        (good.replace(&token, &token.replacen('7', "8", 1)), wrong_token()),
        (unknown(&good.replace(&token, &expired)), wrong_token()),
        (unknown(&good), (404, "There is no item 999999999.".to_owned())),
        (site.bid(&closed, "0", "0", "0"), conflict("This auction is closed.")),
        (site.bid(&own, "0", "0", "0"), conflict("You can't bid on, buy or rate what you sell yourself.")),
        (site.bid(&item, "0", "0", "0"), quantity.clone()),
        (site.bid(&item, "999999", "999999", &(item.quantity + 1).to_string()), quantity),
        (site.bid(&item, &highest.to_string(), "0", "1"), too_low),
        (
            site.bid(&item, "999999", "999998.99", "1"),
            conflict("The most you would bid must not be less than your bid."),
        ),
    ];
    for (body, refusal) in cases {
        assert_eq!(site.refused("POST", "StoreBid", &body), refusal, "{body}");
    }
    let (_, page) = site.send("POST", "StoreBid", &site.bid(&item, "0", "0", "1"));
    assert!(links(&page).contains(&format!("/auction/ViewItem?itemId={}", item.id)));
}

#[test]
fn the_least_bid_is_the_first_price_and_then_a_cent_more_and_the_last_second_counts() {
    let mut site = Site::new();
    let item = site.item(|item| open(item) && item.max_bid.is_none() && item.seller != 1);
    let first = item.initial_price;
    let offer = |cents: i64| store::Offer {
        user: 1,
        item: item.id,
        bid: Money(cents),
        max_bid: Money(cents),
        qty: 1,
    };
    let store = &mut site.0.store;
    assert!(store.bid(&offer(first.0 - 1), EPOCH).is_err());
    assert!(store.bid(&offer(first.0), EPOCH).is_ok());
    assert!(store.bid(&offer(first.0), EPOCH).is_err());
    assert!(store.bid(&offer(first.0 + 1), item.end_date).is_ok());
    assert!(store.bid(&offer(first.0 + 2), item.end_date + 1).is_err());
    let mut ends_last = store.open_items(item.category, item.end_date);
    assert!(ends_last.any(|listed| listed.id == item.id));
    let mut ended = store.open_items(item.category, item.end_date + 1);
    assert!(!ended.any(|listed| listed.id == item.id));
}
