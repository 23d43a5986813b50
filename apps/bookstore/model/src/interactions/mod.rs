//! The interactions, one file each: checks, effects, page, and the statements with which a stack does the same on a
//! database. `state`, `log_in`, `address` and `listing` are common to several.
//!
//! Pages that promote books, see [`promote`], send for it:
//!
//! ```sql
//! SELECT MAX(i_id) AS items FROM item
//! SELECT i_related1, i_related2, i_related3, i_related4, i_related5 FROM item WHERE i_id = ?
//! SELECT i_id, i_title, i_thumbnail FROM item WHERE i_id IN (?, ?, ?, ?, ?) ORDER BY i_id
//! ```

mod address;
mod admin_confirm;
mod admin_request;
mod best_sellers;
mod buy_confirm;
mod buy_request;
mod customer_registration;
mod home;
mod listing;
mod log_in;
mod new_products;
mod order_display;
mod order_inquiry;
mod product_detail;
mod search_request;
mod search_results;
mod shopping_cart;
mod state;

pub use state::State;

use crate::{fault::Fault, rows::Item, store::Store};
use application::{Form, Timestamp, TokenKey};
use askama::Template;

/// The inputs of an interaction.
pub struct Visit<'a> {
    pub form: Form<'a>,
    pub store: &'a mut Store,
    pub key: &'a TokenKey,
    /// Takes each payment that the bank is asked for.
    pub asked: &'a mut Vec<application::Payment>,
    pub now: Timestamp,
}

/// The function that makes the page of an interaction.
pub type Answer = fn(&mut Visit<'_>) -> Result<String, Fault>;

/// The interaction with this name.
pub fn answer(name: &str) -> Option<Answer> {
    Some(match name {
        "Home" => home::answer,
        "NewProducts" => new_products::answer,
        "BestSellers" => best_sellers::answer,
        "ProductDetail" => product_detail::answer,
        "SearchRequest" => search_request::answer,
        "SearchResults" => search_results::answer,
        "ShoppingCart" => shopping_cart::answer,
        "CustomerRegistration" => customer_registration::answer,
        "BuyRequest" => buy_request::answer,
        "BuyConfirm" => buy_confirm::answer,
        "OrderInquiry" => order_inquiry::answer,
        "OrderDisplay" => order_display::answer,
        "AdminRequest" => admin_request::answer,
        "AdminConfirm" => admin_confirm::answer,
        _ => return None,
    })
}

pub fn render(page: &impl Template) -> String {
    page.render().expect("pages are written to memory, which can't fail")
}

/// The promoted books of a visitor: those related to the one chosen by the sum of customer and cart.
fn promote<'a>(store: &'a Store, state: &State) -> Vec<&'a Item> {
    store.promoted(state.number())
}

/// An instant as a day: `1980-02-29`.
fn day(instant: Timestamp) -> String {
    instant.to_string()[..10].to_owned()
}
