//! The walk of one seeded user after another through a mix.

use crate::{
    Difference, Halt, VerifyError,
    lockstep::{Lockstep, Pages},
    progress::ProgressReporter,
};
use std::{collections::BTreeSet, time::Duration};
use workload::{Answer, AnswerKind, InteractionId, Request, Users};

/// The time between two requests of the walk, for session lengths.
const STEP: Duration = Duration::from_secs(1);
/// Mean length of a session: long enough for a whole transaction, short enough for several accounts.
const SESSION: Duration = Duration::from_secs(60);
/// The most requests for each requested one: a longer walk would never visit all interactions.
const MOST_REQUESTS_PER_REQUESTED: usize = 50;

fn misjudged(request: &Request) -> Halt {
    let text = format!(
        "{}: the answer is correct, but the application's own check rejects it",
        request.path_and_query
    );
    Difference { step: None, text }.into()
}

/// Walks until enough requests are made and every interaction of the mix was visited.
pub(crate) fn walk(
    lockstep: &mut Lockstep<'_>,
    least: usize,
    progress: &mut ProgressReporter<'_>,
) -> Result<(), Halt> {
    let subject = lockstep.subject;
    let account = |number| subject.application.account(number);
    let habits = subject.application.habits(&lockstep.dataset());
    let within = (!subject.is_whole())
        .then(|| subject.mix.within(subject.catalogue.start, |id| lockstep.scope().contains(&id)));
    let mix = match &within {
        None => subject.mix,
        Some(Some(within)) => within,
        // Its users can't begin.
        Some(None) => return Ok(()),
    };
    let users = Users {
        catalogue: subject.catalogue,
        mix,
        accounts: subject.application.accounts(&lockstep.dataset()),
        account: &account,
        habits: habits.as_ref(),
    };
    let mut missing: BTreeSet<InteractionId> =
        subject.catalogue.ids().filter(|id| mix.steps(*id).next().is_some()).collect();
    if within.is_some() {
        // What is left of a mix may lead to some of them hardly ever.
        missing.clear();
    }
    // One user for the model and one for the stack: they get the same pages, so they do the same.
    let [mut before_model, mut before_stack] =
        [0, 0].map(|client| users.dialogue(subject.seed, client, 1, None));
    let mut requests = 0;
    while requests < least || !missing.is_empty() {
        if requests > least.max(100) * MOST_REQUESTS_PER_REQUESTED {
            let names: Vec<&str> =
                missing.iter().map(|id| subject.catalogue.get(*id).name.as_str()).collect();
            return Err(VerifyError::Unseen { requests, missing: names.join(", ") }.into());
        }
        progress.within(|| format!("{requests} requests, {} interactions not seen yet", missing.len()));
        let now = STEP * requests as u32;
        let [asked, sent] =
            [&mut before_model, &mut before_stack].map(|user| user.next(&users, SESSION, now));
        let Pages { model, stack, status } = lockstep.request(&asked, &sent)?;
        for (user, request, page) in [(&mut before_model, &asked, model), (&mut before_stack, &sent, stack)] {
            let kind = page.map(|page| {
                let answer = Answer { status, ..Answer::page(&page) };
                user.answered(&users, request, &answer)
            });
            match kind {
                None => user.failed(request),
                // A caller checks the answer, and would count this as an error under load.
                Some(AnswerKind::Wrong) if habits.calls().is_some() => return Err(misjudged(request)),
                Some(_) => {}
            }
        }
        missing.remove(&asked.interaction);
        requests += 1;
    }
    Ok(())
}
