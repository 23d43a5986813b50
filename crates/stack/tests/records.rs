//! A real directory and real mailboxes with an SMTP server before them: loaded, read, written to, audited, restored.
//!
//! The executable also is the supervisor of the servers, so it has no harness. Each check leaves the site as the next
//! one needs it.

#[path = "../../testbed/tests/checks/mod.rs"]
mod checks;

use application::{Application, Dataset, Generator, Row, Table, TokenKey, Value};
use cache::Cache;
use checks::{Choice, Part, Results};
use mail::MAIL;
use services::{Audit, AuditRules, store};
use stack::{BuildProgress, BuildStep, Sampling, Site, SiteInputs, Stack};
use std::{
    collections::BTreeMap,
    ffi::OsString,
    io::{BufRead, BufReader, Write},
    net::{SocketAddr, TcpStream},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{atomic::AtomicBool, mpsc},
    thread,
    time::{Duration, Instant},
};
use testbed::{Scratch, supervisor};

const STACK: &str = "title = 'Stores'\nlanguage = 'none'\napplications = ['mail']\n[[configuration]]\nname = 'Stores'\n\
    summary = 'a directory and mailboxes'\nstatements = 'own'\ntiers = [{ role = 'directory', service = 'openldap' }, \
    { role = 'mail', service = 'dovecot' }, { role = 'smtp', service = 'smtp' }]\n";

static STOP: AtomicBool = AtomicBool::new(false);

type Check = (&'static str, fn(&mut Site<'_>, &Setup));

const CHECKS: [Check; 8] = [
    ("what_is_loaded_is_what_is_generated", loaded),
    ("users_are_let_in_with_their_own_passwords", let_in),
    ("what_the_smtp_server_confirms_is_in_the_mailbox", delivered),
    ("an_audit_waits_for_whoever_has_a_session", waits),
    ("an_audit_sees_what_is_lost_behind_everybodys_back", lost),
    ("mailboxes_tell_what_is_done_with_them", wait_until_all_is_counted),
    ("all_stores_are_restored_below_running_tiers", restore),
    ("all_stores_begin_anew_with_the_same", begin_anew),
];

struct Setup {
    folder: PathBuf,
    dataset: Dataset,
}

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    match words.get(1).and_then(|word| word.to_str()) {
        Some(supervisor::SUPERVISE_VERB) => return exit_code(supervisor::supervise(&words[2..])),
        Some(supervisor::REMOVE_VERB) => return exit_code(supervisor::remove_folder(&words[2..])),
        _ => {}
    }
    let choice = Choice::of(words.into_iter().skip(1).filter_map(|word| word.into_string().ok()));
    let results = Results::new(choice);
    let is_wanted = |check: &&Check| results.wants(check.0, Part::Usual);
    let wanted: Vec<&Check> = CHECKS.iter().filter(is_wanted).collect();
    if !wanted.is_empty() {
        with_site(|site, place| {
            for (name, check) in &wanted {
                results.run(name, || check(site, place));
            }
        });
    }
    results.finish()
}

fn exit_code(code: i32) -> ExitCode {
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}

fn with_site(look: impl FnOnce(&mut Site<'_>, &Setup)) {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let stacks = tempfile::tempdir().unwrap();
    std::fs::write(stacks.path().join("stack.toml"), STACK).unwrap();
    let mut stack = Stack::read(stacks.path(), &home.join("services"), &["mail"]).unwrap();
    stack.keep_in(&MAIL.catalogue().stores).unwrap();
    let executable = std::env::current_exe().unwrap();
    let named = std::env::var_os("TIERBENCH_TEST_TMP").filter(|folder| !folder.is_empty());
    let below = named.map_or_else(std::env::temp_dir, PathBuf::from);
    let scratch = Scratch::create_below(&below, &executable).unwrap();
    let rules = AuditRules::default();
    let dataset = Dataset::new(1, 0.001, store::now());
    let inputs = SiteInputs {
        application: &MAIL,
        schema: String::new(),
        audit: &rules,
        dataset,
        cache: Cache::new(scratch.path().join("cache"), scratch.path().join("snapshots")),
        key: TokenKey::random().unwrap(),
        time_scale: 1.0,
        port: None,
        hosts: None,
        stop: &STOP,
    };
    let mut told = Vec::new();
    let mut tell = |news: BuildProgress<'_>| {
        if let BuildProgress::Step(step, None) = news {
            told.push(step.clone());
        }
    };
    let configuration = &stack.configurations[0];
    drop(Site::build(&stack, configuration, inputs.clone(), &scratch, &executable, &mut tell).unwrap());
    let mut site = Site::build(&stack, configuration, inputs, &scratch, &executable, &mut tell).unwrap();
    let taken = told.iter().filter(|step| matches!(step, BuildStep::TakingData(_))).count();
    assert_eq!(taken, 2, "the second site takes both stores from the cache: {told:?}");
    site.start_fresh().unwrap();
    look(&mut site, &Setup { folder: scratch.path().join("Stores"), dataset });
}

