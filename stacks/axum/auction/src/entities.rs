//! The tables as SeaORM sees them.

/// Defines the entity of a table with the columns of items.
macro_rules! items {
    ($module:ident, $table:tt, $($relations:tt)*) => {
        pub mod $module {
            use crate::rows;
            use sea_orm::entity::prelude::*;

            #[derive(Clone, Debug, DeriveEntityModel)]
            #[sea_orm(table_name = $table)]
            pub struct Model {
                #[sea_orm(primary_key)]
                pub id: i32,
                pub name: String,
                pub description: String,
                pub initial_price: Decimal,
                pub quantity: i32,
                pub reserve_price: Decimal,
                pub buy_now: Decimal,
                pub nb_of_bids: i32,
                pub max_bid: Option<Decimal>,
                pub start_date: DateTime,
                pub end_date: DateTime,
                pub seller: i32,
                pub category: i32,
            }

            impl ActiveModelBehavior for ActiveModel {}

            $($relations)*

            impl From<Model> for rows::Item {
                fn from(item: Model) -> Self {
                    Self {
                        id: item.id,
                        name: item.name,
                        description: item.description,
                        initial_price: item.initial_price,
                        quantity: item.quantity,
                        reserve_price: item.reserve_price,
                        buy_now: item.buy_now,
                        nb_of_bids: item.nb_of_bids,
                        max_bid: item.max_bid,
                        start_date: item.start_date,
                        end_date: item.end_date,
                        seller: item.seller,
                        category: item.category,
                        ..Self::default()
                    }
                }
            }
        }
    };
}

items!(item, "items",
    use sea_orm::FromQueryResult;

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {
        #[sea_orm(belongs_to = "super::user::Entity", from = "Column::Seller", to = "super::user::Column::Id")]
        Seller,
        #[sea_orm(has_many = "super::bid::Entity")]
        Bids,
    }

    impl Related<super::user::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Seller.def()
        }
    }

    impl Related<super::bid::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Bids.def()
        }
    }

    /// An item, and whether it is open.
    #[derive(FromQueryResult)]
    pub struct Facts {
        #[sea_orm(nested)]
        pub item: Model,
        pub open: bool,
    }

    impl From<Facts> for rows::Item {
        fn from(facts: Facts) -> Self {
            Self { open: facts.open, ..Self::from(facts.item) }
        }
    }

    /// An item with a user's highest bid and the most that they would pay.
    #[derive(FromQueryResult)]
    pub struct Own {
        #[sea_orm(nested)]
        pub item: Model,
        pub own_bid: Decimal,
        pub own_most: Decimal,
    }
);

items!(
    old_item,
    "old_items",
    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
);

pub mod category {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, DeriveEntityModel)]
    #[sea_orm(table_name = "categories")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i32,
        pub name: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub mod region {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, DeriveEntityModel)]
    #[sea_orm(table_name = "regions")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i32,
        pub name: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub mod user {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, DeriveEntityModel)]
    #[sea_orm(table_name = "users")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i32,
        pub firstname: String,
        pub lastname: String,
        pub nickname: String,
        pub password: String,
        pub email: String,
        pub rating: i32,
        pub balance: Decimal,
        pub creation_date: DateTime,
        pub region: i32,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {
        #[sea_orm(
            belongs_to = "super::region::Entity",
            from = "Column::Region",
            to = "super::region::Column::Id"
        )]
        Region,
    }

    impl Related<super::region::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Region.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub mod bid {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, DeriveEntityModel)]
    #[sea_orm(table_name = "bids")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i32,
        pub user_id: i32,
        pub item_id: i32,
        pub qty: i32,
        pub bid: Decimal,
        pub max_bid: Decimal,
        pub date: DateTime,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {
        #[sea_orm(
            belongs_to = "super::user::Entity",
            from = "Column::UserId",
            to = "super::user::Column::Id"
        )]
        Bidder,
        #[sea_orm(
            belongs_to = "super::item::Entity",
            from = "Column::ItemId",
            to = "super::item::Column::Id"
        )]
        Item,
    }

    impl Related<super::user::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Bidder.def()
        }
    }

    impl Related<super::item::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Item.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub mod comment {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, DeriveEntityModel)]
    #[sea_orm(table_name = "comments")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i32,
        pub from_user_id: i32,
        pub to_user_id: i32,
        pub item_id: i32,
        pub rating: i32,
        pub date: DateTime,
        pub comment: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {
        #[sea_orm(
            belongs_to = "super::user::Entity",
            from = "Column::FromUserId",
            to = "super::user::Column::Id"
        )]
        Author,
    }

    impl Related<super::user::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Author.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub mod purchase {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, DeriveEntityModel)]
    #[sea_orm(table_name = "buy_now")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i32,
        pub buyer_id: i32,
        pub item_id: i32,
        pub qty: i32,
        pub date: DateTime,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {
        #[sea_orm(
            belongs_to = "super::item::Entity",
            from = "Column::ItemId",
            to = "super::item::Column::Id"
        )]
        Item,
        #[sea_orm(
            belongs_to = "super::old_item::Entity",
            from = "Column::ItemId",
            to = "super::old_item::Column::Id"
        )]
        OldItem,
    }

    impl Related<super::item::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Item.def()
        }
    }

    impl Related<super::old_item::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::OldItem.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}
