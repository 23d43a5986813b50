//! Orders, the administration, and their effects on other pages.

use super::*;
use crate::rows::{Order, OrderLine, Payment};
use payment::{DECLINED, TIMES_OUT};
use requests_of::{add, change, confirm, last_order, log_in, refresh};

const DAY: i64 = 24 * 3600;

#[test]
fn an_order_is_what_was_in_the_cart() {
    let mut site = Site::new();
    let cart = site.cart(&[(7, 2), (9, 3)]);
    let page = site.page(&log_in(cart, 1));
    let total = facts(&page)["Total"].clone();
    let page = site.page(&confirm(1, cart, &[("SHIPPING", "FEDEX")]));
    assert_eq!(facts(&page)["Total"], total);
    let (store, before) = (&site.0.store, STORE.orders.len());
    let id = before as i64 + 1;
    assert_eq!((acknowledged(&page), store.orders.len()), (id, before + 1));
    let customer = store.customer(1).unwrap();
    let lines: Vec<&OrderLine> = store.lines_of_order(id).collect();
    let books: Vec<(i64, i64)> = lines.iter().map(|line| (line.ol_i_id, line.ol_qty)).collect();
    assert_eq!(books, [(7, 2), (9, 3)]);
    for line in &lines {
        assert_eq!(line.ol_price, store::reduced(store.known_item(line.ol_i_id).i_cost, customer.c_discount));
    }
    let sub_total: i64 = lines.iter().map(|line| line.ol_price.0 * line.ol_qty).sum();
    let tax = (sub_total * 825 + 5000) / 10_000;
    let expected = Order {
        o_id: id,
        o_c_id: 1,
        o_date: EPOCH,
        o_sub_total: Money(sub_total),
        o_tax: Money(tax),
        o_total: Money(sub_total + tax + 500),
        o_ship_type: "FEDEX".to_owned(),
        o_ship_date: EPOCH + 2 * DAY,
        o_bill_addr_id: customer.c_addr_id,
        o_ship_addr_id: customer.c_addr_id,
        o_status: "PENDING".to_owned(),
    };
    assert_eq!(store.orders.last(), Some(&expected));
    let Payment { cx_o_id, cx_num, cx_xact_amt, cx_auth_id, .. } = store.payments.last().unwrap();
    assert_eq!((*cx_o_id, &**cx_num, *cx_xact_amt), (id, "************1111", expected.o_total));
    assert_eq!(cx_auth_id.len(), 15);
    let shown = site.page(&last_order(1));
    assert_eq!((text(&shown, "h1"), facts(&shown)["Total"].clone()), (format!("Order {id}"), total));
}

#[test]
fn who_confirms_twice_orders_once_and_the_cart_is_done() {
    let mut site = Site::new();
    let cart = site.cart(&[(7, 2)]);
    let order = acknowledged(&site.page(&confirm(1, cart, &[])));
    assert!(site.0.store.cart_lines.is_empty());
    let done = conflict(&format!("This cart has been ordered already: it is order {order}."));
    assert_eq!(site.refused(&confirm(1, cart, &[])), done);
    assert_eq!(site.refused(&confirm(2, cart, &[("CC_NUMBER", DECLINED)])), done);
    assert_eq!(site.refused(&log_in(cart, 2)), done);
    let page = site.page(&add(Some(cart), 7));
    assert_eq!((acknowledged(&page), site.0.store.carts[cart as usize - 1].sc_o_id), (cart + 1, Some(order)));
}

#[test]
fn what_the_bank_does_not_pay_is_not_ordered() {
    let mut site = Site::new();
    let cart = site.cart(&[(7, 2)]);
    let card = |number| {
        confirm(
            1,
            cart,
            &[("CC_NUMBER", number), ("STREET_1", "x"), ("CITY", "x"), ("STATE", "x"), ("ZIP", "x")],
        )
    };
    let declined = conflict("Your bank declines the payment. Nothing has been ordered.");
    assert_eq!(site.refused(&card(DECLINED)), declined);
    let unanswered = (504, "Your bank does not answer. Nothing has been ordered.".to_owned());
    assert_eq!(site.refused(&card(TIMES_OUT)), unanswered);
    site.page(&card(requests_of::CARD));
    assert_eq!(site.0.store.addresses.len(), STORE.addresses.len() + 1);
}

#[test]
fn the_bank_is_asked_once_for_each_order_that_may_be_placed_and_for_nothing_else() {
    let mut site = Site::new();
    let cart = site.cart(&[(7, 2)]);
    assert_eq!(site.0.take_payments(), []);
    let mut asked = |step: &Step| {
        site.send(step);
        site.0.take_payments()
    };
    let forms = |payments: Vec<application::Payment>| -> Vec<(String, String)> {
        payments.into_iter().map(|payment| (payment.reference, payment.number)).collect()
    };
    let once = |number: &str| vec![(cart.to_string(), number.to_owned())];
    for number in [DECLINED, TIMES_OUT, requests_of::CARD] {
        assert_eq!(forms(asked(&confirm(1, cart, &[("CC_NUMBER", number)]))), once(number));
    }
    for refused in [confirm(1, cart, &[]), confirm(1, cart + 1, &[]), confirm(1, cart, &[("CC_NUMBER", "1")])]
    {
        assert_eq!(asked(&refused), []);
    }
}

