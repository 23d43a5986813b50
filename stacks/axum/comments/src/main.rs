//! Serves the comment page over HTTP.

mod orm;
mod sql;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::routing::{get, post};
use common::{Access, Database, Page, Parameters, Refusal, Settings};
use std::sync::Arc;

/// What a visitor writes.
struct NewComment {
    name: String,
    email: String,
    comment: String,
}

#[derive(sqlx::FromRow)]
struct Comment {
    id: i32,
    name: String,
    email: String,
    comment: String,
}

#[async_trait::async_trait]
trait Store: Send + Sync {
    /// Stores a comment, and returns it with its id.
    async fn add(&self, comment: NewComment) -> anyhow::Result<Comment>;

    /// All comments in the order of their ids.
    async fn all(&self) -> anyhow::Result<Vec<Comment>>;
}

type Comments = Arc<dyn Store>;

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage {
    refusal: Refusal,
}

impl From<Refusal> for ErrorPage {
    fn from(refusal: Refusal) -> Self {
        Self { refusal }
    }
}

type Answer<T> = Result<Page<T>, common::Failure<ErrorPage>>;

#[derive(Template)]
#[template(path = "store_comment.html")]
struct StoreComment {
    comment: Comment,
}

#[derive(Template)]
#[template(path = "list_comments.html")]
struct ListComments {
    comments: Vec<Comment>,
}

async fn store_comment(State(store): State<Comments>, form: Parameters) -> Answer<StoreComment> {
    let comment = NewComment {
        name: form.text("name", 50)?,
        email: form.email("email", 80)?,
        comment: form.text("comment", 2048)?,
    };
    Ok(Page(StoreComment { comment: store.add(comment).await? }))
}

async fn list_comments(State(store): State<Comments>) -> Answer<ListComments> {
    Ok(Page(ListComments { comments: store.all().await? }))
}

fn pages(store: Comments) -> Router {
    Router::new()
        .route("/comments/StoreComment", post(store_comment))
        .route("/comments/ListComments", get(list_comments))
        .with_state(store)
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    tracing_subscriber::fmt().init();
    let settings = Settings::from_environment()?;
    let database = Database::connect(&settings).await?;
    let store: Comments = match settings.access {
        Access::Sql => Arc::new(sql::SqlStore(database)),
        Access::Orm => Arc::new(orm::OrmStore(database.orm())),
    };
    common::serve(&settings, pages(store)).await
}