fn rows(site: &Site<'_>) -> Vec<Vec<Row>> {
    MAIL.tables().iter().map(|table| site.rows(table).unwrap().unwrap()).collect()
}

fn generated(dataset: &Dataset) -> Vec<Vec<Row>> {
    let generator: Box<dyn Generator> = MAIL.generator(dataset);
    let of = |table: &Table| {
        let mut rows: Vec<Row> = Vec::new();
        generator.rows(table, 0..generator.units(table), &mut |row| rows.push(row.to_vec()));
        rows.sort_by_key(id);
        rows
    };
    MAIL.tables().iter().map(of).collect()
}

fn id(row: &Row) -> i64 {
    if let Value::Integer(id) = row[0] { id } else { 0 }
}

fn loaded(site: &mut Site<'_>, place: &Setup) {
    let (got, right) = (rows(site), generated(&place.dataset));
    assert_eq!(got.iter().map(Vec::len).collect::<Vec<_>>(), right.iter().map(Vec::len).collect::<Vec<_>>());
    assert!(got == right, "some row differs");
    assert!(right[0].len() >= 20 && right[1].len() > 300);
    let audit = site.audit(true).unwrap().unwrap();
    assert_eq!((audit.findings.len(), audit.violated().count()), (2, 0));
    assert!(audit.holdings.iter().all(|holding| holding.new.is_empty() && holding.kept == holding.loaded));
}

struct Line {
    reader: BufReader<TcpStream>,
    writer: TcpStream,
}

impl Line {
    fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let mut line = Self { reader: BufReader::new(stream.try_clone().unwrap()), writer: stream };
        line.on_progress();
        line
    }

    fn on_progress(&mut self) -> String {
        let mut text = String::new();
        self.reader.read_line(&mut text).unwrap();
        text
    }

    fn say(&mut self, text: &str) -> String {
        self.writer.write_all(format!("{text}\r\n").as_bytes()).unwrap();
        self.on_progress()
    }
}

fn imap(place: &Setup) -> Line {
    Line::open(imap_address(place))
}

fn imap_address(place: &Setup) -> SocketAddr {
    let settings = std::fs::read_to_string(place.folder.join("mail-dovecot/dovecot.conf")).unwrap();
    let (_, listener) = settings.split_once("inet_listener imap {").unwrap();
    let (_, port) = listener.split_once("port = ").unwrap();
    let port: u16 = port.lines().next().unwrap().parse().unwrap();
    ([127, 0, 0, 1], port).into()
}

fn let_in(_: &mut Site<'_>, place: &Setup) {
    for (login, answer) in [
        ("user1 password1", "a OK"),
        ("user2 password2", "a OK"),
        ("user1 password2", "a NO"),
        ("nobody password1", "a NO"),
    ] {
        let said = imap(place).say(&format!("a LOGIN {login}"));
        assert!(said.starts_with(answer), "{login}: {said}");
    }
}

/// Sends a message; returns the answer to it, or to the first refused command.
fn send(site: &Site<'_>, to: &str, text: &str) -> String {
    let mut smtp = Line::open(site.entry());
    for command in ["HELO test", "MAIL FROM:<user2@mail.test>", &format!("RCPT TO:<{to}>"), "DATA"] {
        let answer = smtp.say(command);
        if !answer.starts_with(['2', '3']) {
            return answer;
        }
    }
    smtp.say(&format!("From: user2@mail.test\r\nTo: {to}\r\nSubject: Hello\r\n\r\n{text}\r\n."))
}

fn new(site: &Site<'_>) -> Vec<Row> {
    let first = 1001 * 1_000_000;
    rows(site).remove(1).into_iter().filter(|row| id(row) > first).collect()
}

