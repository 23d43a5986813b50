//! A person uses the auction.

use crate::{
    chrome::Chrome,
    command::RunningSite,
    inspection::inspect,
    tab::{Tab, labelled},
};
use std::net::TcpStream;

/// The shortest way to the form of a bid: from the item's page, by the log-in.
fn log_in(tab: &Tab, nickname: &str, password: &str) {
    tab.follow("Bid on this item");
    tab.fill("Nickname", nickname);
    tab.fill("Password", password);
    tab.send("Log in");
}

fn price(tab: &Tab) -> f64 {
    tab.described("Current price").parse().unwrap()
}

fn bid(tab: &Tab, price: f64) {
    let price = format!("{price:.2}");
    tab.fill("Your bid", &price);
    tab.fill("The most you would bid", &price);
    tab.send("Bid");
}

#[test]
fn a_person_can_use_the_site() {
    let mut site = RunningSite::up("php");
    let chrome = Chrome::start();
    let tab = Tab::open(&chrome);

    let item = walk_to_an_item(&tab, &site);
    let before = price(&tab);
    a_bid_is_placed(&tab, &site, &item, before + 25.0);
    a_bid_below_the_least_never_leaves_the_browser(&tab, &site, &item);
    who_is_outbid_is_told(&tab, &site, &item);
    a_wrong_password_is_refused(&tab, &site, &item);
    a_person_with_any_name_can_register(&tab);

    tab.go(&format!("{}/auction/SearchItemsInCategory?category=1&page=99&nbOfItems=20", site.origin()));
    inspect(&tab, "site-category-empty");

    // The browser itself notes the two pages with an error status, and nothing else.
    let complaints = tab.complaints();
    assert_eq!(complaints.len(), 2, "{complaints:?}");
    assert!(complaints[0].contains("409") && complaints[0].contains("/auction/StoreBid"), "{complaints:?}");
    assert!(complaints[1].contains("403") && complaints[1].contains("/auction/PutBid"), "{complaints:?}");
    let requests = tab.requests();
    assert!(requests.iter().any(|address| address.ends_with("/auction/style.css")), "{requests:?}");
    let outside: Vec<&String> =
        requests.iter().filter(|address| !address.starts_with(&site.origin())).collect();
    assert!(outside.is_empty(), "{outside:?}");

    it_ends_with_ctrl_c(&mut site);
}

/// From the home page to the page of an open item; returns its address.
fn walk_to_an_item(tab: &Tab, site: &RunningSite) -> String {
    tab.go(&site.start);
    assert_eq!(tab.text("h1"), "Welcome to the auction");
    inspect(tab, "site-home");
    tab.follow("Browse");
    inspect(tab, "site-browse");
    tab.follow("Browse all items in a category");
    inspect(tab, "site-categories");
    let category = tab.text("main li a");
    tab.follow(&category);
    assert_eq!(tab.text("h1"), category);
    inspect(tab, "site-category");
    let name = tab.text("main tbody a");
    tab.follow(&name);
    assert_eq!(tab.text("h1"), name);
    inspect(tab, "site-item");
    tab.address()
}

fn a_bid_is_placed(tab: &Tab, site: &RunningSite, item: &str, offer: f64) {
    tab.follow("Bid on this item");
    inspect(tab, "site-log-in");
    tab.fill("Nickname", &site.nickname);
    tab.fill("Password", &site.password);
    // Enter in a field sends its form, as everywhere.
    tab.loading(|| tab.press("Enter"));
    assert!(tab.text("h1").starts_with("Bid on "));
    inspect(tab, "site-bid-form");
    let bids: u64 = tab.described("Bids").parse().unwrap();
    bid(tab, offer);
    assert_eq!(tab.text("h1"), "Your bid is placed");
    let id = tab.evaluate("document.querySelector('data.acknowledged').value");
    assert!(id.as_str().unwrap().parse::<u64>().unwrap() > 0);
    assert_eq!(tab.text("data.acknowledged"), format!("bid {}", id.as_str().unwrap()));
    assert_eq!(tab.described("Bid"), format!("{offer:.2}"));
    inspect(tab, "site-bid-placed");
    tab.follow("Back to the item");
    assert_eq!(tab.address(), item);
    assert_eq!((price(tab), tab.described("Bids")), (offer, (bids + 1).to_string()));
}

fn a_bid_below_the_least_never_leaves_the_browser(tab: &Tab, site: &RunningSite, item: &str) {
    tab.go(item);
    let reached = price(tab);
    log_in(tab, &site.nickname, &site.password);
    let (form, requests) = (tab.address(), tab.requests().len());
    tab.fill("Your bid", &format!("{:.2}", reached - 1.0));
    tab.click("document.querySelector('main button')");
    let refused = tab.evaluate(&format!("{}.control.validity.rangeUnderflow", labelled("Your bid")));
    assert_eq!((refused, tab.address()), (true.into(), form));
    assert_eq!(tab.requests().len(), requests);
}

/// Two people fill the form at the same time. The second one to send it bids too little.
fn who_is_outbid_is_told(tab: &Tab, site: &RunningSite, item: &str) {
    tab.go(item);
    let reached = price(tab);
    log_in(tab, &site.nickname, &site.password);
    let outside = Chrome::start();
    let rival = Tab::open(&outside);
    rival.go(item);
    log_in(&rival, "user2", "password2");
    bid(&rival, reached + 50.0);
    assert_eq!(rival.text("h1"), "Your bid is placed");
    bid(tab, reached + 10.0);
    assert_eq!(tab.text("h1"), "Refused");
    assert!(tab.text("main").contains("The bid must be at least "));
    inspect(tab, "site-outbid");
    tab.follow("Back to the item");
    assert_eq!((tab.address().as_str(), price(tab)), (item, reached + 50.0));
    assert_eq!(rival.complaints(), Vec::<String>::new());
}

fn a_wrong_password_is_refused(tab: &Tab, site: &RunningSite, item: &str) {
    tab.go(item);
    log_in(tab, &site.nickname, "not my password");
    assert_eq!(tab.text("h1"), "Access denied");
    assert!(tab.text("main").contains("The nickname or the password is wrong."));
    inspect(tab, "site-wrong-password");
}

fn a_person_with_any_name_can_register(tab: &Tab) {
    tab.follow("Register");
    inspect(tab, "site-register");
    tab.fill("First name", "Jürgen");
    tab.fill("Last name", "O'Brien <3");
    tab.fill("Nickname", "juergen_ob");
    tab.fill("Email address", "juergen@example.org");
    tab.fill("Password", "it's <secret>");
    tab.click(&format!("{}.control", labelled("Email address")));
    tab.press("Tab");
    tab.press("Tab");
    tab.press("ArrowDown");
    let region = tab.evaluate("document.activeElement.selectedOptions[0].text");
    tab.send("Register");
    assert_eq!(tab.text("h1"), "Welcome, juergen_ob");
    assert_eq!(tab.described("Name"), "Jürgen O'Brien <3");
    assert_eq!(tab.described("Region"), region.as_str().unwrap());
    assert!(tab.text("data.acknowledged").starts_with("user "));
    inspect(tab, "site-registered");
}

fn it_ends_with_ctrl_c(site: &mut RunningSite) {
    let before = site.processes();
    assert!(before.iter().any(|line| line.contains("mariadbd")), "{before:?}");
    let end = site.interrupt();
    assert!(end.success(), "{end}");
    assert_eq!((site.processes(), site.leavings()), (Vec::new(), Vec::new()));
    let place = site.origin().replace("http://", "");
    assert!(TcpStream::connect(&place).is_err(), "{place} still answers");
}
