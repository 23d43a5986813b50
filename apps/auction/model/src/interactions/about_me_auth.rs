//! AboutMeAuth: the form with which users log in to see all about themselves. A static page.

use super::{log_in::LogInPage, render};

pub fn page() -> String {
    let (title, action) = ("Log in to see all about you", "/auction/AboutMe");
    render(&LogInPage { title, action, hidden: Vec::new(), item_id: None })
}
