//! A person buys a book in the bookstore, on the screens of a phone and of a desk. Only this test shows that a
//! browser finds its way to TLS and back by the pages' own links, and that covers are pictures.

use crate::{chrome::Chrome, command::RunningSite, inspection::inspect, tab::Tab};
use serde_json::json;

/// True if all pictures of the page are loaded and can be drawn.
fn has_all_pictures(tab: &Tab) -> bool {
    let drawn = "document.images.length > 0 && [...document.images].every(one => one.complete && one.naturalWidth > 0)";
    tab.evaluate(drawn) == serde_json::Value::Bool(true)
}

fn is_secure(tab: &Tab) -> bool {
    tab.address().starts_with("https://")
}

fn fill_card(tab: &Tab, number: &str) {
    tab.fill("Number of the card", number);
    tab.fill("Name on the card", "Zoë O'Brien");
    // The notation of a month depends on the language of the browser.
    tab.evaluate("document.querySelector('#CC_EXPIRY').value = '2031-12'");
}

#[test]
fn a_person_can_buy_a_book() {
    let site = RunningSite::up_of("bookstore", "reference");
    let chrome = Chrome::start();
    let tab = Tab::open(&chrome);
    tab.go(&site.start);
    assert_eq!(tab.text("h1"), "Welcome to the bookstore");
    assert!(has_all_pictures(&tab) && !is_secure(&tab));
    inspect(&tab, "shop-home");

    let title = tab.text(".covers a");
    tab.follow(&title);
    assert_eq!(tab.text("h1"), title);
    assert!(has_all_pictures(&tab));
    inspect(&tab, "shop-book");

    tab.send("Add to the cart");
    assert_eq!(tab.text("h1"), "Your cart");
    tab.fill("Quantity", "2");
    tab.send("Change the quantities");
    assert!(tab.text("main table").contains(&title));
    inspect(&tab, "shop-cart");

    tab.follow("Go to checkout");
    assert!(is_secure(&tab), "{}", tab.address());
    inspect(&tab, "shop-register");
    tab.follow("I am a customer already");
    inspect(&tab, "shop-log-in");
    tab.fill("User name", &site.nickname);
    tab.fill("Password", &site.password);
    tab.send("Log in");
    assert_eq!(tab.text("h1"), "Checkout");
    inspect(&tab, "shop-checkout");

    let pay = tab.text("main form button");
    assert!(pay.starts_with("Order and pay "), "{pay}");
    fill_card(&tab, "4000000000000002");
    tab.send(&pay);
    // The bank declines this card. The person goes back, lets the browser log in once more, since it kept nothing
    // that came over TLS, and takes another card.
    inspect(&tab, "shop-declined");
    assert_eq!(tab.text("h1"), "Refused");
    tab.loading(|| {
        // After the answer: an evaluation that the next page overtakes is an error.
        tab.evaluate("void setTimeout(() => history.back())");
    });
    tab.loading(|| {
        tab.call("Page.reload", &json!({}));
    });
    assert_eq!(tab.text("h1"), "Checkout");
    fill_card(&tab, "4111111111111111");
    tab.send(&pay);
    assert_eq!(tab.text("h1"), "Thank you for your order");
    let total = tab.described("Total");
    assert_eq!(pay, format!("Order and pay {total}"));
    let order = tab.text("data.acknowledged");
    inspect(&tab, "shop-thanks");

    tab.follow("Your orders");
    tab.fill("User name", &site.nickname);
    tab.fill("Password", &site.password);
    tab.send("Log in");
    assert_eq!(tab.text("h1").to_lowercase(), order);
    assert_eq!((tab.described("Status"), tab.described("Total")), ("PENDING".to_owned(), total));
    inspect(&tab, "shop-order");

    tab.follow("Home");
    assert!(has_all_pictures(&tab));
    let outside = tab.requests().into_iter().find(|address| !address.contains("//127.0.0.1:"));
    assert_eq!(outside, None);
}
