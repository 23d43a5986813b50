//! Many clients write to few rows concurrently, and each write is accounted for.
//!
//! The order of the writes is not known, so that there is no model to compare with. But each write marks the row that
//! it makes, and its answer decides what must be found: an acknowledged row exists exactly once, a refused one never,
//! and one in doubt, because the client did not wait, at most once. No other row may be new, except those that the
//! application makes by itself, and the invariants must hold in the end. Loaded rows must be as the model leaves them after the
//! same writes, one after the other: no update may be lost. A page shows the values by which its row is known. Of a payment
//! gateway, each order must have been asked once, with its own amount.

use crate::{
    ANSWER_LIMIT, Subject, VerifyError,
    alone::{self, Alone},
    document::HtmlDocument,
    gateway::{self, GatewayLog, Order},
    judge::Judge,
    letters, lockstep, tables,
};
use application::{
    Header, Kind, Parameters, Request, Row, Step, TOKEN, Table, Timestamp, TokenKey, Value, Write,
};
use engine::{Connection, HttpResponse, Outgoing, Target};
use services::{Audit, Holding, ServiceError};
use stack::Site;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Barrier, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use workload::{Action, Catalogue, Method, Page};

const WRITES: usize = 1_500;
const CLIENTS: usize = 32;
/// One in this many writes is sent by a client that closes at once …
const CLOSES_AT_ONCE: usize = 25;
/// … and one by a client with a very short timeout.
const IMPATIENT: usize = 20;
/// The timeout of impatient clients.
const IMPATIENT_TIMEOUT: Duration = Duration::from_millis(3);
/// The status of a stack whose upstream server has not answered in time.
const GATEWAY_TIMEOUT: u16 = 504;
/// The most faults that are shown.
const SHOWN: usize = 10;

/// The outcome of the writes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contention {
    pub clients: usize,
    pub acknowledged: usize,
    pub refused: usize,
    /// Writes not answered, or not waited for.
    pub in_doubt: usize,
    /// Rows that the application added by itself.
    pub derived: usize,
}

/// The fate of a write, as far as its client knows.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fate {
    /// The page has acknowledged the row with this id.
    Acknowledged(u64),
    /// A rule refused it.
    Refused,
    /// It got no answer.
    InDoubt,
    /// It got an answer that no stack may give.
    Wrong(String),
}

/// Lets clients write to a freshly started site, and accounts for their writes. None without a store.
pub(crate) fn check_concurrency(
    subject: &Subject<'_>,
    site: &Site<'_>,
) -> Result<Option<Contention>, VerifyError> {
    let mut writes = subject.application.contention(&site.dataset(), WRITES);
    writes.retain(|write| {
        subject.catalogue.by_path(&write.step.path).is_none_or(|id| subject.scope.contains(&id))
    });
    if writes.is_empty() {
        return Ok(None);
    }
    let judge = Judge::new(subject, site)?;
    let prepared = prepare(subject, &judge, site)?;
    let mut log = GatewayLog::begin(site)?;
    let alone = alone::of_each(subject, &site.dataset(), &writes);
    let fates = send_all(subject, &judge, &site.target(), &writes, &alone);
    if subject.stop.load(Ordering::Relaxed) {
        return Err(VerifyError::Interrupted);
    }
    let inspect = |audit: Audit| {
        let made = made(subject.application.tables(), site, &audit.holdings)?;
        let asked = log.as_mut().map(|log| log.take(site)).transpose()?;
        let lost = lost_updates(subject, site, &placed(&writes, &fates, &made))?;
        Ok((audit, made, asked, lost))
    };
    let Some(found) = site.audit_closely(inspect) else { return Ok(None) };
    let (audit, made, asked, lost) = found?;
    let mut faults: Vec<String> = audit.violated().map(ToString::to_string).collect();
    faults.extend(reconcile(&writes, &fates, &made, &prepared));
    faults.extend(lost);
    if let Some(asked) = asked {
        let orders = orders(alone, &writes, &fates, &made);
        faults.extend(gateway::compare_at_once(&asked, &orders));
    }
    faults.extend(letters::fault_at_once(subject, site)?);
    if !faults.is_empty() {
        return Err(VerifyError::Contention { clients: CLIENTS, writes: writes.len(), faults: few(faults) });
    }
    let count = |is: fn(&Fate) -> bool| fates.iter().filter(|fate| is(fate)).count();
    Ok(Some(Contention {
        clients: CLIENTS,
        acknowledged: count(|fate| matches!(fate, Fate::Acknowledged(_))),
        refused: count(|fate| *fate == Fate::Refused),
        in_doubt: count(|fate| *fate == Fate::InDoubt),
        derived: made.iter().map(|made| made.derived.len()).sum(),
    }))
}

