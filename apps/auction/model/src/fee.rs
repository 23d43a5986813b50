//! The seller's fee: the store books it, and the balances of generated users contain it.

use application::Money;

/// The fee of each auction.
pub const FEE: Money = Money(100);
