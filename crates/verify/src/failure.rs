//! A difference, the shortest sequence of requests that reproduces it, and the file of the sequence.

use crate::{
    Survey,
    difference::{Difference, cut},
};
use application::Step;
use std::{fmt, io, path::PathBuf};

/// A difference and how to reproduce it.
#[derive(Debug)]
pub struct Failure {
    /// Outcome of each interaction, if that was asked for.
    pub survey: Option<Survey>,
    /// Requests sent before it was found.
    pub after: usize,
    /// The shortest sequence, or all requests if the difference was not reproduced.
    pub steps: Vec<Step>,
    /// The difference at the end of that sequence.
    pub difference: Difference,
    /// True if it was reproduced on a fresh site.
    pub again: bool,
    /// The file of the sequence, or the reason why it could not be saved.
    pub saved: Result<PathBuf, io::Error>,
    /// The command that replays it.
    pub replay: String,
    /// The logs of the servers after that difference, by their names in a result, if a server failed.
    pub logs: Vec<(PathBuf, Vec<u8>)>,
}

/// Number of steps shown; the rest is in the file.
const SHOWN: usize = 12;

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { survey, after, steps, difference, again, saved, replay, logs: _ } = self;
        survey.iter().try_for_each(|survey| writeln!(f, "{survey}"))?;
        match (again, steps.len()) {
            (true, 1) => writeln!(f, "seen after {after} requests; this one shows it on a fresh site:")?,
            (true, count) => {
                writeln!(f, "seen after {after} requests; these {count} show it on a fresh site:")?;
            }
            (false, count) => writeln!(
                f,
                "seen after {after} requests, but not again when the same {count} were sent to a fresh site: it depends \
                 on time, or on what processes remember"
            )?,
        }
        // Without a file, all steps are shown.
        let hidden = if saved.is_ok() { steps.len().saturating_sub(SHOWN) } else { 0 };
        if hidden > 0 {
            writeln!(f, "  ({hidden} before)")?;
        }
        steps[hidden..].iter().try_for_each(|step| writeln!(f, "  {}", cut(step)))?;
        writeln!(f, "{difference}")?;
        match saved {
            Ok(file) => write!(f, "saved in {}; to send it again:\n  {replay}", file.display()),
            Err(error) => write!(f, "it could not be saved: {error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_shows_the_difference_and_how_to_reproduce_it() {
        let lines = ["POST /shop/Buy item=7", "GET /shop/Item item=7"];
        let steps: Vec<Step> = lines.iter().map(|line| line.parse().unwrap()).collect();
        let difference =
            Difference { step: Some(steps[1].clone()), text: "  expected: 1\n  got: 2".to_owned() };
        let mut failure = Failure {
            survey: None,
            after: 300,
            steps,
            difference,
            again: true,
            saved: Ok("failure-X.steps".into()),
            replay: "tierbench verify shop X --replay failure-X.steps".to_owned(),
            logs: Vec::new(),
        };
        assert_eq!(
            failure.to_string(),
            "seen after 300 requests; these 2 show it on a fresh site:\n  POST /shop/Buy item=7\n  GET /shop/Item item=7\n\
             GET /shop/Item item=7\n  expected: 1\n  got: 2\n\
             saved in failure-X.steps; to send it again:\n  tierbench verify shop X --replay failure-X.steps"
        );
        failure.again = false;
        assert!(failure.to_string().contains("not again when the same 2 were sent"), "{failure}");
        failure.saved = Err(io::Error::from(io::ErrorKind::PermissionDenied));
        assert!(failure.to_string().ends_with("it could not be saved: permission denied"), "{failure}");
    }

    #[test]
    fn long_steps_are_cut_and_long_sequences_show_their_end() {
        let long = Step::get("/shop/Item", &[("item", &"ä".repeat(1000))]);
        assert!(cut(&long).ends_with("… (6020 characters)"), "{}", cut(&long));
        let failure = Failure {
            survey: None,
            after: 300,
            steps: (0..30).map(|item| Step::get("/shop/Item", &[("item", &item.to_string())])).collect(),
            difference: Difference { step: None, text: "table x differs".to_owned() },
            again: true,
            saved: Ok("a".into()),
            replay: String::new(),
            logs: Vec::new(),
        };
        let text = failure.to_string();
        assert!(text.contains("  (18 before)\n  GET /shop/Item item=18\n"), "{text}");
    }
}
