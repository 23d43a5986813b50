//! Requests refused before any row is read.

use super::*;

#[test]
fn unknown_pages_and_wrong_methods_are_refused() {
    let mut site = Site::new();
    for path in ["", "ViewItems", "viewitem", "ViewItem/", "../etc/passwd"] {
        assert_eq!(site.refused("GET", path, ""), (404, "There is no such page.".to_owned()), "{path}");
    }
    for interaction in CATALOGUE.interactions() {
        let wrong = if interaction.method == Method::Get { "POST" } else { "GET" };
        let path = interaction.path.strip_prefix("/auction/").unwrap();
        for method in [wrong, "DELETE"] {
            assert_eq!(site.refused(method, path, "").0, 404, "{method} {path}");
        }
    }
    let (_, page) = site.send("GET", "nowhere", "");
    assert_decent(&page);
}

#[test]
fn each_parameter_is_required_once_and_in_its_form_and_the_first_fault_is_named() {
    let mut site = Site::new();
    let item = site.item(open);
    let token = site.token(VISITOR);
    let requests = [
        ("GET", "SearchItemsInCategory", "category=1&page=0&nbOfItems=20".to_owned()),
        ("GET", "ViewItem", "itemId=1".to_owned()),
        ("GET", "PutBidAuth", "itemId=1".to_owned()),
        ("POST", "PutBid", "itemId=1&nickname=user7&password=password7".to_owned()),
        ("POST", "StoreBid", site.bid(&item, "999999", "999999", "1")),
        ("GET", "BrowseCategoriesInRegion", "region=1".to_owned()),
        ("GET", "SearchItemsInRegion", "category=1&region=1&page=0&nbOfItems=20".to_owned()),
        ("GET", "ViewUserInfo", "userId=1".to_owned()),
        ("GET", "ViewBidHistory", "itemId=1".to_owned()),
        ("GET", "BuyNowAuth", "itemId=1".to_owned()),
        ("POST", "BuyNow", format!("itemId=1&{LOG_IN}")),
        ("POST", "StoreBuyNow", format!("itemId=1&token={token}&qty=1")),
        ("GET", "PutCommentAuth", "itemId=1&to=1".to_owned()),
        ("POST", "PutComment", format!("itemId=1&to=1&{LOG_IN}")),
        ("POST", "StoreComment", format!("itemId=1&to=1&token={token}&rating=0&comment=x")),
        ("POST", "SelectCategoryToSellItem", LOG_IN.to_owned()),
        ("POST", "SellItemForm", format!("token={token}&category=1")),
        (
            "POST",
            "RegisterItem",
            format!(
                "token={token}&category=1&name=x&description=x&initialPrice=1&reservePrice=0&buyNow=0&quantity=1&duration=1"
            ),
        ),
        ("POST", "AboutMe", LOG_IN.to_owned()),
        (
            "POST",
            "RegisterUser",
            "firstname=A&lastname=B&nickname=n&email=a%40b&password=p&region=1".to_owned(),
        ),
    ];
    let taking = CATALOGUE.interactions().iter().filter(|interaction| !interaction.parameters.is_empty());
    assert_eq!(requests.len(), taking.count());
    for (method, path, good) in requests {
        let pairs: Vec<&str> = good.split('&').collect();
        let mut send = |pairs: &[&str]| match method {
            "GET" => site.refused("GET", &format!("{path}?{}", pairs.join("&")), ""),
            _ => site.refused("POST", path, &pairs.join("&")),
        };
        let interaction = CATALOGUE.get(CATALOGUE.by_name(path).unwrap());
        for (at, parameter) in interaction.parameters.iter().enumerate() {
            let fault = missing(&parameter.name);
            let without = [&pairs[..at], &pairs[at + 1..]].concat();
            let all_from_here_on = &pairs[..at];
            let twice = [&pairs[..], &[pairs[at]]].concat();
            assert_eq!(send(&without), fault, "{path}");
            assert_eq!(send(all_from_here_on), fault, "{path}");
            assert_eq!(send(&twice), fault, "{path}");
            let long = "1".repeat(parameter.max_length.unwrap() as usize + 1);
            for wrong in ["", "%00", "%ff", &long] {
                let bad = format!("{}={wrong}", parameter.name);
                let replaced = [&pairs[..at], &[bad.as_str()], &pairs[at + 1..]].concat();
                assert_eq!(send(&replaced), fault, "{path} {bad}");
            }
        }
    }
    for bad in ["category=1&page=1000000&nbOfItems=20", "category=1&page=-1&nbOfItems=20"] {
        assert_eq!(site.refused("GET", &format!("SearchItemsInCategory?{bad}"), ""), missing("page"));
    }
    for bad in ["0", "101"] {
        let target = format!("SearchItemsInCategory?category=1&page=0&nbOfItems={bad}");
        assert_eq!(site.refused("GET", &target, ""), missing("nbOfItems"));
    }
}
