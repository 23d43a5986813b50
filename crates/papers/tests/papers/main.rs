//! Papers as data, and their claims judged from results.

#[path = "../../../report/tests/fixture/mod.rs"]
#[allow(dead_code, reason = "these tests need less of it than those of reports do")]
mod fixture;

mod read;
mod result;
