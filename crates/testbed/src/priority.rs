//! Priority for the thread that plays the users: a real site's users don't compete with its servers for processors.

use rustix::process::{getpriority_process, setpriority_process};

/// The priority that only the kernel's own work exceeds.
const HIGHEST: i32 = -20;

/// While this lives, the calling thread goes before all that runs at normal priority. Without the right to ask for it
/// nothing changes, and lateness shows what that costs.
#[derive(Debug)]
pub struct Preferred {
    before: Option<i32>,
}

impl Preferred {
    /// Prefers the calling thread: on Linux, a priority is a thread's.
    pub fn this_thread() -> Self {
        let before = getpriority_process(None).ok();
        Self { before: before.filter(|_| setpriority_process(None, HIGHEST).is_ok()) }
    }
}

impl Drop for Preferred {
    fn drop(&mut self) {
        if let Some(before) = self.before {
            // Going back to a lower priority is always allowed.
            let _ = setpriority_process(None, before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_priority_is_given_back() {
        let before = getpriority_process(None).unwrap();
        let preferred = Preferred::this_thread();
        let during = getpriority_process(None).unwrap();
        assert!(during == HIGHEST || during == before);
        drop(preferred);
        assert_eq!(getpriority_process(None).unwrap(), before);
    }
}
