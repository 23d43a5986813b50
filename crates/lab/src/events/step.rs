//! The steps of a command, as those who wait are told them.

use stack::BuildStep;
use std::fmt;

/// A step that takes a moment, and perhaps how far it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// What is done.
    pub kind: StepKind,
    /// How far it is; none when it begins.
    pub detail: Option<String>,
}

/// What is done.
#[derive(Debug, Clone, PartialEq)]
pub enum StepKind {
    /// The stack is built.
    Building,
    /// A site is made, with its data.
    Site(BuildStep),
    /// It is held against the model: what of that is done.
    Verifying(String),
    /// The servers are started.
    Starting,
    /// All servers are started with the data as they were loaded.
    Restoring,
    /// Clients without think times warm the servers; by this mix, where others do so too.
    WarmingUp(Option<String>),
    /// The data are restored while the other servers run on.
    RestoringData,
    /// Clients are at work; the load in words.
    Load(String),
    /// Profilers are attached.
    AttachingProfilers,
    /// What they have seen is read.
    ReadingProfiles,
    /// The data are audited.
    Auditing,
    /// A row is deleted, which the audit must see.
    PlantingLoss,
}

impl Step {
    /// Whether it only tells how far that one is.
    pub fn continues(&self, earlier: &StepKind) -> bool {
        self.detail.is_some() && self.kind == *earlier
    }
}

/// `loading data at scale 1: 5 s left`
impl fmt::Display for Step {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(text)?;
        self.detail.as_ref().map_or(Ok(()), |detail| write!(text, ": {detail}"))
    }
}

impl fmt::Display for StepKind {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Building => text.write_str("building"),
            Self::Site(step) => step.fmt(text),
            Self::Verifying(phase) => write!(text, "verifying: {phase}"),
            Self::Starting => text.write_str("starting"),
            Self::Restoring => text.write_str("restoring everything to its first state"),
            Self::WarmingUp(None) => text.write_str("warming up"),
            Self::WarmingUp(Some(mix)) => write!(text, "warming up with the {mix} mix"),
            Self::RestoringData => text.write_str("restoring the data; servers stay up"),
            Self::Load(load) => text.write_str(load),
            Self::AttachingProfilers => text.write_str("attaching profilers"),
            Self::ReadingProfiles => text.write_str("reading what the profilers saw"),
            Self::Auditing => text.write_str("auditing what has changed"),
            Self::PlantingLoss => text.write_str("deleting a row, to see whether the audit sees it"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_continues_only_one_of_its_own_kind() {
        let step = |kind: &StepKind, detail: Option<&str>| Step {
            kind: kind.clone(),
            detail: detail.map(ToOwned::to_owned),
        };
        let loading = StepKind::Site(BuildStep::LoadingData(0.05));
        let further = step(&loading, Some("5 s left"));
        assert_eq!(further.to_string(), "loading data at scale 0.05: 5 s left");
        assert!(further.continues(&loading));
        assert!(!step(&loading, None).continues(&loading), "it begins again");
        assert!(!further.continues(&StepKind::Site(BuildStep::LoadingData(1.0))));
        let phase = |name: &str| StepKind::Verifying(name.to_owned());
        assert!(!step(&phase("walk by the mix"), Some("9 requests")).continues(&phase("starting")));
    }
}
