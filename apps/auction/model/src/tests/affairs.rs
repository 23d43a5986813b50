//! The lists of AboutMe.

use super::*;
use store::{Offer, Order};

const DAY: i64 = 24 * 3600;

/// Texts of the rows, or of their absence, below each heading of the page.
fn lists(page: &Html) -> HashMap<String, Vec<String>> {
    let mut lists: HashMap<String, Vec<String>> = HashMap::new();
    let mut heading = String::new();
    for element in all(page, "h2, tbody tr, .comments li, h2 + p") {
        let words = element.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ");
        match element.value().name() {
            "h2" => heading = words,
            _ => lists.entry(heading.clone()).or_default().push(words),
        }
    }
    lists
}

/// A site with a new user, and their id.
fn newcomer() -> (Site, i64) {
    let mut site = Site::new();
    site.post("RegisterUser", "firstname=A&lastname=B&nickname=fresh&email=%40&password=p&region=1");
    let id = site.0.store.users.len() as i64;
    (site, id)
}

/// The lists on the newcomer's page, some days after the epoch.
fn about_me(site: &mut Site, days: i64) -> HashMap<String, Vec<String>> {
    let request = Request {
        method: "POST".to_owned(),
        path: "/auction/AboutMe".to_owned(),
        query: String::new(),
        body: b"nickname=fresh&password=p".to_vec(),
    };
    let response = site.0.respond(&request, EPOCH + days * DAY);
    assert_eq!(response.status, 200);
    let page = Html::parse_document(&String::from_utf8(response.body).unwrap());
    assert_decent(&page);
    lists(&page)
}

fn offer(site: &mut Site, user: i64, item: &Item, bid: i64, most: i64) {
    let offer = Offer { user, item: item.id, bid: Money(bid), max_bid: Money(most), qty: 1 };
    site.0.store.bid(&offer, EPOCH).unwrap();
}

#[test]
fn all_is_empty_for_a_newcomer() {
    let (mut site, _) = newcomer();
    let lists = about_me(&mut site, 0);
    let said = |heading: &str| lists[heading].join("|");
    assert_eq!(said("Your bids"), "You have no bids on open auctions.");
    assert_eq!(said("Won"), "You have won no auction.");
    assert_eq!(said("Bought"), "You have bought nothing at once in the last 30 days.");
    assert_eq!(said("Selling"), "You have no open auctions.");
    assert_eq!(said("Sold"), "None of your auctions has ended in the last 30 days.");
    assert_eq!(said("Comments about you"), "There are no comments.");
}

#[test]
fn bids_are_shown_by_item_until_it_closes_and_then_what_was_won() {
    let (mut site, me) = newcomer();
    let [late, won, lost, reserved, soon] = [7, 2, 3, 2, 1].map(|duration| {
        let reserve = if duration == 2 { Money(1_500) } else { Money(0) };
        site.sell(|new| {
            (new.duration, new.reserve_price, new.name) = (duration, reserve, format!("of {duration}"));
        })
    });
    offer(&mut site, me, &late, 1_000, 3_000);
    offer(&mut site, 2, &late, 1_100, 2_000);
    offer(&mut site, me, &won, 1_500, 1_500);
    offer(&mut site, me, &lost, 1_000, 2_000);
    offer(&mut site, 2, &lost, 1_100, 2_001);
    offer(&mut site, me, &reserved, 1_499, 9_000);
    offer(&mut site, me, &soon, 1_000, 1_000);
    let open = &about_me(&mut site, 0)["Your bids"];
    let start = |row: &String| row.split_whitespace().take(6).collect::<Vec<_>>().join(" ");
    assert_eq!(
        open.iter().map(start).collect::<Vec<_>>(),
        [
            "of 1 10.00 10.00 10.00 1",
            "of 2 15.00 15.00 15.00 1",
            "of 2 14.99 14.99 90.00 1",
            "of 3 20.01 10.00 20.00 2",
            "of 7 20.01 20.01 30.00 3",
        ]
    );
    let lists = about_me(&mut site, 5);
    assert_eq!(lists["Your bids"].len(), 1);
    let won: Vec<String> =
        lists["Won"].iter().map(|row| row.split(" 2027-").next().unwrap().to_owned()).collect();
    assert_eq!(won, ["of 2 15.00 user1", "of 1 10.00 user1"], "the last on top");
}

