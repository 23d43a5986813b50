//! Looking around.

use super::*;

#[test]
fn searching_shows_the_open_items_of_a_category_in_the_order_of_their_ends() {
    let mut site = Site::large();
    let mut expected: Vec<Item> =
        site.0.store.items.iter().filter(|i| i.category == 3 && open(i)).cloned().collect();
    expected.sort_by_key(|item| (item.end_date, item.id));
    let mut shown = Vec::new();
    let mut next = Some("/auction/SearchItemsInCategory?category=3&page=0&nbOfItems=3".to_owned());
    let mut pages = 0;
    while let Some(target) = next {
        let page = site.get(target.strip_prefix("/auction/").unwrap());
        assert_eq!(all(&page, "a[rel=prev]").len(), usize::from(pages > 0));
        let items = all(&page, "tbody th a");
        assert!(items.len() == 3 || all(&page, "a[rel=next]").is_empty());
        shown.extend(items.iter().map(|link| link.attr("href").unwrap().to_owned()));
        next = all(&page, "a[rel=next]").first().map(|link| link.attr("href").unwrap().to_owned());
        pages += 1;
    }
    assert!(pages > 2);
    let expected: Vec<_> =
        expected.iter().map(|item| format!("/auction/ViewItem?itemId={}", item.id)).collect();
    assert_eq!(shown, expected);
    let empty = site.get("SearchItemsInCategory?category=3&page=999999&nbOfItems=100");
    assert_eq!(text(&empty, "main > p"), "There are no more items here.");
    let unknown = site.refused("GET", "SearchItemsInCategory?category=41&page=0&nbOfItems=20", "");
    assert_eq!(unknown, (404, "There is no category 41.".to_owned()));
}

#[test]
fn an_item_is_shown_open_and_closed() {
    let mut site = Site::new();
    let (running, closed) = (site.item(open), site.item(|item| !open(item)));
    let page = site.get(&format!("ViewItem?itemId={}", running.id));
    assert_eq!(text(&page, "h1"), running.name);
    assert_eq!(text(&page, "dd"), running.price().to_string());
    assert!(links(&page).contains(&format!("/auction/PutBidAuth?itemId={}", running.id)));
    let page = site.get(&format!("ViewItem?itemId={}", closed.id));
    assert_eq!(text(&page, "main > p"), "This auction is closed.");
    assert!(!links(&page).iter().any(|href| href.contains("PutBidAuth")));
    let unknown = site.refused("GET", "ViewItem?itemId=999999999", "");
    assert_eq!(unknown, (404, "There is no item 999999999.".to_owned()));
}

#[test]
fn searching_a_region_shows_what_is_sold_from_there() {
    let mut site = Site::large();
    let store = &site.0.store;
    let seller = |item: &Item| store.known_user(item.seller).region;
    let item = store.items.iter().find(|item| open(item)).unwrap();
    let (category, region) = (item.category, seller(item));
    let mut expected: Vec<&Item> = store.items.iter().collect();
    expected.retain(|item| open(item) && item.category == category && seller(item) == region);
    expected.sort_by_key(|item| (item.end_date, item.id));
    let expected: Vec<String> =
        expected.iter().map(|item| format!("/auction/ViewItem?itemId={}", item.id)).collect();
    let target = format!("SearchItemsInRegion?category={category}&region={region}&page=0&nbOfItems=100");
    let page = site.get(&target);
    assert_decent(&page);
    let shown: Vec<_> =
        all(&page, "tbody th a").iter().map(|link| link.attr("href").unwrap().to_owned()).collect();
    assert_eq!(shown, expected);
    assert!(links(&page).contains(&format!("/auction/BrowseCategoriesInRegion?region={region}")));
    for (category, region, refusal) in
        [(41, 63, "There is no category 41."), (1, 63, "There is no region 63.")]
    {
        let target = format!("SearchItemsInRegion?category={category}&region={region}&page=0&nbOfItems=20");
        assert_eq!(site.refused("GET", &target, ""), (404, refusal.to_owned()));
    }
}

#[test]
fn a_list_leads_from_regions_to_categories_to_items() {
    let mut site = Site::new();
    let regions = site.get("BrowseRegions");
    let region = "/auction/BrowseCategoriesInRegion?region=62";
    assert!(links(&regions).contains(&region.to_owned()));
    let categories = site.get(region.strip_prefix("/auction/").unwrap());
    assert_eq!(text(&categories, "h1"), "Categories in WI--Milwaukee");
    assert_eq!(all(&categories, ".columns a").len(), 40);
    let search = "/auction/SearchItemsInRegion?category=40&region=62&page=0&nbOfItems=20";
    assert!(links(&categories).contains(&search.to_owned()));
    let unknown = site.refused("GET", "BrowseCategoriesInRegion?region=63", "");
    assert_eq!(unknown, (404, "There is no region 63.".to_owned()));
}

#[test]
fn an_old_item_is_shown_without_its_bids() {
    let mut site = Site::new();
    let old = site.0.store.old_items.iter().find(|item| item.nb_of_bids > 0).unwrap().clone();
    let page = site.get(&format!("ViewItem?itemId={}", old.id));
    assert_eq!((text(&page, "h1"), facts(&page)["Bids"].clone()), (old.name, old.nb_of_bids.to_string()));
    assert!(text(&page, "main").contains("This auction is closed."));
    let history = site.get(&format!("ViewBidHistory?itemId={}", old.id));
    assert_eq!(text(&history, "main > p"), "There are no bids.");
}

#[test]
fn comments_and_bids_are_shown_with_the_last_on_top() {
    let mut site = Site::new();
    let store = &site.0.store;
    let user = (1..=store.users.len() as i64).max_by_key(|user| store.comments_about(*user).len()).unwrap();
    let item = site.item(|item| item.nb_of_bids > 5).id;
    for target in [format!("ViewUserInfo?userId={user}"), format!("ViewBidHistory?itemId={item}")] {
        let page = site.get(&target);
        assert_decent(&page);
        let dates: Vec<_> =
            all(&page, "li time, td time").iter().map(|time| time.text().collect::<String>()).collect();
        assert!(dates.len() > 2 && dates.is_sorted_by(|one, next| one >= next), "{target}: {dates:?}");
    }
    let unknown = site.refused("GET", "ViewUserInfo?userId=999999999", "");
    assert_eq!(unknown, (404, "There is no user 999999999.".to_owned()));
}
