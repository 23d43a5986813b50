//! Where the CPU of a site's tiers goes: `perf` samples the whole machine, and inside a JVM, whose frames only the JVM
//! knows, async-profiler does.
//!
//! Distributions build their packages without frame pointers, so `perf` copies a piece of each stack and unwinds it
//! later by the packages' tables for exceptions (`--call-graph dwarf`). Where a program doesn't say the names of its
//! functions, the shared object that a frame is in still says a lot: a driver, a module, a library.

mod error;
mod java;
mod perf;
mod recording;
mod script;

pub use error::ProfileError;
pub use java::find_library;
pub use perf::{Unfit, fitness};
pub use recording::{Recording, Subject, TierSamples};
