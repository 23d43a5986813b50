//! The log-in: one form, which five interactions show, and one check behind it.
//!
//! ```sql
//! SELECT id, password FROM users WHERE nickname = ?
//! ```
//!
//! An unknown nickname or another password is 403. A logged-in user gets pages with a token, signed with the web server's
//! time.

use crate::{fault::Fault, parameters::nickname, rows::User, store::Store};
use application::Form;
use application::password_hash;
use askama::Template;

/// The page with the form. Its hidden fields are ids.
#[derive(Template)]
#[template(path = "log_in.html")]
pub struct LogInPage<'a> {
    pub title: &'a str,
    pub action: &'a str,
    pub hidden: Vec<(&'a str, i64)>,
    /// The item to which the page leads back.
    pub item_id: Option<i64>,
}

/// The form's fields.
pub struct LogIn {
    nickname: String,
    password: String,
}

impl LogIn {
    pub fn read(form: &Form<'_>) -> Result<Self, Fault> {
        Ok(Self { nickname: nickname(form, "nickname")?, password: form.text("password")? })
    }

    pub fn user<'a>(&self, store: &'a Store) -> Result<&'a User, Fault> {
        let user = store.user_named(&self.nickname).ok_or(Fault::WrongLogIn)?;
        let right = user.password == password_hash(&self.nickname, &self.password);
        if right { Ok(user) } else { Err(Fault::WrongLogIn) }
    }
}
