use crate::rows::{Account, Affairs, Machine, NewUser};
use crate::rules::{nickname_taken, wrong_log_in};
use crate::site::{Answer, Site};
use askama::Template;
use axum::extract::State;
use common::{Page, Parameters, Refusal, password_hash, wrong_parameter};
use rust_decimal::Decimal;

/// The values that users type to log in.
pub struct LogIn {
    nickname: String,
    password: String,
}

impl LogIn {
    pub fn read(form: &Parameters) -> Result<Self, Refusal> {
        Ok(Self { nickname: form.nickname("nickname")?, password: form.text("password", 20)? })
    }

    /// The id of the user who logs in.
    pub async fn user(&self, site: &Site) -> anyhow::Result<i32> {
        let hash = password_hash(&self.nickname, &self.password);
        let known = site.store.credentials(&self.nickname).await?;
        Ok(known.filter(|user| user.password == hash).ok_or_else(wrong_log_in)?.id)
    }
}

/// Asks a user to log in for what they want to do with an item.
#[derive(Template)]
#[template(path = "log_in.html")]
pub struct LogInForm {
    title: &'static str,
    action: &'static str,
    hidden: Vec<(&'static str, i32)>,
    item_id: i32,
}

pub async fn buy_now_auth(form: Parameters) -> Answer<LogInForm> {
    let item_id = form.id("itemId")?;
    let hidden = vec![("itemId", item_id)];
    Ok(Page(LogInForm { title: "Log in to buy now", action: "/auction/BuyNow", hidden, item_id }))
}

pub async fn put_bid_auth(form: Parameters) -> Answer<LogInForm> {
    let item_id = form.id("itemId")?;
    let hidden = vec![("itemId", item_id)];
    Ok(Page(LogInForm { title: "Log in to bid", action: "/auction/PutBid", hidden, item_id }))
}

pub async fn put_comment_auth(form: Parameters) -> Answer<LogInForm> {
    let item_id = form.id("itemId")?;
    let hidden = vec![("itemId", item_id), ("to", form.id("to")?)];
    Ok(Page(LogInForm { title: "Log in to rate the seller", action: "/auction/PutComment", hidden, item_id }))
}

#[derive(Template)]
#[template(path = "register_user.html")]
pub struct Registered {
    id: i32,
    user: Account,
}

pub async fn register_user(State(site): State<Site>, form: Parameters) -> Answer<Registered> {
    let (firstname, lastname) = (form.text("firstname", 20)?, form.text("lastname", 20)?);
    let nickname = form.nickname("nickname")?;
    let email = form.email("email", 50)?;
    let password = password_hash(&nickname, &form.text("password", 20)?);
    let new = NewUser { firstname, lastname, nickname, password, email, region: form.id("region")? };

    let region = site.store.region(new.region).await?.ok_or_else(|| wrong_parameter("region"))?;
    if site.store.is_taken(&new.nickname).await? {
        return Err(nickname_taken(&new.nickname).into());
    }
    let stored = site.store.register(&new).await?;
    let (id, creation_date) = stored.ok_or_else(|| nickname_taken(&new.nickname))?;
    let NewUser { firstname, lastname, nickname, email, .. } = new;
    let balance = Decimal::ZERO;
    let user = Account { firstname, lastname, nickname, email, rating: 0, balance, creation_date, region };
    Ok(Page(Registered { id, user }))
}

pub async fn about_me(State(site): State<Site>, form: Parameters) -> Answer<Affairs> {
    let user = LogIn::read(&form)?.user(&site).await?;
    Ok(Page(site.store.affairs(user).await?))
}
