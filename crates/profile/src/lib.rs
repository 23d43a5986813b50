//! CPU profiles of a site's tiers: `perf` samples the whole machine, and async-profiler samples inside a JVM, whose
//! frames only the JVM knows.
//!
//! Distributions build their packages without frame pointers, so `perf` copies a piece of each stack and unwinds it
//! later by the packages' tables for exceptions (`--call-graph dwarf`). If a program has no symbols, the shared object
//! of a frame is still informative: a driver, a module, a library.

mod error;
mod java;
mod not_available;
mod perf;
mod recording;
mod script;

pub use error::ProfileError;
pub use java::find_library;
pub use not_available::NotAvailable;
pub use perf::availability;
pub use recording::{ProfiledTier, Recording, TierSamples};
