//! What a stream of random numbers is for.

/// What a stream of random numbers is for.
#[derive(Clone, Copy)]
pub enum Purpose {
    /// A user.
    User,
    /// An auction, with what came of it.
    Auction,
    /// By how much the bids on an auction rise.
    Offers,
    /// When the bids on an auction were made, and by whom.
    Bids,
    /// The text of which descriptions and comments are cut.
    Text,
}

impl From<Purpose> for u16 {
    fn from(purpose: Purpose) -> Self {
        purpose as Self
    }
}
