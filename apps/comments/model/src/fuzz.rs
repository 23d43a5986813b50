//! Random requests: mostly sensible, often at or just beyond a limit.

use crate::script::{form, list, store};
use application::Step;
use rand::{Rng, RngExt, seq::IndexedRandom};

const NAMES: [&str; 5] = ["Ada", "O'Brien & <Sons>", "Łukasz \"😀\" \\", " ", "%41+b"];
const ADDRESSES: [&str; 4] = ["ada@example.org", "\"<i>\"@example.org", "@", "nowhere"];
const TEXTS: [&str; 4] =
    ["Fine.", "<script>alert('1')</script>", "One\r\n\ntwo\t&lt;", "'; DROP TABLE comments; --"];

pub fn fuzz(random: &mut dyn Rng) -> Step {
    match random.random_range(0..10) {
        0 => form(),
        1..=3 => list(),
        4 => {
            let length = |most: usize, random: &mut dyn Rng| most - 1 + random.random_range(0..3);
            let (name, comment) = (length(50, random), length(2048, random));
            store(&"é".repeat(name), "ada@example.org", &"😀".repeat(comment))
        }
        5 => Step { method: "PUT".to_owned(), ..list() },
        _ => store(any(&NAMES, random), any(&ADDRESSES, random), any(&TEXTS, random)),
    }
}

fn any<'a>(choices: &[&'a str], random: &mut dyn Rng) -> &'a str {
    choices.choose(random).expect("there is a choice")
}