fn few(mut faults: Vec<String>) -> Vec<String> {
    let more = faults.len().saturating_sub(SHOWN);
    faults.truncate(SHOWN);
    faults.extend((more > 0).then(|| format!("and {more} more")));
    faults
}

/// The rows that were acknowledged before the concurrent writes: their tables and ids.
type Prepared = BTreeSet<(String, u64)>;

/// Sends the preparing writes, one after the other.
fn prepare(subject: &Subject<'_>, judge: &Judge<'_>, site: &Site<'_>) -> Result<Prepared, VerifyError> {
    let target = site.target();
    let mut client = WritingClient::new(&target, subject, judge);
    let mut prepared = Prepared::new();
    for step in subject.application.preparation(&site.dataset()) {
        if subject.stop.load(Ordering::Relaxed) {
            return Err(VerifyError::Interrupted);
        }
        let (request, form) = Posted::of(&step, subject.catalogue, &subject.key);
        match client.ask(ANSWER_LIMIT, &form, &[]) {
            Fate::Acknowledged(NO_ROW) => {}
            Fate::Acknowledged(id) => {
                let id_of = subject.catalogue.by_path(&request.path);
                let table = id_of.and_then(|interaction| subject.catalogue.get(interaction).writes.clone());
                prepared.insert((table.unwrap_or_default(), id));
            }
            fate => {
                let faults = vec![format!("{step}: it comes first, and was not acknowledged: {fate:?}")];
                return Err(VerifyError::Contention { clients: 1, writes: prepared.len() + 1, faults });
            }
        }
    }
    Ok(prepared)
}

/// The id that a page acknowledges if a write has changed rows and added none.
pub(crate) const NO_ROW: u64 = 0;

/// Sends all writes, each by the next free client. All clients begin at the same moment.
fn send_all(
    subject: &Subject<'_>,
    judge: &Judge<'_>,
    target: &Target,
    writes: &[Write],
    alone: &[Alone],
) -> Vec<Fate> {
    let next = AtomicUsize::new(0);
    let start = Barrier::new(CLIENTS);
    let fates = Mutex::new(vec![Fate::InDoubt; writes.len()]);
    thread::scope(|scope| {
        for _ in 0..CLIENTS {
            scope.spawn(|| {
                let mut client = WritingClient::new(target, subject, judge);
                start.wait();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(write) = writes.get(number) else { break };
                    if subject.stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let fate = client.write(number, write, &alone[number].shows);
                    fates.lock().expect("no client panics")[number] = fate;
                }
            });
        }
    });
    fates.into_inner().expect("no client panics")
}

/// A form as it is posted.
struct Posted {
    /// The user whose token it carries.
    user: Option<i64>,
    target: String,
    body: Vec<u8>,
    headers: Vec<Header>,
}

impl Posted {
    /// The form that a step posts now, with its request.
    fn of(step: &Step, catalogue: &Catalogue, key: &TokenKey) -> (Request, Self) {
        let mut request = step.request(key, now());
        let headers = request.take_cookies(catalogue).into_iter().collect();
        let tokens = Parameters::decode(&request.body);
        let user = tokens.one(TOKEN).and_then(|token| key.claim(token)).map(|(user, _)| user);
        let posted = Self { user, target: request.target(), body: request.body.clone(), headers };
        (request, posted)
    }

