//! Serving over TLS, with the certificate that the laboratory has made for a run.

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::io;
use std::path::Path;
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;

/// Accepts TLS connections with a certificate and its key, both PEM.
///
/// # Errors
/// A file can't be read, or has no certificate or key.
pub fn acceptor(certificate: &Path, key: &Path) -> io::Result<TlsAcceptor> {
    let in_file = |path: &Path, fault: rustls::pki_types::pem::Error| {
        io::Error::new(io::ErrorKind::InvalidData, format!("{}: {fault}", path.display()))
    };
    let chain = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|fault| in_file(certificate, fault))?;
    let key = PrivateKeyDer::from_pem_file(key).map_err(|fault| in_file(key, fault))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, key));
    Ok(TlsAcceptor::from(Arc::new(config.map_err(io::Error::other)?)))
}
