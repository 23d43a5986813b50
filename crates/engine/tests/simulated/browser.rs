//! A browser fetches embedded files, follows redirects and returns cookies.

use crate::shop::load;
use engine::{ErrorKind, Load, Outcome, Target};
use settings::Document;
use simulation::{Reply, VirtualServer, simulate};
use std::collections::BTreeMap;
use std::time::Duration;
use workload::ExternalSite;

const INTERACTIONS: &str = "prefix = '/g'\nembedded = true\n\
    [[interaction]]\nname = 'Wall'\npath = 'Wall'\n\
    [[interaction]]\nname = 'Hang'\npath = 'Hang'\nmethod = 'POST'\neffect = 'write'\nwrites = 'rows'\n";
const MIX: &str = "[transitions.Wall]\nWall = 0.5\nHang = 0.5\n[transitions.Hang]\nWall = 1.0\n";

fn site(interactions: &str, mix: &str) -> ExternalSite {
    ExternalSite::parse(&Document::new("gallery.toml", format!("{interactions}{mix}")), false).unwrap()
}

const PAGE_TIME: Duration = Duration::from_millis(20);
const FILE_TIME: Duration = Duration::from_millis(100);

/// Pictures on each page.
const PICTURES: usize = 10;

/// A site whose pages embed pictures, one of which may be missing.
struct Gallery {
    /// Requests by path.
    asked: BTreeMap<String, u64>,
    missing: Option<&'static str>,
    /// Requests that came without the cookie, after the first of the session.
    without_cookie: u64,
    redirects: bool,
    connections: u64,
}

impl Gallery {
    fn new() -> Self {
        Self { asked: BTreeMap::new(), missing: None, without_cookie: 0, redirects: false, connections: 0 }
    }

    fn page(&self) -> String {
        let pictures = (0..PICTURES).map(|number| format!("<img src='pic/{number}.png?v=1' alt=''>"));
        let pictures: String = pictures.collect();
        format!(
            "<link rel='stylesheet' href='/g/style.css'><link rel=icon href=favicon.ico><a href='Wall'></a>\
             <img src='https://elsewhere.example/x.png'><img src='/g/style.css'>{pictures}\
             <form action='Hang' method='post'></form><data class=acknowledged value=1></data>"
        )
    }
}

impl VirtualServer for Gallery {
    fn accept(&mut self, _now: Duration) -> Option<Duration> {
        self.connections += 1;
        Some(Duration::ZERO)
    }

    fn answer(&mut self, request: &[u8], now: Duration) -> Reply {
        let request = String::from_utf8_lossy(request);
        let path = request.split(' ').nth(1).unwrap().to_owned();
        *self.asked.entry(path.clone()).or_default() += 1;
        self.without_cookie += u64::from(!request.contains("\r\nCookie: who=7\r\n"));
        let (status, head, body, takes) = match path.as_str() {
            _ if self.missing == Some(path.as_str()) => ("404 Not Found", "", String::new(), FILE_TIME),
            "/g/Hang" if self.redirects => {
                ("303 See Other", "Location: http://simulated/g/Done?id=1\r\n", String::new(), PAGE_TIME)
            }
            "/g/Wall" | "/g/Hang" | "/g/Done?id=1" => {
                ("200 OK", "Set-Cookie: who=7; Path=/g\r\n", self.page(), PAGE_TIME)
            }
            _ => ("200 OK", "", "x".repeat(1000), FILE_TIME),
        };
        let response = format!("HTTP/1.1 {status}\r\n{head}Content-Length: {}\r\n\r\n{body}", body.len());
        Reply { at: now + takes, response: response.into_bytes() }
    }
}

fn run(gallery: &mut Gallery, clients: u32) -> Outcome {
    let load = Load {
        session_length: Duration::from_secs(100),
        ramp: Duration::ZERO,
        ..load(clients, 1000, 1_000_000)
    };
    site(INTERACTIONS, MIX).with_users(|users| simulate(gallery, users, &load))
}

