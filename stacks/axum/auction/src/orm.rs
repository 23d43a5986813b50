use crate::entities::{bid, category, comment, item, old_item, purchase, region, user};
use crate::rows::{
    Account, Affairs, Category, Comment, Credentials, Item, Leader, NewComment, NewItem, NewUser, Offer,
    OwnBid, PlacedBid, Profile, Purchase, Region, Term, Topic,
};
use crate::store::{Deal, Search, Store};
use anyhow::{Context, Result};
use chrono::NaiveDateTime;
use rust_decimal::Decimal;
use sea_orm::sea_query::{Expr, ExprTrait, Query};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, EntityTrait,
    LoaderTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select, SqlErr, TransactionTrait,
};
use std::cmp::Reverse;

/// The present second, when the statement begins, by the database's clock. PostgreSQL's `NOW()` is when the transaction began.
fn second(db: &impl ConnectionTrait) -> &'static str {
    match db.get_database_backend() {
        DbBackend::MySql => "NOW()",
        _ => "DATE_TRUNC('second', STATEMENT_TIMESTAMP())",
    }
}

fn present() -> Expr {
    Expr::cust("NOW()")
}

fn a_month_ago() -> Expr {
    Expr::cust("NOW() - INTERVAL '30' DAY")
}

fn is_open() -> Expr {
    item::Column::EndDate.into_expr().gte(present())
}

/// Inserts a row, and returns the id that the database gave it. An `ActiveModel` takes values only, and no time of the database.
async fn insert<E: EntityTrait>(
    db: &impl ConnectionTrait,
    table: E,
    row: impl IntoIterator<Item = (E::Column, Expr)>,
) -> Result<i32, DbErr> {
    let (columns, values): (Vec<_>, Vec<_>) = row.into_iter().unzip();
    let mut statement = Query::insert();
    statement.into_table(table).columns(columns).values_panic(values);
    if !db.support_returning() {
        let id = db.execute(&statement).await?.last_insert_id();
        return i32::try_from(id).map_err(|_| DbErr::UnpackInsertId);
    }
    statement.returning(Query::returning().column("id"));
    db.query_one(&statement).await?.ok_or(DbErr::RecordNotInserted)?.try_get("", "id")
}

/// Leaves the statements to SeaORM.
pub struct OrmStore(pub DatabaseConnection);

impl OrmStore {
    async fn user(&self, id: i32) -> Result<Option<user::Model>, DbErr> {
        user::Entity::find_by_id(id).one(&self.0).await
    }

    async fn user_named(&self, nickname: &str) -> Result<Option<user::Model>, DbErr> {
        user::Entity::find().filter(user::Column::Nickname.eq(nickname)).one(&self.0).await
    }

    async fn old_item(&self, id: i32) -> Result<Option<old_item::Model>, DbErr> {
        old_item::Entity::find_by_id(id).one(&self.0).await
    }

    async fn items(&self, wanted: Select<item::Entity>) -> Result<Vec<Item>, DbErr> {
        let items = wanted.all(&self.0).await?;
        Ok(items.into_iter().map(Item::from).collect())
    }

    async fn own_bids(&self, user: i32) -> Result<Vec<OwnBid>, DbErr> {
        let own = item::Entity::find()
            .inner_join(bid::Entity)
            .expr_as(bid::Column::Bid.max(), "own_bid")
            .expr_as(bid::Column::MaxBid.max(), "own_most")
            .filter(bid::Column::UserId.eq(user))
            .filter(is_open())
            .group_by(item::Column::Id)
            .order_by_asc(item::Column::EndDate)
            .order_by_asc(item::Column::Id)
            .into_model::<item::Own>()
            .all(&self.0)
            .await?;
        let bid =
            |own: item::Own| OwnBid { item: own.item.into(), own_bid: own.own_bid, own_most: own.own_most };
        Ok(own.into_iter().map(bid).collect())
    }

    async fn won(&self, user: i32) -> Result<Vec<Item>, DbErr> {
        let bid_on = bid::Entity::find()
            .select_only()
            .column(bid::Column::ItemId)
            .filter(bid::Column::UserId.eq(user));
        let leader = bid::Entity::find()
            .select_only()
            .column(bid::Column::UserId)
            .filter(bid::Column::ItemId.into_expr().equals((item::Entity, item::Column::Id)))
            .order_by_desc(bid::Column::MaxBid)
            .order_by_asc(bid::Column::Id)
            .limit(1);
        let won = item::Entity::find()
            .find_both_related(user::Entity)
            .filter(item::Column::Id.in_subquery(bid_on.into_query()))
            .filter(item::Column::EndDate.into_expr().lt(present()))
            .filter(item::Column::Quantity.gt(0))
            .filter(item::Column::MaxBid.into_expr().gte(item::Column::ReservePrice.into_expr()))
            .filter(Expr::SubQuery(None, Box::new(leader.into_query().into())).eq(user))
            .order_by_desc(item::Column::EndDate)
            .order_by_desc(item::Column::Id)
            .all(&self.0)
            .await?;
        Ok(won.into_iter().map(|(item, seller)| Item { nickname: seller.nickname, ..item.into() }).collect())
    }

