//! What manifests of stacks say, without a server.

mod database;
mod keep_alive;
mod tiers;
