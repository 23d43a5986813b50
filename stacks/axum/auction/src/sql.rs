use crate::rows::{
    Affairs, Category, Comment, Credentials, Item, Leader, NewComment, NewItem, NewUser, Offer, PlacedBid,
    Profile, Region, Term, Topic,
};
use crate::store::{Deal, Search, Store};
use anyhow::Result;
use chrono::NaiveDateTime;
use common::{Database, Query, Row, Session, Value};
use rust_decimal::Decimal;

static CATEGORIES: Query = Query::new("SELECT id, name FROM categories ORDER BY id");
static REGIONS: Query = Query::new("SELECT id, name FROM regions ORDER BY id");
static CATEGORY: Query = Query::new("SELECT name FROM categories WHERE id = $1");
static REGION: Query = Query::new("SELECT name FROM regions WHERE id = $1");

static CREDENTIALS: Query = Query::new("SELECT id, password FROM users WHERE nickname = $1");
static PROFILE: Query = Query::new("SELECT nickname, rating, creation_date FROM users WHERE id = $1");
static NICKNAME: Query = Query::new("SELECT nickname FROM users WHERE id = $1");
static USER_NAMED: Query = Query::new("SELECT id FROM users WHERE nickname = $1");
static CREATION_DATE: Query = Query::new("SELECT creation_date FROM users WHERE id = $1");
static ADD_USER: Query = Query::new(
    "INSERT INTO users (firstname, lastname, nickname, password, email, rating, balance, creation_date, region)
    VALUES ($1, $2, $3, $4, $5, 0, 0, {second}, $6) RETURNING id",
);
static COMMENTS_ABOUT: Query = Query::new(
    "SELECT c.from_user_id, u.nickname, c.item_id, c.rating, c.date, c.comment
    FROM comments c JOIN users u ON u.id = c.from_user_id WHERE c.to_user_id = $1 ORDER BY c.date DESC, c.id DESC",
);

macro_rules! item_facts {
    ($table:literal) => {
        Query::new(concat!(
            "SELECT name, description, initial_price, quantity, buy_now, nb_of_bids, max_bid, start_date, end_date, ",
            "seller, category, end_date >= NOW() AS open FROM ",
            $table,
            " WHERE id = $1"
        ))
    };
}

static ITEM: Query = item_facts!("items");
static OLD_ITEM: Query = item_facts!("old_items");
static TITLE: Query = Query::new("SELECT name FROM items WHERE id = $1");
static OLD_TITLE: Query = Query::new("SELECT name FROM old_items WHERE id = $1");
static TOPIC: Query = Query::new("SELECT name, seller FROM items WHERE id = $1");
static OLD_TOPIC: Query = Query::new("SELECT name, seller FROM old_items WHERE id = $1");
static BIDS_ON: Query = Query::new(
    "SELECT b.user_id, u.nickname, b.bid, b.qty, b.date FROM bids b JOIN users u ON u.id = b.user_id
    WHERE b.item_id = $1 ORDER BY b.date DESC, b.id DESC",
);
static OPEN_IN_CATEGORY: Query = Query::new(
    "SELECT id, name, initial_price, max_bid, nb_of_bids, buy_now, end_date FROM items
    WHERE category = $1 AND end_date >= NOW() ORDER BY end_date, id LIMIT $2 OFFSET $3",
);
static OPEN_IN_REGION: Query = Query::new(
    "SELECT i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.buy_now, i.end_date
    FROM items i JOIN users u ON u.id = i.seller
    WHERE i.category = $1 AND u.region = $2 AND i.end_date >= NOW() ORDER BY i.end_date, i.id LIMIT $3 OFFSET $4",
);

/// A statement for each number of days, because an interval is a literal.
macro_rules! add_item {
    ($($days:literal)*) => {
        [$(Query::new(concat!(
            "INSERT INTO items (name, description, initial_price, quantity, reserve_price, buy_now, nb_of_bids, start_date, ",
            "end_date, seller, category) VALUES ($1, $2, $3, $4, $5, $6, 0, {second}, {second} + INTERVAL '",
            $days,
            "' DAY, $7, $8) RETURNING id"
        ))),*]
    };
}

static ADD_ITEM: [Query; 8] = add_item!(0 1 2 3 4 5 6 7);
static TAKE_FEE: Query = Query::new("UPDATE users SET balance = balance - 1.00 WHERE id = $1");
static TERM: Query = Query::new("SELECT start_date, end_date FROM items WHERE id = $1");

