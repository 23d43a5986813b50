//! Checks of each answer, whatever was asked and whatever it is compared with.

use crate::{Subject, VerifyError, headers, safety::Safety};
use engine::{HttpResponse, Target};
use stack::{Site, SiteError};
use workload::Effect;

pub(crate) struct Judge<'a> {
    subject: &'a Subject<'a>,
    pub(crate) safety: Safety,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(subject: &'a Subject<'a>, site: &Site<'_>) -> Result<Self, VerifyError> {
        let Target { plain, secure, .. } = site.target();
        let hosts = [plain.host].into_iter().chain(secure.map(|secure| secure.endpoint.host.clone()));
        let mut secrets = site.secrets().map_err(SiteError::from)?;
        secrets.push(subject.key.text().as_bytes().to_vec());
        Ok(Self { subject, safety: Safety::new(&secrets, hosts.collect()) })
    }

    /// Checks an answer to a request for this path: it shows no secret, and its headers do no harm.
    pub(crate) fn expect_harmless(&self, got: &HttpResponse, path: &str) -> Result<(), String> {
        self.safety.expect_no_secret(got)?;
        let catalogue = self.subject.catalogue;
        let depends_on_data =
            catalogue.by_path(path).is_some_and(|id| catalogue.get(id).effect != Effect::Static);
        headers::expect_harmless(got, depends_on_data)
    }
}
