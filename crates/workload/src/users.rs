//! The users of a site: accounts, habits, and the workload that they share.

use crate::{Calls, Catalogue, Mix};
use rand::{Rng, RngExt};
use std::borrow::Cow;

/// An account as which a user can log in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub nickname: String,
    /// In plain text.
    pub password: String,
}

/// The user of a new session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visitor {
    /// The account's number, from 1.
    pub account: u64,
    /// The query of the first request, encoded; empty for a user who is unknown to the site.
    pub query: String,
}

/// Application-specific behaviour of users.
pub trait Habits: Sync {
    /// Calls of the application's operations; none if users browse.
    fn calls(&self) -> Option<&dyn Calls> {
        None
    }

    /// Draws the next user from `accounts` accounts. By default, each is equally likely and unknown to the site.
    fn visitor(&self, accounts: u64, random: &mut dyn Rng) -> Visitor {
        Visitor { account: random.random_range(1..=accounts.max(1)), query: String::new() }
    }

    /// Draws the text for a field whose rule is [`Fill::Typed`](crate::Fill::Typed) of this kind. `filled` are the earlier
    /// fields of the form with their values. None keeps the field's value.
    fn typed(&self, _kind: &str, _filled: &[(&str, Cow<'_, str>)], _random: &mut dyn Rng) -> Option<String> {
        None
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub struct PlainHabits;

impl Habits for PlainHabits {}

/// The workload that all users of a load share.
#[derive(Clone, Copy)]
pub struct Users<'a> {
    pub catalogue: &'a Catalogue,
    pub mix: &'a Mix,
    /// The number of accounts.
    pub accounts: u64,
    /// The account with a number from 1 to `accounts`.
    pub account: &'a (dyn Fn(u64) -> Account + Sync),
    pub habits: &'a dyn Habits,
}

impl Users<'_> {
    /// True if they read pages' bodies.
    pub fn reads(&self) -> bool {
        self.habits.calls().is_none_or(Calls::reads)
    }
}
