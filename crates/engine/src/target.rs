//! The endpoints of a site: plain HTTP, and TLS if its application has secure interactions.

use crate::http2;
use rustls::pki_types::{CertificateDer, ServerName, pem::PemObject};
use rustls::{ClientConfig, RootCertStore, client::Resumption};
use serde::{Deserialize, Serialize};
use std::net::SocketAddr;
use std::sync::Arc;
use workload::{Origins, SiteProtocol};

/// Sessions that one user's browser keeps to resume them.
const RESUMABLE_SESSIONS: usize = 4;

/// A site as seen by browsers.
#[derive(Debug, Clone)]
pub struct Target {
    pub plain: Endpoint,
    pub secure: Option<SecureEndpoint>,
}

/// Addresses at which a site takes requests, in words for a generator on another machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteAddress {
    pub plain: SocketAddr,
    /// The address that takes requests over TLS, with the authority (DER) that has signed its certificate.
    pub secure: Option<(SocketAddr, Vec<u8>)>,
    /// The protocol that browsers speak to it.
    #[serde(default)]
    pub protocol: SiteProtocol,
}

impl SiteAddress {
    /// The site as browsers see it.
    ///
    /// # Errors
    /// The authority's certificate is none.
    pub fn target(&self) -> Result<Target, rustls::Error> {
        let target = Target::plain(self.plain, self.plain.to_string());
        let target = match &self.secure {
            Some((address, authority)) => {
                target.with_tls(*address, CertificateDer::from(authority.clone()))?
            }
            None => target,
        };
        Ok(if self.protocol == SiteProtocol::Http2 { target.with_http2() } else { target })
    }
}

/// An address that takes requests.
#[derive(Debug, Clone)]
pub struct Endpoint {
    pub address: SocketAddr,
    pub host: String,
    pub asks_for_gzip: bool,
}

impl Endpoint {
    fn new(address: SocketAddr, host: impl Into<String>) -> Self {
        Self { address, host: host.into(), asks_for_gzip: false }
    }
}

/// An endpoint whose connections are encrypted.
#[derive(Debug, Clone)]
pub struct SecureEndpoint {
    pub endpoint: Endpoint,
    tls: ClientConfig,
    name: ServerName<'static>,
    /// True if browsers speak HTTP/2 there.
    pub(crate) is_http2: bool,
}

impl Target {
    /// A site without TLS. `host` is the value of the `Host` header.
    pub fn plain(address: SocketAddr, host: impl Into<String>) -> Self {
        Self { plain: Endpoint::new(address, host), secure: None }
    }

    /// Adds an endpoint over TLS, whose certificate `authority` (DER) has signed for the address.
    ///
    /// # Errors
    /// `authority` is no certificate of an authority.
    pub fn with_tls(
        self,
        address: SocketAddr,
        authority: CertificateDer<'static>,
    ) -> Result<Self, rustls::Error> {
        let endpoint = Endpoint::new(address, address.to_string());
        let name = ServerName::IpAddress(address.ip().into());
        let secure = SecureEndpoint::new(endpoint, name, [authority])?;
        Ok(Self { secure: Some(secure), ..self })
    }

    /// Adds an endpoint over TLS. `host` is the value of the `Host` header. The certificate must be for `name`, and signed
    /// by one of the `authorities` (PEM).
    ///
    /// # Errors
    /// `name` can't be the subject of a certificate, or there is no authority.
    pub fn over_tls(
        self,
        address: SocketAddr,
        host: impl Into<String>,
        name: &str,
        authorities: &[u8],
    ) -> Result<Self, rustls::Error> {
        let other = |fault: &dyn std::fmt::Display| rustls::Error::General(fault.to_string());
        let server = ServerName::try_from(name.to_owned()).map_err(|fault| other(&fault))?;
        let authorities: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(authorities).collect();
        let authorities = authorities.map_err(|fault| other(&fault))?;
        let secure = SecureEndpoint::new(Endpoint::new(address, host), server, authorities)?;
        Ok(Self { secure: Some(secure), ..self })
    }

    /// Lets browsers speak HTTP/2 over TLS.
    #[must_use]
    pub fn with_http2(mut self) -> Self {
        if let Some(secure) = &mut self.secure {
            secure.is_http2 = true;
        }
        self
    }

    /// True if browsers speak HTTP/2 over TLS.
    pub(crate) fn is_http2(&self) -> bool {
        self.secure.as_ref().is_some_and(|secure| secure.is_http2)
    }

    /// Asks for compressed answers.
    #[must_use]
    pub fn with_gzip(mut self) -> Self {
        self.plain.asks_for_gzip = true;
        if let Some(secure) = &mut self.secure {
            secure.endpoint.asks_for_gzip = true;
        }
        self
    }

    /// The endpoint of one transport. The caller asks for TLS only if there is a TLS endpoint.
    pub(crate) fn endpoint(&self, is_secure: bool) -> &Endpoint {
        match &self.secure {
            Some(secure) if is_secure => &secure.endpoint,
            _ => &self.plain,
        }
    }

    pub fn origins(&self) -> Origins {
        Origins::new(&self.plain.host, self.secure.as_ref().map(|secure| secure.endpoint.host.as_str()))
    }
}

impl SecureEndpoint {
    fn new(
        endpoint: Endpoint,
        name: ServerName<'static>,
        authorities: impl IntoIterator<Item = CertificateDer<'static>>,
    ) -> Result<Self, rustls::Error> {
        let mut roots = RootCertStore::empty();
        // Some certificates that a system trusts may not be parsable.
        let (known, _) = roots.add_parsable_certificates(authorities);
        if known == 0 {
            let fault = "no usable certificate authority is given";
            return Err(rustls::Error::General(fault.to_owned()));
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self { endpoint, tls, name, is_http2: false })
    }

    /// The TLS state of a new user's browser: it has no session to resume.
    pub(crate) fn new_user(&self) -> Arc<ClientConfig> {
        let mut tls = self.without_sessions();
        if self.is_http2 {
            tls.alpn_protocols = vec![http2::ALPN.to_vec()];
        }
        Arc::new(tls)
    }

    /// The TLS state of a new caller that speaks HTTP/1.1, whatever browsers speak.
    pub(crate) fn new_http1_caller(&self) -> Arc<ClientConfig> {
        Arc::new(self.without_sessions())
    }

    fn without_sessions(&self) -> ClientConfig {
        let mut tls = self.tls.clone();
        tls.resumption = Resumption::in_memory_sessions(RESUMABLE_SESSIONS);
        tls
    }

    pub(crate) fn begin(&self, tls: Arc<ClientConfig>) -> Result<rustls::ClientConnection, rustls::Error> {
        rustls::ClientConnection::new(tls, self.name.clone())
    }
}