#[test]
fn embedded_files_are_fetched_once_a_session_over_four_connections() {
    let mut gallery = Gallery::new();
    let outcome = run(&mut gallery, 1);
    assert_eq!(outcome.total().errors(), 0);
    let sessions = gallery.asked["/g/style.css"];
    // A thousand seconds of sessions with a mean length of a hundred.
    assert!((4..20).contains(&sessions), "{sessions}");
    for picture in 0..PICTURES {
        assert_eq!(gallery.asked[&format!("/g/pic/{picture}.png?v=1")], sessions);
    }
    assert!(!gallery.asked.keys().any(|path| path.contains("favicon") || path.contains("elsewhere")));
    assert_eq!(gallery.connections, 4 * sessions);
    // Eleven files over four connections take three rounds; a page whose files are all cached takes only its own time.
    let longest = outcome.interactions.iter().map(|one| one.response.max()).max().unwrap();
    assert!(longest.abs_diff((PAGE_TIME + 3 * FILE_TIME).as_micros() as u64) < 500, "{longest}");
    let usual = outcome.interactions[0].response.value_at_quantile(0.5);
    assert!(usual.abs_diff(PAGE_TIME.as_micros() as u64) < 50, "{usual}");
    let files: u64 = (PICTURES as u64 + 1) * sessions;
    assert!(outcome.interactions.iter().map(|one| one.bytes).sum::<u64>() > 1000 * files);
    assert_eq!(outcome.accounted, outcome.window);
}

#[test]
fn a_missing_file_fails_the_page_but_not_its_write() {
    let mut gallery = Gallery { missing: Some("/g/pic/3.png?v=1"), ..Gallery::new() };
    let outcome = run(&mut gallery, 1);
    let requests = outcome.total().requests();
    // Each page requests it again, because it never arrives.
    assert_eq!(outcome.total().errors_of(ErrorKind::ClientStatus), requests);
    let asked = gallery.asked["/g/pic/3.png?v=1"];
    assert!(asked >= requests && asked <= requests + 1, "{asked} of {requests}");
    let hung = gallery.asked["/g/Hang"];
    let writes = &outcome.writes[1];
    assert_eq!((writes.acknowledged.len() as u64, writes.in_doubt, writes.refused), (hung, 0, 0));
}

#[test]
fn redirects_are_followed_and_cookies_returned() {
    let mut gallery = Gallery { redirects: true, ..Gallery::new() };
    let outcome = run(&mut gallery, 1);
    assert_eq!(outcome.total().errors(), 0);
    let hung = gallery.asked["/g/Hang"];
    assert!(hung > 100 && gallery.asked["/g/Done?id=1"].abs_diff(hung) <= 1, "{:?}", gallery.asked);
    assert_eq!(outcome.writes[1].acknowledged.len() as u64, gallery.asked["/g/Done?id=1"]);
    // Only the first request of a session has no cookie.
    assert_eq!(gallery.without_cookie, gallery.asked["/g/style.css"]);
    let redirected = outcome.interactions[1].response.value_at_quantile(0.5);
    assert!(redirected.abs_diff(2 * PAGE_TIME.as_micros() as u64) < 100, "{redirected}");
}

#[test]
fn redirect_loops_and_redirects_to_other_sites_are_errors() {
    struct Circle(&'static str);
    impl VirtualServer for Circle {
        fn answer(&mut self, _request: &[u8], now: Duration) -> Reply {
            let response = format!("HTTP/1.1 302 Found\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n", self.0);
            Reply { at: now + PAGE_TIME, response: response.into_bytes() }
        }
    }
    let site = site(INTERACTIONS, MIX);
    for (location, requests) in [("/g/Wall", 21), ("https://simulated/g/Wall", 1), ("http://other/", 1)] {
        let load = load(1, 1000, 100_000);
        let outcome = site.with_users(|users| simulate(&mut Circle(location), users, &load));
        let total = outcome.total();
        assert_eq!(total.errors_of(ErrorKind::UnexpectedPage), total.requests());
        assert!(total.requests() > 50);
        let mean = outcome.response_times.mean();
        assert!(mean.abs_diff(requests * PAGE_TIME) < Duration::from_millis(1), "{location}: {mean:?}");
    }
}

#[test]
fn secure_interactions_require_a_tls_endpoint() {
    let secure = INTERACTIONS.replace("method = 'POST'", "secure = true\nmethod = 'POST'");
    let target = Target::plain(([127, 0, 0, 1], 9).into(), "x");
    let stop = std::sync::atomic::AtomicBool::new(false);
    let refused = site(&secure, MIX)
        .with_users(|users| engine::drive(&target, users, &load(1, 1, 1), &stop, &mut |_| ()));
    let error = refused.unwrap_err();
    assert!(error.to_string().contains("a port called `https`"), "{error}");
}

/// A site whose answers are given by path: a head with its status, and a body.
struct Scripted(&'static [(&'static str, &'static str, &'static str)], Vec<String>);

