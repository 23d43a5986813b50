//! A bank's answers to payments: one rule for the model and for the payment gateway of its stacks.

/// A payment request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    /// Its reference. A repeated request with the same reference is not charged again.
    pub reference: String,
    /// The card's number.
    pub number: String,
    /// When the card expires, as `2030-12`.
    pub expiry: String,
    /// The amount, as `12.50`.
    pub amount: String,
}

/// The bank's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Authorization {
    /// Approved, with this number.
    Approved(String),
    /// Declined.
    Declined,
    /// No answer.
    TimesOut,
}

/// The bank's answer to each payment. It is stateless: the same payment has the same answer.
pub type PaymentRule = fn(&Payment) -> Authorization;
