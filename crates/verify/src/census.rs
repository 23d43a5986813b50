//! A census: every row on its page, every list to its end and beyond, and a sample of the pages that hardly depend on a
//! row. A fault that depends on a row's value shows on that row only, and a walk visits few rows.

use crate::{Counted, Halt, lockstep::Lockstep, malicious_inputs, progress::ProgressReporter};
use application::{Response, RowPage, Step, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use workload::{
    Account, Action, Catalogue, Class, Effect, Field, Fill, Form, Interaction, InteractionId, Method, Page,
};

/// The number of requests between two readings of the clock, since pages may contain the time.
const BATCH: usize = 60;
/// Accounts visited for pages that need a log-in: one in this many.
const ACCOUNTS: usize = 50;
/// Pages visited among those that are alike for most rows: one in this many. These are forms on the way to an order,
/// further pages of the rows of a large table, and pages beyond a list of one page.
const ALIKE: usize = 10;
/// Tables with more rows are large.
const LARGE: usize = 1000;
/// A limit for endless links: more pages than any application of this size has.
const MOST: usize = 200_000;

/// Requests everything from both sides once. No request changes any data.
pub(crate) fn take(
    lockstep: &mut Lockstep<'_>,
    progress: &mut ProgressReporter<'_>,
) -> Result<Vec<Counted>, Halt> {
    let mut census = Census::new(lockstep);
    while let Some(batch) = census.next_batch() {
        let pages = lockstep.send_concurrently(&batch)?;
        batch.iter().zip(&pages).for_each(|(step, page)| census.record(step, page));
        progress.within(|| format!("{} of {} pages found so far", census.visited.len(), census.known.len()));
    }
    for batch in census.beyond().chunks(BATCH) {
        lockstep.send_concurrently(batch)?;
    }
    Ok(census.counts())
}

/// The requests to send, and those sent.
struct Census<'a> {
    catalogue: &'a Catalogue,
    /// The same, by which a page's embedded files are found whatever browsers fetch under load.
    embedding: Catalogue,
    /// The interactions that are asked for.
    scope: BTreeSet<InteractionId>,
    /// All requests that are known.
    known: HashSet<Step>,
    /// Steps not yet sent.
    open: VecDeque<Step>,
    /// Steps answered alike.
    visited: HashSet<Step>,
    rows: Vec<Rows>,
    /// By interaction, the parameters with page numbers of a list.
    pagers: BTreeMap<InteractionId, BTreeSet<String>>,
    /// The number of known forms on the way to an order.
    forms: usize,
    /// By interaction, the number of accounts whose own pages it shows.
    accounts: BTreeMap<InteractionId, usize>,
    sessions: Sessions,
}

/// The rows of a table, with the requests for their pages.
struct Rows {
    table: &'static str,
    /// The page of each row.
    pages: Vec<Step>,
}

impl<'a> Census<'a> {
    fn new(lockstep: &Lockstep<'a>) -> Self {
        let subject = lockstep.subject;
        let catalogue = subject.catalogue;
        let mut embedding = catalogue.clone();
        embedding.embedded = true;
        let mut census = Self {
            catalogue,
            embedding,
            scope: lockstep.scope().clone(),
            known: HashSet::new(),
            open: VecDeque::new(),
            visited: HashSet::new(),
            rows: Vec::new(),
            pagers: BTreeMap::new(),
            forms: 0,
            accounts: BTreeMap::new(),
            sessions: Sessions::default(),
        };
        let asks_nothing = |one: &&Interaction| {
            one.parameters.iter().all(|parameter| parameter.optional) && is_harmless(one)
        };
        for interaction in catalogue.interactions().iter().filter(asks_nothing) {
            census.add(Step::get(&interaction.path, &[]));
        }
        let mut pages = subject.application.row_pages();
        pages.retain(|page| census.scope.contains(&page.interaction));
        census.add_rows(lockstep, &pages);
        census.add_accounts(lockstep);
        census
    }

    fn add(&mut self, step: Step) {
        let is_left_out = self.catalogue.by_path(&step.path).is_some_and(|id| !self.scope.contains(&id));
        if !is_left_out && self.known.len() < MOST && self.known.insert(step.clone()) {
            self.open.push_back(step);
        }
    }

    /// The same for a form on the way to an order; most are known but never visited.
    fn add_form(&mut self, step: Step) {
        if self.known.contains(&step) {
            return;
        }
        self.forms += 1;
        match self.forms % ALIKE {
            1 => self.add(step),
            _ => drop(self.known.insert(step)),
        }
    }