    fn outgoing(&self) -> Outgoing<'_> {
        let Self { target, body, headers, .. } = self;
        Outgoing { method: Method::Post, path_and_query: target, headers, body }
    }
}

/// One of many writing clients.
struct WritingClient<'a> {
    site: &'a Target,
    key: &'a TokenKey,
    catalogue: &'a Catalogue,
    judge: &'a Judge<'a>,
    stop: &'a AtomicBool,
    /// Reused for the next write; none after an error.
    patient: Option<Connection<'a>>,
}

impl<'a> WritingClient<'a> {
    fn new(site: &'a Target, subject: &'a Subject<'a>, judge: &'a Judge<'a>) -> Self {
        let Subject { key, catalogue, stop, .. } = subject;
        Self { site, key, catalogue, judge, stop, patient: None }
    }

    /// Sends a write, whose page shows these texts.
    fn write(&mut self, number: usize, write: &Write, shows: &[String]) -> Fate {
        let (_, form) = Posted::of(&write.step, self.catalogue, self.key);
        // Both kinds of clients meet writes of all sorts, which may alternate.
        match number / 7 {
            turn if turn % CLOSES_AT_ONCE == number % CLOSES_AT_ONCE => self.send_and_close(&form),
            turn if turn % IMPATIENT == number % IMPATIENT => self.ask(IMPATIENT_TIMEOUT, &form, shows),
            _ => self.ask(ANSWER_LIMIT, &form, shows),
        }
    }

    /// Sends the request and closes the connection without waiting for the answer.
    fn send_and_close(&self, form: &Posted) -> Fate {
        if let Ok(connection) = Connection::open(self.site, ANSWER_LIMIT) {
            // A write that could not be sent is also in doubt.
            let is_secure = self.catalogue.is_secure_at(&form.target);
            let _ = connection.send_and_leave(is_secure, &form.outgoing());
        }
        Fate::InDoubt
    }

    fn ask(&mut self, timeout: Duration, form: &Posted, shows: &[String]) -> Fate {
        let is_patient = timeout == ANSWER_LIMIT;
        let kept = self.patient.take().filter(|_| is_patient);
        let connection = match kept {
            Some(connection) => Ok(connection),
            None => Connection::open(self.site, timeout).map(|connection| connection.until(self.stop)),
        };
        let Ok(mut connection) = connection else { return Fate::InDoubt };
        let is_secure = self.catalogue.is_secure_at(&form.target);
        let answer = connection.send(is_secure, &form.outgoing());
        let Ok(answer) = answer else { return Fate::InDoubt };
        self.patient = is_patient.then_some(connection);
        self.read(form, shows, &answer)
    }

    fn read(&self, form: &Posted, shows: &[String], answer: &HttpResponse) -> Fate {
        if let Err(fault) = self.judge.safety.expect_no_secret(answer) {
            return Fate::Wrong(fault.trim().to_owned());
        }
        match answer.status {
            200..300 => {
                let page = Page::scan(&answer.body, &form.target, self.catalogue);
                match (page.acknowledged(), stranger(&page, self.key, form.user)) {
                    (_, Some(other)) => Fate::Wrong(format!("a page of user {other}")),
                    (Some(id), None) => match missing(shows, &answer.body, self.key) {
                        Some(text) => Fate::Wrong(format!("a page without its own `{text}`")),
                        None => Fate::Acknowledged(id),
                    },
                    (None, None) => Fate::Wrong("a page without an acknowledgement".to_owned()),
                }
            }
            400..500 => Fate::Refused,
            // An upstream server was too slow under so many concurrent requests.
            GATEWAY_TIMEOUT => Fate::InDoubt,
            status => Fate::Wrong(format!("status {status}")),
        }
    }
}

