//! Sell: the form with which a seller logs in. A static page.

use super::{log_in::LogInPage, render};

pub fn page() -> String {
    let (title, action) = ("Log in to sell", "/auction/SelectCategoryToSellItem");
    render(&LogInPage { title, action, hidden: Vec::new(), item_id: None })
}
