//! Fault injection: a model with one planted fault, to test that a verification detects it.
//!
//! The faults are derived from the catalogue, whatever the application: each parameter can be misread, each log-in
//! wrongly trusted, each write wrongly done, and each page wrongly shown, also for some rows only. A fault wraps the
//! correct model and alters requests, answers and the time.

mod asked;
mod beside;
mod page;
mod protocol;
mod reading;
mod rows;
mod trust;

use application::{
    Account, Application, Catalogue, Dataset, Model, Payment, Request, Response, Row, Step, TOKEN, Table,
    Timestamp, TokenKey,
};
pub use asked::Asked;
pub use beside::Beside;
use page::Blemish;
pub use protocol::Lapse;
pub(crate) use protocol::with_value_of;
use reading::Misreading;
use std::collections::{BTreeSet, HashMap};
use trust::Trust;
use workload::{Effect, Fill, Interaction, Method, Parameter};

/// A fault that a model can be served with.
#[derive(Debug, Clone)]
pub struct Fault {
    /// Its position and kind, such as `StoreBid.qty.zeros`. It may be part of a file name.
    pub name: String,
    pub description: String,
    /// The affected interaction; none if all are.
    at: Option<Interaction>,
    wrong: Wrong,
}

#[derive(Debug, Clone)]
enum Wrong {
    /// The clock is wrong by these seconds.
    Clock(i64),
    /// An interaction does more or less than it should.
    Does(Deed),
    /// The value of this parameter is shown unescaped on all pages.
    Echoes(Parameter),
    /// Something is wrong with requests of hostile clients.
    Lapses(Lapse),
    Method,
    /// A path is mistaken for another one.
    Path(Detour),
    /// The bank is asked for something else.
    Pays(Slip),
    Reads(Parameter, Misreading),
    /// A page is shown wrongly.
    Shows(Blemish),
    /// The pages of these rows are shown wrongly; the parameter at this index has the row's id.
    ShowsRows(usize, BTreeSet<i64>, Blemish),
    /// Missing parameters of a GET request are taken from its body.
    Source,
    /// Users are wrongly authenticated.
    Trusts(Trust),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Deed {
    /// The first answer to a request is repeated for ever.
    Keeps,
    /// A write is acknowledged and never done.
    Loses,
    /// A write is acknowledged, and done only after the next request.
    Delays,
    /// A write is done twice and acknowledged once.
    Repeats,
}

/// A wrong request to the bank, behind a right page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slip {
    Amount,
    Expiry,
    Never,
    Number,
    Reference,
    Twice,
}

/// All of them: kind, name and description.
const SLIPS: [(Slip, &str, &str); 6] = [
    (Slip::Amount, "amount", "the bank is asked for more"),
    (Slip::Expiry, "expiry", "the bank gets another expiry"),
    (Slip::Never, "never", "the bank is never asked"),
    (Slip::Number, "number", "the bank gets the number without its last digit"),
    (Slip::Reference, "reference", "the bank gets the same reference for all carts"),
    (Slip::Twice, "twice", "the bank is asked twice"),
];

