//! Customers who register and log in.

use super::*;
use crate::rows::Customer;
use application::password_hash;
use requests_of::{last_order_as, log_in, log_in_as, register, sealed};

#[test]
fn new_customers_register_and_others_log_in() {
    let mut site = Site::new();
    let cart = sealed(site.cart(&[(7, 1)]));
    let mut form = |fields: &[(&str, &str)]| {
        let page = site.page(&requests_of::get("CustomerRegistration", fields));
        all(&page, "[name=RETURNING_FLAG]")[0].attr("value").unwrap().to_owned()
    };
    let (nobody, somebody) = (("SHOPPING_ID", &*cart), ("C_ID", "1"));
    assert_eq!((form(&[nobody]), form(&[nobody, somebody])), ("N".to_owned(), "Y".to_owned()));
    let say = |flag| ("RETURNING_FLAG", flag);
    assert_eq!(
        (form(&[nobody, say("Y")]), form(&[nobody, somebody, say("N")])),
        ("Y".to_owned(), "N".to_owned())
    );
}

#[test]
fn who_registers_can_log_in_and_pays_less() {
    let mut site = Site::new();
    let cart = site.cart(&[(7, 2)]);
    let page = site.page(&register(cart, &[("NEW_UNAME", "ada"), ("NEW_PASSWD", "pass word")]));
    let customers = &site.0.store.customers;
    let id = customers.len() as i64;
    assert_eq!(acknowledged(&page), id);
    let Customer { c_uname, c_passwd, c_discount, c_login, .. } = &customers[id as usize - 1];
    let discount = (97 + 100 + 97) % 51;
    assert_eq!((&**c_uname, &**c_passwd), ("ada", &*password_hash("ada", "pass word")));
    assert_eq!((*c_discount, *c_login), (discount, EPOCH));
    let price = site.0.store.known_item(7).i_cost.0;
    let reduced = (price * (100 - discount) + 50) / 100;
    let facts = facts(&page);
    let shown = |name: &str| facts[name].clone();
    let tax = (2 * reduced * 825 + 5000) / 10_000;
    assert_eq!(shown("Books"), Money(2 * reduced).to_string());
    assert_eq!((shown("Tax"), shown("Shipping")), (Money(tax).to_string(), "4.00".to_owned()));
    assert_eq!(shown("Total"), Money(2 * reduced + tax + 400).to_string());
    let page = site.page(&log_in_as(cart, "ada", "pass word"));
    assert_eq!((acknowledged(&page), site.0.store.customers.len() as i64), (0, id));
    let token = all(&page, "[name=token]")[0].attr("value").unwrap();
    assert_eq!(site.0.key.verify(token, EPOCH), Some(id));
    assert_eq!(
        text(&site.page(&last_order_as("ada", "pass word")), "main > p"),
        "You have not ordered anything yet."
    );
    let taken = conflict("The user name ada is taken. Please choose another one.");
    assert_eq!(site.refused(&register(cart, &[("NEW_UNAME", "ada")])), taken);
}

#[test]
fn the_same_address_is_kept_once() {
    let mut site = Site::new();
    let cart = site.cart(&[(7, 1)]);
    let mut address = |changes: &[(&str, &str)]| {
        site.page(&register(cart, changes));
        site.0.store.customers.last().unwrap().c_addr_id
    };
    let first = address(&[("NEW_UNAME", "a1")]);
    assert_eq!(address(&[("NEW_UNAME", "a2")]), first);
    assert_eq!(address(&[("NEW_UNAME", "a3"), ("STREET_2", "2")]), first + 1);
    let known = STORE.addresses[41].clone();
    let country = known.addr_co_id.to_string();
    let same = [
        ("NEW_UNAME", "a4"),
        ("STREET_1", &*known.addr_street1),
        ("STREET_2", &known.addr_street2),
        ("CITY", &known.addr_city),
        ("STATE", &known.addr_state),
        ("ZIP", &known.addr_zip),
        ("COUNTRY", &country),
    ];
    assert_eq!(address(&same), 42);
}

#[test]
fn a_log_in_is_noted() {
    let mut site = Site::new();
    let cart = site.cart(&[(7, 1)]);
    let before = site.0.store.customers[4].clone();
    let later = EPOCH + 50;
    let step = log_in(cart, 5);
    assert_eq!(site.0.respond(&step.request(&site.0.key, later), later).status, 200);
    let after = &site.0.store.customers[4];
    let (login, expiration) = (later, later + 7200);
    let expected =
        Customer { c_last_login: before.c_login, c_login: login, c_expiration: expiration, ..before };
    assert_eq!(*after, expected);
    assert_eq!(site.refused(&log_in_as(cart, "RE", "RE")).0, 403);
}
