//! Numbers of rows that requests make. If requests are left out of a sequence, later rows get other numbers, and
//! requests must refer to the new ones.

use application::Step;
use std::collections::HashMap;

/// A request that was sent, and the number of the row that it made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Remembered {
    pub(crate) step: Step,
    pub(crate) made: Option<u64>,
}

/// The new numbers of rows, by their old ones. Rows of different tables may have had the same number; then the later
/// one counts, so that a renumbered sequence is only a guess.
#[derive(Debug, Default)]
pub(crate) struct Renumbering(HashMap<u64, u64>);

impl Renumbering {
    /// Records the new number of a row.
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

/// All numeric values of a step's parameters.
pub(crate) fn numbers(step: &Step) -> impl Iterator<Item = u64> {
    step.parameters.split('&').filter_map(|pair| Some(number(pair)?.1))
}

/// The number that is a parameter's value, or is to be signed (`{token:17}`) or sealed, with the text around it.
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
    // `+7` and `007` are no notations of numbers.
    let number: u64 = digits.parse().ok().filter(|number: &u64| number.to_string() == digits)?;
    Some((&pair[..begin], number, &pair[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn requests_use_the_new_numbers_of_rows() {
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
        fn unchanged_numbers_change_no_request(parameters in "[a-z0-9={}:&%+]{0,40}") {
            let step = Step { method: "GET".to_owned(), path: "/".to_owned(), parameters };
            let mut renumbering = Renumbering::default();
            numbers(&step).for_each(|number| renumbering.note(number, number));
            prop_assert_eq!(renumbering.of(&step), step);
        }
    }
}
