//! Pages of a site whose store is gone: refusals that show nothing of the site's inside, and no page that claims a
//! success.

use crate::{
    Difference, Subject, VerifyError, branches, concurrency, judge::Judge, lockstep,
    progress::ProgressReporter,
};
use application::{Answer, Dataset, Step};
use engine::{Connection, EngineError, HttpResponse, Target};
use stack::Site;
use std::{sync::atomic::Ordering, thread, time::Duration};
use workload::{Effect, Interaction};

/// The limit of an answer: users who wait longer see nothing.
const LIMIT: Duration = Duration::from_secs(10);

/// Words that only a program's own messages have, in lower case: of languages, of drivers, and of statements.
const INSIDES: [&str; 38] = [
    "stack trace",
    "stack backtrace",
    "traceback (most recent call last)",
    "panicked at",
    "goroutine ",
    "\tat ",
    "fatal error",
    "exception",
    "on line ",
    ".php:",
    ".java:",
    ".kt:",
    ".py\", line",
    ".go:",
    ".rs:",
    ".ts:",
    ".js:",
    ".pm line",
    "sqlstate",
    "mysql",
    "mariadb",
    "postgres",
    "insert into ",
    "delete from ",
    "jdbc",
    "hikari",
    "sqlalchemy",
    "sqlx",
    "bad connection",
    "connection is not available",
    "closed the connection unexpectedly",
    "pool timed out",
    "can't connect",
    "connection refused",
    "econnrefused",
    "no such file or directory",
    "errno",
    "/usr/",
];

/// Statements of which no single word tells: both words are there, as programs write them.
const STATEMENTS: [(&str, &str); 4] =
    [("SELECT ", " FROM "), ("select ", " from "), ("UPDATE ", " SET "), ("update ", " set ")];

/// Stops the stores of the site for good, and asks it for one page of each interaction that needs them. Returns how many
/// were asked for; none without a store.
pub(crate) fn check(
    subject: &Subject<'_>,
    site: &mut Site<'_>,
    progress: &mut ProgressReporter<'_>,
) -> Result<usize, VerifyError> {
    let needs_data = |interaction: &Interaction| interaction.effect != Effect::Static;
    let steps = branches::first_of_each(subject, &site.dataset(), &subject.scope, needs_data);
    let steps: Vec<Step> = steps.into_values().collect();
    if !site.lose_stores() {
        return Ok(0);
    }
    progress.begin("without a store");
    let judge = Judge::new(subject, site)?;
    let outage = &Outage { subject, target: site.target(), dataset: site.dataset(), judge };
    // At once, because some stacks wait for their store.
    let asked: Vec<Result<(), String>> = thread::scope(|scope| {
        let ask = |step| scope.spawn(move || outage.ask(step));
        let running: Vec<_> = steps.iter().map(ask).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, Result<(), String>>| match thread.join() {
            Ok(asked) => asked,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        running.into_iter().map(join).collect()
    });
    if subject.stop.load(Ordering::Relaxed) {
        return Err(VerifyError::Interrupted);
    }
    let faults = steps.iter().zip(asked).filter_map(|(step, asked)| Some((step, asked.err()?)));
    match faults.into_iter().next() {
        None => Ok(steps.len()),
        Some((step, text)) => {
            let text = format!("  while the store is gone:\n{text}");
            Err(VerifyError::Odd(Difference { step: Some(step.clone()), text }))
        }
    }
}

/// A site without its stores.
struct Outage<'a> {
    subject: &'a Subject<'a>,
    target: Target,
    dataset: Dataset,
    judge: Judge<'a>,
}

