//! The clients in virtual time.

#[path = "../shop/mod.rs"]
mod shop;

mod arrivals;
mod browser;
mod calls;
mod directive;
mod endless;
mod paced;
mod shards;
mod simulation;
mod theory;
