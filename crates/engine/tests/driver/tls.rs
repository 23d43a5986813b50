//! The epoll driver and single connections against a TLS server. An authority of the test signs its certificate.

use crate::shop::{Shop, load};
use engine::{Connection, Directive, ErrorKind, Load, Outcome, Outgoing, Phase, Target, drive_until};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{HandshakeKind, ServerConfig, ServerConnection, StreamOwned};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use workload::Method;

/// Two listeners that answer alike, one of them over TLS, until the test ends.
pub(crate) struct Site {
    pub(crate) plain: SocketAddr,
    secure: SocketAddr,
    authority: CertificateDer<'static>,
    pub(crate) observed: Arc<Received>,
    threads: Vec<JoinHandle<()>>,
}

#[derive(Default)]
pub(crate) struct Received {
    ends: AtomicBool,
    pub(crate) requests: AtomicU64,
    secure_requests: AtomicU64,
    full: AtomicU64,
    resumed: AtomicU64,
    paths: Mutex<Vec<String>>,
}

pub(crate) fn authority() -> CertifiedIssuer<'static, KeyPair> {
    let mut parameters = CertificateParams::default();
    parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(parameters, KeyPair::generate().unwrap()).unwrap()
}

/// The TLS configuration of a server with a key that this authority has signed.
fn server_config(authority: &CertifiedIssuer<'static, KeyPair>) -> Arc<ServerConfig> {
    let key = KeyPair::generate().unwrap();
    let parameters = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
    let certificate = parameters.signed_by(&key, authority).unwrap();
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder =
        ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let chain = vec![certificate.der().clone()];
    let mut config = builder.with_no_client_auth().with_single_cert(chain, key).unwrap();
    config.ticketer = rustls::crypto::ring::Ticketer::new().unwrap();
    Arc::new(config)
}

impl Site {
    pub(crate) fn start() -> Self {
        let authority = authority();
        let config = server_config(&authority);
        let observed = Arc::new(Received::default());
        let mut threads = Vec::new();
        let mut listen = |tls: Option<Arc<ServerConfig>>| {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
            let address = listener.local_addr().unwrap();
            let observed = observed.clone();
            threads.push(thread::spawn(move || {
                for stream in listener.incoming() {
                    if observed.ends.load(Ordering::SeqCst) {
                        return;
                    }
                    let (stream, observed, tls) = (stream.unwrap(), observed.clone(), tls.clone());
                    // The client handles a broken connection.
                    thread::spawn(move || converse(stream, tls, &observed).unwrap_or(()));
                }
            }));
            address
        };
        let (plain, secure) = (listen(None), listen(Some(config)));
        Self { plain, secure, authority: authority.der().clone(), observed, threads }
    }

    fn target(&self) -> Target {
        Target::plain(self.plain, self.plain.to_string())
            .with_tls(self.secure, self.authority.clone())
            .unwrap()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.observed.ends.store(true, Ordering::SeqCst);
        for address in [self.plain, self.secure] {
            drop(TcpStream::connect(address));
        }
        self.threads.drain(..).for_each(|thread| thread.join().unwrap());
    }
}

fn converse(stream: TcpStream, tls: Option<Arc<ServerConfig>>, observed: &Received) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let Some(tls) = tls else { return answer_all(BufReader::new(stream), &observed.requests, observed) };
    let mut stream = StreamOwned::new(ServerConnection::new(tls).unwrap(), stream);
    while stream.conn.is_handshaking() {
        stream.conn.complete_io(&mut stream.sock)?;
    }
    let kind = stream.conn.handshake_kind().unwrap();
    let count = if kind == HandshakeKind::Resumed { &observed.resumed } else { &observed.full };
    count.fetch_add(1, Ordering::SeqCst);
    answer_all(BufReader::new(stream), &observed.secure_requests, observed)
}

