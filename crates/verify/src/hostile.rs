//! Requests that no user would send.

use crate::probes::probes;
use application::{Step, TokenKey};
use workload::Catalogue;

/// Everything that is wrong in one way.
pub(crate) fn requests(catalogue: &Catalogue) -> Vec<Step> {
    probes(catalogue).iter().map(|request| Step::of(request, &TokenKey::new(""))).collect()
}
