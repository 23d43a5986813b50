//! What sellers pay: the store books it, and the balances of generated users contain it.

use application::Money;

/// What the seller pays for each auction.
pub const FEE: Money = Money(100);
