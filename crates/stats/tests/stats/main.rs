//! Whether what is said of figures is true as often as it claims.

mod closed_queue;

mod capacity;
mod coverage;
mod equals;
mod peak;
