//! The walk of one seeded user after another, by a mix: what users do, in the order in which they do it.

use crate::{
    Difference, Halt, VerifyError,
    lockstep::{Lockstep, Pages},
    progress::Progress,
};
use std::{collections::BTreeSet, time::Duration};
use workload::{AnswerKind, InteractionId, Request, Users};

/// Seconds between two requests of the walk, as far as sessions are concerned.
const STEP: Duration = Duration::from_secs(1);
/// Mean length of a session, in such steps: long enough for a whole transaction, short enough for several accounts.
const SESSION: Duration = Duration::from_secs(60);
/// A walk that needs more requests than this for each one asked for will never see all interactions.
const TIME_LIMIT: usize = 50;

fn misheard(request: &Request) -> Halt {
    let text = format!(
        "{}: the answer is right, but the application's callers take it for wrong",
        request.path_and_query
    );
    Difference { step: None, text }.into()
}

/// Walks until enough requests are made and every interaction of the mix was seen.
pub(crate) fn walk(
    lockstep: &mut Lockstep<'_>,
    least: usize,
    progress: &mut Progress<'_>,
) -> Result<(), Halt> {
    let subject = lockstep.subject;
    let account = |number| subject.application.account(number);
    let habits = subject.application.habits(&lockstep.scenario());
    let users = Users {
        catalogue: subject.catalogue,
        mix: subject.mix,
        accounts: subject.application.accounts(&lockstep.scenario()),
        account: &account,
        habits: habits.as_ref(),
    };
    let mut missing: BTreeSet<InteractionId> =
        subject.catalogue.ids().filter(|id| subject.mix.steps(*id).next().is_some()).collect();
    // One user before the model and one before the stack: they see the same pages, so they do the same.
    let [mut before_model, mut before_stack] = [0, 0].map(|client| users.dialogue(subject.seed, client, 1));
    let mut requests = 0;
    while requests < least || !missing.is_empty() {
        if requests > least.max(100) * TIME_LIMIT {
            let names: Vec<&str> =
                missing.iter().map(|id| subject.catalogue.get(*id).name.as_str()).collect();
            return Err(VerifyError::Unseen { requests, missing: names.join(", ") }.into());
        }
        progress.within(|| format!("{requests} requests, {} interactions not seen yet", missing.len()));
        let now = STEP * requests as u32;
        let [asked, sent] =
            [&mut before_model, &mut before_stack].map(|user| user.next(&users, SESSION, now));
        let Pages { model, stack, status } = lockstep.ask(&asked, &sent)?;
        for (user, request, page) in [(&mut before_model, &asked, model), (&mut before_stack, &sent, stack)] {
            let reading = page.map(|page| user.answered(&users, request, status, &page));
            match reading {
                None => user.failed(request),
                // Who calls knows what to hear, and would take this for an error under load.
                Some(AnswerKind::Wrong) if habits.calls().is_some() => return Err(misheard(request)),
                Some(_) => {}
            }
        }
        missing.remove(&asked.interaction);
        requests += 1;
    }
    Ok(())
}
