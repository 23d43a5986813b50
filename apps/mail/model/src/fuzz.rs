//! Random requests: mostly sensible, often at or just beyond a limit.

use crate::{
    population::{nickname, password},
    rows::FIRST_NEW_UID,
    script::{address_book, delete, home, list, log_in, log_out, read, send, write},
};
use application::Step;
use rand::{Rng, RngExt, seq::IndexedRandom};

const SUBJECTS: [&str; 6] =
    ["News", "O'Brien & <Sons>", "Łukasz \"😀\" \\", " ", "=?utf-8?Q?x?=  y", "x\r\nBcc: user1@mail.test"];
const TEXTS: [&str; 6] = [
    "Fine.",
    "<script>alert('1')</script>",
    "One\r\n.\r\ntwo\t&lt;",
    ".\r\nQUIT\r\n",
    "--=_next_part_0123456789--\n",
    "é\n\n😀",
];

/// Few people, so that requests interact.
const FEW: u64 = 4;

pub fn fuzz(people: u64, random: &mut dyn Rng) -> Step {
    let person = random.random_range(1..=people.min(FEW));
    let to = nickname(random.random_range(1..=people.min(FEW) + 1));
    match random.random_range(0..20) {
        0 => home(),
        1 => log_in(&nickname(person), &password(person)),
        2 => log_in(&nickname(person), any(&["password", "*", "password1"], random)),
        3 => log_out(person),
        4..=6 => list(person, any(&["0", "1", "2", "00"], random)),
        7..=9 => read(person, &message(random)),
        10 | 11 => delete(person, &message(random)),
        12 => address_book(person, any(&["A", "G", "M", "Z", "AA"], random)),
        13 => write(person, &to),
        14 => {
            let length = |most: usize, random: &mut dyn Rng| most - 1 + random.random_range(0..3);
            let (subject, text) = (length(100, random), length(20_000, random));
            send(person, &to, &"é".repeat(subject), &"😀".repeat(text))
        }
        _ => send(person, &to, any(&SUBJECTS, random), any(&TEXTS, random)),
    }
}

/// A generated message, or one of the first new ones.
fn message(random: &mut dyn Rng) -> String {
    let first = if random.random_range(0..2) == 0 { 1 } else { FIRST_NEW_UID };
    (first + random.random_range(0..20)).to_string()
}

fn any<'a>(choices: &[&'a str], random: &mut dyn Rng) -> &'a str {
    choices.choose(random).expect("there is a choice")
}
