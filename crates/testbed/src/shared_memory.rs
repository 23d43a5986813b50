//! System V shared memory outlives its process. PostgreSQL makes a small segment, so that no second server works on its
//! data, and removes it unless it is killed.

use crate::find_program;
use fs_err as fs;
use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
    process::{Command, Stdio},
};

/// All segments of this machine; one line for each, below a header.
const SEGMENTS: &str = "/proc/sysvipc/shm";

/// The segments that exist now, before a program is started.
#[derive(Debug)]
pub(crate) struct Segments {
    makers: BTreeMap<u64, u32>,
}

impl Segments {
    /// Lists all; none if the kernel has no such memory.
    pub fn list() -> Self {
        Self::parse(&fs::read_to_string(SEGMENTS).unwrap_or_default())
    }

    /// The crate procfs refuses lines with user ids above 65535.
    fn parse(text: &str) -> Self {
        let segment = |line: &str| {
            let mut fields = line.split_ascii_whitespace();
            let (id, maker) = (fields.nth(1)?.parse().ok()?, fields.nth(2)?.parse().ok()?);
            Some((id, maker))
        };
        Self { makers: text.lines().filter_map(segment).collect() }
    }

    /// Removes segments that ended processes have made since. The kernel keeps a segment until its last user detaches
    /// it.
    pub fn remove_later_of(&self, ended: &BTreeSet<u32>) {
        let left = self.later_of(&Self::list(), ended);
        if left.is_empty() {
            return;
        }
        if let Err(error) = remove(&left) {
            // The laboratory may have ended.
            let _ = writeln!(io::stderr(), "shared memory is left behind, see `ipcs -m`: {error}");
        }
    }

    fn later_of(&self, now: &Self, ended: &BTreeSet<u32>) -> Vec<u64> {
        let is_left = |(id, maker): &(&u64, &u32)| !self.makers.contains_key(id) && ended.contains(maker);
        now.makers.iter().filter(is_left).map(|(id, _)| *id).collect()
    }
}

/// Uses util-linux's `ipcrm`, since the system call needs unsafe code.
fn remove(segments: &[u64]) -> io::Result<()> {
    let program = find_program("ipcrm")
        .ok_or_else(|| io::Error::other("the program `ipcrm` is missing; install util-linux"))?;
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

    const TEXT: &str = "       key      shmid perms                  size  cpid  lpid nattch   uid   gid\n\
        \x20        0         32  1600                    56   417   420      0 70001 70001\n\
        \x20  530425         33   600                    56   512   520      6    33    33\n";

    #[test]
    fn only_new_segments_of_ended_processes_are_removed() {
        let (before, now) = (Segments::parse(""), Segments::parse(TEXT));
        assert_eq!(now.makers, BTreeMap::from([(32, 417), (33, 512)]));
        assert_eq!(before.later_of(&now, &[417].into()), [32]);
        assert_eq!(before.later_of(&now, &[417, 512].into()), [32, 33]);
        assert!(before.later_of(&now, &[418].into()).is_empty());
        assert!(
            now.later_of(&now, &[417].into()).is_empty(),
            "an older segment of another process with the same id"
        );
    }
}
