//! Random requests, common to the models of all applications.

use crate::Step;
use rand::{Rng, RngExt, seq::IndexedRandom};

/// Values that are hardly ever valid.
const ODD: [&str; 12] =
    ["", "%00", "%FF", "-1", "0", "01", "+1", "1e1", "10000000000", "%C3%A4", "%", "a%26b%3Dc"];

pub trait FuzzSource {
    fn random(&mut self) -> &mut dyn Rng;

    /// A random choice.
    fn any<T: Copy>(&mut self, choices: &[T]) -> T {
        *choices.choose(self.random()).expect("there is a choice")
    }

    /// True with the probability 1/`times`.
    fn rarely(&mut self, times: u32) -> bool {
        self.random().random_ratio(1, times)
    }

    /// A text of at most `most` code points, sometimes of exactly so many.
    fn text(&mut self, most: usize) -> String {
        let texts = [
            "x",
            "Zoë & 'Łukasz'",
            "<script>alert(1)</script>",
            "  two  blanks ",
            "1\r\n2\n3",
            "😀 100 % \\ + \"",
            "--; DROP",
        ];
        let text = self.any(&texts);
        let length = if self.rarely(8) { most } else { text.chars().count().min(most) };
        text.chars().cycle().take(length).collect()
    }

    /// The step, but one time in twenty with another method or malformed.
    fn at_times_odd(&mut self, step: Step) -> Step {
        match self.random().random_range(0..60) {
            0 => Step { method: self.any(&["GET", "POST", "PUT"]).to_owned(), ..step },
            1..=2 => self.malformed(step),
            _ => step,
        }
    }

    /// The step with one parameter missing, repeated, or hardly ever valid.
    fn malformed(&mut self, step: Step) -> Step {
        let mut pairs: Vec<String> = step.parameters.split('&').map(str::to_owned).collect();
        let at = self.random().random_range(0..pairs.len());
        let name = pairs[at].split('=').next().unwrap_or_default().to_owned();
        match self.random().random_range(0..8) {
            0 => drop(pairs.remove(at)),
            1 => pairs.push(pairs[at].clone()),
            2 => pairs.swap(0, at),
            3 => pairs[at] = format!("{name}={}", "%F0%9F%98%80".repeat(101)),
            _ => pairs[at] = format!("{name}={}", self.any(&ODD)),
        }
        Step { parameters: pairs.join("&"), ..step }
    }
}