    /// Reads the items by themselves, because old ones are in another table.
    async fn bought(&self, user: i32) -> Result<Vec<Purchase>, DbErr> {
        let purchases = purchase::Entity::find()
            .filter(purchase::Column::BuyerId.eq(user))
            .filter(purchase::Column::Date.into_expr().gte(a_month_ago()))
            .order_by_desc(purchase::Column::Date)
            .order_by_desc(purchase::Column::Id)
            .all(&self.0)
            .await?;
        let items = purchases.load_one(item::Entity, &self.0).await?;
        let old = purchases.load_one(old_item::Entity, &self.0).await?;
        let items =
            items.into_iter().zip(old).map(|(item, old)| item.map(Item::from).or(old.map(Item::from)));
        let bought = purchases.into_iter().zip(items).filter_map(|(purchase, item)| {
            let Item { name, buy_now, .. } = item?;
            Some(Purchase {
                item_id: purchase.item_id,
                qty: purchase.qty,
                date: purchase.date,
                name,
                buy_now,
            })
        });
        Ok(bought.collect())
    }

    async fn selling(&self, user: i32) -> Result<Vec<Item>, DbErr> {
        let selling = item::Entity::find().filter(item::Column::Seller.eq(user)).filter(is_open());
        self.items(selling.order_by_asc(item::Column::EndDate).order_by_asc(item::Column::Id)).await
    }

    async fn sold(&self, user: i32) -> Result<Vec<Item>, DbErr> {
        let end = item::Column::EndDate.into_expr();
        let sold = item::Entity::find()
            .filter(item::Column::Seller.eq(user))
            .filter(end.clone().lt(present()))
            .filter(end.gte(a_month_ago()));
        let old = old_item::Entity::find()
            .filter(old_item::Column::Seller.eq(user))
            .filter(old_item::Column::EndDate.into_expr().gte(a_month_ago()));
        let mut sold = self.items(sold).await?;
        sold.extend(old.all(&self.0).await?.into_iter().map(Item::from));
        sold.sort_by_key(|item| Reverse((item.end_date, item.id)));
        Ok(sold)
    }
}

#[async_trait::async_trait]
impl Store for OrmStore {
    async fn categories(&self) -> Result<Vec<Category>> {
        let all = category::Entity::find().order_by_asc(category::Column::Id).all(&self.0).await?;
        Ok(all.into_iter().map(|category| Category { id: category.id, name: category.name }).collect())
    }

    async fn regions(&self) -> Result<Vec<Region>> {
        let all = region::Entity::find().order_by_asc(region::Column::Id).all(&self.0).await?;
        Ok(all.into_iter().map(|region| Region { id: region.id, name: region.name }).collect())
    }

    async fn category(&self, id: i32) -> Result<Option<String>> {
        Ok(category::Entity::find_by_id(id).one(&self.0).await?.map(|category| category.name))
    }

    async fn region(&self, id: i32) -> Result<Option<String>> {
        Ok(region::Entity::find_by_id(id).one(&self.0).await?.map(|region| region.name))
    }

    async fn credentials(&self, nickname: &str) -> Result<Option<Credentials>> {
        let user = self.user_named(nickname).await?;
        Ok(user.map(|user| Credentials { id: user.id, password: user.password }))
    }

    async fn profile(&self, user: i32) -> Result<Option<Profile>> {
        Ok(self.user(user).await?.map(|user| Profile {
            nickname: user.nickname,
            rating: user.rating,
            creation_date: user.creation_date,
        }))
    }

    async fn nickname(&self, user: i32) -> Result<String> {
        Ok(self.user(user).await?.context("a seller is missing")?.nickname)
    }

    async fn comments_about(&self, user: i32) -> Result<Vec<Comment>> {
        let comments = comment::Entity::find()
            .find_both_related(user::Entity)
            .filter(comment::Column::ToUserId.eq(user))
            .order_by_desc(comment::Column::Date)
            .order_by_desc(comment::Column::Id)
            .all(&self.0)
            .await?;
        let shown = comments.into_iter().map(|(comment, author)| Comment {
            from_user_id: comment.from_user_id,
            nickname: author.nickname,
            item_id: comment.item_id,
            rating: comment.rating,
            date: comment.date,
            comment: comment.comment,
        });
        Ok(shown.collect())
    }

