//! Pages of many users for the same rows, in flight together: each user must get their own. A stack that keeps a request
//! where others find it, such as in a variable of its program, is right as long as one user asks at a time. Visitors with rows
//! of their own, such as carts, change these together, where the order makes no difference to the model.

use crate::{Halt, branches, concurrency, lockstep::Lockstep, malicious_inputs, progress::ProgressReporter};
use application::{Branch, Step, TOKEN};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use workload::{Account, Effect, Fill, Interaction, InteractionId};

/// The users who ask for the same rows.
const USERS: u64 = 16;
/// Requests of each of them for each page.
const ROUNDS: usize = 4;
/// Changes of each of them of each kind.
const CHANGES: usize = 3;
/// Requests in flight together.
const CONNECTIONS: usize = 16;
/// The number of requests between two readings of the clock, since pages may contain the time.
const BATCH: usize = 96;

/// Sends requests of different users together.
pub(crate) fn check(lockstep: &mut Lockstep<'_>, progress: &mut ProgressReporter<'_>) -> Result<(), Halt> {
    let subject = lockstep.subject;
    let users = subject.application.accounts(&lockstep.dataset()).min(USERS);
    let users: Vec<User> =
        (1..=users).map(|number| User { number, account: subject.application.account(number) }).collect();
    let samples = branches::first_of_each(subject, &lockstep.dataset(), lockstep.scope(), is_own);
    let samples = samples.into_iter().filter(|(_, step)| step.as_document().is_none());
    let mut steps: Vec<Step> = samples
        .flat_map(|(id, step)| {
            users
                .iter()
                .map(move |user| user.asks(&step, subject.catalogue.get(id), false))
                .collect::<Vec<_>>()
        })
        .filter(|step| lockstep.is_plain(step))
        .collect();
    let mut random = ChaCha8Rng::seed_from_u64(subject.seed);
    let (reads, changes): (Vec<_>, Vec<_>) = of_visitors(lockstep, &users)
        .into_iter()
        .partition(|(id, _)| subject.catalogue.get(*id).effect == Effect::Read);
    steps.extend(reads.into_iter().flat_map(|(_, group)| taken(lockstep, group)));
    for round in 0..ROUNDS {
        progress.within(|| format!("{round} of {ROUNDS} rounds"));
        steps.shuffle(&mut random);
        for batch in steps.chunks(BATCH) {
            lockstep.send_over(CONNECTIONS, batch)?;
        }
    }
    let changes: Vec<Vec<Step>> =
        changes.into_iter().map(|(_, group)| without_new_rows(lockstep, taken(lockstep, group))).collect();
    for _ in 0..CHANGES {
        for group in &changes {
            let group = taken(lockstep, group.clone());
            if group.len() > 1 && commute(lockstep, &group) {
                lockstep.change_together(&group)?;
            }
        }
    }
    Ok(())
}

/// Requests with a sealed number, such as that of a cart: the script's first one to each page with the same parameters that is
/// not refused, as each of these users would send it, with a number of their own.
fn of_visitors(lockstep: &Lockstep<'_>, users: &[User]) -> Vec<(InteractionId, Vec<Step>)> {
    let subject = lockstep.subject;
    let mut seen = BTreeSet::new();
    let mut groups = Vec::new();
    for Branch { step, status, .. } in subject.application.branches(&lockstep.dataset(), &subject.key) {
        let Some(id) = subject.catalogue.by_path(&step.path) else { continue };
        let interaction = subject.catalogue.get(id);
        let names: Vec<String> = pairs(&step).map(|(name, _)| name.to_owned()).collect();
        let has_sealed = interaction
            .parameters
            .iter()
            .any(|parameter| parameter.sealed && names.contains(&parameter.name));
        let is_wanted =
            has_sealed && status == 200 && lockstep.scope().contains(&id) && lockstep.is_plain(&step);
        if is_wanted && seen.insert((id, names)) {
            groups.push((id, users.iter().map(|user| user.asks(&step, interaction, true)).collect()));
        }
    }
    groups
}

/// Selects the steps that the model would take now.
fn taken(lockstep: &Lockstep<'_>, steps: Vec<Step>) -> Vec<Step> {
    let (answers, _) = lockstep.try_out(&steps, concurrency::now());
    let tried = steps.into_iter().zip(answers);
    tried.filter_map(|(step, answer)| (answer.status < 400).then_some(step)).collect()
}

