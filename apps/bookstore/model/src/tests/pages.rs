//! Good HTML, and links that lead on.

use super::*;
use proptest::prelude::*;
use std::{cell::RefCell, collections::BTreeSet};

/// Asserts that a page is good HTML and accessible.
fn assert_decent(page: &Html) {
    assert!(page.errors.is_empty(), "{:?}", page.errors);
    assert!(!text(page, "title").starts_with('–'));
    assert_eq!((all(page, "html[lang=en]").len(), all(page, "h1").len()), (1, 1));
    let ids: Vec<&str> = all(page, "[id]").iter().map(|element| element.attr("id").unwrap()).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
    for field in all(page, "input:not([type=hidden]), select, textarea") {
        let id = field.attr("id").expect("a field has an id");
        assert_eq!(all(page, &format!("label[for={id}]")).len(), 1, "{id}");
    }
    assert!(all(page, "th:not([scope])").is_empty() && all(page, "img:not([alt])").is_empty());
    assert!(all(page, "img:not([width]), img:not([height])").is_empty());
    assert_eq!(all(page, "table").len(), all(page, "table > caption").len());
    for href in links(page) {
        let path = href.split('?').next().unwrap();
        let id = CATALOGUE.by_path(path).unwrap_or_else(|| panic!("{href} leads nowhere"));
        assert_eq!(CATALOGUE.get(id).method, Method::Get, "{href}");
    }
    for form in all(page, "form") {
        let action = form.attr("action").unwrap();
        let target = CATALOGUE.get(CATALOGUE.by_path(action).expect("a form leads somewhere"));
        assert_eq!(form.attr("method").unwrap().to_uppercase(), target.method.to_string());
        let mut known = target.parameters.iter();
        for field in form.select(&Selector::parse("[name]").unwrap()) {
            let name = field.attr("name").unwrap();
            // In their order, where those that may be missing may.
            let parameter = known.find(|parameter| parameter.name == name);
            let parameter = parameter.unwrap_or_else(|| panic!("{action} does not take {name} there"));
            let is_number = field.attr("type") == Some("number");
            if let Some(most) = field.attr("maxlength").filter(|_| !is_number) {
                assert_eq!(most.parse().ok(), parameter.max_length, "{action} {name}");
            }
        }
    }
    for picture in all(page, "img") {
        let path = picture.attr("src").unwrap().strip_prefix("/bookstore/").expect("pictures are ours");
        assert!(pictures::at(path).is_some() || path.ends_with(".svg"), "{path}");
    }
    for time in all(page, "time") {
        let shown = time.text().collect::<String>();
        assert_eq!(time.attr("datetime").unwrap(), Timestamp::parse(&shown).unwrap().machine());
    }
}

/// Targets of a page's links and forms.
fn targets(page: &Html) -> BTreeSet<String> {
    let forms = all(page, "form").into_iter().map(|form| form.attr("action").unwrap().to_owned());
    let targets = links(page).into_iter().chain(forms);
    targets.map(|target| target.split('?').next().unwrap().to_owned()).collect()
}

#[test]
fn every_page_is_decent_and_leads_where_the_mixes_go() {
    let key = TokenKey::new("secret");
    let mut model = BookstoreModel::new(&DATASET, key.clone());
    let mut leads: HashMap<String, Vec<BTreeSet<String>>> = HashMap::new();
    for branch in BOOKSTORE.branches(&DATASET, &key) {
        let response = model.respond(&branch.step.request(&key, EPOCH), EPOCH);
        if response.content_type != HTML {
            continue;
        }
        let page = Html::parse_document(&String::from_utf8(response.body).unwrap());
        assert_decent(&page);
        if let Some(id) = CATALOGUE.by_path(&branch.step.path).filter(|_| response.status == 200) {
            leads.entry(CATALOGUE.get(id).name.clone()).or_default().push(targets(&page));
        }
    }
    assert_eq!(leads.len(), CATALOGUE.interactions().len());
    for (file, toml) in MIXES {
        let mix = mix(file, toml);
        for (from, pages) in &leads {
            for (_, step) in mix.steps(CATALOGUE.by_name(from).unwrap()) {
                let workload::Step::To(to) = step else { panic!("{file} goes back from {from}") };
                let to = &CATALOGUE.get(to).path;
                assert!(pages.iter().all(|targets| targets.contains(to)), "{file}: {from} to {to}");
            }
        }
    }
}

#[test]
fn from_a_book_the_only_way_to_the_cart_is_to_add_it() {
    let mut site = Site::new();
    let page = site.page(&requests_of::about("ProductDetail", 7));
    let flags = all(&page, "[action='/bookstore/ShoppingCart'] [name=ADD_FLAG]");
    assert_eq!(flags.iter().map(|flag| flag.attr("value").unwrap()).collect::<Vec<_>>(), ["Y"]);
}

#[test]
fn what_a_visitor_has_going_on_is_carried_on_by_all_links() {
    let mut site = Site::new();
    let cart = site.cart(&[(7, 2)]);
    let sealed = site.0.key.seal("SHOPPING_ID", cart);
    let state = [("C_ID", "3"), ("SHOPPING_ID", &*requests_of::sealed(cart))];
    for step in [
        requests_of::get("Home", &state),
        requests_of::get("SearchRequest", &state),
        requests_of::get("NewProducts", &[&state[..], &[("SUBJECT", "ARTS")]].concat()),
        requests_of::get(
            "SearchResults",
            &[&state[..], &[("SEARCH_TYPE", "title"), ("SEARCH_STRING", "B")]].concat(),
        ),
        requests_of::get("ProductDetail", &[&state[..], &[("I_ID", "7")]].concat()),
        requests_of::cart_with(Some(cart), &[("C_ID", "3"), ("ADD_FLAG", "N")]),
    ] {
        let page = site.page(&step);
        let end = format!("C_ID=3&SHOPPING_ID={sealed}");
        assert!(links(&page).iter().all(|href| href.ends_with(&end)), "{step}");
        for form in all(&page, "form") {
            let value = |name: &str| {
                let field = form.select(&Selector::parse(&format!("[name={name}]")).unwrap()).next();
                field.and_then(|field| field.attr("value"))
            };
            assert_eq!((value("C_ID"), value("SHOPPING_ID")), (Some("3"), Some(&*sealed)), "{step}");
        }
    }
}

#[test]
fn whatever_is_asked_is_answered() {
    let site = RefCell::new(Site::new());
    let value = prop_oneof![
        Just("1".to_owned()),
        Just("Y".to_owned()),
        Just("N".to_owned()),
        "[0-9]{1,12}",
        any::<String>()
    ];
    let values = proptest::collection::vec(value, 24);
    proptest!(|(at in 0..CATALOGUE.interactions().len(), values in values, noise: Vec<u8>)| {
        let interaction = &CATALOGUE.interactions()[at];
        let pairs = interaction.parameters.iter().zip(&values).map(|(parameter, value)| {
            let encoded: String = value.bytes().map(|byte| format!("%{byte:02x}")).collect();
            format!("{}={encoded}", parameter.name)
        });
        let form = pairs.collect::<Vec<_>>().join("&");
        let mut request = Request {
            method: interaction.method.to_string(),
            path: interaction.path.clone(),
            query: form.clone(),
            body: form.into_bytes(),
        };
        for _ in 0..2 {
            let response = site.borrow_mut().0.respond(&request, EPOCH);
            prop_assert!([200, 400, 403, 404, 409].contains(&response.status), "{request:?}: {response:?}");
            assert_decent(&Html::parse_document(&String::from_utf8(response.body).unwrap()));
            request.body.extend_from_slice(&noise);
        }
    });
}