    /// The pages of each row, of a row before the first, and of one after the last.
    fn add_rows(&mut self, lockstep: &Lockstep<'_>, pages: &[RowPage]) {
        let mut tables: BTreeMap<&str, Vec<&RowPage>> = BTreeMap::new();
        pages.iter().for_each(|page| tables.entry(page.table.name).or_default().push(page));
        let catalogue = self.catalogue;
        let ask = |page: &RowPage, id: i64| row_page(catalogue, page, id);
        // Rows that exist from the start need no other request first.
        let first = lockstep.subject.application.model(&lockstep.dataset(), lockstep.subject.key.clone());
        let mut later = Vec::new();
        for (table, pages) in tables {
            let id =
                |row: &Vec<Value>| if let Some(Value::Integer(id)) = row.first() { Some(*id) } else { None };
            let ids: Vec<i64> = lockstep.model.rows(pages[0].table).iter().filter_map(id).collect();
            let rows = Rows { table, pages: ids.iter().map(|id| ask(pages[0], *id)).collect() };
            let step = if ids.len() > LARGE { ALIKE } else { 1 };
            let further =
                pages[1..].iter().flat_map(|page| ids.iter().step_by(step).map(|id| ask(page, *id)));
            let ends = [ids.iter().min().map(|id| id - 1), ids.iter().max().map(|id| id + 1)];
            let beyond =
                ends.into_iter().flatten().flat_map(|id| pages.iter().map(move |page| ask(page, id)));
            let begun = first.rows(pages[0].table).len();
            let (old, new) = rows.pages.split_at(begun.min(rows.pages.len()));
            old.iter().cloned().for_each(|step| self.add(step));
            later.extend(new.iter().cloned().chain(further).chain(beyond));
            self.rows.push(rows);
        }
        later.into_iter().for_each(|step| self.add(step));
    }

    /// The own pages of some accounts, which need only a log-in.
    fn add_accounts(&mut self, lockstep: &Lockstep<'_>) {
        let application = lockstep.subject.application;
        let count = application.accounts(&lockstep.dataset());
        let each = if keeps_sessions(self.catalogue) { 1 } else { ACCOUNTS };
        for id in self.scope.clone().into_iter().filter(|id| is_own(self.catalogue.get(*id))) {
            let interaction = self.catalogue.get(id);
            for account in (1..=count).step_by(each).map(|number| application.account(number)) {
                let step = own_page(interaction, &account);
                self.sessions.begin(self.catalogue, &step, &account);
                self.add(step);
            }
            self.accounts.insert(id, count as usize);
        }
    }

    fn next_batch(&mut self) -> Option<Vec<Step>> {
        let batch: Vec<Step> = self.open.drain(..BATCH.min(self.open.len())).collect();
        (!batch.is_empty()).then_some(batch)
    }

    /// Records that a page was visited, and where its links lead.
    fn record(&mut self, step: &Step, page: &Response) {
        self.visited.insert(step.clone());
        let is_visited = step.method == "GET" || self.sessions.is_begun_by(step);
        if !is_visited || page.status != 200 || !page.content_type.starts_with("text/html") {
            return;
        }
        let mut page = Page::scan(&page.body, &step.path, &self.embedding);
        for file in page.take_embedded().lines() {
            let (path, query) = file.split_once('?').unwrap_or((file, ""));
            self.add(Step { method: "GET".to_owned(), path: path.to_owned(), parameters: query.to_owned() });
        }
        for action in page.actions() {
            match action {
                Action::Link { to, query } => self.follow(step, to, query.to_owned()),
                Action::Form(form) => self.fill(step, action.to(), form),
            }
        }
    }

    fn follow(&mut self, from: &Step, to: InteractionId, parameters: String) {
        let interaction = self.catalogue.get(to);
        if !is_harmless(interaction) || parameters.contains(['{', '}']) {
            return;
        }
        let link = self.sessions.link(from, interaction, parameters);
        if let Some(pager) = pager(from, &link) {
            self.pagers.entry(to).or_default().insert(pager.to_owned());
        }
        match interaction.class {
            Class::Browse => self.add(link),
            Class::Order => self.add_form(link),
        }
    }

    /// A form with a single choice leads to one page per option.
    fn fill(&mut self, from: &Step, to: InteractionId, form: Form<'_>) {
        let visible: Vec<_> = form.fields().filter(Field::is_visible).collect();
        let [choice] = visible.as_slice() else { return };
        if form.method() != Method::Get {
            return;
        }
        for option in choice.options() {
            let mut parameters = String::new();
            for field in form.fields() {
                let value = if field.name() == choice.name() { option } else { field.value() };
                workload::append_pair(&mut parameters, field.name(), value);
            }
            self.follow(from, to, parameters);
        }
    }