/// Another user than this one whose token is in a form of a page.
fn stranger(page: &Page, key: &TokenKey, user: Option<i64>) -> Option<i64> {
    let forms =
        page.actions().filter_map(|action| if let Action::Form(form) = action { Some(form) } else { None });
    let tokens =
        forms.flat_map(|form| form.fields().filter(|field| field.name() == TOKEN).collect::<Vec<_>>());
    let mut users = tokens.filter_map(|field| key.claim(field.value())).map(|(user, _)| user);
    users.find(|other| user.is_some_and(|user| user != *other))
}

/// The first of these texts that a page does not show.
fn missing<'t>(texts: &'t [String], page: &[u8], key: &TokenKey) -> Option<&'t String> {
    let document = (!texts.is_empty()).then(|| HtmlDocument::parse(page, key))?;
    texts.iter().find(|text| !document.shows(text))
}

/// This machine's time.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(since.as_secs() as i64)
}

/// The changes in a table.
struct Made {
    table: &'static Table,
    /// Rows that a client must have requested.
    asked: Vec<Row>,
    derived: Vec<Row>,
    /// Number of missing loaded rows.
    gone: u64,
}

fn made(tables: &'static [Table], site: &Site<'_>, holdings: &[Holding]) -> Result<Vec<Made>, ServiceError> {
    let of = |table: &'static Table| {
        let holding = holdings.iter().find(|holding| holding.table == table.name)?;
        let rows = match site.rows(table)? {
            Ok(rows) => rows,
            Err(fault) => return Some(Err(fault)),
        };
        let is_new = |row: &Row| holding.new.binary_search(&id(row)).is_ok();
        let is_derived = |row: &Row| holding.derived.binary_search(&id(row)).is_ok();
        let (derived, asked) = rows.into_iter().filter(is_new).partition(is_derived);
        Some(Ok(Made { table, asked, derived, gone: holding.loaded - holding.kept }))
    };
    tables.iter().filter_map(of).collect()
}

/// The first column of each table is its primary key.
fn id(row: &Row) -> u64 {
    match row.first() {
        Some(Value::Integer(id)) => id.unsigned_abs(),
        _ => 0,
    }
}

/// Compares the fate of each write with the new rows. Returns all faults, each in a sentence.
fn reconcile(writes: &[Write], fates: &[Fate], made: &[Made], prepared: &Prepared) -> Vec<String> {
    let mut faults = Vec::new();
    let mut acknowledged = BTreeMap::new();
    let mut claimed: BTreeSet<(&str, u64)> =
        prepared.iter().map(|(table, id)| (table.as_str(), *id)).collect();
    for (write, fate) in writes.iter().zip(fates) {
        let marked = marked(write, made);
        let ids: Vec<u64> = marked.iter().map(|row| id(row)).collect();
        if matches!(fate, Fate::Acknowledged(_) | Fate::InDoubt) {
            claimed.extend(ids.iter().map(|id| (write.table, *id)));
        }
        let shared = match fate {
            Fate::Acknowledged(id) => acknowledged.insert((write.table, *id), &write.step),
            _ => None,
        };
        faults.extend(
            shared.map(|other| format!("the same row was acknowledged for {other} and for {}", write.step)),
        );
        faults.extend(of_write(fate, &ids).map(|fault| format!("{}: {fault}", write.step)));
    }
    for made in made {
        let unclaimed = made.asked.iter().filter(|row| !claimed.contains(&(made.table.name, id(row))));
        faults.extend(
            unclaimed
                .map(|row| format!("no client requested this row of {}: {}", made.table.name, show(row))),
        );
        faults.extend(twins(made, prepared));
        faults.extend(
            (made.gone > 0).then(|| format!("{} loaded rows of {} are missing", made.gone, made.table.name)),
        );
    }
    faults
}

