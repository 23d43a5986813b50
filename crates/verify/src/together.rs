//! Pages of many users for the same rows, in flight together: each user must get their own. A stack that keeps a request
//! where others find it, such as in a variable of its program, is right as long as one user asks at a time.

use crate::{Halt, lockstep::Lockstep, malicious_inputs, progress::ProgressReporter};
use application::{Step, TOKEN};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use workload::{Account, Effect, Fill, Interaction, InteractionId};

/// The users who ask for the same rows.
const USERS: u64 = 16;
/// Requests of each of them for each page.
const ROUNDS: usize = 6;
/// Requests in flight together.
const CONNECTIONS: usize = 16;
/// The number of requests between two readings of the clock, since pages may contain the time.
const BATCH: usize = 96;

/// Sends pages of different users together. None changes any data.
pub(crate) fn check(lockstep: &mut Lockstep<'_>, progress: &mut ProgressReporter<'_>) -> Result<(), Halt> {
    let subject = lockstep.subject;
    let users = subject.application.accounts(&lockstep.dataset()).min(USERS);
    let accounts: Vec<(u64, Account)> =
        (1..=users).map(|number| (number, subject.application.account(number))).collect();
    let mut steps: Vec<Step> = samples(lockstep)
        .iter()
        .flat_map(|(id, step)| {
            let interaction = subject.catalogue.get(*id);
            accounts.iter().map(move |(number, account)| of_user(step, interaction, *number, account))
        })
        .filter(|step| lockstep.is_plain(step))
        .collect();
    let mut random = ChaCha8Rng::seed_from_u64(subject.seed);
    for round in 0..ROUNDS {
        progress.within(|| format!("{round} of {ROUNDS} rounds"));
        steps.shuffle(&mut random);
        for batch in steps.chunks(BATCH) {
            lockstep.send_over(CONNECTIONS, batch)?;
        }
    }
    Ok(())
}

/// A request of the script for each page that users have of their own.
fn samples(lockstep: &Lockstep<'_>) -> BTreeMap<InteractionId, Step> {
    let subject = lockstep.subject;
    let mut samples = BTreeMap::new();
    for branch in subject.application.branches(&lockstep.dataset(), &subject.key) {
        let id = subject.catalogue.by_path(&branch.step.path).filter(|id| lockstep.scope().contains(id));
        let own = id.filter(|id| is_own(subject.catalogue.get(*id)));
        if let Some(id) = own.filter(|_| branch.status == 200 && branch.step.as_document().is_none()) {
            samples.entry(id).or_insert(branch.step);
        }
    }
    samples
}

/// True if a page depends on who asks, and changes nothing.
fn is_own(interaction: &Interaction) -> bool {
    let names_user = interaction.parameters.iter().any(|parameter| {
        parameter.name == TOKEN || matches!(parameter.fill, Some(Fill::OwnNickname | Fill::OwnPassword))
    });
    interaction.effect == Effect::Read && (names_user || interaction.cookies().next().is_some())
}

/// The same request of another user.
fn of_user(step: &Step, interaction: &Interaction, number: u64, account: &Account) -> Step {
    let value = |name: &str, value: &str| {
        let parameter = interaction.parameters.iter().find(|parameter| parameter.name == name);
        let mut pair = String::new();
        match parameter.and_then(|parameter| parameter.fill.as_ref()) {
            Some(Fill::OwnNickname) => workload::append_pair(&mut pair, name, &account.nickname),
            Some(Fill::OwnPassword) => workload::append_pair(&mut pair, name, &account.password),
            _ if name == TOKEN => pair = format!("{name}={{token:{number}}}"),
            _ if interaction.cookies().any(|cookie| cookie == name) && value.starts_with("{locked:") => {
                pair = format!("{name}={}", malicious_inputs::locked(account));
            }
            _ => pair = format!("{name}={value}"),
        }
        pair
    };
    let pairs = step.parameters.split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| {
        let (name, of) = pair.split_once('=').unwrap_or((pair, ""));
        value(name, of)
    });
    Step { parameters: pairs.collect::<Vec<_>>().join("&"), ..step.clone() }
}