    async fn affairs(&self, user: i32) -> Result<Affairs> {
        let found = user::Entity::find_by_id(user).find_both_related(region::Entity).one(&self.0).await?;
        let (account, region) = found.context("a user is missing")?;
        Ok(Affairs {
            user: Account {
                firstname: account.firstname,
                lastname: account.lastname,
                nickname: account.nickname,
                email: account.email,
                rating: account.rating,
                balance: account.balance,
                creation_date: account.creation_date,
                region: region.name,
            },
            bids: self.own_bids(user).await?,
            won: self.won(user).await?,
            bought: self.bought(user).await?,
            selling: self.selling(user).await?,
            sold: self.sold(user).await?,
            comments: self.comments_about(user).await?,
        })
    }

    async fn open_items(&self, search: Search) -> Result<Vec<Item>> {
        let mut found =
            item::Entity::find().filter(item::Column::Category.eq(search.category)).filter(is_open());
        if let Some(region) = search.region {
            found = found.inner_join(user::Entity).filter(user::Column::Region.eq(region));
        }
        let found = found
            .order_by_asc(item::Column::EndDate)
            .order_by_asc(item::Column::Id)
            .offset(u64::try_from(search.skip)?)
            .limit(u64::try_from(search.most)?);
        Ok(self.items(found).await?)
    }

    async fn item_for_sale(&self, id: i32) -> Result<Option<Item>> {
        let found = item::Entity::find_by_id(id).expr_as(is_open(), "open");
        Ok(found.into_model::<item::Facts>().one(&self.0).await?.map(Item::from))
    }

    async fn item_or_old(&self, id: i32) -> Result<Option<Item>> {
        match self.item_for_sale(id).await? {
            // Old ones are closed.
            None => Ok(self.old_item(id).await?.map(Item::from)),
            item => Ok(item),
        }
    }

    async fn item_title(&self, id: i32) -> Result<Option<String>> {
        Ok(self.item_topic(id).await?.map(|topic| topic.name))
    }

    async fn item_topic(&self, id: i32) -> Result<Option<Topic>> {
        let item = match item::Entity::find_by_id(id).one(&self.0).await? {
            None => self.old_item(id).await?.map(Item::from),
            item => item.map(Item::from),
        };
        Ok(item.map(|item| Topic { name: item.name, seller: item.seller }))
    }

    async fn bids_on(&self, item: i32) -> Result<Vec<PlacedBid>> {
        let bids = bid::Entity::find()
            .find_both_related(user::Entity)
            .filter(bid::Column::ItemId.eq(item))
            .order_by_desc(bid::Column::Date)
            .order_by_desc(bid::Column::Id)
            .all(&self.0)
            .await?;
        let shown = bids.into_iter().map(|(bid, bidder)| PlacedBid {
            user_id: bid.user_id,
            nickname: bidder.nickname,
            bid: bid.bid,
            qty: bid.qty,
            date: bid.date,
        });
        Ok(shown.collect())
    }

    async fn is_taken(&self, nickname: &str) -> Result<bool> {
        Ok(self.user_named(nickname).await?.is_some())
    }

    async fn register(&self, new: &NewUser) -> Result<Option<(i32, NaiveDateTime)>> {
        let row = [
            (user::Column::Firstname, Expr::value(new.firstname.as_str())),
            (user::Column::Lastname, Expr::value(new.lastname.as_str())),
            (user::Column::Nickname, Expr::value(new.nickname.as_str())),
            (user::Column::Password, Expr::value(new.password.as_str())),
            (user::Column::Email, Expr::value(new.email.as_str())),
            (user::Column::Rating, Expr::value(0)),
            (user::Column::Balance, Expr::value(Decimal::ZERO)),
            (user::Column::CreationDate, Expr::cust(second(&self.0))),
            (user::Column::Region, Expr::value(new.region)),
        ];
        let id = match insert(&self.0, user::Entity, row).await {
            Err(error) if matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) => {
                return Ok(None);
            }
            id => id?,
        };
        let stored = self.user(id).await?.context("a new user is missing")?;
        Ok(Some((id, stored.creation_date)))
    }

    async fn sell(&self, new: &NewItem) -> Result<(i32, Term)> {
        let deal = self.0.begin().await?;
        let present = second(&deal);
        let row = [
            (item::Column::Name, Expr::value(new.name.as_str())),
            (item::Column::Description, Expr::value(new.description.as_str())),
            (item::Column::InitialPrice, Expr::value(new.initial_price)),
            (item::Column::Quantity, Expr::value(new.quantity)),
            (item::Column::ReservePrice, Expr::value(new.reserve_price)),
            (item::Column::BuyNow, Expr::value(new.buy_now)),
            (item::Column::NbOfBids, Expr::value(0)),
            (item::Column::StartDate, Expr::cust(present)),
            (item::Column::EndDate, Expr::cust(format!("{present} + INTERVAL '{}' DAY", new.days))),
            (item::Column::Seller, Expr::value(new.seller)),
            (item::Column::Category, Expr::value(new.category)),
        ];
        let id = insert(&deal, item::Entity, row).await?;
        user::Entity::update_many()
            .col_expr(user::Column::Balance, Expr::col(user::Column::Balance).sub(Decimal::ONE))
            .filter(user::Column::Id.eq(new.seller))
            .exec(&deal)
            .await?;
        deal.commit().await?;
        let stored = item::Entity::find_by_id(id).one(&self.0).await?.context("a new item is missing")?;
        Ok((id, Term { start_date: stored.start_date, end_date: stored.end_date }))
    }

    async fn comment(&self, new: &NewComment) -> Result<i32> {
        let deal = self.0.begin().await?;
        let row = [
            (comment::Column::FromUserId, Expr::value(new.from_user_id)),
            (comment::Column::ToUserId, Expr::value(new.to_user_id)),
            (comment::Column::ItemId, Expr::value(new.item_id)),
            (comment::Column::Rating, Expr::value(new.rating)),
            (comment::Column::Date, Expr::cust(second(&deal))),
            (comment::Column::Comment, Expr::value(new.comment.as_str())),
        ];
        let id = insert(&deal, comment::Entity, row).await?;
        user::Entity::update_many()
            .col_expr(user::Column::Rating, Expr::col(user::Column::Rating).add(new.rating))
            .filter(user::Column::Id.eq(new.to_user_id))
            .exec(&deal)
            .await?;
        deal.commit().await?;
        Ok(id)
    }

    async fn begin(&self) -> Result<Box<dyn Deal>> {
        Ok(Box::new(OrmDeal(self.0.begin().await?)))
    }
}

