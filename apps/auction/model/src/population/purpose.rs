/// The purpose of a stream of random numbers.
#[derive(Clone, Copy)]
pub enum Purpose {
    User,
    /// An auction with its outcome.
    Auction,
    /// Raises of the bids on an auction.
    Offers,
    /// Dates and bidders of an auction's bids.
    Bids,
    /// The text that descriptions and comments are cut from.
    Text,
}

impl From<Purpose> for u16 {
    fn from(purpose: Purpose) -> Self {
        purpose as Self
    }
}