#[test]
fn an_auction_that_was_bought_out_is_won_by_nobody() {
    let (mut site, me) = newcomer();
    let item = site.sell(|new| new.buy_now = Money(5_000));
    offer(&mut site, me, &item, 1_000, 2_000);
    site.0.store.buy(&Order { user: 2, item: item.id, qty: 3 }, EPOCH).unwrap();
    let lists = about_me(&mut site, 0);
    assert_eq!(lists["Won"], ["You have won no auction."]);
}

#[test]
fn what_was_bought_is_shown_for_30_days() {
    let (mut site, me) = newcomer();
    for name in ["first", "second"] {
        let item = site.sell(|new| (new.name, new.buy_now) = (name.to_owned(), Money(5_000)));
        site.0.store.buy(&Order { user: me, item: item.id, qty: 2 }, EPOCH).unwrap();
    }
    let bought = |days: i64, site: &mut Site| about_me(site, days)["Bought"].join("|");
    let shown = bought(30, &mut site);
    assert!(shown.starts_with("second 50.00 2 ") && shown.contains("|first 50.00 2 "), "{shown}");
    assert_eq!(bought(31, &mut site), "You have bought nothing at once in the last 30 days.");
}

#[test]
fn what_is_sold_is_shown_with_its_outcome_for_30_days() {
    let (mut site, me) = newcomer();
    let [sold, reserved, bought, _] = ["sold", "reserved", "bought", "plain"].map(|name| {
        let change = |new: &mut NewItem| {
            (new.name, new.seller, new.duration, new.quantity) = (name.to_owned(), me, 1, 1);
            (new.reserve_price, new.buy_now) = (Money(2_000), Money(9_000));
        };
        site.sell(change)
    });
    offer(&mut site, 2, &sold, 2_000, 2_000);
    offer(&mut site, 2, &reserved, 1_999, 1_999);
    assert_eq!(about_me(&mut site, 1)["Selling"].len(), 4, "the last second counts");
    site.0.store.buy(&Order { user: 2, item: bought.id, qty: 1 }, EPOCH).unwrap();
    assert!(about_me(&mut site, 0)["Selling"][2].starts_with("plain 10.00 0 1 20.00 90.00"));
    let rows = |days: i64, site: &mut Site| {
        let shown = about_me(site, days).remove("Sold").unwrap();
        shown.iter().map(|row| row.split(" 2027-").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let expected =
        ["plain none 1 not sold", "reserved 19.99 1 not sold", "sold 20.00 1 sold", "bought none 0 bought"];
    assert_eq!(rows(2, &mut site), expected);
    assert_eq!(rows(30, &mut site), expected[..3], "what was bought out closed a day earlier");
    assert_eq!(rows(32, &mut site), ["None of your auctions has ended in the last 30 days."]);
}

#[test]
fn generated_affairs_are_those_of_the_rows() {
    let mut site = Site::new();
    let store = &site.0.store;
    let users = 1..=store.users.len() as i64;
    let bought: usize = users.clone().map(|user| store.bought_by(user, EPOCH).len()).sum();
    let recent = store.purchases.iter().filter(|purchase| purchase.date >= EPOCH + -30 * DAY).count();
    assert_eq!(bought, recent);
    let won: usize = users.clone().map(|user| store.won_by(user, EPOCH).len()).sum();
    let closed =
        |item: &&Item| !open(item) && item.max_bid.is_some_and(|highest| highest >= item.reserve_price);
    assert_eq!(won, store.items.iter().filter(closed).count());
    let sold: usize = users.clone().map(|user| store.sold_by(user, EPOCH).len()).sum();
    let auctions = store.items.iter().chain(&store.old_items);
    assert_eq!(sold, auctions.filter(|item| !open(item) && item.end_date >= EPOCH + -30 * DAY).count());
    let comments: usize = users.map(|user| store.comments_about(user).len()).sum();
    assert_eq!(comments, store.comments.len());
    assert_decent(&site.post("AboutMe", LOG_IN));
}
