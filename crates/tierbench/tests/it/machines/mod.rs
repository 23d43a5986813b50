//! Hosts that are machines of their own, reached by OpenSSH. The machines are hosts of a testbed on this one, so that only root
//! with two cores and sshd can have them; elsewhere these tests are left out.

pub(crate) mod cluster;
mod faults;
mod generators;
mod lost;
mod measured;
pub(crate) mod reached;
pub(crate) mod remote_machine;
mod scheduled;