impl VirtualServer for Scripted {
    fn accept(&mut self, _: Duration) -> Option<Duration> {
        Some(Duration::ZERO)
    }

    fn answer(&mut self, request: &[u8], now: Duration) -> Reply {
        let request = String::from_utf8_lossy(request);
        let path = request.split(' ').nth(1).unwrap();
        let cookie = request.lines().find_map(|line| line.strip_prefix("Cookie: ")).unwrap_or_default();
        self.1.push(format!("{path} {cookie}"));
        let (_, head, body) = self.0.iter().find(|(known, ..)| *known == path).unwrap_or(&("", "404 No", ""));
        let response = format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        Reply { at: now + PAGE_TIME, response: response.into_bytes() }
    }
}

/// The first requests of a user of this site, with their cookies, and the outcome.
fn asked_of(
    answers: &'static [(&'static str, &'static str, &'static str)],
    count: usize,
) -> (Vec<String>, Outcome) {
    let mut scripted = Scripted(answers, Vec::new());
    let site = site(INTERACTIONS, "[transitions.Wall]\nWall = 1.0\n");
    let outcome = site.with_users(|users| simulate(&mut scripted, users, &load(1, 30, 3000)));
    scripted.1.truncate(count);
    (scripted.1, outcome)
}

#[test]
fn redirects_resolve_by_the_address_that_sent_them() {
    for (first, location) in [
        ("302 Found\r\nLocation: next?q=a b#top", "/g/next?q=a%20b"),
        ("301 Moved\r\nLocation: ?x=1", "/g/Wall?x=1"),
        ("303 See Other\r\nLocation: //SIMULATED/t", "/t"),
        ("307 Again\r\nLocation: http://simulated:80?x=1", "/?x=1"),
        ("308 For ever\r\nLocation:\r\n ../t", "/t"),
    ] {
        let answers: &'static _ = vec![("/g/Wall", first, "")].leak();
        assert_eq!(asked_of(answers, 2).0, ["/g/Wall ".to_owned(), format!("{location} ")], "{first}");
    }
}

#[test]
fn a_redirect_that_leaves_the_site_is_an_error_with_its_address() {
    let (_, outcome) = asked_of(&[("/g/Wall", "302 Found\r\nLocation: https://simulated/g/Wall", "")], 1);
    assert_eq!(outcome.total().completed, 0);
    let cause = outcome.cause(ErrorKind::UnexpectedPage).unwrap();
    assert_eq!(cause, "302 to https://simulated/g/Wall, for /g/Wall");
}

#[test]
fn redirected_files_are_fetched_and_set_cookies() {
    const ANSWERS: &[(&str, &str, &str)] = &[
        ("/g/Wall", "200 OK", "<a href=Wall></a><img src=http://simulated/p.png><img src=/none.gif>"),
        ("/p.png", "302 Found\r\nSet-Cookie: a=1; Path=/\r\nLocation: q.png", ""),
        ("/q.png", "200 OK\r\nSet-Cookie: b=2; Path=/", "x"),
        ("/none.gif", "204 Nothing", ""),
    ];
    let (asked, outcome) = asked_of(ANSWERS, 5);
    assert_eq!(asked, ["/g/Wall ", "/p.png ", "/none.gif ", "/q.png a=1", "/g/Wall a=1; b=2"]);
    assert_eq!(outcome.total().errors(), 0);
}

