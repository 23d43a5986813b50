//! What the bank answers: one rule for the model and for the payment gateway.

use application::Money;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// A card that is always declined.
pub const DECLINED: &str = "4000000000000002";

/// A card about which the bank never answers.
pub const TIMES_OUT: &str = "4000000000000119";

/// How many characters an authorisation has.
const LENGTH: usize = 15;

/// What the bank says to a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It will pay. The authorisation is the same each time for the same reference and amount, and pays once.
    Approved(String),
    /// It won't.
    Declined,
    /// Nothing, however long one waits.
    TimesOut,
}

/// Asks for a payment. The reference says what it is for: the number of the cart. The card decides; its expiry, as
/// `2030-12`, and the amount do not.
pub fn authorize(reference: &str, number: &str, _expiry: &str, amount: Money) -> Answer {
    match number {
        DECLINED => Answer::Declined,
        TIMES_OUT => Answer::TimesOut,
        _ => Answer::Approved(authorization(reference, amount)),
    }
}

/// The first digits, in upper-case hexadecimal, of the SHA-256 of `reference:amount`.
fn authorization(reference: &str, amount: Money) -> String {
    let digest = Sha256::digest(format!("{reference}:{amount}"));
    let mut text = digest.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02X}").expect("writing to memory can't fail");
        text
    });
    text.truncate(LENGTH);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "4111111111111111";

    #[test]
    fn a_payment_that_is_asked_for_again_has_the_same_authorisation() {
        let ask = |reference, cents| authorize(reference, GOOD, "2030-12", Money(cents));
        assert_eq!(ask("7", 1250), ask("7", 1250));
        assert_ne!(ask("7", 1250), ask("8", 1250));
        assert_ne!(ask("7", 1250), ask("7", 1251));
        // printf 7:12.50 | sha256sum
        assert_eq!(ask("7", 1250), Answer::Approved("457950CD4BE825F".to_owned()));
    }

    #[test]
    fn two_cards_are_there_to_try_what_goes_wrong() {
        let ask = |number| authorize("7", number, "2030-12", Money(1250));
        assert_eq!((ask(DECLINED), ask(TIMES_OUT)), (Answer::Declined, Answer::TimesOut));
    }
}
