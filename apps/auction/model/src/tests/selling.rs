//! New auctions.

use super::*;

const GOOD: &str =
    "name=A+%3Cb%3E&description=1%0A2&initialPrice=10&reservePrice=20&buyNow=30.5&quantity=10&duration=3";

#[test]
fn a_seller_sells_through_the_forms() {
    let mut site = Site::new();
    let before = site.0.store.known_user(VISITOR).balance;
    site.get("sell.html");
    let page = site.post("SelectCategoryToSellItem", LOG_IN);
    assert_decent(&page);
    assert_eq!(all(&page, "option").len(), 40);
    let page = site.post("SellItemForm", &format!("token={}&category=2", value(&page, "token")));
    assert_decent(&page);
    assert_eq!(text(&page, "h1"), "Sell an item in Art & Prints");
    let form = format!("token={}&category={}", value(&page, "token"), value(&page, "category"));
    let page = site.post("RegisterItem", &format!("{form}&{GOOD}"));
    assert_decent(&page);
    let store = &site.0.store;
    let id = (store.old_items.len() + store.items.len()) as i64;
    let stored = Item {
        id,
        name: "A <b>".to_owned(),
        description: "1\n2".to_owned(),
        initial_price: Money(1_000),
        quantity: 10,
        reserve_price: Money(2_000),
        buy_now: Money(3_050),
        nb_of_bids: 0,
        max_bid: None,
        start_date: EPOCH,
        end_date: EPOCH + 3 * 24 * 3600,
        seller: VISITOR,
        category: 2,
    };
    assert_eq!((acknowledged(&page), store.items.last()), (id, Some(&stored)));
    assert_eq!(store.known_user(VISITOR).balance, Money(before.0 - 100));
    assert!(store.open_items(2, EPOCH).any(|listed| listed.id == id));
}

#[test]
fn the_fee_can_make_a_balance_negative() {
    let mut site = Site::new();
    site.post("RegisterUser", "firstname=A&lastname=B&nickname=poor&email=%40&password=p&region=1");
    let id = site.0.store.users.len() as i64;
    site.post("RegisterItem", &format!("token={}&category=1&{GOOD}", site.token(id)));
    let page = site.post("AboutMe", "nickname=poor&password=p");
    assert_eq!(facts(&page)["Balance"], "-1.00");
}

#[test]
fn an_item_is_refused_in_order() {
    let mut site = Site::new();
    let token = site.token(VISITOR);
    let low = conflict("The first price must be at least 0.01.");
    let reserve = conflict("The reserve price must be 0 or at least the first price.");
    let at_once = conflict("The price to buy at once must be 0 or at least the first and the reserve price.");
    let all_wrong = "initialPrice=0&reservePrice=0.01&buyNow=0.001";
    let prices = |prices: &str| GOOD.replace("initialPrice=10&reservePrice=20&buyNow=30.5", prices);
    let item = |rest: &str| format!("token={token}&category=1&{rest}");
    let cases = [
        (item(&prices(all_wrong)), missing("buyNow")),
        (
            format!("token=7.1.0&category=41&{}", prices("initialPrice=0&reservePrice=1&buyNow=1")),
            wrong_token(),
        ),
        (
            format!("token={token}&category=41&{}", prices("initialPrice=0&reservePrice=1&buyNow=1")),
            (404, "There is no category 41.".to_owned()),
        ),
        (item(&prices("initialPrice=0&reservePrice=0&buyNow=0")), low),
        (item(&prices("initialPrice=10&reservePrice=9.99&buyNow=1")), reserve),
        (item(&prices("initialPrice=10&reservePrice=0&buyNow=9.99")), at_once.clone()),
        (item(&prices("initialPrice=10&reservePrice=20&buyNow=19.99")), at_once),
        (item(&GOOD.replace("quantity=10", "quantity=11")), missing("quantity")),
        (item(&GOOD.replace("duration=3", "duration=8")), missing("duration")),
    ];
    for (body, refusal) in cases {
        assert_eq!(site.refused("POST", "RegisterItem", &body), refusal, "{body}");
    }
    let form = |token: &str, category: &str| format!("token={token}&category={category}");
    assert_eq!(site.refused("POST", "SellItemForm", &form("7.1.0", "41")), wrong_token());
    let unknown = (404, "There is no category 41.".to_owned());
    assert_eq!(site.refused("POST", "SellItemForm", &form(&token, "41")), unknown);
}
