//! Emulated users: the catalogue of interactions, mixes, the walk of a session, and the page scanner.
//!
//! Everything here is pure: text, time and randomness are parameters, so that tests run in virtual time.

mod caller;
mod calls;
mod catalogue;
mod dialogue;
mod form_encoding;
mod length;
mod load_kind;
mod mix;
mod mix_file;
mod origins;
mod page;
mod pushdown;
mod request;
mod session;
mod site;
mod site_protocol;
mod stationary;
mod think;
mod tree;
mod users;

pub use caller::Caller;
pub use calls::{Call, Calls};
pub use catalogue::{
    Catalogue, Class, Dependency, Effect, Fill, Interaction, InteractionId, Method, Parameter, Protocol,
};
pub use dialogue::{Answer, AnswerKind, Dialogue};
pub use encoding_rs::Encoding;
pub use form_encoding::{append_pair, escape};
pub use length::Length;
pub use load_kind::{
    ArrivalLoad, Arrivals, Behaviour, LoadKind, Pace, PaceUnit, Series, Spacing, WorkloadModel,
};
pub use mix::{Mix, Step};
pub use origins::{Lead, Located, Origins, path_and_query};
pub use page::{Action, Field, Form, FormCoding, Page};
pub use request::{Header, How, Request, header};
pub use session::{Session, TOKEN};
pub use site::{ExternalSite, ExternalSiteError};
pub use site_protocol::SiteProtocol;
pub use stationary::Stationary;
pub use think::{exponential, session_length, think_time};
pub use users::{Account, Habits, PlainHabits, Users, Visitor};
