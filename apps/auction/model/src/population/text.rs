//! Generated text.

use crate::words;
use rand::{RngExt, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

/// Descriptions and comments have 1 to this many bytes.
pub const MOST_BYTES: usize = 2048;

pub fn any<'a>(words: &[&'a str], random: &mut ChaCha8Rng) -> &'a str {
    words.choose(random).expect("lists of words aren't empty")
}

/// Sentences of random words, cut at a random length in bytes.
pub fn sentences(random: &mut ChaCha8Rng) -> String {
    let length = random.random_range(1..=MOST_BYTES);
    let mut text = String::with_capacity(length + 32);
    let mut left_in_sentence = 0;
    while text.len() < length {
        let word = any(&words::WORDS, random);
        if left_in_sentence == 0 {
            text.push_str(if text.is_empty() { "" } else { ". " });
            text.push_str(&word[..1].to_uppercase());
            text.push_str(&word[1..]);
            left_in_sentence = random.random_range(4..=14);
        } else {
            text.push(' ');
            text.push_str(word);
            left_in_sentence -= 1;
        }
    }
    text.truncate(length);
    text.truncate(text.trim_end().len());
    text
}
