use crate::{Comment, NewComment, Store};
use common::{Database, Query};

static ADD: Query =
    Query::new("INSERT INTO comments (name, email, comment) VALUES ($1, $2, $3) RETURNING id");
static ALL: Query = Query::new("SELECT * FROM comments ORDER BY id");

/// Sends the statements of the specification.
pub struct SqlStore(pub Database);

#[async_trait::async_trait]
impl Store for SqlStore {
    async fn add(&self, new: NewComment) -> anyhow::Result<Comment> {
        let NewComment { name, email, comment } = new;
        let values = [(&name).into(), (&email).into(), (&comment).into()];
        let id = self.0.session().await?.insert(&ADD, &values).await?;
        Ok(Comment { id, name, email, comment })
    }

    async fn all(&self) -> anyhow::Result<Vec<Comment>> {
        Ok(self.0.session().await?.all(&ALL, &[]).await?)
    }
}
