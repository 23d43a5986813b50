//! What a bank says to payments, where an application takes cards: one rule for its model and for the payment gateway that
//! its stacks ask.

/// What the bank is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    /// What it is for. Whoever asks again for the same is not charged again.
    pub reference: String,
    /// The card's number.
    pub number: String,
    /// When the card expires, as `2030-12`.
    pub expiry: String,
    /// The amount, as `12.50`.
    pub amount: String,
}

/// What the bank says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Authorization {
    /// It pays, under this number.
    Approved(String),
    /// It doesn't.
    Declined,
    /// Nothing, however long one waits.
    TimesOut,
}

/// What the bank says to each payment. It remembers nothing: the same payment has the same answer.
pub type PaymentRule = fn(&Payment) -> Authorization;
