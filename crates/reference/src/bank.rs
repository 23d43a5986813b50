//! The models' way to the bank: what a model says that the bank is asked for, the payment gateway is asked for.

use application::Payment;
use rustls::{
    ClientConfig, ClientConnection, RootCertStore, StreamOwned,
    pki_types::{CertificateDer, ServerName, pem::PemObject},
};
use std::{
    env,
    io::{self, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    path::Path,
    sync::Arc,
    time::Duration,
};

/// The variables that name the gateway, and the authority of its certificate.
const URL: &str = "TIERBENCH_PAYMENT_URL";
const AUTHORITY: &str = "TIERBENCH_CA_FILE";

/// Time limit of the bank.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(3);

/// A payment gateway, as its clients see it.
#[derive(Debug, Clone)]
pub struct Bank {
    address: SocketAddr,
    path: String,
    tls: Arc<ClientConfig>,
}

impl Bank {
    /// The gateway that the environment names, if it names one.
    ///
    /// # Errors
    /// The URL or the authority's certificate can't be read.
    pub fn of_environment() -> io::Result<Option<Self>> {
        let (Ok(url), Some(authority)) = (env::var(URL), env::var_os(AUTHORITY)) else { return Ok(None) };
        Self::new(&url, Path::new(&authority)).map(Some)
    }

    fn new(url: &str, authority: &Path) -> io::Result<Self> {
        let invalid = |fault: String| io::Error::new(io::ErrorKind::InvalidInput, fault);
        let parts = url.strip_prefix("https://").and_then(|rest| rest.split_once('/'));
        let address = parts.and_then(|(host, path)| Some((host.parse().ok()?, format!("/{path}"))));
        let (address, path) = address.ok_or_else(|| invalid(format!("{URL}: `{url}` names no gateway")))?;
        let in_file = |fault: &dyn std::fmt::Display| invalid(format!("{}: {fault}", authority.display()));
        let certificate = CertificateDer::from_pem_file(authority).map_err(|fault| in_file(&fault))?;
        let mut roots = RootCertStore::empty();
        roots.add(certificate).map_err(|fault| in_file(&fault))?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?;
        let tls = builder.with_root_certificates(roots).with_no_client_auth();
        Ok(Self { address, path, tls: Arc::new(tls) })
    }

    /// Asks for a payment, and waits for the answer as long as a site does. The answer is the model's already.
    pub(crate) fn ask(&self, payment: &Payment) -> io::Result<()> {
        let form = payment.form();
        let Self { address, path, tls } = self;
        let connection = ClientConnection::new(tls.clone(), ServerName::from(address.ip()));
        let socket = TcpStream::connect_timeout(address, ANSWER_TIMEOUT)?;
        socket.set_read_timeout(Some(ANSWER_TIMEOUT))?;
        let mut stream = StreamOwned::new(connection.map_err(io::Error::other)?, socket);
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
            form.len()
        )?;
        stream.flush()?;
        stream.read_exact(&mut [0])
    }
}