impl Slip {
    fn of(self, payments: Vec<Payment>) -> Vec<Payment> {
        let slip = |payment: Payment| match self {
            Self::Amount => vec![Payment { amount: format!("1{}", payment.amount), ..payment }],
            Self::Expiry => vec![Payment { expiry: "2099-01".to_owned(), ..payment }],
            Self::Never => Vec::new(),
            Self::Number => {
                let number = payment.number[..payment.number.len().saturating_sub(1)].to_owned();
                vec![Payment { number, ..payment }]
            }
            Self::Reference => vec![Payment { reference: "1".to_owned(), ..payment }],
            Self::Twice => vec![payment.clone(), payment],
        };
        payments.into_iter().flat_map(slip).collect()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detour {
    /// Static files are missing: style sheets and images.
    Files,
    /// Unknown paths show the start page.
    Start,
}

/// All faults that follow from an application and its rows. Some may have no effect on their pages.
pub fn all(application: &dyn Application, dataset: &Dataset) -> Vec<Fault> {
    let catalogue = application.catalogue();
    let mut faults = of_the_site(catalogue);
    faults.extend(catalogue.interactions().iter().flat_map(of_interaction));
    faults.extend(of_payments(application));
    faults.extend(protocol::of_sealed(catalogue).map(of_protocol));
    faults.extend(rows::all(application, dataset));
    faults
}

/// The faults that can have an effect: for example, the last entry of a list can only be lost if a page of the branches
/// has a list.
pub fn possible(application: &dyn Application, dataset: &Dataset) -> Vec<Fault> {
    let key = TokenKey::new("key");
    let mut model = application.model(dataset, key.clone());
    let mut pages: HashMap<String, Vec<Response>> = HashMap::new();
    for branch in application.branches(dataset, &key) {
        let request = branch.step.request(&key, dataset.epoch);
        let page = model.respond(&request, dataset.epoch);
        pages.entry(request.path).or_default().push(page);
    }
    let shows = |fault: &Fault| match (&fault.at, &fault.wrong) {
        (Some(at), Wrong::Shows(blemish)) if blemish.needs_a_thing() => {
            let pages = pages.get(&at.path).map_or(&[][..], Vec::as_slice);
            pages.iter().any(|page| blemish.alter(page.clone()) != *page)
        }
        _ => true,
    };
    let mut faults = all(application, dataset);
    faults.retain(shows);
    faults
}

/// The faults of what the bank is asked for, if the application takes cards.
fn of_payments(application: &dyn Application) -> Vec<Fault> {
    if application.payment_rule().is_none() {
        return Vec::new();
    }
    let fault = |(slip, name, description): (Slip, &str, &str)| {
        site(&format!("bank.{name}"), description, Wrong::Pays(slip))
    };
    SLIPS.map(fault).into()
}

fn of_the_site(catalogue: &Catalogue) -> Vec<Fault> {
    let start = &catalogue.get(catalogue.start).path;
    let mut faults = vec![
        site("clock.fast", "the clock is an hour fast", Wrong::Clock(3600)),
        site("clock.slow", "the clock is four seconds slow", Wrong::Clock(-4)),
        site("path.files", "style sheets and pictures are missing", Wrong::Path(Detour::Files)),
        site("path.start", &format!("unknown paths lead to {start}"), Wrong::Path(Detour::Start)),
    ];
    faults.extend(protocol::ALL.map(of_protocol));
    faults.extend(asked::ALL.map(|(asked, name, description)| {
        site(&format!("asked.{name}"), description, Wrong::Lapses(Lapse::Depends(asked)))
    }));
    faults.extend(beside::ALL.map(|(beside, name, description)| {
        site(&format!("beside.{name}"), description, Wrong::Lapses(Lapse::Adds(beside)))
    }));
    faults.extend(page::EVERYWHERE.iter().chain(&page::WHERE_POSSIBLE).map(
        |(blemish, name, description)| {
            site(&format!("pages.{name}"), &format!("on all pages {description}"), Wrong::Shows(*blemish))
        },
    ));
    faults
}

fn of_protocol((lapse, name, description): (Lapse, &str, &str)) -> Fault {
    site(&format!("protocol.{name}"), description, Wrong::Lapses(lapse))
}

fn site(name: &str, description: &str, wrong: Wrong) -> Fault {
    Fault { name: name.to_owned(), description: description.to_owned(), at: None, wrong }
}

fn of_interaction(at: &Interaction) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut add = |name: &str, description: &str, wrong| {
        let (name, description) = (format!("{}.{name}", at.name), format!("{}: {description}", at.name));
        faults.push(Fault { name, description, at: Some(at.clone()), wrong });
    };
    if at.effect == Effect::Static {
        add("word", "the last word has other capitals", Wrong::Shows(Blemish::Word));
        return faults;
    }
    for (blemish, name, description) in page::EVERYWHERE.iter().chain(&page::WHERE_POSSIBLE) {
        add(name, description, Wrong::Shows(*blemish));
    }
    for (deed, name, description) in deeds(at) {
        add(name, description, Wrong::Does(*deed));
    }
    add("method", "other methods than its own are accepted", Wrong::Method);
    if !at.parameters.is_empty() && at.method == Method::Get {
        add("source", "missing parameters are taken from the body", Wrong::Source);
    }
    for (trust, name, description) in trust::trusts(at) {
        add(name, description, Wrong::Trusts(trust));
    }
    for parameter in at.parameters.iter().filter(|parameter| parameter.name != TOKEN) {
        for (reading, name, description) in reading::readings(parameter) {
            let description = format!("{}: {description}", parameter.name);
            add(
                &format!("{}.{name}", parameter.name),
                &description,
                Wrong::Reads(parameter.clone(), reading),
            );
        }
        if matches!(parameter.fill, Some(Fill::Text(_) | Fill::Unique(_))) {
            let description = format!("{}: it is shown unescaped", parameter.name);
            add(&format!("{}.raw", parameter.name), &description, Wrong::Echoes(parameter.clone()));
        }
    }
    faults
}

fn deeds(at: &Interaction) -> &'static [(Deed, &'static str, &'static str)] {
    const OF_WRITES: [(Deed, &str, &str); 3] = [
        (Deed::Loses, "lost", "it is confirmed and never done"),
        (Deed::Delays, "late", "it is confirmed, and done only after the next request"),
        (Deed::Repeats, "twice", "it is done twice"),
    ];
    const OF_READS: [(Deed, &str, &str); 1] =
        [(Deed::Keeps, "stale", "the first page for a request stays forever")];
    match at.effect {
        Effect::Write => &OF_WRITES,
        // A page without parameters never changes.
        Effect::Read if !at.parameters.is_empty() => &OF_READS,
        Effect::Read | Effect::Static => &[],
    }
}

