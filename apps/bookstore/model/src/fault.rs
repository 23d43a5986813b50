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
    #[error("The user name or the password is wrong.")]
    WrongLogIn,
    #[error("Your log-in is not valid or has expired. Please log in again.")]
    WrongToken,
    #[error("This is no cart of ours. Please begin a new one.")]
    WrongCart,
    #[error("The user name {0} is taken. Please choose another one.")]
    UnameTaken(String),
    #[error("A cart holds at most {most} different books.")]
    FullCart { most: usize },
    #[error("This cart has been ordered already: it is order {order}.")]
    Ordered { order: i64 },
    #[error("Your bank declines the payment. Nothing has been ordered.")]
    Declined,
    #[error("Your bank does not answer. Nothing has been ordered.")]
    NoAnswer,
    #[error("The price must be from 0.01 to {most}.")]
    WrongPrice { most: Money },
}

impl Fault {
    pub fn status(&self) -> u16 {
        match self {
            Self::Request(fault) => fault.status(),
            Self::WrongLogIn | Self::WrongToken | Self::WrongCart => 403,
            Self::Unknown { .. } => 404,
            Self::UnameTaken(_)
            | Self::FullCart { .. }
            | Self::Ordered { .. }
            | Self::Declined
            | Self::WrongPrice { .. } => 409,
            Self::NoAnswer => 504,
        }
    }

    /// Title and heading of the error page.
    pub fn heading(&self) -> &'static str {
        application::heading(self.status())
    }

    /// Address and text of a link onward. Only a user who can repair the fault has one.
    pub fn onward(&self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Request(_) | Self::Unknown { .. } | Self::WrongPrice { .. } => None,
            Self::Ordered { .. } => Some(("/bookstore/OrderInquiry", "Your orders")),
            _ => Some(("/bookstore/Home", "Home")),
        }
    }
}
