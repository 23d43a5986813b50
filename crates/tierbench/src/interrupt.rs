//! Ctrl-C and its relatives.

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    flag,
};
use std::{
    io,
    sync::{Arc, atomic::AtomicBool},
};

/// A flag that Ctrl-C (or a hang-up, or a request to terminate) sets. The second time, the command ends at once:
/// leases still stop everything that was started.
pub(crate) fn flag() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        flag::register_conditional_shutdown(signal, crate::fault::code::INTERRUPTED.into(), stop.clone())?;
        flag::register(signal, stop.clone())?;
    }
    Ok(stop)
}