fn delivered(site: &mut Site<'_>, _: &Setup) {
    assert!(send(site, "user1@mail.test", "One\r\n..two").starts_with("250"));
    let new = new(site);
    assert_eq!(new.len(), 1);
    assert_eq!(id(&new[0]), 1001 * 1_000_000 + 2, "the first new number of the first person's inbox");
    assert_eq!(new[0][7], Value::Text("One\n.two".to_owned()));
    assert!(send(site, "nobody@mail.test", "x").starts_with("550"));
    assert!(send(site, "user1@example.org", "x").starts_with("550"));
    let mut smtp = Line::open(site.entry());
    let answers = [
        "HELO test",
        "MAIL FROM:<user2@mail.test>",
        "RCPT TO:<user1@mail.test>",
        "RCPT TO:<user3@mail.test>",
    ];
    let answers = answers.map(|command| smtp.say(command));
    assert!(answers[2].starts_with("250") && answers[3].starts_with("452"), "{answers:?}");
    let audit = site.audit(false).unwrap().unwrap();
    let violated: Vec<&str> = audit.violated().map(|finding| finding.invariant.as_str()).collect();
    assert_eq!(violated, ["delivered_once"], "nobody has kept a copy of what he sent");
    let messages = &audit.holdings[1];
    assert_eq!((messages.new.len(), messages.derived.len()), (1, 1));
}

fn waits(site: &mut Site<'_>, place: &Setup) {
    let mut sessions = [imap(place), imap(place)];
    for (session, login) in sessions.iter_mut().zip(["user1 password1", "user2 password2"]) {
        assert!(session.say(&format!("a LOGIN {login}")).starts_with("a OK"));
    }
    let site = &*site;
    thread::scope(|scope| {
        let (done, is_done) = mpsc::channel();
        scope.spawn(move || done.send(site.audit(true).unwrap().is_ok()));
        let early = is_done.recv_timeout(Duration::from_millis(500));
        assert!(early.is_err(), "somebody may still write");
        sessions.iter_mut().for_each(|session| drop(session.say("b LOGOUT")));
        assert_eq!(is_done.recv_timeout(Duration::from_secs(30)), Ok(true));
    });
}

/// Users come and go until all their actions are counted, a second or two later.
fn wait_until_all_is_counted(site: &mut Site<'_>, place: &Setup) {
    let begin = Instant::now();
    let mut sampling = Sampling::begin(site);
    let mut most: BTreeMap<String, f64> = BTreeMap::new();
    while most.len() < 4 || most.values().any(|value| *value <= 0.0) {
        assert!(begin.elapsed() < Duration::from_secs(60), "told are: {most:?}");
        let mut session = imap(place);
        for command in ["a LOGIN user4 password4", "b SELECT INBOX", "c LOGOUT"] {
            session.say(command);
        }
        assert!(send(site, "user4@mail.test", "To be counted").starts_with("250"));
        let tiers = sampling.tick(begin.elapsed()).tiers.into_iter();
        for (name, value) in tiers.filter(|tier| tier.role == "mail").flat_map(|tier| tier.gauges) {
            let known = most.entry(name).or_default();
            *known = known.max(value);
        }
    }
}

fn gone(audit: &Audit) -> u64 {
    audit.holdings.iter().map(|holding| holding.loaded - holding.kept).sum()
}

fn lost(site: &mut Site<'_>, _: &Setup) {
    let messages = rows(site).remove(1);
    let (old, new) = (id(&messages[0]) as u64, id(messages.last().unwrap()) as u64);
    assert!(!site.lose_row("messages", new + 1_000_000).unwrap().unwrap(), "there is no such message");
    assert!(site.lose_row("messages", new).unwrap().unwrap());
    let audit = site.audit(true).unwrap().unwrap();
    assert_eq!((audit.violated().count(), audit.holdings[1].new.len(), gone(&audit)), (0, 0, 0));
    assert!(site.lose_row("messages", old).unwrap().unwrap());
    assert_eq!(gone(&site.audit(true).unwrap().unwrap()), 1);
    assert!(site.lose_row("people", 1).unwrap().is_err(), "nobody may do that");
}

fn restore(site: &mut Site<'_>, place: &Setup) {
    assert!(send(site, "user3@mail.test", "To be forgotten").starts_with("250"));
    let count = site.restore_data().unwrap().unwrap();
    assert!(rows(site) == generated(&place.dataset), "something is left of what was");
    assert_eq!(count as usize, rows(site).iter().map(Vec::len).sum::<usize>());
    assert!(send(site, "user3@mail.test", "To be kept").starts_with("250"), "the SMTP server has gone on");
    assert_eq!(new(site).len(), 1);
}

fn begin_anew(site: &mut Site<'_>, place: &Setup) {
    site.start_fresh().unwrap();
    assert!(rows(site) == generated(&place.dataset));
    let entry = site.entry();
    site.stop();
    assert!(TcpStream::connect(entry).is_err(), "it ends with the run");
    assert!(TcpStream::connect(imap_address(place)).is_err(), "all of it ends");
}
