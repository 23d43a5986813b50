//! The parts that all applications share: the server, forms, pages, and the way to the database.

mod database;
mod form;
mod page;
mod server;
mod settings;
mod token;

pub use database::{Database, Query, Row, Session, Value};
pub use form::{Parameters, wrong_parameter};
pub use page::{Failure, Link, Page, Refusal};
pub use server::serve;
pub use settings::{Access, Settings};
pub use token::{TokenKey, password_hash};
