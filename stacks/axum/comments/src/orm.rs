use crate::{Comment, NewComment, Store};
use entity::{ActiveModel, Column, Entity, Model};
use sea_orm::{DatabaseConnection, EntityTrait, QueryOrder, Set};

mod entity {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, DeriveEntityModel)]
    #[sea_orm(table_name = "comments")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i32,
        pub name: String,
        pub email: String,
        pub comment: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

impl From<Model> for Comment {
    fn from(Model { id, name, email, comment }: Model) -> Self {
        Self { id, name, email, comment }
    }
}

/// Leaves the statements to SeaORM.
pub struct OrmStore(pub DatabaseConnection);

#[async_trait::async_trait]
impl Store for OrmStore {
    async fn add(&self, new: NewComment) -> anyhow::Result<Comment> {
        let NewComment { name, email, comment } = new;
        let row = ActiveModel {
            name: Set(name.clone()),
            email: Set(email.clone()),
            comment: Set(comment.clone()),
            ..Default::default()
        };
        let id = Entity::insert(row).exec(&self.0).await?.last_insert_id;
        Ok(Comment { id, name, email, comment })
    }

    async fn all(&self) -> anyhow::Result<Vec<Comment>> {
        let rows = Entity::find().order_by_asc(Column::Id).all(&self.0).await?;
        Ok(rows.into_iter().map(Comment::from).collect())
    }
}
