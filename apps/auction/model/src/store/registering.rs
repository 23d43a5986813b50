//! New users.

use super::Store;
use crate::fault::Fault;
use crate::rows::User;
use application::{Money, Timestamp, password_hash};

/// The columns of a new user without an id, but for those that are the same for all.
pub struct NewUser {
    pub firstname: String,
    pub lastname: String,
    pub nickname: String,
    pub email: String,
    pub password: String,
    pub region: i64,
}

impl Store {
    /// Adds a user with rating 0 and balance 0, unless the nickname is taken.
    pub fn register(&mut self, new: NewUser, now: Timestamp) -> Result<&User, Fault> {
        if self.user_by_nickname.contains_key(&new.nickname) {
            return Err(Fault::NicknameTaken(new.nickname));
        }
        let id = self.users.len() as i64 + 1;
        self.user_by_nickname.insert(new.nickname.clone(), id);
        self.users.push(User {
            id,
            password: password_hash(&new.nickname, &new.password),
            firstname: new.firstname,
            lastname: new.lastname,
            nickname: new.nickname,
            email: new.email,
            rating: 0,
            balance: Money(0),
            creation_date: now,
            region: new.region,
        });
        Ok(self.known_user(id))
    }
}
