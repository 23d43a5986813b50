//! Comments on sellers.

use super::*;
use crate::rows::Comment;

fn body(site: &Site, author: i64, item: &Item, to: i64, rest: &str) -> String {
    format!("itemId={}&to={to}&token={}&{rest}", item.id, site.token(author))
}

#[test]
fn a_seller_is_rated_through_the_forms() {
    let mut site = Site::new();
    let item = site.sell(|_| {});
    let before = site.0.store.known_user(item.seller).rating;
    let page = site.get(&format!("PutCommentAuth?itemId={}&to={}", item.id, item.seller));
    let page = site
        .post("PutComment", &format!("itemId={}&to={}&{LOG_IN}", value(&page, "itemId"), value(&page, "to")));
    assert_decent(&page);
    assert_eq!(all(&page, "option").len(), 5);
    let form = format!("itemId={}&to={}&token={}", item.id, item.seller, value(&page, "token"));
    let page = site.post("StoreComment", &format!("{form}&rating=-3&comment=%3Cb%3ELate%0D%0A%26+torn"));
    assert_decent(&page);
    let id = site.0.store.comments.len() as i64;
    let stored = Comment {
        id,
        from_user_id: VISITOR,
        to_user_id: item.seller,
        item_id: item.id,
        rating: -3,
        date: EPOCH,
        comment: "<b>Late\r\n& torn".to_owned(),
    };
    assert_eq!((acknowledged(&page), site.0.store.comments.last()), (id, Some(&stored)));
    let page = site.get(&format!("ViewUserInfo?userId={}", item.seller));
    assert_decent(&page);
    assert_eq!(facts(&page)["Rating"], (before - 3).to_string());
    assert_eq!(text(&page, ".comments li .text"), "<b>Late & torn");
    let expected =
        [format!("/auction/ViewUserInfo?userId={VISITOR}"), format!("/auction/ViewItem?itemId={}", item.id)];
    assert!(expected.iter().all(|href| links(&page).contains(href)));
}

#[test]
fn the_same_comment_counts_twice_and_old_items_can_be_rated_for() {
    let mut site = Site::new();
    let old = site.0.store.old_items.iter().find(|item| item.seller != VISITOR).unwrap().clone();
    let before = site.0.store.known_user(old.seller).rating;
    let comment = body(&site, VISITOR, &old, old.seller, "rating=5&comment=Fine");
    let first = acknowledged(&site.post("StoreComment", &comment));
    assert_eq!(acknowledged(&site.post("StoreComment", &comment)), first + 1);
    assert_eq!(site.0.store.known_user(old.seller).rating, before + 10);
}

#[test]
fn a_comment_is_refused_in_order() {
    let mut site = Site::new();
    let item = site.sell(|_| {});
    let seller = item.seller;
    let unknown = Item { id: 999_999_999, ..item.clone() };
    let own = conflict("You can't bid on, buy or rate what you sell yourself.");
    let wrong_seller = |to: i64| conflict(&format!("User {to} does not sell item {}.", item.id));
    let good = "rating=0&comment=x";
    let cases = [
        (body(&site, VISITOR, &unknown, seller, good).replace("token=7", "token=8"), wrong_token()),
        (body(&site, VISITOR, &unknown, seller, good), (404, "There is no item 999999999.".to_owned())),
        (body(&site, VISITOR, &item, VISITOR, good), wrong_seller(VISITOR)),
        (body(&site, VISITOR, &item, 999_999_999, good), wrong_seller(999_999_999)),
        (body(&site, seller, &item, seller, good), own),
        (body(&site, VISITOR, &item, seller, "rating=1&comment=x"), missing("rating")),
        (body(&site, VISITOR, &item, seller, "rating=-0&comment=x"), missing("rating")),
    ];
    for (body, refusal) in cases {
        assert_eq!(site.refused("POST", "StoreComment", &body), refusal, "{body}");
    }
}
