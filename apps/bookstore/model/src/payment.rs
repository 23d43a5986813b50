//! The bank's answers: one rule for the model and for the payment gateway.

use application::{Authorization, Payment};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// A card that is always declined.
pub const DECLINED: &str = "4000000000000002";

/// A card about which the bank never answers.
pub const TIMES_OUT: &str = "4000000000000119";

/// Characters of an authorisation.
const LENGTH: usize = 15;

/// Asks for a payment. The reference is the number of the cart. The card alone decides. The authorisation is the same each
/// time for the same reference and amount.
pub fn authorize(payment: &Payment) -> Authorization {
    match payment.number.as_str() {
        DECLINED => Authorization::Declined,
        TIMES_OUT => Authorization::TimesOut,
        _ => Authorization::Approved(authorization(&payment.reference, &payment.amount)),
    }
}

/// The first digits, in upper-case hexadecimal, of the SHA-256 of `reference:amount`.
fn authorization(reference: &str, amount: &str) -> String {
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

    fn ask(reference: &str, number: &str, amount: &str) -> Authorization {
        authorize(&Payment {
            reference: reference.to_owned(),
            number: number.to_owned(),
            expiry: "2030-12".to_owned(),
            amount: amount.to_owned(),
        })
    }

    #[test]
    fn a_payment_that_is_asked_for_again_has_the_same_authorisation() {
        let ask = |reference, amount| ask(reference, GOOD, amount);
        assert_eq!(ask("7", "12.50"), ask("7", "12.50"));
        assert_ne!(ask("7", "12.50"), ask("8", "12.50"));
        assert_ne!(ask("7", "12.50"), ask("7", "12.51"));
        // printf 7:12.50 | sha256sum
        assert_eq!(ask("7", "12.50"), Authorization::Approved("457950CD4BE825F".to_owned()));
    }

    #[test]
    fn two_cards_are_there_to_try_what_goes_wrong() {
        let ask = |number| ask("7", number, "12.50");
        assert_eq!((ask(DECLINED), ask(TIMES_OUT)), (Authorization::Declined, Authorization::TimesOut));
    }
}
