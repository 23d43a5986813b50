//! A table of all interactions: one difference must not hide how far the others are.

use crate::{
    Depth, Difference, Halt, Subject, VerifyError, compare, lockstep::Lockstep, progress::ProgressReporter,
};
use stack::Site;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};
use workload::{Catalogue, InteractionId};

/// Outcome of an interaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It answers as the model does.
    Done,
    /// The first line of its first difference.
    Differs(String),
    /// The stack answers 404 where the model has a page.
    Missing,
    /// A partial stack doesn't declare it, or nobody asked for it.
    LeftOut,
    /// No request had its page as an answer.
    NotSeen,
}

/// All interactions of an application with what became of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Survey(Vec<(String, State)>);

/// Interactions that differ.
pub(crate) type Found = BTreeMap<InteractionId, State>;

impl Survey {
    pub(crate) fn new(
        catalogue: &Catalogue,
        scope: &BTreeSet<InteractionId>,
        found: &Found,
        covered: &BTreeSet<InteractionId>,
    ) -> Self {
        let state = |id: InteractionId| match found.get(&id) {
            Some(state) => state.clone(),
            None if !scope.contains(&id) => State::LeftOut,
            None if covered.contains(&id) => State::Done,
            None => State::NotSeen,
        };
        Self(catalogue.ids().map(|id| (catalogue.get(id).name.clone(), state(id))).collect())
    }

    /// True if all of them are done.
    pub fn is_whole(&self) -> bool {
        self.0.iter().all(|(_, state)| *state == State::Done)
    }

    /// The interactions that are done, and all.
    pub fn counts(&self) -> (usize, usize) {
        (self.count(|state| *state == State::Done), self.0.len())
    }

    fn count(&self, is: impl Fn(&State) -> bool) -> usize {
        self.0.iter().filter(|(_, state)| is(state)).count()
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done => f.write_str("done"),
            Self::Differs(text) => write!(f, "differs: {text}"),
            Self::Missing => f.write_str("missing"),
            Self::LeftOut => f.write_str("left out"),
            Self::NotSeen => f.write_str("not seen"),
        }
    }
}

/// The counts, then a line for each interaction.
impl fmt::Display for Survey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (done, all) = self.counts();
        write!(f, "{done} of {all} interactions done")?;
        let differ = self.count(|state| matches!(state, State::Differs(_)));
        let others = [
            (differ, if differ == 1 { "differs" } else { "differ" }),
            (self.count(|state| *state == State::Missing), "missing"),
            (self.count(|state| *state == State::LeftOut), "left out"),
            (self.count(|state| *state == State::NotSeen), "not seen"),
        ];
        for (count, what) in others.iter().filter(|(count, _)| *count > 0) {
            write!(f, ", {count} {what}")?;
        }
        let width = self.0.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
        self.0.iter().try_for_each(|(name, state)| write!(f, "\n  {name:<width$}  {state}"))
    }
}

/// The most characters of a difference in the table.
const LONGEST: usize = 90;

/// Interaction in which a difference was seen, with its state.
pub(crate) fn found(lockstep: &Lockstep<'_>, difference: &Difference) -> Option<(InteractionId, State)> {
    let id = lockstep.interaction(difference.step.as_ref()?)?;
    let first = difference.text.lines().next().unwrap_or_default().trim();
    let state = match lockstep.is_missing() {
        true => State::Missing,
        false => State::Differs(first.chars().take(LONGEST).collect()),
    };
    Some((id, state))
}

/// Tries the other interactions on fresh sites, with the branches of the rules and some wrong values. Rows that differ end
/// it: nobody knows which interaction wrote them.
pub(crate) fn take(
    subject: &Subject<'_>,
    site: &mut Site<'_>,
    mut all: Found,
    progress: &mut ProgressReporter<'_>,
) -> Result<Survey, VerifyError> {
    loop {
        progress.begin("trying the other interactions");
        site.refresh()?;
        let mut lockstep = Lockstep::new(subject, site)?;
        lockstep.leave_out(all.keys());
        let ended = compare(&mut lockstep, Depth::Smoke, progress);
        let next = match ended {
            Err(Halt::Difference(difference)) => found(&lockstep, &difference),
            _ => None,
        };
        match next {
            Some((id, state)) if !all.contains_key(&id) => drop(all.insert(id, state)),
            _ => return Ok(Survey::new(subject.catalogue, &subject.scope, &all, lockstep.covered())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_survey_counts_and_lists_all_interactions() {
        let survey = Survey(
            [
                ("Form", State::Done),
                ("Store", State::Differs("status: 500 instead of 200".to_owned())),
                ("List", State::Missing),
                ("Own", State::LeftOut),
            ]
            .map(|(name, state)| (name.to_owned(), state))
            .into(),
        );
        assert_eq!(
            survey.to_string(),
            "1 of 4 interactions done, 1 differs, 1 missing, 1 left out\n  Form   done\n  Store  differs: status: 500 \
             instead of 200\n  List   missing\n  Own    left out"
        );
        assert!(!survey.is_whole());
    }
}