struct OrmDeal(DatabaseTransaction);

#[async_trait::async_trait]
impl Deal for OrmDeal {
    async fn lock_for_bid(&mut self, id: i32) -> Result<Option<Item>> {
        let open = item::Column::EndDate.into_expr().gte(Expr::cust(second(&self.0)));
        let locked = item::Entity::find_by_id(id).expr_as(open, "open").lock_exclusive();
        Ok(locked.into_model::<item::Facts>().one(&self.0).await?.map(Item::from))
    }

    async fn lock_for_purchase(&mut self, id: i32) -> Result<Option<Item>> {
        self.lock_for_bid(id).await
    }

    async fn leader(&mut self, item: i32) -> Result<Option<Leader>> {
        let bids = bid::Entity::find().filter(bid::Column::ItemId.eq(item));
        let first =
            bids.order_by_desc(bid::Column::MaxBid).order_by_asc(bid::Column::Id).one(&self.0).await?;
        Ok(first.map(|bid| Leader { user_id: bid.user_id, qty: bid.qty, max_bid: bid.max_bid }))
    }

    async fn add_bid(&mut self, offer: &Offer) -> Result<i32> {
        let row = [
            (bid::Column::UserId, Expr::value(offer.user_id)),
            (bid::Column::ItemId, Expr::value(offer.item_id)),
            (bid::Column::Qty, Expr::value(offer.qty)),
            (bid::Column::Bid, Expr::value(offer.bid)),
            (bid::Column::MaxBid, Expr::value(offer.max_bid)),
            (bid::Column::Date, Expr::cust(second(&self.0))),
        ];
        Ok(insert(&self.0, bid::Entity, row).await?)
    }

    async fn raise(&mut self, item: i32, bids: i32, price: Decimal) -> Result<()> {
        item::Entity::update_many()
            .col_expr(item::Column::NbOfBids, Expr::col(item::Column::NbOfBids).add(bids))
            .col_expr(item::Column::MaxBid, Expr::value(price))
            .filter(item::Column::Id.eq(item))
            .exec(&self.0)
            .await?;
        Ok(())
    }

    async fn add_purchase(&mut self, buyer: i32, item: i32, copies: i32) -> Result<i32> {
        let row = [
            (purchase::Column::BuyerId, Expr::value(buyer)),
            (purchase::Column::ItemId, Expr::value(item)),
            (purchase::Column::Qty, Expr::value(copies)),
            (purchase::Column::Date, Expr::cust(second(&self.0))),
        ];
        Ok(insert(&self.0, purchase::Entity, row).await?)
    }

    async fn take(&mut self, item: &Item, copies: i32) -> Result<()> {
        let mut taken =
            item::Entity::update_many().col_expr(item::Column::Quantity, Expr::value(item.quantity - copies));
        if copies == item.quantity {
            let ended = format!("{} - INTERVAL '1' SECOND", second(&self.0));
            taken = taken.col_expr(item::Column::EndDate, Expr::cust(ended));
        }
        taken.filter(item::Column::Id.eq(item.id)).exec(&self.0).await?;
        Ok(())
    }

    async fn commit(self: Box<Self>) -> Result<()> {
        Ok(self.0.commit().await?)
    }
}
