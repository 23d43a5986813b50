//! A seeded random sequence of the model's fuzzed requests, so that requests occur in combinations that no script and no
//! mix contains.

use crate::{Halt, damage, lockstep::Lockstep, malicious_inputs, progress::ProgressReporter};
use application::Step;
use rand::Rng;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The most fuzzed requests that are tried for one.
const TRIES: usize = 100;

/// Sends so many plain requests.
pub(crate) fn send(
    lockstep: &mut Lockstep<'_>,
    steps: usize,
    progress: &mut ProgressReporter<'_>,
) -> Result<(), Halt> {
    send_some(lockstep, steps, true, |step, _| step, progress)
}

/// Sends `steps` fuzzed requests with damaged parameters. Both sides must read plain ones alike; others are judged by
/// safety.
pub(crate) fn send_spoilt(
    lockstep: &mut Lockstep<'_>,
    steps: usize,
    is_plain: bool,
    progress: &mut ProgressReporter<'_>,
) -> Result<(), Halt> {
    send_some(lockstep, steps, is_plain, spoilt, progress)
}

fn send_some(
    lockstep: &mut Lockstep<'_>,
    steps: usize,
    is_plain: bool,
    change: fn(Step, &mut ChaCha8Rng) -> Step,
    progress: &mut ProgressReporter<'_>,
) -> Result<(), Halt> {
    let mut random = ChaCha8Rng::seed_from_u64(lockstep.subject.seed);
    for number in 0..steps {
        progress.within(|| format!("{number} of {steps} requests"));
        let changed = |_| change(lockstep.fuzz(&mut random), &mut random);
        // No request of an application may be such a one.
        let Some(step) =
            (0..TRIES).map(changed).find(|step| lockstep.has(step) && lockstep.is_plain(step) == is_plain)
        else {
            break;
        };
        lockstep.send_varied(&step, true)?;
    }
    Ok(())
}

/// The request with its parameters damaged, or its document.
fn spoilt(step: Step, random: &mut impl Rng) -> Step {
    match step.as_document() {
        None => malicious_inputs::spoilt(step, random),
        Some((headers, body)) => {
            let text = damage::spoilt(&String::from_utf8_lossy(&body), random);
            text.map_or(step.clone(), |text| Step::document(&step.path, &headers, text.as_bytes()))
        }
    }
}
