//! Requests refused before any row is read.

use super::*;

#[test]
fn unknown_pages_and_wrong_methods_are_refused() {
    let mut site = Site::new();
    let mut refused = |method: &str, path: &str| {
        let path = format!("/bookstore/{path}");
        site.answer(&Step { method: method.to_owned(), path, parameters: String::new() })
    };
    for path in ["", "Homes", "home", "Home/", "images/7/image_108.png", "images/7/image_9999907.png"] {
        assert_eq!(refused("GET", path), (404, "There is no such page.".to_owned()), "{path}");
    }
    for interaction in CATALOGUE.interactions() {
        let wrong = if interaction.method == Method::Get { "POST" } else { "GET" };
        for method in [wrong, "DELETE"] {
            assert_eq!(refused(method, &interaction.name).0, 404, "{method} {}", interaction.name);
        }
    }
}

/// Valid requests with all of their required parameters, each in the order of app.toml.
fn right() -> Vec<Step> {
    use requests_of::{about, add, change, confirm, get, last_order, log_in, register, sealed, search};
    let elsewhere = [("STREET_1", "a"), ("STREET_2", "b"), ("CITY", "c"), ("STATE", "d"), ("ZIP", "e")];
    vec![
        get("NewProducts", &[("SUBJECT", "ARTS")]),
        get("BestSellers", &[("SUBJECT", "ARTS")]),
        about("ProductDetail", 1),
        search("title", "B"),
        add(None, 1),
        get("CustomerRegistration", &[("SHOPPING_ID", &sealed(1))]),
        log_in(1, 1),
        register(1, &[("STREET_2", "left")]),
        confirm(1, 1, &elsewhere),
        last_order(1),
        about("AdminRequest", 1),
        change(1, "1", 1),
    ]
}

#[test]
fn each_parameter_is_required_once_and_in_its_form_and_the_first_fault_is_named() {
    let mut site = Site::new();
    site.cart(&[(7, 1)]);
    let before = site.0.store.clone();
    for step in right() {
        let pairs: Vec<&str> = step.parameters.split('&').collect();
        let id = CATALOGUE.by_path(&step.path).unwrap();
        for (at, pair) in pairs.iter().enumerate() {
            let (name, _) = pair.split_once('=').unwrap();
            let parameter = CATALOGUE.get(id).parameters.iter().find(|known| known.name == name).unwrap();
            let mut send =
                |pairs: &[&str]| site.answer(&Step { parameters: pairs.join("&"), ..step.clone() });
            let fault = missing(name);
            let may_be_missing = ["STREET_2", "RETURNING_FLAG"].contains(&name)
                || step.path.ends_with("BuyConfirm") && name == "STREET_1";
            if !may_be_missing {
                assert_eq!(send(&[&pairs[..at], &pairs[at + 1..]].concat()), fault, "{step}");
                let empty = format!("{name}=");
                assert_eq!(send(&[&pairs[..at], &[&*empty], &pairs[at + 1..]].concat()), fault, "{step}");
            }
            assert_eq!(send(&[&pairs[..], &[pair]].concat()), fault, "{step}");
            let long = "1".repeat(parameter.max_length.unwrap_or(20) as usize + 1);
            for wrong in ["%00", "%ff", &long] {
                let bad = format!("{name}={wrong}");
                assert_eq!(send(&[&pairs[..at], &[&*bad], &pairs[at + 1..]].concat()), fault, "{step} {bad}");
            }
        }
    }
    assert!(site.0.store == before, "an error changed the data");
}

#[test]
fn the_state_of_a_visitor_is_checked_on_every_page_that_takes_it() {
    let mut site = Site::new();
    site.cart(&[(7, 1)]);
    let before = site.0.store.clone();
    let carries = |name: &'static str| {
        let plain = ["Home", "SearchRequest", "OrderInquiry"].map(|page| requests_of::get(page, &[]));
        right().into_iter().chain(plain).filter(move |step| {
            let interaction = CATALOGUE.get(CATALOGUE.by_path(&step.path).unwrap());
            let given = Parameters::decode(step.parameters.as_bytes());
            interaction.parameters.iter().any(|known| known.name == name) && given.is_absent(name)
        })
    };
    let with = |step: &Step, pair: &str| {
        let parameters =
            if step.parameters.is_empty() { pair.to_owned() } else { format!("{}&{pair}", step.parameters) };
        Step { parameters, ..step.clone() }
    };
    let mut tried = 0;
    for step in carries("C_ID") {
        assert_eq!(site.answer(&with(&step, "C_ID=0")), missing("C_ID"), "{step}");
        tried += 1;
    }
    for step in carries("SHOPPING_ID") {
        assert_eq!(site.answer(&with(&step, "SHOPPING_ID={sealed:1:forged}")).0, 403, "{step}");
        tried += 1;
    }
    assert_eq!(tried, 12 + 11);
    assert!(site.0.store == before, "an error changed the data");
}
