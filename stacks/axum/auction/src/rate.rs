use crate::identity::LogIn;
use crate::rows::{NewComment, Topic};
use crate::site::{Answer, Site};
use askama::Template;
use axum::extract::State;
use common::{Page, Parameters, Refusal};

const RATINGS: [(&str, i32); 5] = [("-5", -5), ("-3", -3), ("0", 0), ("3", 3), ("5", 5)];

/// The item that a comment is about, which must be there.
async fn topic(site: &Site, item: i32) -> anyhow::Result<Topic> {
    Ok(site.store.item_topic(item).await?.ok_or_else(|| Refusal::unknown("item", item))?)
}

#[derive(Template)]
#[template(path = "put_comment.html")]
pub struct PutComment {
    item_id: i32,
    title: String,
    to: i32,
    seller: String,
    token: String,
}

pub async fn put_comment(State(site): State<Site>, form: Parameters) -> Answer<PutComment> {
    let (item_id, to) = (form.id("itemId")?, form.id("to")?);
    let user = LogIn::read(&form)?.user(&site).await?;
    let topic = topic(&site, item_id).await?;
    topic.check_comment(item_id, user, to)?;
    let seller = site.store.nickname(to).await?;
    Ok(Page(PutComment { item_id, title: topic.name, to, seller, token: site.key.sign(user) }))
}

#[derive(Template)]
#[template(path = "store_comment.html")]
pub struct Published {
    id: i32,
    title: String,
    comment: NewComment,
}

pub async fn store_comment(State(site): State<Site>, form: Parameters) -> Answer<Published> {
    let (item_id, to_user_id) = (form.id("itemId")?, form.id("to")?);
    let token = form.text("token", 100)?;
    let rating = form.choice("rating", &RATINGS)?;
    let comment = form.text("comment", 2048)?;
    let from_user_id = site.bearer(&token)?;
    // Neither the name nor the seller of an item ever changes, so nothing needs to be locked.
    let topic = topic(&site, item_id).await?;
    topic.check_comment(item_id, from_user_id, to_user_id)?;
    let comment = NewComment { from_user_id, to_user_id, item_id, rating, comment };
    Ok(Page(Published { id: site.store.comment(&comment).await?, title: topic.name, comment }))
}
