//! The numbers of rows that requests make. Where requests are left out of a sequence, later ones make rows with other
//! numbers, and whoever asks for such a row must ask for its new one.

use application::Step;
use std::collections::HashMap;

/// A request that was sent once, and the number of the row that it made then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Remembered {
    pub(crate) step: Step,
    pub(crate) made: Option<u64>,
}

/// Which numbers rows have now instead of those that they had. Rows of different tables may have had the same number; then
/// the later one counts, so that a sequence of renumbered requests is worth a trial and no more.
#[derive(Debug, Default)]
pub(crate) struct Renumbering(HashMap<u64, u64>);

impl Renumbering {
    /// A row that had one number has another one now.
    pub(crate) fn note(&mut self, before: u64, now: u64) {
        self.0.insert(before, now);
    }

    /// The step with the new numbers.
    pub(crate) fn of(&self, step: &Step) -> Step {
        let pair = |pair: &str| {
            let Some((before, number, after)) = number(pair) else { return pair.to_owned() };
            let now = self.0.get(&number).unwrap_or(&number);
            format!("{before}{now}{after}")
        };
        let parameters = step.parameters.split('&').map(pair).collect::<Vec<_>>().join("&");
        Step { parameters, ..step.clone() }
    }
}

/// All numbers that a step's parameters have as their values.
pub(crate) fn numbers(step: &Step) -> impl Iterator<Item = u64> {
    step.parameters.split('&').filter_map(|pair| Some(number(pair)?.1))
}

/// The number that is a parameter's value, or is to be signed (`{token:17}`) or sealed, with what stands before and behind it.
fn number(pair: &str) -> Option<(&str, u64, &str)> {
    let value = pair.find('=')? + 1;
    let (begin, end) = match pair[value..].starts_with('{') {
        false => (value, pair.len()),
        true => {
            let begin = value + pair[value..].find(':')? + 1;
            (begin, begin + pair[begin..].find([':', '}'])?)
        }
    };
    let digits = &pair[begin..end];
    // `+7` and `007` are written as no number is.
    let number: u64 = digits.parse().ok().filter(|number: &u64| number.to_string() == digits)?;
    Some((&pair[..begin], number, &pair[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn whoever_asks_for_a_row_asks_for_its_new_number() {
        let mut renumbering = Renumbering::default();
        renumbering.note(17, 5);
        renumbering.note(18, 17);
        for (before, after) in [
            ("a=17&b=18&c=170&d=x17", "a=5&b=17&c=170&d=x17"),
            ("t={token:17}&u={token:18:expired}", "t={token:5}&u={token:17:expired}"),
            ("s={sealed:17}&s={sealed:17:forged}", "s={sealed:5}&s={sealed:5:forged}"),
            ("a=017&b=%31%37&c=17.0&17&d=", "a=017&b=%31%37&c=17.0&17&d="),
            ("", ""),
        ] {
            let step = |parameters: &str| Step {
                method: "GET".to_owned(),
                path: "/shop/17".to_owned(),
                parameters: parameters.to_owned(),
            };
            assert_eq!(renumbering.of(&step(before)), step(after));
        }
    }

    proptest! {
        #[test]
        fn nothing_changes_where_no_row_has_another_number(parameters in "[a-z0-9={}:&%+]{0,40}") {
            let step = Step { method: "GET".to_owned(), path: "/".to_owned(), parameters };
            let mut renumbering = Renumbering::default();
            numbers(&step).for_each(|number| renumbering.note(number, number));
            prop_assert_eq!(renumbering.of(&step), step);
        }
    }
}
