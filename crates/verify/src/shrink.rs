//! Delta debugging: reduces a failing sequence to a short one that still fails.

/// The result of trying a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TrialResult {
    /// It doesn't fail.
    Passes,
    /// It fails after this many elements.
    Fails(usize),
    /// The time limit is reached.
    Enough,
}

/// A heuristic that leaves out many elements at once.
pub(crate) type Guess<'a, T> = &'a dyn Fn(&[T]) -> Vec<T>;

/// Shortens a failing sequence: first by each guess, then by leaving out ever smaller parts, from the end to the
/// beginning, until every element is needed or the time limit is reached.
pub(crate) fn shrink<T: Clone, E>(
    whole: Vec<T>,
    guesses: &[Guess<'_, T>],
    mut trial: impl FnMut(&[T]) -> Result<TrialResult, E>,
) -> Result<Vec<T>, E> {
    let mut best = whole;
    for guess in guesses {
        let candidate = guess(&best);
        if candidate.is_empty() || candidate.len() >= best.len() {
            continue;
        }
        match trial(&candidate)? {
            TrialResult::Passes => {}
            TrialResult::Fails(length) => best = candidate[..length].to_vec(),
            TrialResult::Enough => return Ok(best),
        }
    }
    let mut part = best.len().div_ceil(2);
    loop {
        let before = best.len();
        let mut end = before;
        while end > 0 {
            let start = end.saturating_sub(part);
            let candidate = [&best[..start], &best[end..]].concat();
            if !candidate.is_empty() {
                match trial(&candidate)? {
                    TrialResult::Passes => {}
                    TrialResult::Fails(length) => best = candidate[..length].to_vec(),
                    TrialResult::Enough => return Ok(best),
                }
            }
            end = start.min(best.len());
        }
        if part > 1 {
            part = (part / 2).min(best.len().div_ceil(2));
        } else if best.len() == before {
            return Ok(best);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::convert::Infallible;

    /// Fails if the sequence contains the needed elements in this order; counts the trials.
    fn planted(needed: &[u32], trials: &mut usize, sequence: &[u32]) -> Result<TrialResult, Infallible> {
        *trials += 1;
        let mut missing = needed.iter().peekable();
        for (at, element) in sequence.iter().enumerate() {
            missing.next_if_eq(&element);
            if missing.peek().is_none() {
                return Ok(TrialResult::Fails(at + 1));
            }
        }
        Ok(TrialResult::Passes)
    }

    #[test]
    fn two_hundred_steps_shrink_to_the_three_needed() {
        let needed = [17, 90, 150];
        let mut trials = 0;
        let whole = (0..200).collect();
        let found = shrink(whole, &[], |sequence| planted(&needed, &mut trials, sequence)).unwrap();
        assert_eq!(found, needed);
        assert!(trials < 60, "{trials} trials");
    }

    #[test]
    fn a_good_guess_saves_trials_and_a_bad_one_costs_one() {
        let needed = [40, 60, 80];
        let tens = |sequence: &[u32]| sequence.iter().copied().filter(|element| element % 20 == 0).collect();
        let nothing = |_: &[u32]| Vec::new();
        let last = |sequence: &[u32]| sequence[sequence.len() - 1..].to_vec();
        let mut trials = 0;
        let whole: Vec<u32> = (0..=80).collect();
        let found =
            shrink(whole, &[&nothing, &last, &tens], |sequence| planted(&needed, &mut trials, sequence));
        assert_eq!(found, Ok(needed.to_vec()));
        assert!(trials < 16, "{trials} trials");
    }

    #[test]
    fn the_result_at_the_time_limit_still_fails() {
        let needed = [17, 90, 150];
        let mut trials = 0;
        let found = shrink((0..200).collect(), &[], |sequence| match trials {
            5 => Ok(TrialResult::Enough),
            _ => planted(&needed, &mut trials, sequence),
        });
        let found: Vec<u32> = found.unwrap();
        assert!(found.len() < 200, "{}", found.len());
        assert!(matches!(planted(&needed, &mut trials, &found), Ok(TrialResult::Fails(_))));
    }

    proptest! {
        #[test]
        fn every_remaining_element_is_needed(
            needed in prop::collection::btree_set(0_u32..120, 1..6),
            length in 120_u32..150,
        ) {
            let needed: Vec<u32> = needed.into_iter().collect();
            let mut trials = 0;
            let found = shrink((0..length).collect(), &[], |sequence| planted(&needed, &mut trials, sequence));
            prop_assert_eq!(found, Ok(needed));
        }
    }
}
