//! Good HTML, and links that lead on.

use super::*;
use proptest::prelude::*;
use std::{cell::RefCell, collections::BTreeSet};
use workload::Step;

/// Links of pages, besides those of all pages.
const LEADS: [(&str, &[&str]); 22] = [
    ("Home", &["Browse", "Register", "Sell", "AboutMeAuth"]),
    ("Register", &["RegisterUser"]),
    ("RegisterUser", &["Browse", "ViewUserInfo"]),
    ("Browse", &["BrowseCategories", "BrowseRegions"]),
    ("BrowseCategories", &["SearchItemsInCategory"]),
    ("SearchItemsInCategory", &["SearchItemsInCategory", "ViewItem", "PutBidAuth", "BuyNowAuth"]),
    ("BrowseRegions", &["BrowseCategoriesInRegion"]),
    ("BrowseCategoriesInRegion", &["SearchItemsInRegion"]),
    ("SearchItemsInRegion", &["SearchItemsInRegion", "ViewItem", "PutBidAuth"]),
    ("ViewItem", &["PutBidAuth", "BuyNowAuth", "ViewUserInfo", "ViewBidHistory", "PutCommentAuth"]),
    ("ViewUserInfo", &["ViewUserInfo", "ViewItem"]),
    ("ViewBidHistory", &["ViewUserInfo", "ViewItem"]),
    ("BuyNowAuth", &["BuyNow"]),
    ("BuyNow", &["StoreBuyNow", "ViewUserInfo", "ViewBidHistory", "PutCommentAuth"]),
    ("PutBidAuth", &["PutBid"]),
    ("PutBid", &["StoreBid", "ViewUserInfo", "ViewBidHistory", "PutCommentAuth"]),
    ("PutCommentAuth", &["PutComment"]),
    ("PutComment", &["StoreComment"]),
    ("Sell", &["SelectCategoryToSellItem"]),
    ("SelectCategoryToSellItem", &["SellItemForm"]),
    ("SellItemForm", &["RegisterItem"]),
    ("AboutMe", &["ViewItem", "PutBidAuth", "ViewUserInfo"]),
];

/// Targets of a page's links and forms.
fn targets(page: &Html) -> BTreeSet<String> {
    let forms = all(page, "form").into_iter().map(|form| form.attr("action").unwrap().to_owned());
    let targets = links(page).into_iter().chain(forms);
    targets.map(|target| target.split('?').next().unwrap().to_owned()).collect()
}

/// Every branch of the rules shows a decent page. Returns the targets of each interaction's pages.
fn targets_of_all_pages() -> HashMap<String, BTreeSet<String>> {
    let dataset = Dataset { scale: 0.01, ..DATASET };
    let key = TokenKey::new("secret");
    let mut model = AuctionModel::new(&dataset, key.clone());
    let mut leads: HashMap<String, BTreeSet<String>> = HashMap::new();
    for branch in AUCTION.branches(&dataset, &key) {
        let response = model.respond(&branch.step.request(&key, EPOCH), EPOCH);
        if response.content_type != HTML {
            continue;
        }
        let page = Html::parse_document(&String::from_utf8(response.body).unwrap());
        assert_decent(&page);
        if let Some(id) = CATALOGUE.by_path(&branch.step.path).filter(|_| response.status == 200) {
            leads.entry(CATALOGUE.get(id).name.clone()).or_default().extend(targets(&page));
        }
    }
    leads
}

#[test]
fn every_page_is_decent_and_leads_on() {
    let leads = targets_of_all_pages();
    assert_eq!(leads.len(), CATALOGUE.interactions().len());
    let path = |name: &str| &CATALOGUE.get(CATALOGUE.by_name(name).unwrap()).path;
    for (from, all) in LEADS {
        for to in all {
            assert!(leads[from].contains(path(to)), "{from} to {to}");
        }
    }
    for (from, to) in leads
        .keys()
        .flat_map(|from| ["Home", "Browse", "Sell", "AboutMeAuth", "Register"].map(|to| (from, to)))
    {
        assert!(leads[from].contains(path(to)), "{from} to {to}");
    }
    for (file, toml) in [("bidding.toml", BIDDING), ("browsing.toml", BROWSING)] {
        let mix = mix(file, toml);
        for (from, targets) in &leads {
            for (_, step) in mix.steps(CATALOGUE.by_name(from).unwrap()) {
                let Step::To(to) = step else { continue };
                let to = &CATALOGUE.get(to).path;
                assert!(targets.contains(to), "{file}: {from} to {to}");
            }
        }
    }
}

#[test]
fn whatever_is_asked_is_answered() {
    let site = RefCell::new(Site::new());
    let value = prop_oneof![Just("1".to_owned()), Just("user7".to_owned()), "[0-9]{1,12}", any::<String>()];
    let values = proptest::collection::vec(value, 9);
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
