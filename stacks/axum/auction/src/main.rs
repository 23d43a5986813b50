//! Serves the auction over HTTP.

mod browse;
mod entities;
mod identity;

mod order;
mod orm;
mod rate;
mod rows;
mod rules;
mod sell;
mod site;
mod sql;
mod store;

use axum::Router;
use axum::routing::{get, post};
use common::{Access, Database, Settings, TokenKey};
use site::Site;
use std::sync::Arc;
use store::Store;

/// All pages that are made anew for each request. The others are files.
fn pages(site: Site) -> Router {
    Router::new()
        .route("/auction/BrowseCategories", get(browse::browse_categories))
        .route("/auction/BrowseRegions", get(browse::browse_regions))
        .route("/auction/BrowseCategoriesInRegion", get(browse::browse_categories_in_region))
        .route("/auction/SearchItemsInCategory", get(browse::search_items_in_category))
        .route("/auction/SearchItemsInRegion", get(browse::search_items_in_region))
        .route("/auction/ViewItem", get(browse::view_item))
        .route("/auction/ViewUserInfo", get(browse::view_user_info))
        .route("/auction/ViewBidHistory", get(browse::view_bid_history))
        .route("/auction/BuyNowAuth", get(identity::buy_now_auth))
        .route("/auction/BuyNow", post(order::buy_now))
        .route("/auction/StoreBuyNow", post(order::store_buy_now))
        .route("/auction/PutBidAuth", get(identity::put_bid_auth))
        .route("/auction/PutBid", post(order::put_bid))
        .route("/auction/StoreBid", post(order::store_bid))
        .route("/auction/PutCommentAuth", get(identity::put_comment_auth))
        .route("/auction/PutComment", post(rate::put_comment))
        .route("/auction/StoreComment", post(rate::store_comment))
        .route("/auction/RegisterUser", post(identity::register_user))
        .route("/auction/AboutMe", post(identity::about_me))
        .route("/auction/SelectCategoryToSellItem", post(sell::select_category_to_sell_item))
        .route("/auction/SellItemForm", post(sell::sell_item_form))
        .route("/auction/RegisterItem", post(sell::register_item))
        .with_state(site)
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    tracing_subscriber::fmt().init();
    let settings = Settings::from_environment()?;
    let key = TokenKey::from_environment()?;
    let database = Database::connect(&settings).await?;
    let store: Arc<dyn Store> = match settings.access {
        Access::Sql => Arc::new(sql::SqlStore(database)),
        Access::Orm => Arc::new(orm::OrmStore(database.orm())),
    };
    common::serve(&settings, pages(Site { store, key })).await
}