    /// The page after the last of each list of several pages, and of some lists of one page.
    fn beyond(&self) -> Vec<Step> {
        let mut ends: BTreeMap<(&str, String, &str, String), (usize, u64)> = BTreeMap::new();
        for step in &self.known {
            let Some(name) = self.pager_of(step) else { continue };
            let Some((before, number, after)) = around(&step.parameters, name) else { continue };
            let (pages, end) = ends.entry((&step.path, before, name, after)).or_default();
            (*pages, *end) = (*pages + 1, number.max(*end));
        }
        let mut next = Vec::new();
        for (at, ((path, before, name, after), (pages, number))) in ends.iter().enumerate() {
            if *pages > 1 || at % ALIKE == 0 {
                let parameters = format!("{before}{name}={}{after}", number + 1);
                next.push(Step { method: "GET".to_owned(), path: (*path).to_owned(), parameters });
            }
        }
        next
    }

    /// The parameter with the page number of a list.
    fn pager_of(&self, step: &Step) -> Option<&str> {
        let names = self.pagers.get(&self.catalogue.by_path(&step.path)?)?;
        names.iter().map(String::as_str).find(|name| around(&step.parameters, name).is_some())
    }

    fn counts(&self) -> Vec<Counted> {
        let mut rows_pages: HashSet<&Step> = HashSet::new();
        let mut counts = Vec::new();
        for Rows { table, pages } in &self.rows {
            rows_pages.extend(pages);
            let visited = pages.iter().filter(|page| self.visited.contains(*page)).count();
            counts.push(Counted { name: (*table).replace('_', " "), visited, all: pages.len() });
        }
        let mut apart: HashMap<String, Counted> = HashMap::new();
        let count = |name: &str, is_visited: bool, apart: &mut HashMap<String, Counted>| {
            let new = || Counted { name: name.to_owned(), visited: 0, all: 0 };
            let counted = apart.entry(name.to_owned()).or_insert_with(new);
            counted.visited += usize::from(is_visited);
            counted.all += 1;
        };
        const LISTS: &str = "pages of lists";
        const OTHERS: &str = "other pages";
        const FILES: &str = "embedded files";
        for step in self.known.iter().filter(|step| step.method == "GET" && !rows_pages.contains(step)) {
            let name = match self.catalogue.by_path(&step.path) {
                None => FILES,
                Some(_) if self.pager_of(step).is_some() => LISTS,
                Some(_) => OTHERS,
            };
            count(name, self.visited.contains(step), &mut apart);
        }
        counts.extend([LISTS, OTHERS, FILES].iter().filter_map(|name| apart.remove(*name)));
        for (id, all) in &self.accounts {
            let path = &self.catalogue.get(*id).path;
            let visited =
                self.visited.iter().filter(|step| step.method == "POST" && step.path == *path).count();
            counts.push(Counted {
                name: format!("accounts in {}", self.catalogue.get(*id).name),
                visited,
                all: *all,
            });
        }
        counts
    }
}

/// The session cookies of log-ins, for the requests that follow.
#[derive(Default)]
pub(crate) struct Sessions(HashMap<Step, String>);

impl Sessions {
    /// Notes the session that an account's log-in begins, where the application keeps sessions.
    pub(crate) fn begin(&mut self, catalogue: &Catalogue, log_in: &Step, account: &Account) {
        if keeps_sessions(catalogue) {
            self.0.insert(log_in.clone(), malicious_inputs::locked(account));
        }
    }

    pub(crate) fn is_begun_by(&self, step: &Step) -> bool {
        self.0.contains_key(step)
    }

    /// The request for a link of a page, in the page's session.
    pub(crate) fn link(&self, from: &Step, interaction: &Interaction, query: String) -> Step {
        let mut all: Vec<String> = interaction.cookies().filter_map(|name| self.cookie(from, name)).collect();
        all.extend((!query.is_empty()).then_some(query));
        Step { method: "GET".to_owned(), path: interaction.path.clone(), parameters: all.join("&") }
    }

    /// A cookie from a page, as a parameter of its step.
    fn cookie(&self, from: &Step, name: &str) -> Option<String> {
        if let Some(session) = self.0.get(from) {
            return Some(format!("{name}={session}"));
        }
        let mut pairs = from.parameters.split('&');
        pairs.find(|pair| pair.split('=').next() == Some(name)).map(str::to_owned)
    }
}

