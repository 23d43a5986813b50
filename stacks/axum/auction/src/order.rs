use crate::identity::LogIn;
use crate::rows::{Item, Machine, Offer};
use crate::rules::settle;
use crate::site::{Answer, Site};
use askama::Template;
use axum::extract::State;
use common::{Page, Parameters, Refusal};
use rust_decimal::Decimal;

#[derive(Template)]
#[template(path = "buy_now.html")]
pub struct BuyNow {
    item: Item,
    token: String,
}

#[derive(Template)]
#[template(path = "put_bid.html")]
pub struct PutBid {
    item: Item,
    token: String,
}

pub async fn buy_now(State(site): State<Site>, form: Parameters) -> Answer<BuyNow> {
    let (item, token) = order(&site, &form, Item::check_at_once).await?;
    Ok(Page(BuyNow { item, token }))
}

pub async fn put_bid(State(site): State<Site>, form: Parameters) -> Answer<PutBid> {
    let (item, token) = order(&site, &form, Item::check_market).await?;
    Ok(Page(PutBid { item, token }))
}

/// Logs a user in and returns the item, if a rule allows them to order it, with a token.
async fn order(
    site: &Site,
    form: &Parameters,
    check: fn(&Item, i32) -> Result<(), Refusal>,
) -> anyhow::Result<(Item, String)> {
    let id = form.id("itemId")?;
    let user = LogIn::read(form)?.user(site).await?;
    let mut item = site.store.item_for_sale(id).await?.ok_or_else(|| Refusal::unknown("item", id))?;
    check(&item, user)?;
    item.nickname = site.store.nickname(item.seller).await?;
    Ok((item, site.key.sign(user)))
}

#[derive(Template)]
#[template(path = "store_buy_now.html")]
pub struct Bought {
    id: i32,
    item_id: i32,
    seller: i32,
    price: Decimal,
    qty: i32,
}

pub async fn store_buy_now(State(site): State<Site>, form: Parameters) -> Answer<Bought> {
    let item_id = form.id("itemId")?;
    let token = form.text("token", 100)?;
    let qty = form.whole("qty", 0, 999_999_999)?;
    let user = site.bearer(&token)?;

    let mut deal = site.store.begin().await?;
    let item = deal.lock_for_purchase(item_id).await?.ok_or_else(|| Refusal::unknown("item", item_id))?;
    item.check_purchase(user, qty)?;
    let id = deal.add_purchase(user, item_id, qty).await?;
    deal.take(&item, qty).await?;
    deal.commit().await?;
    Ok(Page(Bought { id, item_id, seller: item.seller, price: item.buy_now, qty }))
}

#[derive(Template)]
#[template(path = "store_bid.html")]
pub struct BidPlaced {
    id: i32,
    bid: Offer,
    leads: bool,
    price: Decimal,
}

pub async fn store_bid(State(site): State<Site>, form: Parameters) -> Answer<BidPlaced> {
    let item_id = form.id("itemId")?;
    let token = form.text("token", 100)?;
    let (bid, max_bid) = (form.money("bid")?, form.money("maxBid")?);
    let qty = form.whole("qty", 0, 999_999_999)?;
    let offer = Offer { user_id: site.bearer(&token)?, item_id, qty, bid, max_bid };

    let mut deal = site.store.begin().await?;
    let item = deal.lock_for_bid(item_id).await?.ok_or_else(|| Refusal::unknown("item", item_id))?;
    item.check_offer(&offer)?;
    let (bid, answer) = settle(offer, deal.leader(item_id).await?);
    let id = deal.add_bid(&bid).await?;
    let price = match &answer {
        Some(answer) => {
            deal.add_bid(answer).await?;
            deal.raise(item_id, 2, answer.bid).await?;
            answer.bid
        }
        None => {
            deal.raise(item_id, 1, bid.bid).await?;
            bid.bid
        }
    };
    deal.commit().await?;
    Ok(Page(BidPlaced { id, bid, leads: answer.is_none(), price }))
}
