//! The command as people use it: the real binary, real servers, a copy of the house in which one thing is broken.
//!
//! Each test has a folder of its own, which is also the place of the run's temporary files. That is how it can be
//! shown that nothing survives: no process on this machine may mention the folder any more, and nothing may be in it.

mod bench;
#[path = "../../../stack/tests/sampling/connection.rs"]
mod connection;
mod disk;
mod odd;
mod processes;
mod server;

mod arrivals;
mod audit;
mod cache;
mod check;
mod coarse;
mod end;
mod factors;
mod files;
mod halving;
mod latency;
mod loading;
mod missing;
mod new;
mod profile;
mod reproduce;
mod result;
mod resume;
mod statements;
mod storage;
mod sweep;
mod testbed;
mod verify;
mod words;