/// Answers all requests of a connection with a page that links to all others; closes the connection now and then.
fn answer_all(
    mut stream: BufReader<impl Read + Write>,
    count: &AtomicU64,
    observed: &Received,
) -> std::io::Result<()> {
    for turn in 1.. {
        let (mut first, mut length) = (String::new(), 0);
        if stream.read_line(&mut first)? == 0 {
            return Ok(());
        }
        loop {
            let mut line = String::new();
            stream.read_line(&mut line)?;
            if let Some(value) = line.strip_prefix("Content-Length: ") {
                length = value.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        stream.read_exact(&mut vec![0; length])?;
        let row = 1 + count.fetch_add(1, Ordering::SeqCst);
        observed.paths.lock().unwrap().push(first.split(' ').nth(1).unwrap().to_owned());
        // More than one TLS record, and more than a socket takes at once.
        let body = format!(
            "<a href='Item'>1</a><form action=Buy method=post></form><a href='index.html'>2</a>\
             <data class=acknowledged value={row}></data>{}",
            "x".repeat(300_000)
        );
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
        stream.get_mut().write_all(head.as_bytes())?;
        stream.get_mut().write_all(body.as_bytes())?;
        stream.get_mut().flush()?;
        if turn == 5 {
            return Ok(());
        }
    }
    Ok(())
}

/// Puts users on a site until this number of pages was completed.
pub(crate) fn run_until(target: &Target, shop: &Shop, load: &Load, pages: u64) -> Outcome {
    let mut watch = |progress: engine::Progress| match progress.phase {
        Phase::Measure if progress.completed + progress.errors >= pages => Directive::Enough,
        _ => Directive::GoOn,
    };
    let load = Load { ramp: Duration::ZERO, longest_ramp: Duration::ZERO, ..load.clone() };
    drive_until(target, &shop.users(), &load, &AtomicBool::new(false), &mut watch).unwrap()
}

#[test]
fn secure_interactions_use_tls_and_resume_sessions() {
    let site = Site::start();
    let shop = Shop::with_secure_buying();
    let outcome = run_until(&site.target(), &shop, &load(8, 10, 3_600_000), 600);
    assert_eq!(outcome.total().errors(), 0, "{:?}", outcome.total());
    let bought = outcome.interactions[2].total().completed;
    assert!(bought > 20, "{bought}");
    let secure = site.observed.secure_requests.load(Ordering::SeqCst);
    assert!(secure.abs_diff(bought) <= 8, "{secure} requests over TLS, {bought} bought");
    // Each of eight users makes one full handshake, and resumes the session later.
    let (full, resumed) =
        (site.observed.full.load(Ordering::SeqCst), site.observed.resumed.load(Ordering::SeqCst));
    assert!(full <= 8 && resumed > 0, "{full} in full, {resumed} resumed");
}

#[test]
fn each_new_user_makes_a_full_handshake() {
    let site = Site::start();
    let shop = Shop::with_secure_buying();
    let load = Load { session_length: Duration::from_millis(20), ..load(4, 5, 3_600_000) };
    let outcome = run_until(&site.target(), &shop, &load, 400);
    assert_eq!(outcome.total().errors(), 0);
    assert!(site.observed.full.load(Ordering::SeqCst) > 8);
}

#[test]
fn an_unsigned_certificate_is_refused() {
    let site = Site::start();
    let stranger = authority().der().clone();
    let target = Target::plain(site.plain, "localhost").with_tls(site.secure, stranger).unwrap();
    let outcome = run_until(&target, &Shop::with_secure_buying(), &load(4, 5, 3_600_000), 100);
    let total = outcome.total();
    assert!(total.errors() > 0);
    assert_eq!(total.errors_of(ErrorKind::TlsFailed), total.errors());
    let cause = outcome.cause(ErrorKind::TlsFailed).unwrap();
    assert!(cause.contains("certificate"), "{cause}");
    assert_eq!(site.observed.secure_requests.load(Ordering::SeqCst), 0);
    let mut connection = Connection::open(&target, Duration::from_secs(5)).unwrap();
    assert!(connection.request(true, Method::Get, "/", "").is_err());
}

#[test]
fn a_single_connection_uses_both_transports() {
    let site = Site::start();
    let mut connection = Connection::open(&site.target(), Duration::from_secs(5)).unwrap();
    for _ in 0..12 {
        assert_eq!(connection.request(false, Method::Get, "/shop/Item", "").unwrap().status, 200);
        // The server closes after each fifth answer, which is detected before the next POST.
        assert_eq!(connection.request(true, Method::Post, "/shop/Buy", "a=1").unwrap().status, 200);
    }
    let requests =
        [&site.observed.requests, &site.observed.secure_requests].map(|count| count.load(Ordering::SeqCst));
    assert_eq!(requests, [12, 12]);
    Connection::open(&site.target(), Duration::from_secs(5))
        .and_then(|connection| {
            connection.send_and_leave(true, &Outgoing::form(Method::Post, "/shop/Left", "a=1"))
        })
        .unwrap();
    let until = std::time::Instant::now() + Duration::from_secs(10);
    while !site.observed.paths.lock().unwrap().contains(&"/shop/Left".to_owned()) {
        assert!(std::time::Instant::now() < until, "what was sent did not arrive");
        thread::yield_now();
    }
}

/// Sends the head of a record of 16 KiB, and then byte after byte of it, until the client leaves.
fn send_endless_record(listener: &TcpListener, interrupted: &AtomicBool, interrupts: bool) {
    let (_plain, (mut secure, _)) = (listener.accept().unwrap(), listener.accept().unwrap());
    let mut sent = secure.write_all(b"\x16\x03\x03\x40\0");
    interrupted.store(interrupts, Ordering::SeqCst);
    while sent.is_ok() {
        thread::sleep(Duration::from_millis(5));
        sent = secure.write_all(b"\0");
    }
}

/// TLS takes bytes without telling its caller.
#[test]
fn a_record_without_an_end_has_a_limit_of_time_and_can_be_interrupted() {
    let hour = Duration::from_secs(3600);
    for (timeout, interrupts, expected) in
        [(Duration::from_millis(100), false, "nothing within 0.1 s"), (hour, true, "interrupted")]
    {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let target = Target::plain(address, "localhost");
        let target = target.with_tls(address, authority().der().clone()).unwrap();
        let interrupted = AtomicBool::new(false);
        let fault = thread::scope(|scope| {
            scope.spawn(|| send_endless_record(&listener, &interrupted, interrupts));
            let mut connection = Connection::open(&target, timeout).unwrap().until(&interrupted);
            connection.request(true, Method::Get, "/", "").unwrap_err()
        });
        let source = std::error::Error::source(&fault).expect("the wait's error").to_string();
        assert_eq!(source, expected, "{fault}");
    }
}
