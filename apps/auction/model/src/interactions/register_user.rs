//! RegisterUser: adds a user.
//!
//! After the parameters: an unknown region is a wrong parameter (400); a nickname that is taken is refused (409),
//! where upper and lower case differ.
//!
//! ```sql
//! SELECT name FROM regions WHERE id = ?
//! SELECT id FROM users WHERE nickname = ?
//! INSERT INTO users (firstname, lastname, nickname, password, email, rating, balance, creation_date, region)
//!     VALUES (?, ?, ?, ?, ?, 0, 0, NOW(), ?)
//! SELECT creation_date FROM users WHERE id = ?
//! ```
//!
//! The second statement is there so that a refusal uses up no id; where two register at once, the unique key refuses
//! one of them, who gets the same error page.

use super::{Visit, render};
use crate::{fault::Fault, parameters::nickname, rows::User, store::NewUser};
use application::RequestFault;
use askama::Template;

#[derive(Template)]
#[template(path = "register_user.html")]
struct Page<'a> {
    user: &'a User,
    region: &'a str,
}

pub fn answer(visit: &mut Visit<'_>) -> Result<String, Fault> {
    let Visit { form, store, now, .. } = visit;
    let new = NewUser {
        firstname: form.text("firstname")?,
        lastname: form.text("lastname")?,
        nickname: nickname(form, "nickname")?,
        email: form.email("email")?,
        password: form.text("password")?,
        region: form.id("region")?,
    };
    let unknown = |_| -> Fault { RequestFault::Parameter("region".to_owned()).into() };
    let region = store.region(new.region).map_err(unknown)?.name.clone();
    let user = store.register(new, *now)?;
    Ok(render(&Page { user, region: &region }))
}
