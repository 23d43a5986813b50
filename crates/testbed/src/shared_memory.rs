//! Shared memory of System V is the one thing of a process that the kernel keeps when it has ended. PostgreSQL makes a
//! little of it, so that no second server works on its data, and removes it unless it is killed.

use crate::find_program;
use fs_err as fs;
use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
    process::{Command, Stdio},
};

/// All segments of this machine; one line for each, below a head.
const SEGMENTS: &str = "/proc/sysvipc/shm";

/// The segments that are there now: those of others, from before a program is started.
#[derive(Debug)]
pub(crate) struct Segments {
    /// By their ids, the processes that made them.
    makers: BTreeMap<u64, u32>,
}

impl Segments {
    /// Looks at all; none where the kernel keeps none.
    pub fn look() -> Self {
        Self::parse(&fs::read_to_string(SEGMENTS).unwrap_or_default())
    }

    /// procfs would refuse a line with the id of a user above 65535.
    fn parse(text: &str) -> Self {
        let segment = |line: &str| {
            let mut fields = line.split_ascii_whitespace();
            let (id, maker) = (fields.nth(1)?.parse().ok()?, fields.nth(2)?.parse().ok()?);
            Some((id, maker))
        };
        Self { makers: text.lines().filter_map(segment).collect() }
    }

    /// Removes what was made after these by processes that have ended since. If somebody else uses it, the kernel keeps
    /// it for him until he lets go.
    pub fn remove_later_of(&self, ended: &BTreeSet<u32>) {
        let left = self.later_of(&Self::look(), ended);
        if left.is_empty() {
            return;
        }
        if let Err(error) = remove(&left) {
            // The laboratory that would hear it may be gone.
            let _ = writeln!(io::stderr(), "shared memory is left behind, see `ipcs -m`: {error}");
        }
    }

    fn later_of(&self, now: &Self, ended: &BTreeSet<u32>) -> Vec<u64> {
        let is_left = |(id, maker): &(&u64, &u32)| !self.makers.contains_key(id) && ended.contains(maker);
        now.makers.iter().filter(is_left).map(|(id, _)| *id).collect()
    }
}

/// By util-linux' program, since no call that removes them is safe.
fn remove(segments: &[u64]) -> io::Result<()> {
    let program = find_program("ipcrm").ok_or_else(|| io::Error::other("there is no program `ipcrm`"))?;
    let ids = segments.iter().flat_map(|id| ["-m".to_owned(), id.to_string()]);
    let output = Command::new(program).args(ids).stdin(Stdio::null()).output()?;
    match output.status.success() {
        true => Ok(()),
        false => Err(io::Error::other(String::from_utf8_lossy(&output.stderr).trim().to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the kernel writes them, with a user who has a large id.
    const TEXT: &str = "       key      shmid perms                  size  cpid  lpid nattch   uid   gid\n\
        \x20        0         32  1600                    56   417   420      0 70001 70001\n\
        \x20  530425         33   600                    56   512   520      6    33    33\n";

    #[test]
    fn only_what_was_made_meanwhile_by_those_that_ended_is_removed() {
        let (before, now) = (Segments::parse(""), Segments::parse(TEXT));
        assert_eq!(now.makers, BTreeMap::from([(32, 417), (33, 512)]));
        assert_eq!(before.later_of(&now, &[417].into()), [32]);
        assert_eq!(before.later_of(&now, &[417, 512].into()), [32, 33]);
        assert!(before.later_of(&now, &[418].into()).is_empty());
        assert!(now.later_of(&now, &[417].into()).is_empty(), "another process had that number once");
    }
}