/// The writes whose rows are there, in the order of their rows.
fn placed<'a>(writes: &'a [Write], fates: &[Fate], made: &[Made]) -> Vec<&'a Step> {
    let place = |(write, fate): (&'a Write, &Fate)| match fate {
        Fate::Acknowledged(_) | Fate::InDoubt => {
            Some(((write.table, id(marked(write, made).first()?)), &write.step))
        }
        Fate::Refused | Fate::Wrong(_) => None,
    };
    let mut placed: Vec<_> = writes.iter().zip(fates).filter_map(place).collect();
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, step)| step).collect()
}

/// The first table whose loaded rows are not those of the model after the same writes, one after the other. None where the model
/// refuses one of them in this order.
fn lost_updates(
    subject: &Subject<'_>,
    site: &Site<'_>,
    placed: &[&Step],
) -> Result<Option<String>, ServiceError> {
    let mut model = subject.application.model(&site.dataset(), subject.key.clone());
    let loaded = |table: &Table| -> BTreeSet<u64> { model.rows(table).iter().map(id).collect() };
    let tables = subject.application.tables();
    let loaded: Vec<BTreeSet<u64>> = tables.iter().map(loaded).collect();
    let prepared = subject.application.preparation(&site.dataset());
    for step in prepared.iter().chain(placed.iter().copied()) {
        let sent = lockstep::written(step, subject, now());
        if model.converse(&sent.request, &sent.headers, now()).0.response.status >= 400 {
            return Ok(None);
        }
    }
    for (table, loaded) in tables.iter().zip(&loaded) {
        let Some(got) = site.rows(table).transpose()? else { return Ok(None) };
        let [got, right] = [got, model.rows(table)].map(|rows| timeless(rows, loaded));
        if let Some(text) = tables::difference(table, &got, &right) {
            let text = format!("updates of loaded rows are lost, or made twice: table {text}");
            return Ok(Some(text));
        }
    }
    Ok(None)
}

/// These rows of a table without their times, which depend on when a write came.
fn timeless(mut rows: Vec<Row>, wanted: &BTreeSet<u64>) -> Vec<Row> {
    rows.retain(|row| wanted.contains(&id(row)));
    for value in rows.iter_mut().flatten() {
        if let Value::Time(at) = value {
            *at = Timestamp(0);
        }
    }
    rows
}

/// The writes, as far as a payment gateway is concerned.
fn orders(alone: Vec<Alone>, writes: &[Write], fates: &[Fate], made: &[Made]) -> Vec<Order> {
    let is_placed = |(write, fate): (&Write, &Fate)| match fate {
        Fate::Acknowledged(_) => true,
        Fate::InDoubt => !marked(write, made).is_empty(),
        Fate::Refused | Fate::Wrong(_) => false,
    };
    let placed = writes.iter().zip(fates).map(is_placed);
    alone.into_iter().zip(placed).map(|(write, is_placed)| Order { form: write.form, is_placed }).collect()
}

/// The rows with the mark of a write, without derived ones.
fn marked<'a>(write: &Write, made: &'a [Made]) -> Vec<&'a Row> {
    let Some(made) = made.iter().find(|made| made.table.name == write.table) else { return Vec::new() };
    let at = |name: &str| made.table.columns.iter().position(|column| column.name == name);
    let has_mark = |row: &&Row| {
        write.mark.iter().all(|(name, value)| at(name).and_then(|at| row.get(at)) == Some(value))
    };
    made.asked.iter().filter(has_mark).collect()
}

/// The fault of a write, given the ids of the rows with its mark.
fn of_write(fate: &Fate, marked: &[u64]) -> Option<String> {
    match (fate, marked) {
        (Fate::Wrong(answer), _) => Some(format!("it was answered with {answer}")),
        (Fate::Acknowledged(id), []) => {
            Some(format!("it was acknowledged as row {id}, which doesn't exist or has other values"))
        }
        (Fate::Acknowledged(id), [only]) if id != only => {
            Some(format!("it was acknowledged as row {id}, but it is row {only}"))
        }
        (Fate::Refused, [first, ..]) => Some(format!("it was refused, but row {first} is there")),
        (Fate::Acknowledged(_) | Fate::InDoubt, [first, second, ..]) => {
            Some(format!("it was sent once, but rows {first} and {second} are there"))
        }
        _ => None,
    }
}

