//! Looking for books.

use super::*;
use requests_of::{get, search};

fn titles(page: &Html) -> Vec<String> {
    texts(page, "tbody th")
}

#[test]
fn authors_and_titles_are_found_by_how_they_begin() {
    let mut site = Site::new();
    let (item, name) = (STORE.known_item(7).clone(), STORE.author(STORE.known_item(7)).a_lname.clone());
    for (sort, begin) in
        [("author", &*name), ("author", &name[..9]), ("title", &item.i_title), ("title", &item.i_title[..14])]
    {
        let found = titles(&site.page(&search(sort, begin)));
        assert!(found.is_sorted(), "{found:?}");
        assert!(found.len() == 50 || found.contains(&item.i_title), "{sort} {begin}");
    }
    for (sort, nothing) in [
        ("author", name.to_uppercase()),
        ("title", item.i_title[1..].to_owned()),
        ("author", "%".to_owned()),
        ("title", "_".to_owned()),
    ] {
        let page = site.page(&search(sort, &nothing));
        assert_eq!(
            (titles(&page).len(), &*text(&page, "main > p")),
            (0, "There are no such books."),
            "{sort} {nothing}"
        );
    }
    assert_eq!(titles(&site.page(&search("title", "B"))).len(), 50);
}

#[test]
fn subjects_are_listed_by_title_or_by_date() {
    let mut site = Site::new();
    for subject in population::subjects() {
        let of_subject = STORE.items.iter().filter(|item| item.i_subject == *subject).count();
        let found = titles(&site.page(&search("subject", subject)));
        assert!(found.is_sorted() && found.len() == of_subject.min(50), "{subject}");
        let page = site.page(&get("NewProducts", &[("SUBJECT", subject)]));
        let days = texts(&page, "tbody td:last-child");
        assert!(
            days.is_sorted_by(|one, other| one >= other) && days.len() == of_subject.min(50),
            "{subject}"
        );
    }
}

#[test]
fn five_books_are_promoted_and_who_asks_again_sees_them_again() {
    let mut site = Site::new();
    let mut promoted = |fields: &[(&str, &str)]| texts(&site.page(&get("Home", fields)), "aside li");
    let (nobody, somebody) = (promoted(&[]), promoted(&[("C_ID", "7")]));
    assert_eq!((nobody.len(), somebody.len()), (5, 5));
    assert_ne!(nobody, somebody);
    assert_eq!(promoted(&[("C_ID", "7")]), somebody);
    let item = STORE.known_item(store::scattered_item(7, 1_000));
    let expected: Vec<String> = STORE.related(item).iter().map(|book| book.i_title.clone()).collect();
    assert_eq!(somebody, expected);
}

#[test]
fn customers_are_greeted() {
    let mut site = Site::new();
    let customer = STORE.customer(7).unwrap();
    let greeting = format!("Welcome back, {} {}", customer.c_fname, customer.c_lname);
    assert_eq!(text(&site.page(&get("Home", &[("C_ID", "7")])), "h1"), greeting);
    assert_eq!(
        site.refused(&get("Home", &[("C_ID", "999999")])),
        (404, "There is no customer 999999.".to_owned())
    );
}
