use crate::rows::{Comment, Item, Machine, PlacedBid, Profile};
use crate::site::{Answer, Site};
use crate::store::Search;
use askama::Template;
use axum::extract::State;
use common::{Link, Page, Parameters, Refusal};

#[derive(Template)]
#[template(path = "list.html")]
pub struct List {
    title: String,
    links: Vec<Link>,
}

/// Lists all categories, each with a link to an address that ends with these parameters.
async fn category_links(site: &Site, title: String, page: &str, parameters: &str) -> Answer<List> {
    let links = site.store.categories().await?.into_iter().map(|category| Link {
        href: format!("/auction/{page}?category={}{parameters}", category.id),
        text: category.name,
    });
    Ok(Page(List { title, links: links.collect() }))
}

pub async fn browse_categories(State(site): State<Site>) -> Answer<List> {
    category_links(&site, "Categories".to_owned(), "SearchItemsInCategory", "&page=0&nbOfItems=20").await
}

pub async fn browse_categories_in_region(State(site): State<Site>, form: Parameters) -> Answer<List> {
    let id = form.id("region")?;
    let region = region(&site, id).await?;
    let parameters = format!("&region={id}&page=0&nbOfItems=20");
    category_links(&site, format!("Categories in {region}"), "SearchItemsInRegion", &parameters).await
}

pub async fn browse_regions(State(site): State<Site>) -> Answer<List> {
    let links = site.store.regions().await?.into_iter().map(|region| Link {
        href: format!("/auction/BrowseCategoriesInRegion?region={}", region.id),
        text: region.name,
    });
    Ok(Page(List { title: "Regions".to_owned(), links: links.collect() }))
}

async fn region(site: &Site, id: i32) -> anyhow::Result<String> {
    Ok(site.store.region(id).await?.ok_or_else(|| Refusal::unknown("region", id))?)
}

#[derive(Template)]
#[template(path = "search.html")]
pub struct Found {
    title: String,
    items: Vec<Item>,
    previous: Option<String>,
    next: Option<String>,
    up: Link,
}

/// Which page of the items found is shown, and how many items a page has.
struct Part {
    page: i32,
    size: i32,
}

impl Part {
    fn read(form: &Parameters) -> Result<Self, Refusal> {
        Ok(Self { page: form.whole("page", 0, 999_999)?, size: form.whole("nbOfItems", 1, 100)? })
    }

    fn search(&self, category: i32, region: Option<i32>) -> Search {
        Search { category, region, skip: self.page * self.size, most: self.size }
    }

    /// The page of a search, whose address lacks the part.
    fn show(&self, title: String, items: Vec<Item>, address: &str, up: Link) -> Page<Found> {
        let href = |page: i32| format!("{address}&page={page}&nbOfItems={}", self.size);
        Page(Found {
            previous: (self.page > 0).then(|| href(self.page - 1)),
            next: (i32::try_from(items.len()) == Ok(self.size)).then(|| href(self.page + 1)),
            title,
            items,
            up,
        })
    }
}

pub async fn search_items_in_category(State(site): State<Site>, form: Parameters) -> Answer<Found> {
    let id = form.id("category")?;
    let part = Part::read(&form)?;
    let category = site.category(id).await?;
    let items = site.store.open_items(part.search(id, None)).await?;
    let up = Link { href: "/auction/BrowseCategories".to_owned(), text: "All categories".to_owned() };
    Ok(part.show(category, items, &format!("/auction/SearchItemsInCategory?category={id}"), up))
}

pub async fn search_items_in_region(State(site): State<Site>, form: Parameters) -> Answer<Found> {
    let (category_id, region_id) = (form.id("category")?, form.id("region")?);
    let part = Part::read(&form)?;
    let category = site.category(category_id).await?;
    let region = region(&site, region_id).await?;
    let items = site.store.open_items(part.search(category_id, Some(region_id))).await?;
    let address = format!("/auction/SearchItemsInRegion?category={category_id}&region={region_id}");
    let up = Link {
        href: format!("/auction/BrowseCategoriesInRegion?region={region_id}"),
        text: format!("All categories in {region}"),
    };
    Ok(part.show(format!("{category} in {region}"), items, &address, up))
}

#[derive(Template)]
#[template(path = "view_item.html")]
pub struct ViewItem {
    item: Item,
}

pub async fn view_item(State(site): State<Site>, form: Parameters) -> Answer<ViewItem> {
    let id = form.id("itemId")?;
    let mut item = site.store.item_or_old(id).await?.ok_or_else(|| Refusal::unknown("item", id))?;
    item.nickname = site.store.nickname(item.seller).await?;
    Ok(Page(ViewItem { item }))
}

#[derive(Template)]
#[template(path = "view_user_info.html")]
pub struct ViewUserInfo {
    user: Profile,
    comments: Vec<Comment>,
}

pub async fn view_user_info(State(site): State<Site>, form: Parameters) -> Answer<ViewUserInfo> {
    let id = form.id("userId")?;
    let user = site.store.profile(id).await?.ok_or_else(|| Refusal::unknown("user", id))?;
    Ok(Page(ViewUserInfo { user, comments: site.store.comments_about(id).await? }))
}

#[derive(Template)]
#[template(path = "view_bid_history.html")]
pub struct ViewBidHistory {
    item_id: i32,
    title: String,
    bids: Vec<PlacedBid>,
}

pub async fn view_bid_history(State(site): State<Site>, form: Parameters) -> Answer<ViewBidHistory> {
    let id = form.id("itemId")?;
    let title = site.store.item_title(id).await?.ok_or_else(|| Refusal::unknown("item", id))?;
    Ok(Page(ViewBidHistory { item_id: id, title, bids: site.store.bids_on(id).await? }))
}
