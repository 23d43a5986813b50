//! Papers as data, and their claims judged from results.

mod read;
mod result;
