use crate::identity::LogIn;
use crate::rows::{Category, Machine, NewItem};
use crate::rules::FEE;
use crate::site::{Answer, Site};
use askama::Template;
use axum::extract::State;
use chrono::NaiveDateTime;
use common::{Page, Parameters};

#[derive(Template)]
#[template(path = "select_category_to_sell_item.html")]
pub struct SelectCategory {
    categories: Vec<Category>,
    token: String,
}

pub async fn select_category_to_sell_item(
    State(site): State<Site>,
    form: Parameters,
) -> Answer<SelectCategory> {
    let user = LogIn::read(&form)?.user(&site).await?;
    let categories = site.store.categories().await?;
    Ok(Page(SelectCategory { categories, token: site.key.sign(user) }))
}

#[derive(Template)]
#[template(path = "sell_item_form.html")]
pub struct SellItemForm {
    category: Category,
    token: String,
    fee: &'static str,
}

pub async fn sell_item_form(State(site): State<Site>, form: Parameters) -> Answer<SellItemForm> {
    let token = form.text("token", 100)?;
    let id = form.id("category")?;
    site.bearer(&token)?;
    let category = Category { id, name: site.category(id).await? };
    Ok(Page(SellItemForm { category, token, fee: FEE }))
}

#[derive(Template)]
#[template(path = "register_item.html")]
pub struct AuctionBegun {
    id: i32,
    item: NewItem,
    category: String,
    start_date: NaiveDateTime,
    end_date: NaiveDateTime,
    fee: &'static str,
}

pub async fn register_item(State(site): State<Site>, form: Parameters) -> Answer<AuctionBegun> {
    let token = form.text("token", 100)?;
    let mut item = NewItem {
        category: form.id("category")?,
        name: form.text("name", 100)?,
        description: form.text("description", 8192)?,
        initial_price: form.money("initialPrice")?,
        reserve_price: form.money("reservePrice")?,
        buy_now: form.money("buyNow")?,
        quantity: form.whole("quantity", 1, 10)?,
        days: form.whole("duration", 1, 7)?,
        seller: 0,
    };
    item.seller = site.bearer(&token)?;
    let category = site.category(item.category).await?;
    item.check_prices()?;
    let (id, term) = site.store.sell(&item).await?;
    let (start_date, end_date) = (term.start_date, term.end_date);
    Ok(Page(AuctionBegun { id, item, category, start_date, end_date, fee: FEE }))
}
