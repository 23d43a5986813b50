//! Outcomes of all faults, and the judgement on them.

use crate::{
    explained::{Expectation, Explained},
    injection::{Catch, Injection, Outcome},
};
use std::{collections::BTreeMap, process::ExitCode};

/// At least so many of a hundred faults must be caught.
const ENOUGH: usize = 95;

/// At most so many requests may be needed to show a fault.
const FEW: usize = 10;

/// Table of the faults that each phase has caught, and of its speed.
pub(crate) fn of(injected: &[(&Injection, Outcome)]) -> String {
    let mut phases: BTreeMap<(&str, &str), Vec<&Catch>> = BTreeMap::new();
    for (injection, outcome) in injected {
        if let Outcome::Caught(catch) = outcome {
            phases.entry((&injection.configuration, &catch.phase)).or_default().push(catch);
        }
    }
    let mut table = format!(
        "{:<12} {:<28} {:>6} {:>9} {:>9} {:>9}\n",
        "stack", "caught by", "faults", "requests", "shortest", "seconds"
    );
    for ((configuration, phase), catches) in phases {
        let count = catches.len();
        let seconds = catches.iter().map(|catch| catch.seconds).sum::<f64>() / count as f64;
        let middle =
            |of: fn(&Catch) -> Option<usize>| median(catches.iter().filter_map(|catch| of(catch)).collect());
        table.push_str(&format!(
            "{configuration:<12} {phase:<28} {count:>6} {:>9} {:>9} {seconds:>9.1}\n",
            middle(|catch| catch.after),
            middle(|catch| catch.shortest),
        ));
    }
    table + "(requests and lengths of the shortest sequences: medians; seconds: means, loading included)"
}

fn median(mut numbers: Vec<usize>) -> String {
    numbers.sort_unstable();
    numbers.get(numbers.len() / 2).map_or("-".to_owned(), ToString::to_string)
}

/// Says what is wrong, and whether anything is.
pub(crate) fn judge(injected: &[(&Injection, Outcome)], explained: &Explained) -> ExitCode {
    let (mut caught, mut faults, mut wrong) = (0, 0, Vec::new());
    for (injection, outcome) in injected {
        let Injection { name, says, .. } = injection;
        let explanation = explained.of(injection);
        match (outcome, explanation) {
            (Outcome::Broken(_), _) => wrong.push(format!("{name}: its site didn't run, see above")),
            (Outcome::Caught(_), Expectation::Same(because) | Expectation::Missed(because)) => {
                wrong.push(format!("{name} is caught, so that this is no longer true: {because}"));
            }
            (Outcome::Caught(Catch { shortest: Some(shortest), .. }), Expectation::Nothing)
                if *shortest > FEW =>
            {
                wrong.push(format!("{name}: {shortest} requests show it, and {FEW} at most should"));
            }
            (Outcome::Missed { .. }, Expectation::Nothing | Expectation::Long) => {
                wrong.push(format!("{name} is missed: {says}"));
            }
            (Outcome::Missed { .. }, Expectation::Missed(because)) => println!("{name} is missed: {because}"),
            (Outcome::Missed { .. }, Expectation::Same(because)) => println!("{name} is no fault: {because}"),
            (Outcome::Caught(_), Expectation::Nothing | Expectation::Long) => {}
        }
        faults += usize::from(!matches!(explanation, Expectation::Same(_)));
        caught += usize::from(matches!(outcome, Outcome::Caught(_)));
    }
    let percent = 100.0 * caught as f64 / faults.max(1) as f64;
    println!("{caught} of {faults} faults caught: {percent:.1} %");
    wrong.iter().for_each(|text| println!("WRONG: {text}"));
    let enough = caught * 100 >= faults * ENOUGH;
    if enough && wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
