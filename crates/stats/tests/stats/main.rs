//! Coverage and error rates of the statistics.

mod capacity;
mod closed_queue;

mod coverage;
mod equals;
mod peak;