/// Selects the steps that add no row: the numbers of new rows depend on the order.
fn without_new_rows(lockstep: &Lockstep<'_>, steps: Vec<Step>) -> Vec<Step> {
    let tables = lockstep.subject.application.tables();
    let count = |steps: &[Step]| -> usize {
        let (_, model) = lockstep.try_out(steps, concurrency::now());
        tables.iter().map(|table| model.rows(table).len()).sum()
    };
    let before = count(&[]);
    if count(&steps) == before {
        return steps;
    }
    steps.into_iter().filter(|step| count(std::slice::from_ref(step)) == before).collect()
}

/// True if these steps may be taken in any order, as far as the first and the last order tell, and ask no bank: what it was asked
/// for is compared step by step.
fn commute(lockstep: &Lockstep<'_>, steps: &[Step]) -> bool {
    // Rows and tokens of two times would differ.
    let now = concurrency::now();
    let backwards: Vec<Step> = steps.iter().rev().cloned().collect();
    let (answers, mut model) = lockstep.try_out(steps, now);
    let (turned, other) = lockstep.try_out(&backwards, now);
    let mut tables = lockstep.subject.application.tables().iter();
    answers.iter().eq(turned.iter().rev())
        && model.take_payments().is_empty()
        && tables.all(|table| model.rows(table) == other.rows(table))
}

/// True if a page depends on who asks, and changes nothing.
fn is_own(interaction: &Interaction) -> bool {
    let names_user = interaction.parameters.iter().any(|parameter| {
        parameter.name == TOKEN || matches!(parameter.fill, Some(Fill::OwnNickname | Fill::OwnPassword))
    });
    interaction.effect == Effect::Read && (names_user || interaction.cookies().next().is_some())
}

/// The names and values of a step's parameters, as they are written.
fn pairs(step: &Step) -> impl Iterator<Item = (&str, &str)> {
    let pairs = step.parameters.split('&').filter(|pair| !pair.is_empty());
    pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")))
}

/// One of the users.
struct User {
    number: u64,
    account: Account,
}

impl User {
    /// The same request of this user, about the same rows; if `elsewhere`, about rows of their own.
    fn asks(&self, step: &Step, interaction: &Interaction, elsewhere: bool) -> Step {
        let pairs = pairs(step).map(|(name, value)| self.pair(name, value, interaction, elsewhere));
        Step { parameters: pairs.collect::<Vec<_>>().join("&"), ..step.clone() }
    }

    fn pair(&self, name: &str, value: &str, interaction: &Interaction, elsewhere: bool) -> String {
        let Self { number, account } = self;
        let parameter = interaction.parameters.iter().find(|parameter| parameter.name == name);
        let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
        let mut pair = String::new();
        match parameter.and_then(|parameter| parameter.fill.as_ref()) {
            Some(Fill::OwnNickname) => workload::append_pair(&mut pair, name, &account.nickname),
            Some(Fill::OwnPassword) => workload::append_pair(&mut pair, name, &account.password),
            _ if name == TOKEN => pair = format!("{name}={{token:{number}}}"),
            _ if interaction.cookies().any(|cookie| cookie == name) && value.starts_with("{locked:") => {
                pair = format!("{name}={}", malicious_inputs::locked(account));
            }
            _ if elsewhere && parameter.is_some_and(|parameter| parameter.sealed) => {
                pair = format!("{name}={{sealed:{number}}}");
            }
            _ if elsewhere && is_number => pair = format!("{name}={number}"),
            _ => pair = format!("{name}={value}"),
        }
        pair
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use workload::Catalogue;

    const APPLICATION: &str = "name = 'x'\ntitle = 'x'\nprefix = '/x'\nthink_time = '1s'\nsession_length = '15m'\n\
        mix = 'usual'\nstart = 'A'\n\
        [[interaction]]\nname = 'A'\npath = 'A'\nmethod = 'GET'\nclass = 'browse'\neffect = 'read'\nprotocol = 'html'\n\
        parameters = [{ name = 'I' }, { name = 'CART', sealed = true }, { name = 'WHO', fill = 'own-nickname' }]\n";

    #[test]
    fn a_user_asks_for_the_same_rows_or_their_own() {
        let catalogue = Catalogue::parse(&settings::Document::new("app.toml", APPLICATION)).unwrap();
        let account = Account { nickname: "Bob & Co".to_owned(), password: "p".to_owned() };
        let user = User { number: 7, account };
        let step = Step::get("/x/A", &[("I", "3"), ("CART", "{sealed:1}"), ("WHO", "Ann")]);
        let asks = |elsewhere| user.asks(&step, &catalogue.interactions()[0], elsewhere).parameters;
        assert_eq!(asks(false), "I=3&CART={sealed:1}&WHO=Bob+%26+Co");
        assert_eq!(asks(true), "I=7&CART={sealed:7}&WHO=Bob+%26+Co");
    }
}