impl Outage<'_> {
    fn ask(&self, step: &Step) -> Result<(), String> {
        let Self { subject, target, dataset, judge } = self;
        let now = concurrency::now();
        let sent = lockstep::written(step, subject, now);
        let is_secure = subject.catalogue.is_secure_at(&step.path);
        let host = if is_secure { target.secure.as_ref().map(|secure| &secure.endpoint.host) } else { None };
        let host = host.unwrap_or(&target.plain.host);
        let opened = Connection::open(target, LIMIT).map(|connection| connection.until(subject.stop));
        let got =
            opened.and_then(|mut connection| lockstep::transmit(&mut connection, is_secure, &sent, host));
        let got = match got {
            Ok(got) => got,
            // Whoever gets no answer learns nothing.
            Err(EngineError::Exchange { .. }) => return Ok(()),
            Err(fault) => return Err(format!("  no answer: {}", lockstep::with_causes(&fault))),
        };
        judge.expect_harmless(&got, &step.path)?;
        expect_no_insides(&got)?;
        if got.status >= 400 {
            return lockstep::compare_cookies(&subject.key, &got.cookies(), None);
        }
        let writes = subject.catalogue.by_path(&step.path).map(|id| subject.catalogue.get(id).effect)
            == Some(Effect::Write);
        if writes {
            return Err(format!("  status {} to what can't have been written", got.status));
        }
        let mut model = subject.application.model(dataset, subject.key.clone());
        let (right, cookie): (Answer, _) = model.converse(&sent.request, &sent.headers, now);
        lockstep::compare(&subject.key, &got, &right, now)?;
        lockstep::compare_cookies(&subject.key, &got.cookies(), cookie.as_deref())
    }
}

/// Checks that an answer has no message of a program, of a driver or of a store.
fn expect_no_insides(got: &HttpResponse) -> Result<(), String> {
    let head = String::from_utf8_lossy(got.beside_body()[0]).into_owned();
    // A server may say what it is, which isn't about this answer.
    let is_own = |line: &&str| !line.to_ascii_lowercase().starts_with("server:");
    let head: Vec<&str> = head.lines().filter(is_own).collect();
    let text = format!("{}\n{}", head.join("\n"), String::from_utf8_lossy(&got.body));
    let lower = text.to_ascii_lowercase();
    let words = INSIDES.iter().find(|words| lower.contains(**words));
    let statement = || STATEMENTS.iter().find(|(one, other)| text.contains(one) && text.contains(other));
    match words.or_else(|| statement().map(|(one, _)| one)) {
        None => Ok(()),
        Some(words) => {
            let page = String::from_utf8_lossy(&got.body);
            let from: String = page.chars().take(SHOWN).collect();
            Err(format!(
                "  the answer of status {} shows the site's inside (`{}`):\n  {from}",
                got.status,
                words.trim()
            ))
        }
    }
}

/// The most characters shown of a page.
const SHOWN: usize = 600;

#[cfg(test)]
mod tests {
    use super::*;
    use engine::ResponseReader;

    fn judged(header: &str, body: &str) -> Result<(), String> {
        let text = format!("HTTP/1.1 500 x\r\n{header}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        expect_no_insides(&ResponseReader::default().receive(text.as_bytes()).unwrap().unwrap())
    }

    #[test]
    fn a_page_that_says_nothing_is_right() {
        for body in [
            "",
            "<h1>Internal error</h1><p>Please try again later.</p>",
            "Select an item, or go home from here.",
        ] {
            assert_eq!(judged("Server: x", body), Ok(()), "{body}");
        }
        assert_eq!(judged("Server: Apache (mysql)", ""), Ok(()));
    }

    #[test]
    fn messages_of_programs_are_the_sites_inside() {
        for body in [
            "PDOException: SQLSTATE[HY000] [2002]",
            "Traceback (most recent call last):",
            "java.lang.IllegalStateException\n\tat a.b.C(C.java:7)",
            "dial tcp 127.0.0.1:7: connect: connection refused",
            "HikariPool-1 - Connection is not available",
            "Failed to obtain JDBC Connection",
            "driver: bad connection",
            "SELECT name FROM items",
            "UPDATE items SET name = 1",
            "in /usr/share/php/x",
        ] {
            assert!(judged("A: b", body).is_err(), "{body}");
        }
        assert!(judged("X-Error: ECONNREFUSED", "").is_err());
    }
}
