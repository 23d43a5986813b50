//! A service's status page, requested over one persistent connection.

use std::{net::SocketAddr, time::Duration};

pub(super) struct Page {
    agent: ureq::Agent,
    url: String,
}

/// Timeout of a status page. If all workers are busy, its request waits behind those of clients.
const STATUS_PAGE_TIMEOUT: Duration = Duration::from_secs(30);

impl Page {
    /// `path` begins with a slash and may have a query.
    pub(super) fn new(address: SocketAddr, path: &str) -> Self {
        let config =
            ureq::Agent::config_builder().timeout_global(Some(STATUS_PAGE_TIMEOUT)).proxy(None).build();
        Self { agent: config.into(), url: format!("http://{address}{path}") }
    }

    /// The page's text. An error says in a sentence why there is none.
    pub(super) fn text(&self) -> Result<String, String> {
        let page = self.agent.get(&self.url).call().and_then(|mut answer| answer.body_mut().read_to_string());
        page.map_err(|error| format!("its status page can't be had ({error})"))
    }
}
