//! The clients in virtual time.

#[path = "../shop/mod.rs"]
mod shop;

mod arrivals;
mod course;
mod simulation;
mod theory;
