//! Coverage and error rates of the statistics.

mod closed_queue;

mod capacity;
mod coverage;
mod equals;
mod peak;
