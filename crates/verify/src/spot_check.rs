//! A sampled census of a site at its measured size, after its servers have borne a load: rows at the ends of each table and
//! in its middle, lists at their ends, and accounts' own pages. The data are in their first state again, and so are the
//! model's. Beyond the size of a verification, a list may stop early; after many requests, a cache may be stale or a counter
//! too small.

use crate::{
    Difference, Halt, Subject, VerifyError,
    census::{Sessions, around, is_harmless, is_own, own_page, pager, row_page},
    lockstep::Lockstep,
};
use application::{Generator, Step, Value};
use rand::{
    SeedableRng,
    seq::{IndexedRandom, SliceRandom},
};
use rand_chacha::ChaCha8Rng;
use stack::Site;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::Ordering,
    time::{Duration, Instant},
};
use workload::{Action, Class, InteractionId, Method, Page};

/// The number of rows at each end of a table, in its middle, and elsewhere.
const ROWS: usize = 8;
/// The number of accounts whose own pages are asked for.
const ACCOUNTS: u64 = 8;
/// The links to an interaction that are followed from the pages of one round, and the rounds.
const LINKS: usize = 6;
const ROUNDS: usize = 3;
/// The number of lists that are followed to their ends.
const LISTS: usize = 8;
/// The most pages of a list: beyond, it has no end.
const MOST_PAGES: u64 = 1 << 24;
/// Requests in flight together, so that several processes of a stack take part.
const CONNECTIONS: usize = 8;
/// Attempts at each of which a page must differ.
const ATTEMPTS: usize = 3;
/// The number of requests between two readings of the clock, since pages may contain the time.
const BATCH: usize = 48;

/// The pages of a measured site that were compared with the model's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpotCheck {
    pub pages: usize,
    /// The first page that is another one; none if all are the model's.
    pub difference: Option<String>,
}

/// Compares a sample of the pages of a site, whose data were just restored, with the model's: for at most this time, once it is
/// known what is asked for.
pub fn spot_check(subject: &Subject<'_>, site: &Site<'_>, most: Duration) -> Result<SpotCheck, VerifyError> {
    let mut lockstep = Lockstep::of_measured(subject, site)?;
    let mut sample = Sample::new(subject.seed);
    sample.add_pages(&mut lockstep);
    sample.add_lists(&mut lockstep);
    let steps = sample.shuffled(&lockstep);
    let (mut pages, begin) = (0, Instant::now());
    for batch in steps.chunks(BATCH) {
        if pages > 0 && begin.elapsed() > most {
            break;
        }
        if let Some(difference) = difference(&mut lockstep, batch)? {
            return Ok(SpotCheck { pages, difference: Some(difference.to_string()) });
        }
        pages += batch.len();
    }
    Ok(SpotCheck { pages, difference: None })
}

/// The difference in one of these pages, if it is there each time. Of much data, some change with the second in which they are
/// read, such as the auctions that are open.
fn difference(lockstep: &mut Lockstep<'_>, batch: &[Step]) -> Result<Option<Difference>, VerifyError> {
    let mut found = None;
    for _ in 0..ATTEMPTS {
        match lockstep.send_over(CONNECTIONS, batch) {
            Ok(_) => return Ok(None),
            Err(_) if lockstep.subject.stop.load(Ordering::Relaxed) => return Err(VerifyError::Interrupted),
            Err(Halt::Fault(fault)) => return Err(fault),
            Err(Halt::Difference(difference)) => found = Some(difference),
        }
    }
    Ok(found)
}

/// A sample of the requests that change nothing.
struct Sample {
    steps: BTreeSet<Step>,
    sessions: Sessions,
    random: ChaCha8Rng,
}

impl Sample {
    fn new(seed: u64) -> Self {
        let random = ChaCha8Rng::seed_from_u64(seed);
        Self { steps: BTreeSet::new(), sessions: Sessions::default(), random }
    }

    /// All requests whose answers must be the model's, in random order, so that no kind is last.
    fn shuffled(mut self, lockstep: &Lockstep<'_>) -> Vec<Step> {
        let wanted = |step: &Step| lockstep.has(step) && lockstep.is_plain(step);
        let mut steps: Vec<Step> = self.steps.into_iter().filter(wanted).collect();
        steps.shuffle(&mut self.random);
        steps
    }

    /// Pages without parameters, pages of rows, files, own pages of accounts, and what all of these lead to.
    fn add_pages(&mut self, lockstep: &mut Lockstep<'_>) {
        let catalogue = lockstep.subject.catalogue;
        let asks_nothing = catalogue
            .interactions()
            .iter()
            .filter(|one| is_harmless(one) && one.parameters.iter().all(|parameter| parameter.optional));
        self.steps.extend(asks_nothing.map(|one| Step::get(&one.path, &[])));
        for page in lockstep.subject.application.row_pages() {
            let ids = self.some_ids(&ids(lockstep, page.table));
            self.steps.extend(ids.into_iter().map(|id| row_page(catalogue, &page, id)));
        }
        let application = lockstep.subject.application;
        self.steps.extend(application.static_files().iter().map(|file| Step::get(&file.path, &[])));
        let count = application.accounts(&lockstep.dataset());
        let each = (count / ACCOUNTS).max(1) as usize;
        for interaction in catalogue.interactions().iter().filter(|one| is_own(one)) {
            let numbers = (1..=count).step_by(each).chain((count > 0).then_some(count));
            for account in numbers.map(|number| application.account(number)) {
                let step = own_page(interaction, &account);
                self.sessions.begin(catalogue, &step, &account);
                self.steps.insert(step);
            }
        }
        let mut from: Vec<Step> = self.steps.iter().cloned().collect();
        for _ in 0..ROUNDS {
            from = self.follow(lockstep, &from);
        }
    }

