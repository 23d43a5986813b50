//! Proof that a stack is the application: the same requests go to the stack and to the model, and both must answer
//! with the same documents and end with the same rows.
//!
//! Two kinds of requests are sent: the walk of one seeded user after another, and probes that no user would send
//! (missing, malformed and unknown parameters, other methods). Times may differ by [`TOLERANCE`] seconds, because the
//! stack's time is its database's.

mod document;
mod probes;
mod tables;

use application::{Application, Model, Timestamp, TokenKey};
use document::Document;
use engine::{Connection, EngineError};
use services::ServiceError;
use stack::Site;
use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use thiserror::Error;
use workload::{Catalogue, InteractionId, Mix, Session, Users};

/// By how many seconds times in pages and rows may differ.
pub const TOLERANCE: i64 = 2;

/// What is verified, and how thoroughly.
pub struct Subject<'a> {
    /// The application, whose model is right by definition.
    pub application: &'a dyn Application,
    /// Its interactions.
    pub catalogue: &'a Catalogue,
    /// The mix that the users walk by.
    pub mix: &'a Mix,
    /// Signs and checks log-in tokens.
    pub key: TokenKey,
    /// Seed of the walk.
    pub seed: u64,
    /// How many requests the users make at least; the walk goes on until it has seen every interaction of the mix.
    pub requests: usize,
    /// Told to stop from outside.
    pub stop: &'a AtomicBool,
}

/// What was proven.
#[derive(Debug, Clone)]
pub struct Verified {
    /// Documents that were equal.
    pub documents: usize,
    /// Interactions that were visited.
    pub interactions: usize,
    /// Rows that were equal; none where the stack has no store to read.
    pub rows: Option<usize>,
}

/// Why a stack is not verified.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// A document differs from the model's.
    #[error("request {number} (seed {seed}): {request}\n{difference}")]
    Document {
        /// Which request of the walk, from 1.
        number: usize,
        /// The walk's seed.
        seed: u64,
        /// Method, path and body.
        request: String,
        /// Where and how.
        difference: String,
    },
    /// A table differs from the model's in the end.
    #[error("after {documents} equal documents (seed {seed}), table {difference}")]
    Rows {
        /// How many documents were equal before.
        documents: usize,
        /// The walk's seed.
        seed: u64,
        /// Which row, and how.
        difference: String,
    },
    /// The walk never came to an interaction.
    #[error(
        "after {requests} requests the walk has still not seen {missing}: no page leads there, or the mix hardly ever goes there"
    )]
    Unseen {
        /// How many requests were made.
        requests: usize,
        /// Names of interactions.
        missing: String,
    },
    /// The stack gave no answer.
    #[error("request {number}: {request}\n{fault}")]
    NoAnswer {
        /// Which request of the walk, from 1.
        number: usize,
        /// Method, path and body.
        request: String,
        /// What happened.
        fault: EngineError,
    },
    /// A service failed.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// Told to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Seconds between two requests of the walk, as far as sessions are concerned.
const STEP: Duration = Duration::from_secs(1);
/// Mean length of a session, in such steps: long enough for a whole transaction, short enough for several accounts.
const SESSION: Duration = Duration::from_secs(60);
/// A walk that needs more requests than this for each one asked for will never see all interactions.
const PATIENCE: usize = 50;

/// Verifies a site that has just been started fresh.
pub fn verify(subject: &Subject<'_>, site: &Site<'_>) -> Result<Verified, VerifyError> {
    let mut sides = Sides {
        subject,
        model: subject.application.model(&site.scenario(), subject.key.clone()),
        connection: Connection::open(site.entry(), &site.entry().to_string(), engine::Load::TIMEOUT)
            .map_err(|fault| VerifyError::NoAnswer { number: 1, request: "connecting".to_owned(), fault })?,
        documents: 0,
    };
    for probe in probes::probes(subject.catalogue) {
        sides.compare(&probe, &probe)?;
    }
    let interactions = walk(subject, site, &mut sides)?;
    for probe in probes::probes(subject.catalogue) {
        sides.compare(&probe, &probe)?;
    }
    let rows = tables::compare(subject.application, sides.model.as_ref(), site)?;
    let rows = rows.map_err(|difference| VerifyError::Rows {
        documents: sides.documents,
        seed: subject.seed,
        difference,
    })?;
    Ok(Verified { documents: sides.documents, interactions, rows })
}