static ADD_COMMENT: Query = Query::new(
    "INSERT INTO comments (from_user_id, to_user_id, item_id, rating, date, comment)
    VALUES ($1, $2, $3, $4, {second}, $5) RETURNING id",
);
static RATE: Query = Query::new("UPDATE users SET rating = rating + $1 WHERE id = $2");

static LOCK_FOR_BID: Query = Query::new(
    "SELECT initial_price, quantity, max_bid, seller, end_date >= {second} AS open FROM items WHERE id = $1 FOR UPDATE",
);
static LOCK_FOR_PURCHASE: Query = Query::new(
    "SELECT initial_price, quantity, buy_now, max_bid, seller, end_date >= {second} AS open FROM items
    WHERE id = $1 FOR UPDATE",
);
static LEADER: Query =
    Query::new("SELECT user_id, qty, max_bid FROM bids WHERE item_id = $1 ORDER BY max_bid DESC, id LIMIT 1");
static ADD_BID: Query = Query::new(
    "INSERT INTO bids (user_id, item_id, qty, bid, max_bid, date) VALUES ($1, $2, $3, $4, $5, {second}) RETURNING id",
);
static RAISE: Query = Query::new("UPDATE items SET nb_of_bids = nb_of_bids + $1, max_bid = $2 WHERE id = $3");
static ADD_PURCHASE: Query = Query::new(
    "INSERT INTO buy_now (buyer_id, item_id, qty, date) VALUES ($1, $2, $3, {second}) RETURNING id",
);
static TAKE: Query = Query::new("UPDATE items SET quantity = quantity - $1 WHERE id = $2");
static TAKE_ALL: Query =
    Query::new("UPDATE items SET quantity = 0, end_date = {second} - INTERVAL '1' SECOND WHERE id = $1");

static ACCOUNT: Query = Query::new(
    "SELECT u.firstname, u.lastname, u.nickname, u.email, u.rating, u.balance, u.creation_date, r.name AS region
    FROM users u JOIN regions r ON r.id = u.region WHERE u.id = $1",
);
static OWN_BIDS: Query = Query::new(
    "SELECT i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.end_date, MAX(b.bid) AS own_bid,
    MAX(b.max_bid) AS own_most FROM bids b JOIN items i ON i.id = b.item_id WHERE b.user_id = $1 AND i.end_date >= NOW()
    GROUP BY i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.end_date ORDER BY i.end_date, i.id",
);
static WON: Query = Query::new(
    "SELECT i.id, i.name, i.max_bid, i.end_date, i.seller, u.nickname FROM items i JOIN users u ON u.id = i.seller
    WHERE i.id IN (SELECT item_id FROM bids WHERE user_id = $1) AND i.end_date < NOW() AND i.quantity > 0
    AND i.max_bid >= i.reserve_price
    AND (SELECT b.user_id FROM bids b WHERE b.item_id = i.id ORDER BY b.max_bid DESC, b.id LIMIT 1) = $2
    ORDER BY i.end_date DESC, i.id DESC",
);
static BOUGHT: Query = Query::new(
    "SELECT p.id, p.item_id, p.qty, p.date, i.name, i.buy_now FROM buy_now p JOIN items i ON i.id = p.item_id
    WHERE p.buyer_id = $1 AND p.date >= NOW() - INTERVAL '30' DAY
    UNION ALL
    SELECT p.id, p.item_id, p.qty, p.date, i.name, i.buy_now FROM buy_now p JOIN old_items i ON i.id = p.item_id
    WHERE p.buyer_id = $2 AND p.date >= NOW() - INTERVAL '30' DAY
    ORDER BY date DESC, id DESC",
);
static SELLING: Query = Query::new(
    "SELECT id, name, initial_price, quantity, reserve_price, buy_now, nb_of_bids, max_bid, end_date FROM items
    WHERE seller = $1 AND end_date >= NOW() ORDER BY end_date, id",
);
static SOLD: Query = Query::new(
    "SELECT id, name, quantity, reserve_price, max_bid, end_date FROM items
    WHERE seller = $1 AND end_date < NOW() AND end_date >= NOW() - INTERVAL '30' DAY
    UNION ALL
    SELECT id, name, quantity, reserve_price, max_bid, end_date FROM old_items
    WHERE seller = $2 AND end_date >= NOW() - INTERVAL '30' DAY
    ORDER BY end_date DESC, id DESC",
);

