//! The rules of business. What they refuse changes nothing.

use crate::rows::{Item, Leader, NewItem, Offer, Topic};
use axum::http::StatusCode;
use common::Refusal;
use rust_decimal::Decimal;

const CENT: Decimal = Decimal::from_parts(1, 0, 0, false, 2);

/// What each auction costs, as pages show it.
pub const FEE: &str = "1.00";

impl Item {
    /// The highest bid so far, or else the first price.
    pub fn price(&self) -> Decimal {
        self.max_bid.unwrap_or(self.initial_price)
    }

    /// The lowest bid that is accepted.
    pub fn least_bid(&self) -> Decimal {
        self.max_bid.map_or(self.initial_price, |bid| bid + CENT)
    }

    /// The price to buy one at once, which an open item offers until the bids reach it.
    pub fn at_once(&self) -> Option<Decimal> {
        (self.price() < self.buy_now).then_some(self.buy_now)
    }

    /// The end of an auction that is over.
    pub fn outcome(&self) -> &'static str {
        match self.max_bid {
            _ if self.quantity == 0 => "bought",
            Some(bid) if bid >= self.reserve_price => "sold",
            _ => "not sold",
        }
    }

    /// Whether a user may bid on it, or buy it.
    pub fn check_market(&self, user: i32) -> Result<(), Refusal> {
        if !self.open {
            Err(of_item(self.id, "This auction is closed."))
        } else if self.seller == user {
            Err(own_item(self.id))
        } else {
            Ok(())
        }
    }

    pub fn check_at_once(&self, user: i32) -> Result<(), Refusal> {
        self.check_market(user)?;
        match self.at_once() {
            Some(_) => Ok(()),
            None => Err(of_item(self.id, "This item can't be bought at once.")),
        }
    }

    pub fn check_purchase(&self, user: i32, copies: i32) -> Result<(), Refusal> {
        self.check_at_once(user)?;
        self.check_quantity(copies)
    }

    pub fn check_offer(&self, offer: &Offer) -> Result<(), Refusal> {
        self.check_market(offer.user_id)?;
        self.check_quantity(offer.qty)?;
        if offer.bid < self.least_bid() {
            Err(of_item(self.id, format!("The bid must be at least {:.2}.", self.least_bid())))
        } else if offer.max_bid < offer.bid {
            Err(of_item(self.id, "The most you would bid must not be less than your bid."))
        } else {
            Ok(())
        }
    }

    fn check_quantity(&self, wanted: i32) -> Result<(), Refusal> {
        if (1..=self.quantity).contains(&wanted) {
            Ok(())
        } else {
            Err(of_item(self.id, format!("The quantity must be from 1 to {}.", self.quantity)))
        }
    }
}

impl Topic {
    /// Whether an author may rate this user as the seller of this item.
    pub fn check_comment(&self, item: i32, author: i32, seller: i32) -> Result<(), Refusal> {
        if self.seller != seller {
            Err(of_item(item, format!("User {seller} does not sell item {item}.")))
        } else if author == seller {
            Err(own_item(item))
        } else {
            Ok(())
        }
    }
}

impl NewItem {
    pub fn check_prices(&self) -> Result<(), Refusal> {
        let zero_or_from = |price: Decimal, least| price.is_zero() || price >= least;
        if self.initial_price < CENT {
            Err(of_sale("The first price must be at least 0.01."))
        } else if !zero_or_from(self.reserve_price, self.initial_price) {
            Err(of_sale("The reserve price must be 0 or at least the first price."))
        } else if !zero_or_from(self.buy_now, self.initial_price.max(self.reserve_price)) {
            Err(of_sale("The price to buy at once must be 0 or at least the first and the reserve price."))
        } else {
            Ok(())
        }
    }
}

