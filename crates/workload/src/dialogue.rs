//! The dialogue of a client with a site, one request after the other.
//!
//! There are two kinds of clients: a browser, which finds its next request on the current page
//! ([`Session`](crate::Session)), and a program, which calls operations and checks their answers
//! ([`Caller`](crate::Caller)).

use crate::{Origins, Request, Users, think_time};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::{ops::RangeInclusive, time::Duration};

#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    pub status: u16,
    /// Type as declared; empty if it isn't.
    pub content_type: &'a str,
    pub body: &'a [u8],
    pub site: &'a Origins,
    /// True if it came over TLS.
    pub is_secure: bool,
}

impl<'a> Answer<'a> {
    /// A page in UTF-8, of a site that nobody names with an address.
    pub fn page(html: &'a [u8]) -> Self {
        let content_type = "text/html; charset=utf-8";
        Self { status: 200, content_type, body: html, site: Origins::nowhere(), is_secure: false }
    }
}

/// The meaning of an answer for the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerKind {
    /// The requested page; it may acknowledge a row.
    Page {
        /// The row's id.
        acknowledged: Option<u64>,
    },
    /// Refused by a rule of the site.
    Refused,
    OfAnother,
    /// No answer to the request.
    Wrong,
}

/// The requests of one client, from one session to the next.
pub trait Dialogue {
    /// The next request, made at `now`. A session whose drawn length is over ends here, and a new one starts with
    /// [`How::Start`](crate::How::Start).
    fn next(&mut self, users: &Users<'_>, mean_length: Duration, now: Duration) -> Request;

    /// Ends the session if its drawn length is over at `now`. Returns whether it is over; then the next request begins
    /// another one.
    fn ends(&mut self, now: Duration) -> bool;

    fn answered(&mut self, users: &Users<'_>, request: &Request, answer: &Answer<'_>) -> AnswerKind;

    /// Records that a request got no answer.
    fn failed(&mut self, request: &Request);

    /// Takes back a request that is over, to reuse its buffers.
    fn again(&mut self, _over: Request) {}

    /// Takes the embedded files of the current page: paths with queries, one a line.
    fn take_embedded(&mut self) -> String {
        String::new()
    }

    /// Takes the other sites to which references of the current page lead, one a line.
    fn take_left_out(&mut self) -> String {
        String::new()
    }

    /// The client's own random numbers.
    fn random(&mut self) -> &mut ChaCha8Rng;

    /// Draws the think time before the next request.
    fn think(&mut self, mean: Duration) -> Duration {
        think_time(mean, self.random())
    }

    /// Draws a uniform think time.
    fn think_within(&mut self, lengths: &RangeInclusive<Duration>) -> Duration {
        let (shortest, longest) = (*lengths.start(), *lengths.end());
        shortest + longest.saturating_sub(shortest).mul_f64(self.random().random())
    }

    /// A uniformly random instant up to `longest`, at which the first request is made.
    fn first_instant(&mut self, longest: Duration) -> Duration {
        longest.mul_f64(self.random().random())
    }
}

/// A client's random numbers: reproducible by seed, different for each client.
pub(crate) fn random_of(seed: u64, client: u32) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(1 + u64::from(client));
    random
}
