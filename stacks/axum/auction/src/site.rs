//! The parts that all pages share.

use crate::rules::wrong_token;
use crate::store::Store;
use askama::Template;
use common::{Page, Refusal, TokenKey};
use std::sync::Arc;

#[derive(Clone)]
pub struct Site {
    pub store: Arc<dyn Store>,
    pub key: TokenKey,
}

impl Site {
    /// The user of a token.
    pub fn bearer(&self, token: &str) -> Result<i32, Refusal> {
        self.key.verify(token).ok_or_else(wrong_token)
    }

    /// The name of a category, which must be there.
    pub async fn category(&self, id: i32) -> anyhow::Result<String> {
        Ok(self.store.category(id).await?.ok_or_else(|| Refusal::unknown("category", id))?)
    }
}

#[derive(Template)]
#[template(path = "error.html")]
pub struct ErrorPage {
    refusal: Refusal,
}

impl From<Refusal> for ErrorPage {
    fn from(refusal: Refusal) -> Self {
        Self { refusal }
    }
}

pub type Answer<T> = Result<Page<T>, common::Failure<ErrorPage>>;