/// Bids by proxy: for the leader, by as little as it takes and up to the most that they would pay. Returns the bids to
/// record: that of the offer, and the answer of a leader who stays ahead.
pub fn settle(offer: Offer, leader: Option<Leader>) -> (Offer, Option<Offer>) {
    let Some(leader) = leader.filter(|leader| leader.user_id != offer.user_id) else {
        return (offer, None);
    };
    if leader.max_bid < offer.max_bid {
        let enough = offer.max_bid.min(leader.max_bid + CENT);
        return (Offer { bid: offer.bid.max(enough), ..offer }, None);
    }
    let answer = Offer {
        user_id: leader.user_id,
        item_id: offer.item_id,
        qty: leader.qty,
        bid: leader.max_bid.min(offer.max_bid + CENT),
        max_bid: leader.max_bid,
    };
    (Offer { bid: offer.max_bid, ..offer }, Some(answer))
}

fn of_item(item: i32, text: impl Into<String>) -> Refusal {
    conflict(text).onward(format!("/auction/ViewItem?itemId={item}"), "Back to the item")
}

fn own_item(item: i32) -> Refusal {
    of_item(item, "You can't bid on, buy or rate what you sell yourself.")
}

fn of_sale(text: &str) -> Refusal {
    conflict(text).onward("/auction/sell.html", "Back to selling")
}

pub fn nickname_taken(nickname: &str) -> Refusal {
    conflict(format!("The nickname {nickname} is taken. Please choose another one."))
        .onward("/auction/register.html", "Back to the form")
}

pub fn wrong_log_in() -> Refusal {
    denied("The nickname or the password is wrong.")
}

pub fn wrong_token() -> Refusal {
    denied("Your log-in is not valid or has expired. Please log in again.")
}

fn conflict(text: impl Into<String>) -> Refusal {
    Refusal::new(StatusCode::CONFLICT, text)
}

fn denied(text: &str) -> Refusal {
    Refusal::new(StatusCode::FORBIDDEN, text).onward("/auction/index.html", "Home")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn euros(text: &str) -> Decimal {
        text.parse().expect("an amount")
    }

    fn offer(bid: &str, max_bid: &str) -> Offer {
        Offer { user_id: 1, item_id: 9, qty: 1, bid: euros(bid), max_bid: euros(max_bid) }
    }

    fn settled(leader: Option<(i32, &str)>) -> (String, Option<String>) {
        let leader = leader.map(|(user_id, most)| Leader { user_id, qty: 2, max_bid: euros(most) });
        let (bid, answer) = settle(offer("10", "20"), leader);
        (bid.bid.to_string(), answer.map(|answer| answer.bid.to_string()))
    }

    #[test]
    fn bids_rise_by_as_little_as_it_takes() {
        let answered = |bid: &str, answer: &str| (bid.to_owned(), Some(answer.to_owned()));
        let leads = |bid: &str| (bid.to_owned(), None);
        assert_eq!(settled(None), leads("10"));
        assert_eq!(settled(Some((1, "30"))), leads("10"));
        assert_eq!(settled(Some((2, "5"))), leads("10"));
        assert_eq!(settled(Some((2, "15"))), leads("15.01"));
        assert_eq!(settled(Some((2, "19.995"))), leads("20"));
        assert_eq!(settled(Some((2, "20"))), answered("20", "20"));
        assert_eq!(settled(Some((2, "30"))), answered("20", "20.01"));
    }

    fn item() -> Item {
        Item {
            open: true,
            quantity: 2,
            initial_price: euros("10"),
            buy_now: euros("12"),
            seller: 7,
            ..Item::default()
        }
    }

    #[test]
    fn an_offer_must_reach_the_price() {
        let raised = Item { max_bid: Some(euros("10")), ..item() };
        assert!(item().check_offer(&offer("10", "10")).is_ok());
        assert!(raised.check_offer(&offer("10", "10")).is_err());
        assert!(raised.check_offer(&offer("10.01", "10.01")).is_ok());
        assert!(raised.check_offer(&offer("11", "10.99")).is_err());
        assert!(item().check_offer(&Offer { qty: 3, ..offer("10", "10") }).is_err());
    }

    #[test]
    fn an_item_is_sold_at_once_until_bids_reach_its_price() {
        assert!(item().check_at_once(1).is_ok());
        assert!(Item { max_bid: Some(euros("12")), ..item() }.check_at_once(1).is_err());
        assert!(Item { open: false, ..item() }.check_at_once(1).is_err());
        assert!(item().check_at_once(7).is_err());
    }
}
