//! Buying at once.

use super::*;
use crate::rows::Purchase;
use store::Offer;

/// An item with three copies, to be bought at once for 50.00 each.
fn on_sale(site: &mut Site) -> Item {
    site.sell(|new| new.buy_now = Money(5_000))
}

fn purchase(site: &Site, user: i64, item: &Item, qty: &str) -> String {
    format!("itemId={}&token={}&qty={qty}", item.id, site.token(user))
}

fn shows_buying(site: &mut Site, item: &Item) -> bool {
    let page = site.get(&format!("ViewItem?itemId={}", item.id));
    links(&page).contains(&format!("/auction/BuyNowAuth?itemId={}", item.id))
}

#[test]
fn a_buyer_logs_in_and_buys_through_the_forms() {
    let mut site = Site::new();
    let item = on_sale(&mut site);
    assert!(shows_buying(&mut site, &item));
    let page = site.get(&format!("BuyNowAuth?itemId={}", item.id));
    let page = site.post("BuyNow", &format!("itemId={}&{LOG_IN}", value(&page, "itemId")));
    assert_decent(&page);
    assert_eq!(
        (&*facts(&page)["To buy at once"], all(&page, "[name=qty][min='1'][max='3']").len()),
        ("50.00", 1)
    );
    let body = format!("itemId={}&token={}&qty=2", item.id, value(&page, "token"));
    let page = site.post("StoreBuyNow", &body);
    assert_decent(&page);
    let purchases = &site.0.store.purchases;
    let id = purchases.len() as i64;
    assert_eq!(acknowledged(&page), id);
    assert_eq!((&*facts(&page)["Price of one"], &*facts(&page)["Quantity"]), ("50.00", "2"));
    let stored = Purchase { id, buyer_id: VISITOR, item_id: item.id, qty: 2, date: EPOCH };
    assert_eq!(purchases.last(), Some(&stored));
    assert_eq!(site.0.store.item(item.id), Ok(&Item { quantity: 1, ..item }));
}

#[test]
fn the_last_copy_closes_the_auction_at_once() {
    let mut site = Site::new();
    let item = on_sale(&mut site);
    site.post("StoreBuyNow", &purchase(&site, VISITOR, &item, "3"));
    let gone = Item { quantity: 0, end_date: EPOCH + -1, ..item.clone() };
    assert_eq!(site.0.store.item(item.id), Ok(&gone));
    assert!(!site.0.store.open_items(item.category, EPOCH).any(|listed| listed.id == item.id));
    assert_eq!(
        text(&site.get(&format!("ViewItem?itemId={}", item.id)), "main > p"),
        "This auction is closed."
    );
    let closed = conflict("This auction is closed.");
    assert_eq!(site.refused("POST", "StoreBuyNow", &purchase(&site, 2, &item, "1")), closed);
    assert_eq!(site.refused("POST", "StoreBid", &site.bid(&item, "99", "99", "1")), closed);
}

#[test]
fn it_is_offered_while_the_price_is_lower() {
    let mut site = Site::new();
    let item = on_sale(&mut site);
    let mut bid_of = |cents: i64| {
        let offer = Offer { user: 2, item: item.id, bid: Money(cents), max_bid: Money(cents), qty: 1 };
        site.0.store.bid(&offer, EPOCH).unwrap();
        shows_buying(&mut site, &item)
    };
    assert!(bid_of(4_999));
    assert!(!bid_of(5_000));
    let refused = conflict("This item can't be bought at once.");
    assert_eq!(site.refused("POST", "StoreBuyNow", &purchase(&site, VISITOR, &item, "1")), refused);
    assert_eq!(site.refused("POST", "BuyNow", &format!("itemId={}&{LOG_IN}", item.id)), refused);
}

#[test]
fn a_purchase_is_refused_in_order() {
    let mut site = Site::new();
    let (item, plain) = (on_sale(&mut site), site.sell(|_| {}));
    let closed = site.item(|item| !open(item));
    let own = conflict("You can't bid on, buy or rate what you sell yourself.");
    let quantity = conflict("The quantity must be from 1 to 3.");
    let unknown = |id: i64| (404, format!("There is no item {id}."));
    let cases = [
        ("itemId=999999999&token=7.1.ff&qty=0".to_owned(), wrong_token()),
        (format!("itemId=999999999&token={}&qty=0", site.token(VISITOR)), unknown(999_999_999)),
        (format!("itemId=1&token={}&qty=0", site.token(VISITOR)), unknown(1)),
        (purchase(&site, closed.seller, &closed, "0"), conflict("This auction is closed.")),
        (purchase(&site, plain.seller, &plain, "0"), own.clone()),
        (purchase(&site, VISITOR, &plain, "0"), conflict("This item can't be bought at once.")),
        (purchase(&site, VISITOR, &item, "0"), quantity.clone()),
        (purchase(&site, VISITOR, &item, "4"), quantity),
        (purchase(&site, VISITOR, &item, "+1"), missing("qty")),
    ];
    for (body, refusal) in cases {
        assert_eq!(site.refused("POST", "StoreBuyNow", &body), refusal, "{body}");
    }
    let log_in = format!("itemId={}&nickname=user1&password=password1", item.id);
    assert_eq!(site.refused("POST", "BuyNow", &log_in), own);
}
