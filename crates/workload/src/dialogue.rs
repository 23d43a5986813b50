//! What a client and a site say to each other, one request after the other.
//!
//! Two kinds of clients are known: a browser, whose next request is on the page that it has ([`Session`](crate::Session)), and
//! a program that calls operations and knows beforehand what it wants to hear ([`Caller`](crate::Caller)).

use crate::{Request, Users, think_time};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::{borrow::Cow, ops::RangeInclusive, time::Duration};

/// A header of a request.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Header {
    /// Its name, as it is sent.
    pub name: Cow<'static, str>,
    /// Its value.
    pub value: Cow<'static, str>,
}

impl Header {
    /// A header of this name and value.
    pub fn new(name: impl Into<Cow<'static, str>>, value: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), value: value.into() }
    }
}

/// The value of a header, whatever the case of its name; none if it isn't there.
pub fn header<'a>(headers: &'a [Header], name: &str) -> Option<&'a str> {
    headers.iter().find(|known| known.name.eq_ignore_ascii_case(name)).map(|known| &*known.value)
}

/// What an answer means to the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerKind {
    /// It is what was asked for, and acknowledges the row with this id if it does so.
    Page {
        /// The id.
        acknowledged: Option<u64>,
    },
    /// A rule of the site has said no.
    Refused,
    /// It is no answer to what was asked.
    Wrong,
}

/// What one client says to a site, from one session to the next.
pub trait Dialogue {
    /// What is asked for at this instant. A session that has outlived the length drawn for it ends here, and a new one
    /// starts; its request says [`How::Start`](crate::How::Start).
    fn next(&mut self, users: &Users<'_>, mean_length: Duration, now: Duration) -> Request;

    /// The answer to a request is here, with this status.
    fn answered(&mut self, users: &Users<'_>, request: &Request, status: u16, body: &[u8]) -> AnswerKind;

    /// The request brought no answer.
    fn failed(&mut self, request: &Request);

    /// A request is over: its memory may serve the next one.
    fn again(&mut self, _over: Request) {}

    /// Hands over what has to be fetched to show the page that has arrived: paths with queries, one a line.
    fn take_embedded(&mut self) -> String {
        String::new()
    }

    /// The client's own random numbers.
    fn random(&mut self) -> &mut ChaCha8Rng;

    /// Draws how long the client thinks before the next request.
    fn think(&mut self, mean: Duration) -> Duration {
        think_time(mean, self.random())
    }

    /// Draws how long a client thinks whose think times are uniform.
    fn think_within(&mut self, lengths: &RangeInclusive<Duration>) -> Duration {
        let (shortest, longest) = (*lengths.start(), *lengths.end());
        shortest + longest.saturating_sub(shortest).mul_f64(self.random().random())
    }

    /// A uniformly random instant up to `longest`, at which the first request is made.
    fn first_instant(&mut self, longest: Duration) -> Duration {
        longest.mul_f64(self.random().random())
    }
}

/// The random numbers of one client: the same for the same seed, and others than those of any other client.
pub(crate) fn random_of(seed: u64, client: u32) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(1 + u64::from(client));
    random
}