    /// Ids at both ends, one beyond each, some in the middle, and some anywhere.
    fn some_ids(&mut self, ids: &[i64]) -> BTreeSet<i64> {
        let (Some(first), Some(last)) = (ids.first(), ids.last()) else { return BTreeSet::new() };
        let middle = (ids.len() / 2).saturating_sub(ROWS / 2);
        let ends = ids.iter().take(ROWS).chain(ids.iter().rev().take(ROWS));
        let inside = ids.iter().skip(middle).take(ROWS).chain(ids.sample(&mut self.random, 2 * ROWS));
        ends.chain(inside).copied().chain([first - 1, last + 1]).collect()
    }

    /// Adds some of the pages to which the model's pages of these lead, and returns them.
    fn follow(&mut self, lockstep: &mut Lockstep<'_>, from: &[Step]) -> Vec<Step> {
        let mut found: BTreeMap<InteractionId, BTreeSet<Step>> = BTreeMap::new();
        let is_followed = |step: &&Step| step.method == "GET" || self.sessions.is_begun_by(step);
        for step in from.iter().filter(is_followed) {
            for (to, link) in links(lockstep, &self.sessions, step) {
                if !self.steps.contains(&link) {
                    found.entry(to).or_default().insert(link);
                }
            }
        }
        let mut added = Vec::new();
        for links in found.into_values() {
            let links: Vec<Step> = links.into_iter().collect();
            added.extend(links.sample(&mut self.random, LINKS).cloned());
        }
        self.steps.extend(added.iter().cloned());
        added
    }

    /// Some lists of several pages: the last page, the one before it and after it, and one in the middle.
    fn add_lists(&mut self, lockstep: &mut Lockstep<'_>) {
        let mut lists: BTreeMap<(String, String, String, String), u64> = BTreeMap::new();
        let steps: Vec<Step> = self.steps.iter().filter(|step| step.method == "GET").cloned().collect();
        for step in steps {
            for (_, link) in links(lockstep, &self.sessions, &step) {
                let Some(name) = pager(&step, &link) else { continue };
                let Some((before, number, after)) = around(&link.parameters, name) else { continue };
                lists.entry((link.path.clone(), before, name.to_owned(), after)).or_insert(number);
            }
        }
        let lists: Vec<_> = lists.into_iter().collect();
        for ((path, before, name, after), number) in lists.sample(&mut self.random, LISTS) {
            let page = |number: u64| Step {
                method: "GET".to_owned(),
                path: path.clone(),
                parameters: format!("{before}{name}={number}{after}"),
            };
            let last = last_page(*number, |number| {
                let (here, next) = (page(number), page(number + 1));
                links(lockstep, &self.sessions, &here).iter().any(|(_, link)| *link == next)
            });
            self.steps
                .extend([number + (last - number) / 2, last.saturating_sub(1), last, last + 1].map(page));
        }
    }
}

/// The last page of a list, of which `page` is one: each but the last leads to the next one.
fn last_page(page: u64, mut leads_on: impl FnMut(u64) -> bool) -> u64 {
    let (mut before, mut stride) = (page, 1);
    if !leads_on(page) {
        return page;
    }
    while stride < MOST_PAGES && leads_on(before + stride) {
        before += stride;
        stride *= 2;
    }
    // It leads on from `before`, and no more from so many pages behind it.
    let mut behind = before + stride;
    while behind - before > 1 {
        let middle = before + (behind - before) / 2;
        if leads_on(middle) { before = middle } else { behind = middle }
    }
    behind
}

/// The ids of a table's rows, rising.
fn ids(lockstep: &Lockstep<'_>, table: &application::Table) -> Vec<i64> {
    let generator: Box<dyn Generator> = lockstep.subject.application.generator(&lockstep.dataset());
    let mut ids = Vec::new();
    generator.rows(table, 0..generator.units(table), &mut |row| {
        if let Some(Value::Integer(id)) = row.first() {
            ids.push(*id);
        }
    });
    ids
}

/// The links of the model's page that browsers follow without an effect, each with its interaction.
fn links(lockstep: &mut Lockstep<'_>, sessions: &Sessions, step: &Step) -> Vec<(InteractionId, Step)> {
    let catalogue = lockstep.subject.catalogue;
    let right = lockstep.model_page(step);
    if right.status != 200 || !right.content_type.starts_with("text/html") {
        return Vec::new();
    }
    let page = Page::scan(&right.body, &step.path, catalogue);
    let link = |action: Action<'_>| {
        let Action::Link { to, query } = action else { return None };
        let interaction = catalogue.get(to);
        let follows = is_harmless(interaction)
            && interaction.class == Class::Browse
            && interaction.method == Method::Get;
        let is_plain = follows && !query.contains(['{', '}']);
        is_plain.then(|| (to, sessions.link(step, interaction, query.to_owned())))
    };
    page.actions().filter_map(link).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_page_of_a_list_is_found_whatever_its_length() {
        for first in 0..3 {
            for last in first..70 {
                let mut asked = 0;
                let found = last_page(first, |page| {
                    asked += 1;
                    page < last
                });
                assert_eq!(found, last, "from {first}");
                assert!(asked < 16, "{asked} pages to find {last}");
            }
        }
    }

    #[test]
    fn ids_are_taken_at_the_ends_and_beyond_and_in_the_middle() {
        let ids: Vec<i64> = (1..=1000).collect();
        let some = Sample::new(1).some_ids(&ids);
        for id in [0, 1, 8, 500, 993, 1000, 1001] {
            assert!(some.contains(&id), "{id}: {some:?}");
        }
        assert!(some.len() <= 5 * ROWS + 2);
        assert_eq!(Sample::new(1).some_ids(&[]), BTreeSet::new());
    }
}
