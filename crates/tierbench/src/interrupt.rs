//! Ctrl-C and signals that ask for the end.

use crate::fault::exit_code;
use settings::Blame;
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    flag,
};
use std::{
    io,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
};

/// One flag for all experiments of the command.
static FLAG: Mutex<Option<Arc<AtomicBool>>> = Mutex::new(None);

/// A flag that Ctrl-C (or a hang-up, or a request to terminate) sets. The second time, the command ends at once:
/// supervisors still stop everything that was started.
pub(crate) fn flag() -> io::Result<Arc<AtomicBool>> {
    let mut flag = FLAG.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(stop) = &*flag {
        return Ok(stop.clone());
    }
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        flag::register_conditional_shutdown(signal, exit_code(Blame::Interrupted).into(), stop.clone())?;
        flag::register(signal, stop.clone())?;
    }
    *flag = Some(stop.clone());
    Ok(stop)
}