/// Walks until enough requests are made and every interaction of the mix was seen. Returns how many were.
fn walk(subject: &Subject<'_>, site: &Site<'_>, sides: &mut Sides<'_>) -> Result<usize, VerifyError> {
    let account = |number| subject.application.account(number);
    let users = Users {
        catalogue: subject.catalogue,
        mix: subject.mix,
        accounts: subject.application.accounts(&site.scenario()),
        account: &account,
    };
    let reachable: BTreeSet<InteractionId> =
        subject.catalogue.ids().filter(|id| subject.mix.steps(*id).next().is_some()).collect();
    let mut seen = BTreeSet::new();
    // One user before the model and one before the stack: they see the same pages, so they do the same.
    let [mut before_model, mut before_stack] = [0, 0].map(|client| Session::new(subject.seed, client, 1));
    let mut requests = 0;
    while requests < subject.requests || !reachable.is_subset(&seen) {
        if requests > subject.requests.max(100) * PATIENCE {
            let missing: Vec<&str> =
                reachable.difference(&seen).map(|id| subject.catalogue.get(*id).name.as_str()).collect();
            return Err(VerifyError::Unseen { requests, missing: missing.join(", ") });
        }
        let now = STEP * requests as u32;
        let [asked, sent] =
            [&mut before_model, &mut before_stack].map(|user| user.next(&users, SESSION, now));
        let pages = sides.compare(&asked, &sent)?;
        for (user, request, page) in
            [(&mut before_model, &asked, &pages.model), (&mut before_stack, &sent, &pages.stack)]
        {
            match page {
                Some(html) => drop(user.arrived(&users, request, html)),
                None => user.failed(request),
            }
        }
        seen.insert(asked.interaction);
        requests += 1;
    }
    Ok(seen.len())
}

/// The model and the stack, asked side by side.
struct Sides<'a> {
    subject: &'a Subject<'a>,
    model: Box<dyn Model>,
    connection: Connection,
    documents: usize,
}

/// The two documents that answered a request; none where the answer was an error.
struct Pages {
    model: Option<Vec<u8>>,
    stack: Option<Vec<u8>>,
}

impl Sides<'_> {
    /// Sends a request to both; `asked` and `sent` may differ in their log-in tokens only.
    fn compare(&mut self, asked: &workload::Request, sent: &workload::Request) -> Result<Pages, VerifyError> {
        if self.subject.stop.load(Ordering::Relaxed) {
            return Err(VerifyError::Interrupted);
        }
        let number = self.documents + 1;
        let shown = || format!("{} {} {}", sent.method, sent.path_and_query, sent.body).trim_end().to_owned();
        let now = now();
        let right = self.model.respond(&asked.into(), now);
        let answer = self.connection.request(sent.method, &sent.path_and_query, &sent.body);
        let answer = answer.map_err(|fault| VerifyError::NoAnswer { number, request: shown(), fault })?;
        let differs = |difference: String| VerifyError::Document {
            number,
            seed: self.subject.seed,
            request: shown(),
            difference,
        };
        if answer.status != right.status {
            let page = Document::parse(&answer.body, &self.subject.key);
            let fault = format!(
                "  status: {} instead of {}\n  the page says: {}",
                answer.status,
                right.status,
                page.text()
            );
            return Err(differs(fault));
        }
        let kind = answer.header("content-type").unwrap_or_default();
        if !same_type(&kind, right.content_type) {
            return Err(differs(format!("  content type: `{kind}` instead of `{}`", right.content_type)));
        }
        let [got, expected] =
            [&answer.body, &right.body].map(|body| Document::parse(body, &self.subject.key));
        got.compare(&expected, now).map_err(differs)?;
        self.documents += 1;
        let is_page = right.status < 400 || right.status == 409;
        Ok(Pages { model: is_page.then_some(right.body), stack: is_page.then_some(answer.body) })
    }
}

fn same_type(got: &str, expected: &str) -> bool {
    let plain = |text: &str| text.to_ascii_lowercase().replace(char::is_whitespace, "");
    plain(got) == plain(expected)
}

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(since.as_secs() as i64)
}
