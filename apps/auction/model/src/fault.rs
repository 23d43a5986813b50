//! Refusals of requests: the only home of the error pages' statuses and texts.

use application::{Money, RequestFault};
use thiserror::Error;

/// A refusal. Its text is the message of the error page. A request that is refused changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Fault {
    #[error(transparent)]
    Request(#[from] RequestFault),
    #[error("There is no {what} {id}.")]
    Unknown { what: &'static str, id: i64 },
    #[error("The nickname or the password is wrong.")]
    WrongLogIn,
    #[error("Your log-in is not valid or has expired. Please log in again.")]
    WrongToken,
    #[error("The nickname {0} is taken. Please choose another one.")]
    NicknameTaken(String),
    #[error("This auction is closed.")]
    Closed { item: i64 },
    #[error("You can't bid on, buy or rate what you sell yourself.")]
    OwnItem { item: i64 },
    #[error("This item can't be bought at once.")]
    NotForSaleAtOnce { item: i64 },
    #[error("The quantity must be from 1 to {most}.")]
    WrongQuantity { item: i64, most: i64 },
    #[error("The bid must be at least {least}.")]
    BidTooLow { item: i64, least: Money },
    #[error("The most you would bid must not be less than your bid.")]
    MostBelowBid { item: i64 },
    #[error("User {to} does not sell item {item}.")]
    WrongSeller { item: i64, to: i64 },
    #[error("The first price must be at least 0.01.")]
    PriceTooLow,
    #[error("The reserve price must be 0 or at least the first price.")]
    WrongReserve,
    #[error("The price to buy at once must be 0 or at least the first and the reserve price.")]
    WrongBuyNow,
}

impl Fault {
    pub fn status(&self) -> u16 {
        match self {
            Self::Request(fault) => fault.status(),
            Self::WrongLogIn | Self::WrongToken => 403,
            Self::Unknown { .. } => 404,
            Self::NicknameTaken(_)
            | Self::Closed { .. }
            | Self::OwnItem { .. }
            | Self::NotForSaleAtOnce { .. }
            | Self::WrongQuantity { .. }
            | Self::BidTooLow { .. }
            | Self::MostBelowBid { .. }
            | Self::WrongSeller { .. }
            | Self::PriceTooLow
            | Self::WrongReserve
            | Self::WrongBuyNow => 409,
        }
    }

    /// Title and heading of the error page.
    pub fn heading(&self) -> &'static str {
        application::heading(self.status())
    }

    /// Address and text of a link onward. Only a user who can repair the fault has one.
    pub fn onward(&self) -> Option<(String, &'static str)> {
        match self {
            Self::Request(_) | Self::Unknown { .. } => None,
            Self::WrongLogIn | Self::WrongToken => Some(("/auction/index.html".to_owned(), "Home")),
            Self::NicknameTaken(_) => Some(("/auction/register.html".to_owned(), "Back to the form")),
            Self::PriceTooLow | Self::WrongReserve | Self::WrongBuyNow => {
                Some(("/auction/sell.html".to_owned(), "Back to selling"))
            }
            Self::Closed { item }
            | Self::OwnItem { item }
            | Self::NotForSaleAtOnce { item }
            | Self::WrongQuantity { item, .. }
            | Self::BidTooLow { item, .. }
            | Self::MostBelowBid { item }
            | Self::WrongSeller { item, .. } => {
                Some((format!("/auction/ViewItem?itemId={item}"), "Back to the item"))
            }
        }
    }
}
