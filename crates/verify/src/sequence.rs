//! A seeded random sequence of the model's suggestions, so that requests occur in combinations that no script and no
//! mix contains.

use crate::{Halt, damage, lockstep::Lockstep, malicious_inputs, progress::ProgressReporter};
use application::Step;
use rand::Rng;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Sends `steps` suggestions.
pub(crate) fn send(
    lockstep: &mut Lockstep<'_>,
    steps: usize,
    progress: &mut ProgressReporter<'_>,
) -> Result<(), Halt> {
    let mut random = ChaCha8Rng::seed_from_u64(lockstep.subject.seed);
    for number in 0..steps {
        progress.within(|| format!("{number} of {steps} requests"));
        let step = lockstep.suggest(&mut random);
        lockstep.send(&step)?;
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

/// Sends suggestions with damaged parameters: both sides must parse them alike.
pub(crate) fn send_spoilt(
    lockstep: &mut Lockstep<'_>,
    steps: usize,
    progress: &mut ProgressReporter<'_>,
) -> Result<(), Halt> {
    let mut random = ChaCha8Rng::seed_from_u64(lockstep.subject.seed);
    for number in 0..steps {
        progress.within(|| format!("{number} of {steps} requests"));
        let step = spoilt(lockstep.suggest(&mut random), &mut random);
        lockstep.send(&step)?;
    }
    Ok(())
}
