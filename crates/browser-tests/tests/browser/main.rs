//! Browser tests: the site of `tierbench up`, the report of a result, and the page of a study, in Debian's Chromium.
//!
//! With `TIERBENCH_TEST_PICTURES=1`, pictures of all pages are left in `target/screenshots`.

mod chrome;
mod command;
mod gallery;
mod inspection;
mod open_loop;
mod overload_cycle;
mod report;
mod shop;
mod site;
mod study;
mod tab;
