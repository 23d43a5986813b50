//! Who uses a site, and how.

use crate::{Calls, Catalogue, Mix};
use rand::{Rng, RngExt};
use std::borrow::Cow;

/// An account as which a user can log in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Log-in name.
    pub nickname: String,
    /// Password in plain text.
    pub password: String,
}

/// The user of a new session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visitor {
    /// The number of the user's account, from 1.
    pub account: u64,
    /// The query of the first request, encoded; empty for a user who is unknown to the site.
    pub query: String,
}

/// The application-specific behaviour of users.
pub trait Habits: Sync {
    /// How they call its operations; none if they browse.
    fn calls(&self) -> Option<&dyn Calls> {
        None
    }

    /// Draws the next user, of so many accounts. By default, each is equally likely and unknown to the site.
    fn visitor(&self, accounts: u64, random: &mut dyn Rng) -> Visitor {
        Visitor { account: random.random_range(1..=accounts.max(1)), query: String::new() }
    }

    /// Draws what is typed into a field whose rule is [`Fill::Typed`](crate::Fill::Typed) of this kind. `filled` are the earlier fields of
    /// the form with their values. None keeps the field's value.
    fn typed(&self, _kind: &str, _filled: &[(&str, Cow<'_, str>)], _random: &mut dyn Rng) -> Option<String> {
        None
    }
}

/// The default habits.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlainHabits;

impl Habits for PlainHabits {}

/// What all users of a load have in common.
#[derive(Clone, Copy)]
pub struct Users<'a> {
    /// The interactions and how fields are filled.
    pub catalogue: &'a Catalogue,
    /// What users do next.
    pub mix: &'a Mix,
    /// How many accounts exist.
    pub accounts: u64,
    /// The account with a number from 1 to `accounts`.
    pub account: &'a (dyn Fn(u64) -> Account + Sync),
    /// Their application-specific behaviour.
    pub habits: &'a dyn Habits,
}

impl Users<'_> {
    /// Whether they read the body of pages.
    pub fn reads(&self) -> bool {
        self.habits.calls().is_none_or(Calls::reads)
    }
}
