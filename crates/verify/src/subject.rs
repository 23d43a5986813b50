//! The subject of a verification, with its settings.

use crate::StatementRecord;
use application::{Application, TokenKey};
use std::{collections::BTreeSet, path::Path, sync::atomic::AtomicBool, time::Duration};
use workload::{Catalogue, InteractionId, Mix};

pub struct Subject<'a> {
    /// The application with its model, which is correct by definition.
    pub application: &'a dyn Application,
    pub catalogue: &'a Catalogue,
    /// The interactions that are verified: what a partial stack lacks is not asked for.
    pub scope: BTreeSet<InteractionId>,
    /// True if a difference in one interaction is followed by a look at all others.
    pub surveys: bool,
    /// The mix of the walk.
    pub mix: &'a Mix,
    /// Signs and checks log-in tokens.
    pub key: TokenKey,
    /// Seed of the walk and of the random sequence.
    pub seed: u64,
    /// The configuration's name.
    pub configuration: &'a str,
    /// The recorded statements; none if there are none for its store.
    pub record: Option<&'a StatementRecord>,
    /// The file for a failing sequence.
    pub failure: &'a Path,
    /// The time limit of shrinking a failing sequence. Each trial needs a fresh start.
    pub timeout: Duration,
    /// The command that verifies this configuration: `tierbench verify auction WsPhp-DB`.
    pub command: &'a str,
    /// Set to interrupt the verification.
    pub stop: &'a AtomicBool,
}

impl Subject<'_> {
    /// True if all interactions are verified.
    pub(crate) fn is_whole(&self) -> bool {
        self.scope.len() == self.catalogue.interactions().len()
    }
}
