//! Generated text: sentences of random words.
//!
//! Every text is cut out of one long text, as in the generators of TPC: copying is much faster than drawing a thousand
//! words. It begins with a sentence, and its length in bytes is uniform.

use crate::{Draws, words};
use std::ops::RangeInclusive;

pub const MOST_BYTES: usize = 2048;

/// Long enough that two texts of a page hardly ever begin alike, and short enough for a CPU cache.
const LONG: usize = 1 << 19;

/// A long text, from which others are cut.
pub struct Prose {
    words: String,
    sentences: Vec<u32>,
}

/// A text, by its position and length.
#[derive(Debug, Clone, Copy)]
pub struct Cut {
    length: u16,
    /// The first sentence, as a fraction of all in units of 2^-32.
    place: u32,
}

impl Cut {
    /// A text with this range of bytes, at most [`MOST_BYTES`].
    pub fn new(bytes: RangeInclusive<usize>, draws: &mut Draws) -> Self {
        let length = draws.within(*bytes.start() as i64..=*bytes.end() as i64);
        Self { length: length.min(MOST_BYTES as i64) as u16, place: draws.below(1 << 32) as u32 }
    }
}

impl Prose {
    /// The long text of a random stream.
    pub fn new(mut draws: Draws) -> Self {
        let most = LONG + MOST_BYTES;
        let mut words = String::with_capacity(most);
        let mut sentences = Vec::new();
        while words.len() < LONG {
            sentences.push(words.len() as u32);
            sentence(&mut words, &mut draws);
        }
        while words.len() < most {
            sentence(&mut words, &mut draws);
        }
        Self { words, sentences }
    }

    pub fn cut(&self, cut: Cut) -> &str {
        let sentence = (cut.place as usize * self.sentences.len()) >> 32;
        let begin = self.sentences[sentence] as usize;
        self.words[begin..begin + usize::from(cut.length)].trim_end()
    }
}

/// Writes 5 to 15 words.
fn sentence(text: &mut String, draws: &mut Draws) {
    let first = draws.any(&words::WORDS);
    text.extend(first.chars().next().map(|letter| letter.to_ascii_uppercase()));
    text.push_str(&first[1..]);
    for _ in 0..draws.within(4..=14) {
        text.push(' ');
        text.push_str(draws.any(&words::WORDS));
    }
    text.push_str(". ");
}
