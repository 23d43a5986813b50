//! What this system allows a process, as far as the command may change it.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// As many open files as thousands of clients and the servers that answer them need.
pub(crate) const OPEN_FILES: u64 = 20_000;

/// How many files this process and the servers that it starts may open.
pub(crate) fn open_files() -> u64 {
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// Most systems allow few open files until a program asks for more; servers inherit what is asked for here. No more
/// than is needed, because some programs walk through all files that they might have open.
pub(crate) fn raise_open_files() {
    let limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.map_or(OPEN_FILES, |most| most.min(OPEN_FILES));
    if open_files() < wanted {
        // If it is refused, the doctor shows the limit that holds.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), ..limit });
    }
}
