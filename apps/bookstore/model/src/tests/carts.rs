//! Shopping carts.

use super::*;
use crate::rows::CartLine;
use requests_of::{add, cart_with, refresh};

/// Books and quantities of a cart, in the order in which they came.
fn content(site: &Site, cart: i64) -> Vec<(i64, i64)> {
    let lines = site.0.store.cart_lines.values().filter(|line| line.scl_sc_id == cart);
    lines.map(|CartLine { scl_i_id, scl_qty, .. }| (*scl_i_id, *scl_qty)).collect()
}

#[test]
fn a_cart_is_begun_once_and_changed_afterwards() {
    let mut site = Site::new();
    let page = site.page(&add(None, 7));
    assert_eq!((acknowledged(&page), content(&site, 1)), (1, vec![(7, 1)]));
    let page = site.page(&add(Some(1), 9));
    assert_eq!((acknowledged(&page), content(&site, 1)), (0, vec![(7, 1), (9, 1)]));
    site.page(&add(Some(1), 7));
    assert_eq!(content(&site, 1), [(7, 2), (9, 1)]);
    let page = site.page(&refresh(1, &[(9, 5), (7, 0)]));
    assert_eq!((content(&site, 1), site.0.store.carts.len()), (vec![(9, 5)], 1));
    let cost = site.0.store.known_item(9).i_cost;
    assert_eq!(text(&page, "tfoot td"), Money(cost.0 * 5).to_string());
}

#[test]
fn the_form_of_the_cart_changes_what_it_shows() {
    let mut site = Site::new();
    let cart = site.cart(&[(7, 2), (9, 3)]);
    let page = site.page(&cart_with(Some(cart), &[("ADD_FLAG", "N")]));
    let form = all(&page, "main form").into_iter().next().unwrap();
    let inputs = Selector::parse("input").unwrap();
    let fields: Vec<(&str, &str)> = form
        .select(&inputs)
        .map(|field| (field.attr("name").unwrap(), field.attr("value").unwrap()))
        .collect();
    let lines = [("ADD_FLAG", "N"), ("I_ID_1", "7"), ("QTY_1", "2"), ("I_ID_2", "9"), ("QTY_2", "3")];
    assert_eq!(fields[1..], lines);
    assert_eq!(site.0.key.open("SHOPPING_ID", fields[0].1), Some(cart));
}

#[test]
fn nobody_looks_at_an_empty_cart() {
    let mut site = Site::new();
    let page = site.page(&cart_with(None, &[("ADD_FLAG", "N")]));
    let chosen = store::scattered_item(1, site.0.store.items.len() as i64);
    assert_eq!((acknowledged(&page), content(&site, 1)), (1, vec![(chosen, 1)]));
    site.page(&refresh(1, &[(chosen, 0)]));
    assert_eq!(content(&site, 1), [(chosen, 1)]);
    assert_eq!(site.0.store.cart_lines.keys().copied().collect::<Vec<_>>(), [2], "the first line is gone");
}

#[test]
fn a_cart_holds_ten_books_and_99_copies_of_each() {
    let mut site = Site::new();
    let books: Vec<(i64, i64)> = (1..=10).map(|book| (book, 99)).collect();
    let cart = site.cart(&books);
    assert_eq!(site.refused(&add(Some(cart), 11)), conflict("A cart holds at most 10 different books."));
    site.page(&add(Some(cart), 10));
    assert_eq!(content(&site, cart), books);
    let swapped = [("ADD_FLAG", "Y"), ("I_ID", "11"), ("I_ID_1", "3"), ("QTY_1", "0")];
    site.page(&cart_with(Some(cart), &swapped));
    assert_eq!(content(&site, cart).last(), Some(&(11, 1)));
}

#[test]
fn nobody_reaches_the_cart_of_another() {
    let mut site = Site::new();
    let cart = site.cart(&[(7, 2)]);
    let refused = (403, "This is no cart of ours. Please begin a new one.".to_owned());
    for wrong in [format!("{{sealed:{cart}:forged}}"), cart.to_string(), "1.00".to_owned()] {
        for page in ["ShoppingCart", "BuyRequest", "BuyConfirm"] {
            let fields: &[(&str, &str)] = match page {
                "ShoppingCart" => &[("ADD_FLAG", "N")],
                "BuyRequest" => &[("RETURNING_FLAG", "Y"), ("UNAME", "OG"), ("PASSWD", "og")],
                _ => &[
                    ("token", "{token:1}"),
                    ("CC_TYPE", "VISA"),
                    ("CC_NUMBER", requests_of::CARD),
                    ("CC_NAME", "x"),
                    ("CC_EXPIRY", "2030-01"),
                    ("SHIPPING", "AIR"),
                ],
            };
            let step = requests_of::post(page, &[&[("SHOPPING_ID", &*wrong)], fields].concat());
            assert_eq!(site.refused(&step), refused, "{step}");
        }
    }
}
