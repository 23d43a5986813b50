//! Tests of what readers of results see. One executable, since each costs as much to build as all tests in it.

mod capacity;
mod difference;
mod figures;
mod gallery;
mod layers;
mod open_loop;
mod overload_cycle;
mod page;
mod regressions;
mod several;
mod summary;