impl Fault {
    /// The server's lapse, if it is one.
    pub fn lapse(&self) -> Option<Lapse> {
        if let Wrong::Lapses(lapse) = self.wrong { Some(lapse) } else { None }
    }

    fn concerns(&self, request: &Request) -> bool {
        let is_there = self.at.as_ref().is_none_or(|at| at.path == request.path);
        is_there
            && match (&self.wrong, &self.at) {
                (Wrong::ShowsRows(parameter, ids, _), Some(at)) => {
                    rows::is_for(request, &at.parameters[*parameter].name, ids)
                }
                _ => true,
            }
    }
}

/// The model of a dataset with a planted fault. `key` signs and checks log-in tokens.
pub fn model_with(
    fault: Fault,
    application: &'static dyn Application,
    dataset: &Dataset,
    key: TokenKey,
) -> Box<dyn Model> {
    let needs_shadow = matches!(fault.wrong, Wrong::Does(Deed::Loses | Deed::Delays));
    let needs_accounts = matches!(fault.wrong, Wrong::Trusts(trust) if trust.needs_accounts());
    let accounts = if needs_accounts { application.accounts(dataset) } else { 0 };
    Box::new(Faulty {
        fault,
        catalogue: application.catalogue(),
        accounts: (1..=accounts).map(|number| application.account(number)).collect(),
        right: application.model(dataset, key.clone()),
        shadow: needs_shadow.then(|| application.model(dataset, key.clone())),
        key,
        kept: HashMap::new(),
        delayed: Vec::new(),
        texts: Vec::new(),
    })
}

struct Faulty {
    fault: Fault,
    catalogue: &'static Catalogue,
    accounts: Vec<Account>,
    right: Box<dyn Model>,
    /// Acknowledges the writes that `right` never gets, or gets later.
    shadow: Option<Box<dyn Model>>,
    key: TokenKey,
    kept: HashMap<(String, Vec<u8>), Response>,
    delayed: Vec<(Request, Timestamp)>,
    texts: Vec<String>,
}

impl Model for Faulty {
    fn respond(&mut self, request: &Request, now: Timestamp) -> Response {
        let now = if let Wrong::Clock(seconds) = self.fault.wrong { now + seconds } else { now };
        let concerned = self.fault.concerns(request);
        let response = match &self.fault.wrong {
            Wrong::Does(deed) => self.act(*deed, request, concerned, now),
            Wrong::Lapses(lapse) => lapse.answer(&mut self.right, request, &self.key, now),
            _ if concerned => self.right.respond(&self.misread(request, now), now),
            _ => self.right.respond(request, now),
        };
        match &self.fault.wrong {
            Wrong::Shows(blemish) | Wrong::ShowsRows(_, _, blemish) if concerned => blemish.alter(response),
            Wrong::Echoes(parameter) => {
                if concerned {
                    self.texts.extend(reading::value(parameters(request), &parameter.name));
                }
                self.texts.iter().fold(response, |response, text| page::echo(response, text))
            }
            _ => response,
        }
    }

    fn fork(&self) -> Box<dyn Model> {
        Box::new(Self {
            fault: self.fault.clone(),
            accounts: self.accounts.clone(),
            right: self.right.fork(),
            shadow: self.shadow.as_ref().map(|shadow| shadow.fork()),
            key: self.key.clone(),
            kept: self.kept.clone(),
            delayed: self.delayed.clone(),
            texts: self.texts.clone(),
            ..*self
        })
    }

