//! The epoll driver and single connections against nginx, which speaks HTTP/2. Behind it is the site of the TLS tests, which
//! closes each connection after five answers and sends pages that are longer than frames and windows.

use crate::shop::{Shop, load};
use crate::tls::{Site, authority, run_until};
use engine::{Connection, ErrorKind, Load, Outcome, SiteProtocol, Target, drive};
use rcgen::{CertificateParams, CertifiedIssuer, KeyPair};
use settings::Document;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use workload::{ExternalSite, Method};

/// A running nginx with a folder of its own. It ends with the test.
struct Nginx {
    process: Child,
    target: Target,
    _folder: tempfile::TempDir,
}

impl Nginx {
    /// Starts one in front of a site, with these words behind its address, and with these directives.
    fn start(site: &Site, listens: &str, directives: &str) -> Self {
        let (folder, authority) = (tempfile::tempdir().unwrap(), authority());
        write_certificate(folder.path(), &authority);
        // Another program may be given the port before nginx has it; then nginx ends.
        let started = (0..5).find_map(|_| {
            let address = free_address();
            let text = configuration(folder.path(), address, site.plain, listens, directives);
            std::fs::write(folder.path().join("nginx.conf"), text).unwrap();
            Some((run(folder.path(), address)?, address))
        });
        let (process, address) = started.expect("nginx listens");
        let target = Target::plain(site.plain, site.plain.to_string());
        let target = target.with_tls(address, authority.der().clone()).unwrap().with_http2();
        Self { process, target, _folder: folder }
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn write_certificate(folder: &Path, authority: &CertifiedIssuer<'static, KeyPair>) {
    let key = KeyPair::generate().unwrap();
    let parameters = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
    let certificate = parameters.signed_by(&key, authority).unwrap();
    std::fs::write(folder.join("certificate.pem"), certificate.pem()).unwrap();
    std::fs::write(folder.join("key.pem"), key.serialize_pem()).unwrap();
}

fn free_address() -> SocketAddr {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr()).unwrap()
}

/// One process, which ends with its parent's signal.
fn configuration(
    folder: &Path,
    address: SocketAddr,
    behind: SocketAddr,
    listens: &str,
    directives: &str,
) -> String {
    let folder = folder.display();
    format!(
        "daemon off; master_process off; error_log stderr; pid {folder}/pid;
         events {{ worker_connections 1000; }}
         http {{
             access_log off;
             client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
             fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
             ssl_certificate {folder}/certificate.pem; ssl_certificate_key {folder}/key.pem;
             server {{ listen {address} {listens}; {directives} location / {{ proxy_pass http://{behind}; }} }}
         }}"
    )
}

/// Starts nginx; none if it ends before it listens.
fn run(folder: &Path, address: SocketAddr) -> Option<Child> {
    let conf = folder.join("nginx.conf");
    let mut process = Command::new("/usr/sbin/nginx")
        .args(["-e", "stderr", "-p"])
        .arg(folder)
        .arg("-c")
        .arg(conf)
        .spawn()
        .unwrap();
    let until = Instant::now() + Duration::from_secs(10);
    while TcpStream::connect(address).is_err() {
        if process.try_wait().unwrap().is_some() {
            return None;
        }
        assert!(Instant::now() < until, "nginx does not listen");
        std::thread::yield_now();
    }
    Some(process)
}

/// The shop, all of it over HTTP/2.
fn shop() -> Shop {
    let shop = Shop::new();
    Shop { catalogue: shop.catalogue.over(SiteProtocol::Http2).into_owned(), ..shop }
}

#[test]
fn each_user_has_one_connection_for_pages_and_forms() {
    let site = Site::start();
    let nginx = Nginx::start(&site, "ssl http2", "");
    let outcome = run_until(&nginx.target, &shop(), &load(8, 10, 3_600_000), 600);
    assert_eq!(outcome.total().errors(), 0, "{:?}", outcome.total());
    assert!(outcome.interactions[2].total().completed > 20);
    assert_eq!((outcome.connections.opened, outcome.connections.reconnects), (8, 0));
    let bytes = outcome.bytes() / outcome.total().completed;
    assert!((300_000..310_000).contains(&bytes), "{bytes} bytes a page");
}

#[test]
fn a_server_that_ends_connections_costs_no_request() {
    let site = Site::start();
    let nginx = Nginx::start(&site, "ssl http2", "keepalive_requests 7;");
    let outcome = run_until(&nginx.target, &shop(), &load(8, 10, 3_600_000), 600);
    assert_eq!(outcome.total().errors(), 0, "{:?}", outcome.total());
    assert!(outcome.connections.reconnects > 40, "{:?}", outcome.connections);
}

/// The outcome of users whose page has 150 images, which nginx gives out itself, and its directives.
fn load_images(clients: u32, directives: &str) -> Outcome {
    let site = Site::start();
    let images: String = (0..150).map(|number| format!("<img src='/image{number}'>")).collect();
    let page =
        format!("location = /page {{ default_type text/html; return 200 \"{images}<a href=/page></a>\"; }}");
    let image = "location ~ ^/image { default_type image/png; return 200 x; }";
    let nginx = Nginx::start(&site, "ssl http2", &format!("{directives} {page} {image}"));
    let text = "embedded = true\n[[interaction]]\nname = 'Page'\npath = '/page'\nsecure = true\n\
        [transitions.Page]\nPage = 1.0\n";
    drive_file(&nginx, text, &short(clients))
}

/// A load of a second from the first request on.
fn short(clients: u32) -> Load {
    let (ramp, longest_ramp, window) = (Duration::ZERO, Duration::ZERO, Duration::from_secs(1));
    Load { ramp, longest_ramp, window, ..load(clients, 1, 3_600_000) }
}

fn drive_file(nginx: &Nginx, text: &str, load: &Load) -> Outcome {
    let site = ExternalSite::parse(&Document::new("site.toml", text), false).unwrap();
    site.with_users(|users| drive(&nginx.target, users, load, &AtomicBool::new(false), &mut |_| {})).unwrap()
}

#[test]
fn embedded_files_share_the_connection_of_their_page() {
    let outcome = load_images(3, "keepalive_requests 1000000;");
    assert_eq!(outcome.total().errors(), 0, "{:?}", outcome.total());
    assert!(outcome.total().completed > 3);
    assert_eq!(outcome.connections.opened, 3);
}

/// A hundred of them are asked for when the connection ends with the eleventh.
#[test]
fn files_that_a_connection_does_not_carry_any_more_come_over_the_next_one() {
    let outcome = load_images(2, "keepalive_requests 11;");
    assert_eq!(outcome.total().errors(), 0, "{:?}", outcome.total());
    assert!(outcome.total().completed > 2 && outcome.connections.opened >= 28, "{:?}", outcome.connections);
}

#[test]
fn a_form_may_be_longer_than_all_windows() {
    let site = Site::start();
    let nginx = Nginx::start(&site, "ssl http2", "client_max_body_size 9m;");
    let body = "x".repeat(1_000_000);
    let text = format!(
        "[[interaction]]\nname = 'Long'\npath = '/shop/Item'\nmethod = 'POST'\nsecure = true\nbody = '{body}'\n"
    );
    let outcome = drive_file(&nginx, &text, &short(2));
    assert_eq!(outcome.total().errors(), 0, "{:?} {:?}", outcome.total(), outcome.cause(ErrorKind::Reset));
    assert!(outcome.total().completed > 2);
}

#[test]
fn a_server_without_http2_is_refused_with_the_reason() {
    let site = Site::start();
    let nginx = Nginx::start(&site, "ssl", "");
    let outcome = run_until(&nginx.target, &shop(), &load(4, 5, 3_600_000), 100);
    let total = outcome.total();
    assert!(total.errors() > 0);
    assert_eq!(total.errors_of(ErrorKind::TlsFailed), total.errors());
    let cause = outcome.cause(ErrorKind::TlsFailed).unwrap();
    assert_eq!(cause, "the server does not speak HTTP/2");
}

#[test]
fn a_single_connection_speaks_it_and_sends_what_no_browser_would_by_http_1() {
    let site = Site::start();
    let nginx = Nginx::start(&site, "ssl http2", "keepalive_requests 5;");
    let mut connection = Connection::open(&nginx.target, Duration::from_secs(5)).unwrap();
    let long = "x".repeat(200_000);
    for _ in 0..12 {
        assert_eq!(connection.request(true, Method::Get, "/shop/Item", "").unwrap().status, 200);
        assert_eq!(connection.request(true, Method::Post, "/shop/Buy", &long).unwrap().status, 200);
        assert!(connection.has_surplus(true).is_none(), "no connection of HTTP/1.1 is open");
    }
    let raw = connection.raw(true, b"GET /shop/Item HTTP/1.1\r\nHost: x\r\n\r\n", true).unwrap();
    assert_eq!((raw.status, connection.has_surplus(true)), (200, Some(false)));
    assert_eq!(site.observed.requests.load(Ordering::SeqCst), 25);
}
