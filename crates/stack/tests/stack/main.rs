//! Manifests of stacks, without a server.

mod database;
mod keep_alive;
mod part;
mod tiers;
