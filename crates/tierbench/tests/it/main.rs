//! The command as people use it: the real binary, real servers, and where one thing is to be broken, a copy
//! of the workspace.
//!
//! Each test has a folder of its own, which is also the place of the run's temporary files. That is how it can be
//! shown that nothing survives: no process on this machine may mention the folder any more, and nothing may be in it.
//!
//! Other things at work on this machine must not fail a test. So no test times anything, and none but [`valid`] asks
//! for a VALID point.

mod disk;
mod odd;
mod processes;
mod sandbox;
mod server;

mod arrivals;
mod audit;
mod cache;
mod check;
mod documents;
mod drive;
mod end;
mod factors;
mod files;
mod gate;
mod http2;
mod init;
mod latency;
mod loading;
mod machines;
mod missing;
mod new;
mod overload_cycle;
mod partial;
mod profile;
mod prove;
mod reproduce;
mod result;
mod resume;
mod search;
mod started;
mod statements;
mod storage;
mod testbed;
mod together;
mod valid;
mod verify;
mod words;

/// Behaviour that only a machine with nothing else to do can show: `make test-machine` runs it.
mod machine {
    mod capacity;
    mod halving;
    mod hosts;
    mod slurm;
    mod ssh;
}
