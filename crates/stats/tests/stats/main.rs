//! Coverage and error rates of the statistics.

mod closed_queue;

mod coverage;
mod equals;
mod peak;
