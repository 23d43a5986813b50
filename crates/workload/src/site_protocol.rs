//! The protocol that browsers speak to a site.

use serde::{Deserialize, Serialize};

/// The protocol that browsers speak to a site.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SiteProtocol {
    /// HTTP/1.1, over TLS only for interactions that the application marks as secure.
    #[default]
    Http,
    /// HTTP/1.1 over TLS for all interactions.
    Https,
    /// HTTP/2 over TLS for all interactions.
    Http2,
}

impl SiteProtocol {
    /// The name of the factor with which a service that faces browsers offers a choice.
    pub const FACTOR: &str = "site_protocol";

    /// The protocol that a value of the factor names.
    pub fn named(value: &str) -> Option<Self> {
        match value {
            "http" => Some(Self::Http),
            "https" => Some(Self::Https),
            "http2" => Some(Self::Http2),
            _ => None,
        }
    }
}