/// New rows that differ only in their ids and times. Rows of the preparing writes may.
fn twins(made: &Made, prepared: &Prepared) -> Vec<String> {
    let is_prepared = |row: &&Row| prepared.contains(&(made.table.name.to_owned(), id(row)));
    let mut known: BTreeMap<Vec<String>, u64> = BTreeMap::new();
    let mut faults = Vec::new();
    for row in made.asked.iter().chain(&made.derived).filter(|row| !is_prepared(row)) {
        let columns = row.iter().zip(made.table.columns).skip(1);
        let essence =
            columns.filter(|(_, column)| column.kind != Kind::Time).map(|(value, _)| value.to_string());
        if let Some(twin) = known.insert(essence.collect(), id(row)) {
            faults.push(format!(
                "rows {twin} and {} of {} are twins: {}",
                id(row),
                made.table.name,
                show(row)
            ));
        }
    }
    faults
}

fn show(row: &Row) -> String {
    row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use application::{Column, Money};

    static BIDS: Table = Table {
        name: "bids",
        columns: &[
            Column { name: "id", kind: Kind::Integer },
            Column { name: "user_id", kind: Kind::Integer },
            Column { name: "bid", kind: Kind::Money },
            Column { name: "date", kind: Kind::Time },
        ],
        moves_with_epoch: true,
    };

    fn row(id: i64, user: i64, cents: i64) -> Row {
        vec![Value::Integer(id), Value::Integer(user), Value::Money(Money(cents)), Value::Time(Timestamp(id))]
    }

    fn write(user: i64, cents: i64) -> Write {
        Write {
            step: Step::post("/auction/StoreBid", &[("user", &user.to_string())]),
            table: "bids",
            mark: vec![("user_id", Value::Integer(user)), ("bid", Value::Money(Money(cents)))],
        }
    }

    /// Four writes: one acknowledged, one refused, two in doubt. Users 1 to 4 bid 100 to 400 cents.
    fn sound() -> (Vec<Write>, Vec<Fate>, Vec<Made>) {
        let writes = (1..=4).map(|user| write(user, user * 100)).collect();
        let fates = vec![Fate::Acknowledged(11), Fate::Refused, Fate::InDoubt, Fate::InDoubt];
        let asked = vec![row(11, 1, 100), row(13, 3, 300)];
        (writes, fates, vec![Made { table: &BIDS, asked, derived: vec![row(12, 9, 101)], gone: 0 }])
    }

    /// The faults after `change`.
    fn faults(change: impl FnOnce(&mut Vec<Fate>, &mut Made)) -> String {
        let (writes, mut fates, mut made) = sound();
        change(&mut fates, &mut made[0]);
        reconcile(&writes, &fates, &made, &Prepared::new()).join("; ")
    }

    #[test]
    fn correct_rows_have_no_fault() {
        assert_eq!(faults(|_, _| ()), "");
        assert_eq!(faults(|_, made| drop(made.asked.pop())), "", "in doubt: at most once");
    }

    #[test]
    fn a_lost_or_changed_acknowledged_row_is_a_fault() {
        let lost = faults(|_, made| drop(made.asked.remove(0)));
        assert!(lost.contains("acknowledged as row 11, which doesn't exist"), "{lost}");
        let elsewhere = faults(|fates, _| fates[0] = Fate::Acknowledged(13));
        assert!(elsewhere.contains("acknowledged as row 13, but it is row 11"), "{elsewhere}");
        let changed = faults(|_, made| made.asked[0] = row(11, 1, 99));
        assert!(
            changed.contains("row 11, which doesn't exist") && changed.contains("no client requested"),
            "{changed}"
        );
    }

    #[test]
    fn a_doubled_row_is_a_fault() {
        let acknowledged = faults(|_, made| made.asked.push(row(14, 1, 100)));
        assert!(acknowledged.contains("rows 11 and 14") && acknowledged.contains("twins"), "{acknowledged}");
        let in_doubt = faults(|_, made| made.asked.push(row(14, 3, 300)));
        assert!(in_doubt.contains("rows 13 and 14"), "{in_doubt}");
        let derived = faults(|_, made| made.derived.push(row(14, 9, 101)));
        assert!(derived.contains("twins"), "{derived}");
    }

    #[test]
    fn a_row_acknowledged_twice_is_a_fault() {
        let shared = faults(|fates, _| fates[2] = Fate::Acknowledged(11));
        assert!(shared.contains("the same row was acknowledged"), "{shared}");
    }

    #[test]
    fn rows_of_refused_or_unknown_writes_are_faults() {
        let refused = faults(|_, made| made.asked.push(row(14, 2, 200)));
        assert!(refused.contains("it was refused, but row 14 is there"), "{refused}");
        let phantom = faults(|_, made| made.asked.push(row(14, 8, 800)));
        assert!(phantom.contains("no client requested this row of bids: 14 | 8 | 8.00"), "{phantom}");
        let gone = faults(|_, made| made.gone = 2);
        assert!(gone.contains("2 loaded rows of bids are missing"), "{gone}");
    }

    #[test]
    fn a_page_with_the_token_of_another_user_is_a_fault() {
        let key = TokenKey::new("key");
        let page = |user: i64| {
            let token = key.sign(user, Timestamp(0));
            let html =
                format!("<form action='B' method=post><input type=hidden name=token value='{token}'></form>");
            Page::scan(html.as_bytes(), "/x/A", &catalogue())
        };
        assert_eq!(stranger(&page(7), &key, Some(7)), None);
        assert_eq!(stranger(&page(8), &key, Some(7)), Some(8));
        assert_eq!(stranger(&page(8), &key, None), None);
    }

    fn catalogue() -> Catalogue {
        let interaction = |name: &str, method: &str| {
            format!(
                "[[interaction]]\nname = '{name}'\npath = '{name}'\nmethod = '{method}'\nclass = 'browse'\n\
                 effect = 'read'\nprotocol = 'html'\n"
            )
        };
        let head = "name = 'x'\ntitle = 'x'\nprefix = '/x'\nthink_time = '1s'\nsession_length = '15m'\n\
                    mix = 'usual'\nstart = 'A'\n";
        let text = format!("{head}{}{}", interaction("A", "GET"), interaction("B", "POST"));
        Catalogue::parse(&settings::Document::new("app.toml", text)).unwrap()
    }

    #[test]
    fn a_page_with_the_values_of_another_user_is_a_fault() {
        let (key, texts) = (TokenKey::new("key"), ["35.01".to_owned(), "a & b".to_owned()]);
        let missing = |page: &str| missing(&texts, page.as_bytes(), &key).map(String::as_str);
        assert_eq!(missing("<dd>35.01</dd><p>a &amp; b"), None);
        assert_eq!(missing("<dd>36.02</dd><p>a &amp; b"), Some("35.01"));
        assert_eq!(missing("<dd>35.01</dd><p>a"), Some("a & b"));
    }

    #[test]
    fn an_unexpected_answer_is_a_fault() {
        let wrong = faults(|fates, _| fates[1] = Fate::Wrong("status 500".to_owned()));
        assert!(wrong.contains("it was answered with status 500"), "{wrong}");
    }

    #[test]
    fn all_sorts_of_writes_meet_impatient_clients() {
        let hangs_up = |number: &usize| number / 7 % CLOSES_AT_ONCE == number % CLOSES_AT_ONCE;
        let sorts: BTreeSet<usize> = (0..WRITES).filter(hangs_up).map(|number| number % 10).collect();
        assert_eq!(sorts.len(), 10, "{sorts:?}");
    }
}
