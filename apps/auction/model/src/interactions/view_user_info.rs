//! ViewUserInfo: a user's rating and the comments about them, the last on top.
//!
//! After the parameters: an unknown user is 404.
//!
//! ```sql
//! SELECT nickname, rating, creation_date FROM users WHERE id = ?
//! SELECT c.from_user_id, u.nickname, c.item_id, c.rating, c.date, c.comment
//!     FROM comments c JOIN users u ON u.id = c.from_user_id
//!     WHERE c.to_user_id = ? ORDER BY c.date DESC, c.id DESC
//! ```

use super::{Visit, render};
use crate::{
    fault::Fault,
    rows::{Comment, User},
};
use askama::Template;

#[derive(Template)]
#[template(path = "view_user_info.html")]
struct Page<'a> {
    user: &'a User,
    comments: Vec<(&'a Comment, &'a str)>,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let id = visit.form.id("userId")?;
    let user = visit.store.user(id)?;
    Ok(render(&Page { user, comments: visit.store.comments_about(id) }))
}