/// Sends the statements of the specification.
pub struct SqlStore(pub Database);

impl SqlStore {
    async fn all<T: Row>(&self, query: &Query, values: &[Value<'_>]) -> Result<Vec<T>> {
        Ok(self.0.session().await?.all(query, values).await?)
    }

    async fn optional<T: Row>(&self, query: &Query, values: &[Value<'_>]) -> Result<Option<T>> {
        Ok(self.0.session().await?.optional(query, values).await?)
    }

    /// Reads the only column of a row, if there is one.
    async fn text(&self, query: &Query, id: i32) -> Result<Option<String>> {
        Ok(self.optional::<(String,)>(query, &[id.into()]).await?.map(|(text,)| text))
    }

    async fn item(&self, query: &Query, id: i32) -> Result<Option<Item>> {
        Ok(self.optional::<Item>(query, &[id.into()]).await?.map(|item| Item { id, ..item }))
    }
}

#[async_trait::async_trait]
impl Store for SqlStore {
    async fn categories(&self) -> Result<Vec<Category>> {
        self.all(&CATEGORIES, &[]).await
    }

    async fn regions(&self) -> Result<Vec<Region>> {
        self.all(&REGIONS, &[]).await
    }

    async fn category(&self, id: i32) -> Result<Option<String>> {
        self.text(&CATEGORY, id).await
    }

    async fn region(&self, id: i32) -> Result<Option<String>> {
        self.text(&REGION, id).await
    }

    async fn credentials(&self, nickname: &str) -> Result<Option<Credentials>> {
        self.optional(&CREDENTIALS, &[nickname.into()]).await
    }

    async fn profile(&self, user: i32) -> Result<Option<Profile>> {
        self.optional(&PROFILE, &[user.into()]).await
    }

    async fn nickname(&self, user: i32) -> Result<String> {
        Ok(self.text(&NICKNAME, user).await?.unwrap_or_default())
    }

    async fn comments_about(&self, user: i32) -> Result<Vec<Comment>> {
        self.all(&COMMENTS_ABOUT, &[user.into()]).await
    }

    async fn affairs(&self, user: i32) -> Result<Affairs> {
        let mut session = self.0.session().await?;
        let id = Value::from(user);
        Ok(Affairs {
            user: session.one(&ACCOUNT, &[id]).await?,
            bids: session.all(&OWN_BIDS, &[id]).await?,
            won: session.all(&WON, &[id, id]).await?,
            bought: session.all(&BOUGHT, &[id, id]).await?,
            selling: session.all(&SELLING, &[id]).await?,
            sold: session.all(&SOLD, &[id, id]).await?,
            comments: session.all(&COMMENTS_ABOUT, &[id]).await?,
        })
    }

    async fn open_items(&self, search: Search) -> Result<Vec<Item>> {
        let Search { category, region, skip, most } = search;
        match region {
            None => self.all(&OPEN_IN_CATEGORY, &[category.into(), most.into(), skip.into()]).await,
            Some(region) => {
                self.all(&OPEN_IN_REGION, &[category.into(), region.into(), most.into(), skip.into()]).await
            }
        }
    }

    async fn item_for_sale(&self, id: i32) -> Result<Option<Item>> {
        self.item(&ITEM, id).await
    }

    async fn item_or_old(&self, id: i32) -> Result<Option<Item>> {
        match self.item(&ITEM, id).await? {
            None => self.item(&OLD_ITEM, id).await,
            item => Ok(item),
        }
    }

    async fn item_title(&self, id: i32) -> Result<Option<String>> {
        match self.text(&TITLE, id).await? {
            None => self.text(&OLD_TITLE, id).await,
            title => Ok(title),
        }
    }

    async fn item_topic(&self, id: i32) -> Result<Option<Topic>> {
        match self.optional(&TOPIC, &[id.into()]).await? {
            None => self.optional(&OLD_TOPIC, &[id.into()]).await,
            topic => Ok(topic),
        }
    }

    async fn bids_on(&self, item: i32) -> Result<Vec<PlacedBid>> {
        self.all(&BIDS_ON, &[item.into()]).await
    }

    async fn is_taken(&self, nickname: &str) -> Result<bool> {
        Ok(self.optional::<(i32,)>(&USER_NAMED, &[nickname.into()]).await?.is_some())
    }

    async fn register(&self, user: &NewUser) -> Result<Option<(i32, NaiveDateTime)>> {
        let mut session = self.0.session().await?;
        let NewUser { firstname, lastname, nickname, password, email, region } = user;
        let values = [
            firstname.into(),
            lastname.into(),
            nickname.into(),
            password.into(),
            email.into(),
            (*region).into(),
        ];
        let id = match session.insert(&ADD_USER, &values).await {
            Err(sqlx::Error::Database(error)) if error.is_unique_violation() => return Ok(None),
            id => id?,
        };
        let (date,) = session.one(&CREATION_DATE, &[id.into()]).await?;
        Ok(Some((id, date)))
    }

    async fn sell(&self, item: &NewItem) -> Result<(i32, Term)> {
        let mut session = self.0.begin().await?;
        let values = [
            (&item.name).into(),
            (&item.description).into(),
            item.initial_price.into(),
            item.quantity.into(),
            item.reserve_price.into(),
            item.buy_now.into(),
            item.seller.into(),
            item.category.into(),
        ];
        let id = session.insert(&ADD_ITEM[usize::try_from(item.days)?], &values).await?;
        session.execute(&TAKE_FEE, &[item.seller.into()]).await?;
        session.commit().await?;
        let term = self.optional(&TERM, &[id.into()]).await?.ok_or(sqlx::Error::RowNotFound)?;
        Ok((id, term))
    }

    async fn comment(&self, new: &NewComment) -> Result<i32> {
        let mut session = self.0.begin().await?;
        let NewComment { from_user_id, to_user_id, item_id, rating, comment } = new;
        let numbers = [from_user_id, to_user_id, item_id, rating].map(|number| Value::from(*number));
        let [from, to, item, rating] = numbers;
        let id = session.insert(&ADD_COMMENT, &[from, to, item, rating, comment.into()]).await?;
        session.execute(&RATE, &[rating, to]).await?;
        session.commit().await?;
        Ok(id)
    }

    async fn begin(&self) -> Result<Box<dyn Deal>> {
        Ok(Box::new(SqlDeal(self.0.begin().await?)))
    }
}

struct SqlDeal(Session);

#[async_trait::async_trait]
impl Deal for SqlDeal {
    async fn lock_for_bid(&mut self, item: i32) -> Result<Option<Item>> {
        let locked = self.0.optional::<Item>(&LOCK_FOR_BID, &[item.into()]).await?;
        Ok(locked.map(|locked| Item { id: item, ..locked }))
    }

    async fn lock_for_purchase(&mut self, item: i32) -> Result<Option<Item>> {
        let locked = self.0.optional::<Item>(&LOCK_FOR_PURCHASE, &[item.into()]).await?;
        Ok(locked.map(|locked| Item { id: item, ..locked }))
    }

    async fn leader(&mut self, item: i32) -> Result<Option<Leader>> {
        Ok(self.0.optional(&LEADER, &[item.into()]).await?)
    }

    async fn add_bid(&mut self, bid: &Offer) -> Result<i32> {
        let values =
            [bid.user_id.into(), bid.item_id.into(), bid.qty.into(), bid.bid.into(), bid.max_bid.into()];
        Ok(self.0.insert(&ADD_BID, &values).await?)
    }

    async fn raise(&mut self, item: i32, bids: i32, price: Decimal) -> Result<()> {
        Ok(self.0.execute(&RAISE, &[bids.into(), price.into(), item.into()]).await?)
    }

    async fn add_purchase(&mut self, buyer: i32, item: i32, copies: i32) -> Result<i32> {
        Ok(self.0.insert(&ADD_PURCHASE, &[buyer.into(), item.into(), copies.into()]).await?)
    }

    async fn take(&mut self, item: &Item, copies: i32) -> Result<()> {
        if copies == item.quantity {
            self.0.execute(&TAKE_ALL, &[item.id.into()]).await?;
        } else {
            self.0.execute(&TAKE, &[copies.into(), item.id.into()]).await?;
        }
        Ok(())
    }

    async fn commit(self: Box<Self>) -> Result<()> {
        Ok(self.0.commit().await?)
    }
}
