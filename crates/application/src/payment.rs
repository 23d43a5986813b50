//! A bank's answers to payments: one rule for the model and for the payment gateway of its stacks.

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    /// A repeated request with the same reference is not charged again.
    pub reference: String,
    pub number: String,
    /// As `2030-12`.
    pub expiry: String,
    /// As `12.50`.
    pub amount: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Authorization {
    /// Approved, with the bank's number.
    Approved(String),
    Declined,
    TimesOut,
}

/// The bank's answer to each payment. It is stateless: the same payment has the same answer.
pub type PaymentRule = fn(&Payment) -> Authorization;