/// True if an application knows its users by cookies. Pages for the owner alone are then visited by every owner.
fn keeps_sessions(catalogue: &Catalogue) -> bool {
    catalogue.interactions().iter().any(|one| one.cookies().next().is_some())
}

/// The request for the page of a row.
pub(crate) fn row_page(catalogue: &Catalogue, page: &RowPage, id: i64) -> Step {
    let interaction = catalogue.get(page.interaction);
    Step::get(&interaction.path, &[(&interaction.parameters[page.parameter].name, &id.to_string())])
}

/// True if a page is an account's own, and needs only a log-in.
pub(crate) fn is_own(interaction: &Interaction) -> bool {
    let own = |fill: &Option<Fill>| matches!(fill, Some(Fill::OwnNickname | Fill::OwnPassword));
    let mut needed = interaction.parameters.iter().filter(|parameter| !parameter.optional).peekable();
    let asks = needed.peek().is_some() && needed.all(|parameter| own(&parameter.fill));
    asks && interaction.effect == Effect::Read && interaction.method == Method::Post
}

/// The request for an account's own page.
pub(crate) fn own_page(interaction: &Interaction, account: &Account) -> Step {
    let value = |fill: &Option<Fill>| match fill {
        Some(Fill::OwnPassword) => account.password.as_str(),
        _ => account.nickname.as_str(),
    };
    let needed = interaction.parameters.iter().filter(|one| !one.optional);
    let fields: Vec<(&str, &str)> = needed.map(|one| (one.name.as_str(), value(&one.fill))).collect();
    Step::post(&interaction.path, &fields)
}

pub(crate) fn is_harmless(interaction: &Interaction) -> bool {
    interaction.effect != Effect::Write && interaction.method == Method::Get
}

/// The parameter by which two requests differ, if its number differs by one.
pub(crate) fn pager<'a>(from: &Step, to: &'a Step) -> Option<&'a str> {
    let pairs = |step: &'_ Step| -> Vec<(String, String)> {
        let split = step.parameters.split('&').filter_map(|pair| pair.split_once('='));
        split.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    };
    if from.path != to.path {
        return None;
    }
    let (one, other) = (pairs(from), pairs(to));
    let names = |pairs: &[(String, String)]| pairs.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    if names(&one) != names(&other) {
        return None;
    }
    let mut differing = one.iter().zip(&other).filter(|(one, other)| one.1 != other.1);
    let ((name, before), (_, after)) = differing.next()?;
    let (before, after) = (before.parse::<u64>().ok()?, after.parse::<u64>().ok()?);
    if differing.next().is_some() || before.abs_diff(after) != 1 {
        return None;
    }
    to.parameters
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, _)| name)
        .find(|one| one == name)
}

/// The number in a parameter, and the text before and after it.
pub(crate) fn around(parameters: &str, name: &str) -> Option<(String, u64, String)> {
    let mut before = String::new();
    for (at, pair) in parameters.split('&').enumerate() {
        let begin = before.len() + usize::from(at > 0);
        if at > 0 {
            before.push('&');
        }
        if let Some((one, value)) = pair.split_once('=')
            && one == name
        {
            return Some((before, value.parse().ok()?, parameters[begin + pair.len()..].to_owned()));
        }
        before.push_str(pair);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(parameters: &str) -> Step {
        Step { method: "GET".into(), path: "/shop/List".into(), parameters: parameters.into() }
    }

    #[test]
    fn a_pager_differs_by_one_between_two_pages_of_a_list() {
        assert_eq!(pager(&get("kind=3&page=1"), &get("kind=3&page=2")), Some("page"));
        assert_eq!(pager(&get("kind=3&page=2"), &get("kind=3&page=1")), Some("page"));
        for (from, to) in [
            ("kind=3&page=1", "kind=3&page=3"),
            ("kind=3&page=1", "kind=4&page=2"),
            ("kind=3", "kind=3&page=1"),
            ("kind=3&page=1", "kind=3&page=1"),
            ("kind=a", "kind=b"),
        ] {
            assert_eq!(pager(&get(from), &get(to)), None, "{from} {to}");
        }
        let other = Step { path: "/shop/Item".into(), ..get("page=2") };
        assert_eq!(pager(&get("page=1"), &other), None);
    }

    #[test]
    fn a_number_is_found_with_its_surroundings() {
        assert_eq!(around("kind=3&page=12&n=20", "page"), Some(("kind=3&".into(), 12, "&n=20".into())));
        assert_eq!(around("page=1", "page"), Some((String::new(), 1, String::new())));
        assert_eq!(around("kind=3&page=x", "page"), None);
        assert_eq!(around("kind=3", "page"), None);
    }
}