#[test]
fn stock_is_delivered_when_it_runs_low() {
    let mut site = Site::new();
    let first = site.stock(7);
    let mut sold = 0;
    for copies in [1, 2, 20, 21, 22, 50, 99] {
        let cart = site.cart(&[(7, copies)]);
        site.page(&confirm(1, cart, &[]));
        sold += copies;
        let stock = site.stock(7);
        assert!((10..=30).contains(&stock), "{stock} after {copies}");
        assert_eq!((stock + sold - first).rem_euclid(21), 0);
    }
}

#[test]
fn prices_are_those_of_the_shop_whatever_the_client_says() {
    let mut site = Site::new();
    let cart = site.cart(&[(7, 1)]);
    let tampered = format!("{}&price=0.01&I_COST=0.01&total=0.01&discount=100", confirm(1, cart, &[]));
    site.page(&tampered.parse().unwrap());
    let line = site.0.store.order_lines.last().unwrap();
    let discount = site.0.store.customer(1).unwrap().c_discount;
    assert_eq!(line.ol_price, store::reduced(site.0.store.known_item(7).i_cost, discount));
}

#[test]
fn orders_make_best_sellers() {
    let mut site = Site::new();
    let subject = site.0.store.known_item(7).i_subject.clone();
    for _ in 0..40 {
        let cart = site.cart(&[(7, 99)]);
        site.page(&confirm(1, cart, &[]));
    }
    let page = site.page(&requests_of::get("BestSellers", &[("SUBJECT", &subject)]));
    let title = site.0.store.known_item(7).i_title.clone();
    assert_eq!(texts(&page, "tbody th")[0], title);
    let sold: Vec<i64> =
        texts(&page, "tbody td:last-child").iter().map(|copies| copies.parse().unwrap()).collect();
    assert!(sold[0] >= 40 * 99 && sold.is_sorted_by(|one, other| one >= other));
}

#[test]
fn only_the_last_orders_count_for_best_sellers() {
    let first: Vec<&OrderLine> = STORE.lines_of_order(1).collect();
    let mut store = STORE.clone();
    let selling = |store: &Store, item: i64| {
        let subject = &store.known_item(item).i_subject;
        store
            .best_sellers(subject)
            .into_iter()
            .find(|(book, ..)| book.i_id == item)
            .map(|(.., copies)| copies)
    };
    // There are 3,600 orders: the first is too old, whatever it was.
    let item = first[0].ol_i_id;
    let before = selling(&store, item);
    for line in store.order_lines.iter_mut().filter(|line| line.ol_o_id <= 3_600 - 3_333) {
        line.ol_qty = 1_000_000;
    }
    assert_eq!(selling(&store, item), before);
    for line in store.order_lines.iter_mut().filter(|line| line.ol_o_id == 3_600 - 3_333 + 1) {
        line.ol_qty = 1_000_000;
    }
    let oldest = store.lines_of_order(3_600 - 3_333 + 1).next().unwrap().ol_i_id;
    assert!(selling(&store, oldest).unwrap() >= 1_000_000);
}

#[test]
fn a_changed_book_is_new_and_goes_with_what_was_bought_with_it() {
    let mut site = Site::new();
    for (customer, books) in
        [(1, [(901, 9), (902, 5)]), (1, [(903, 7), (904, 7)]), (2, [(901, 1), (905, 99)])]
    {
        let cart = site.cart(&books);
        site.page(&confirm(customer, cart, &[]));
    }
    site.page(&change(901, "1.5", 905));
    let store = &site.0.store;
    let item = store.known_item(901);
    assert_eq!((item.i_cost, item.i_pub_date), (Money(150), EPOCH));
    assert_eq!((&*item.i_image, &*item.i_thumbnail), ("images/5/image_905.png", "images/5/thumb_905.png"));
    // Others have bought it before, and so have these two.
    let related = item.related();
    assert!(related.iter().all(|book| *book != 901));
    let bought_with: i64 =
        related.iter().filter(|book| !STORE.known_item(901).related().contains(book)).count() as i64;
    assert!(bought_with > 0, "{related:?}");
    let page = site.page(&requests_of::get("NewProducts", &[("SUBJECT", &item.i_subject.clone())]));
    assert_eq!(texts(&page, "tbody th")[0], STORE.known_item(901).i_title);
    let most = STORE.known_item(901).i_srp;
    let wrong = conflict(&format!("The price must be from 0.01 to {most}."));
    assert_eq!(site.refused(&change(901, "0", 1)), wrong);
    assert_eq!(site.refused(&change(901, &Money(most.0 + 1).to_string(), 1)), wrong);
    assert_eq!(site.refused(&refresh(999, &[(1, 1)])), (404, "There is no cart 999.".to_owned()));
}

#[test]
fn books_that_nobody_bought_with_another_leave_what_went_with_it() {
    let mut store = STORE.clone();
    store.order_lines.retain(|line| line.ol_i_id != 7);
    let before = store.known_item(7).related();
    let change = store::Change { item: 7, cost: Money(1), image: "x".to_owned(), thumbnail: "y".to_owned() };
    store.change_item(change, EPOCH).unwrap();
    assert_eq!(store.known_item(7).related(), before);
}
