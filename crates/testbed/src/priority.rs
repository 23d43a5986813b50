//! Priority for the thread that emulates the users: a real site's users don't compete with its servers for CPU time.

use rustix::process::{getpriority_process, setpriority_process};

/// The highest priority (nice value) of a normal process.
const HIGHEST: i32 = -20;

/// The highest priority for the calling thread until dropped. Without the privilege nothing changes, and lateness
/// shows the cost.
#[derive(Debug)]
pub struct Preferred {
    before: Option<i32>,
}

impl Preferred {
    /// On Linux, each thread has its own priority.
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
    fn the_priority_is_restored() {
        let before = getpriority_process(None).unwrap();
        let preferred = Preferred::this_thread();
        let during = getpriority_process(None).unwrap();
        assert!(during == HIGHEST || during == before);
        drop(preferred);
        assert_eq!(getpriority_process(None).unwrap(), before);
    }
}