    fn rows(&self, table: &Table) -> Vec<Row> {
        self.right.rows(table)
    }

    fn take_payments(&mut self) -> Vec<Payment> {
        let payments = self.right.take_payments();
        if let Wrong::Pays(slip) = self.fault.wrong { slip.of(payments) } else { payments }
    }

    fn fuzz(&self, random: &mut dyn rand::Rng, now: Timestamp) -> Step {
        self.right.fuzz(random, now)
    }
}

impl Faulty {
    /// The request as the faulty stack reads it.
    fn misread(&self, request: &Request, now: Timestamp) -> Request {
        let mut misread = request.clone();
        let at = self.fault.at.as_ref();
        match &self.fault.wrong {
            Wrong::Reads(parameter, reading) => {
                set_parameters(&mut misread, reading.of(parameters(request), parameter));
            }
            Wrong::Trusts(trust) => {
                let trusted = trust.of(parameters(request), &self.key, now, at, &self.accounts);
                set_parameters(&mut misread, trusted);
            }
            Wrong::Method => at.into_iter().for_each(|at| take_method(&mut misread, at.method)),
            Wrong::Source => at.into_iter().for_each(|at| take_other_source(&mut misread, at)),
            Wrong::Path(detour) => self.take(*detour, &mut misread),
            Wrong::Clock(_)
            | Wrong::Does(_)
            | Wrong::Echoes(_)
            | Wrong::Lapses(_)
            | Wrong::Pays(_)
            | Wrong::Shows(_)
            | Wrong::ShowsRows(..) => {}
        }
        misread
    }

    fn take(&self, detour: Detour, request: &mut Request) {
        let known = self.catalogue.by_path(&request.path).is_some();
        let path = match detour {
            Detour::Files => (!known).then(|| format!("{}/", request.path)),
            Detour::Start => {
                let is_file = request.path.contains('.');
                (!known && !is_file).then(|| self.catalogue.get(self.catalogue.start).path.clone())
            }
        };
        request.path = path.unwrap_or_else(|| request.path.clone());
    }

    fn act(&mut self, deed: Deed, request: &Request, concerned: bool, now: Timestamp) -> Response {
        match (deed, &mut self.shadow) {
            (Deed::Keeps, _) if concerned => {
                let asked = (request.target(), request.body.clone());
                self.kept.entry(asked).or_insert_with(|| self.right.respond(request, now)).clone()
            }
            (Deed::Repeats, _) if concerned => {
                let response = self.right.respond(request, now);
                self.right.respond(request, now);
                response
            }
            (Deed::Loses, Some(shadow)) if concerned => shadow.respond(request, now),
            (Deed::Delays, Some(shadow)) if concerned => {
                self.delayed.push((request.clone(), now));
                shadow.respond(request, now)
            }
            (_, shadow) => {
                let response = self.right.respond(request, now);
                if let Some(shadow) = shadow {
                    shadow.respond(request, now);
                }
                for (request, then) in self.delayed.drain(..) {
                    self.right.respond(&request, then);
                }
                response
            }
        }
    }
}

/// The encoded parameters of a request; empty if they are no text.
fn parameters(request: &Request) -> &str {
    if request.method == "POST" {
        std::str::from_utf8(&request.body).unwrap_or_default()
    } else {
        &request.query
    }
}

fn set_parameters(request: &mut Request, parameters: String) {
    if request.method != "POST" {
        request.query = parameters;
    } else if std::str::from_utf8(&request.body).is_ok() {
        request.body = parameters.into_bytes();
    }
}

fn take_method(request: &mut Request, right: Method) {
    if request.method == right.to_string() {
        return;
    }
    // A client puts them into the body for POST only, whatever the page's method.
    let sent = parameters(request).to_owned();
    request.method = right.to_string();
    set_parameters(request, sent);
}

fn take_other_source(request: &mut Request, at: &Interaction) {
    if request.method != at.method.to_string() {
        return;
    }
    let other = String::from_utf8_lossy(&request.body).into_owned();
    let mut all = parameters(request).to_owned();
    for parameter in &at.parameters {
        let missing = reading::value(&all, &parameter.name).is_none();
        if let Some(value) = reading::value(&other, &parameter.name).filter(|_| missing) {
            let pair = format!("{}={}", parameter.name, reading::encode(&value));
            all = reading::join([all.as_str(), pair.as_str()]);
        }
    }
    set_parameters(request, all);
}

#[cfg(test)]
mod tests;
