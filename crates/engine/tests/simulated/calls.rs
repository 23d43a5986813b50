//! Programs that call operations at one path: each answer is checked against its request.

use engine::{Account, ErrorKind, Header, Load, LoadKind, Outcome, Users};
use rand::{Rng, RngExt};
use settings::Document;
use simulation::{Reply, VirtualServer, simulate};
use std::time::Duration;
use workload::{Call, Calls, Catalogue, Habits, Interaction, Mix, Request};

const APP: &str = "name = 'sums'\ntitle = 'Sums'\nprefix = '/sums'\nthink_time = '1s'\nsession_length = '15m'\nmix = 'all'\n\
    start = 'Double'\n\
    [[interaction]]\nname = 'Double'\npath = 'Service'\nmethod = 'POST'\nclass = 'browse'\neffect = 'read'\nprotocol = 'soap'\n\
    [[interaction]]\nname = 'Echo'\npath = 'Service'\nmethod = 'POST'\nclass = 'browse'\neffect = 'read'\nprotocol = 'soap'\n";

const MIX: &str = "name = 'all'\ntitle = 'Both'\n[transitions.Double]\nEcho = 1.0\n[transitions.Echo]\nDouble = 0.5\nEcho = 0.5\n";

/// Requests the double of a number, or the number itself.
struct Sums;

impl Habits for Sums {
    fn calls(&self) -> Option<&dyn Calls> {
        Some(self)
    }
}

impl Calls for Sums {
    fn call(&self, interaction: &Interaction, random: &mut dyn Rng) -> Call {
        let headers = vec![Header::new("Content-Type", "text/x-sum"), Header::new("Accept", "text/x-sum")];
        Call { headers, body: format!("{} {}", interaction.name, random.random_range(1..1000)) }
    }

    fn is_right(&self, request: &Request, status: u16, body: &[u8]) -> bool {
        status == 200 && body == right(&request.body).as_bytes()
    }
}

fn right(asked: &str) -> String {
    match asked.split_once(' ') {
        Some(("Double", number)) => (2 * number.parse::<u32>().unwrap()).to_string(),
        Some((_, number)) => number.to_owned(),
        None => panic!("{asked}"),
    }
}

/// Answers correctly, unless `spoil` changes the answer.
struct Server<'a> {
    spoil: &'a dyn Fn(&str, String) -> (u16, String),
}

impl VirtualServer for Server<'_> {
    fn answer(&mut self, request: &[u8], now: Duration) -> Reply {
        let text = std::str::from_utf8(request).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("POST /sums/Service HTTP/1.1\r\n"), "{head}");
        for (name, value) in [("Content-Type", "text/x-sum"), ("Accept", "text/x-sum")] {
            assert_eq!(head.matches(&format!("\r\n{name}: ")).count(), 1, "{head}");
            assert!(head.contains(&format!("\r\n{name}: {value}")), "{head}");
        }
        let (status, document) = (self.spoil)(body, right(body));
        let response = format!("HTTP/1.1 {status} x\r\nContent-Length: {}\r\n\r\n{document}", document.len());
        Reply { at: now + Duration::from_millis(1), response: response.into_bytes() }
    }
}

fn called(spoil: &dyn Fn(&str, String) -> (u16, String)) -> Outcome {
    let catalogue = Catalogue::parse(&Document::new("app.toml", APP)).unwrap();
    let mix = Mix::parse(&Document::new("all.toml", MIX), &catalogue).unwrap();
    let account = |_| Account { nickname: String::new(), password: String::new() };
    let users = Users { catalogue: &catalogue, mix: &mix, accounts: 0, account: &account, habits: &Sums };
    let load =
        Load { window: Duration::from_secs(200), ..Load::new(LoadKind::closed(20, Duration::from_secs(1))) };
    simulate(&mut Server { spoil }, &users, &load)
}

#[test]
fn correct_answers_count_for_their_operations() {
    let outcome = called(&|_, right| (200, right));
    let total = outcome.total();
    assert!(total.completed > 3000, "{}", total.completed);
    assert_eq!(total.errors(), 0);
    let [double, echo] =
        [0, 1].map(|at| outcome.interactions[at].total().completed as f64 / total.completed as f64);
    assert!((double - 1.0 / 3.0).abs() < 0.03 && (echo - 2.0 / 3.0).abs() < 0.03, "{double} {echo}");
}

#[test]
fn wrong_answers_are_errors_whatever_their_status() {
    let wrong = |asked: &str, right: String| match asked.starts_with("Echo") {
        true => (200, format!("{right}0")),
        false => (200, right),
    };
    let outcome = called(&wrong);
    let [double, echo] = [0, 1].map(|at| outcome.interactions[at].total());
    assert!(double.completed > 1000 && echo.completed == 0, "{} {}", double.completed, echo.completed);
    assert!(echo.errors_of(ErrorKind::UnexpectedPage) > 1000);
    let faults = called(&|_, right| (500, right));
    assert!(faults.total().completed == 0 && faults.total().errors_of(ErrorKind::ServerStatus) > 3000);
}