#[test]
fn files_that_lead_to_one_another_fail_their_page_each_time() {
    for status in ["301 Moved", "302 Found", "308 For ever"] {
        let [to_q, to_p] = ["q.png", "p.png"].map(|to| format!("{status}\r\nLocation: {to}").leak() as &str);
        let wall = "<a href=Wall></a><img src=/p.png>";
        let answers: &'static _ =
            vec![("/g/Wall", "200 OK", wall), ("/p.png", to_q, ""), ("/q.png", to_p, "")].leak();
        // A request for the page, one for the picture, and twenty for where redirects led.
        let (asked, outcome) = asked_of(answers, 23);
        assert_eq!(asked.iter().filter(|path| path.starts_with("/g/Wall")).count(), 2, "{asked:?}");
        assert_eq!(asked[22], "/g/Wall ");
        let total = outcome.total();
        assert!(total.requests() > 1 && total.completed == 0, "{total:?}");
        assert_eq!(total.errors_of(ErrorKind::UnexpectedPage), total.requests());
        assert!(outcome.cause(ErrorKind::UnexpectedPage).unwrap().contains("png, for /"));
    }
}

#[test]
fn any_number_of_files_of_a_page_may_be_redirected() {
    let pictures: Vec<String> = (0..30).map(|number| format!("<img src=/{number}.png>")).collect();
    let wall: &'static str = format!("<a href=Wall></a>{}", pictures.concat()).leak();
    let mut answers = vec![("/g/Wall", "200 OK", wall), ("/x.png", "200 OK", "x")];
    for number in 0..30 {
        answers.push((format!("/{number}.png").leak(), "302 Found\r\nLocation: /x.png", ""));
    }
    let (asked, outcome) = asked_of(answers.leak(), 100);
    assert!(outcome.total().completed > 0 && outcome.total().errors() == 0, "{:?}", outcome.total());
    assert!(asked.iter().any(|path| path.starts_with("/29.png")));
}

#[test]
fn files_that_lead_to_more_than_a_client_may_hold_fail_their_page() {
    let pictures: Vec<String> = (0..400).map(|number| format!("<img src=/{number}.png>")).collect();
    let wall: &'static str = format!("<a href=Wall></a>{}", pictures.concat()).leak();
    let to: &'static str = format!("302 Found\r\nLocation: /{}", "x".repeat(60_000)).leak();
    let mut answers = vec![("/g/Wall", "200 OK", wall)];
    for number in 0..400 {
        answers.push((format!("/{number}.png").leak(), to, ""));
    }
    let (_, outcome) = asked_of(answers.leak(), 0);
    let total = outcome.total();
    assert!(total.requests() > 0 && total.errors_of(ErrorKind::TooLarge) == total.requests(), "{total:?}");
    let cause = outcome.cause(ErrorKind::TooLarge).unwrap();
    assert_eq!(cause, "redirects lead the files of a page to more than 16 MiB of addresses");
}

#[test]
fn references_to_other_sites_are_counted_by_site_and_not_requested() {
    const ANSWERS: &[(&str, &str, &str)] = &[
        (
            "/g/Wall",
            "200 OK",
            "<a href=Wall></a><a href='http://shop.example/a'></a><a href='//Shop.example/b'></a>\
             <img src='https://cdn.example:8443/x.png'><img src=/p.png><a href='mailto:a@shop.example'></a>",
        ),
        ("/p.png", "302 Found\r\nLocation: https://cdn.example/p.png", ""),
    ];
    let (asked, outcome) = asked_of(ANSWERS, 100);
    assert!(asked.iter().all(|path| ["/g/Wall ", "/p.png "].contains(&path.as_str())), "{asked:?}");
    let pages = outcome.total().completed;
    assert!(pages > 1 && outcome.total().errors() == 0);
    let counts: Vec<(&str, u64)> =
        outcome.left_out.iter().map(|(site, count)| (site.as_str(), *count)).collect();
    let [
        ("http://shop.example", links),
        ("https://cdn.example", moved),
        ("https://cdn.example:8443", pictures),
    ] = counts[..]
    else {
        panic!("{counts:?}")
    };
    // A page counts when its files have come, which may be after the window.
    assert!(links.abs_diff(2 * pages) <= 4 && pictures.abs_diff(pages) <= 2 && moved.abs_diff(pages) <= 2);
}
