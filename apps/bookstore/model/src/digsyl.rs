//! Syllables for digits: the specification's searchable names.

const SYLLABLES: [&str; 10] = ["BA", "OG", "AL", "RI", "RE", "SE", "AT", "UL", "IN", "NG"];

/// Digits of the names of books and authors.
const NAME_DIGITS: usize = 7;

/// A syllable for each digit of a number: `digsyl(102)` is `OGBAAL`.
pub fn digsyl(number: u64) -> String {
    number.to_string().bytes().map(|digit| SYLLABLES[usize::from(digit - b'0')]).collect()
}

/// The name of a number, in titles and of authors: seven digits, capitalised.
pub fn name(number: u64) -> String {
    let syllables = digsyl(number);
    let zeros = SYLLABLES[0].repeat(NAME_DIGITS.saturating_sub(syllables.len() / 2));
    let lower = format!("{zeros}{syllables}").to_ascii_lowercase();
    format!("{}{}", lower[..1].to_ascii_uppercase(), &lower[1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_have_their_syllables() {
        assert_eq!(digsyl(1_234_567_890), "OGALRIRESEATULINNGBA");
        assert_eq!((digsyl(0), name(0)), ("BA".to_owned(), "Bababababababa".to_owned()));
        assert_eq!(name(102), "Babababaogbaal");
    }
}
