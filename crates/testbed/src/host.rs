//! Facts about this machine.

use fs_err as fs;
use procfs::Current;
use serde::{Deserialize, Serialize};
use std::{
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostFacts {
    pub system: String,
    pub kernel: String,
    pub cpu: String,
    pub cores: u32,
    pub memory_bytes: u64,
}

impl HostFacts {
    /// Unreadable facts are `unknown`.
    pub fn read() -> Self {
        let unknown = || "unknown".to_owned();
        let system = fs::read_to_string("/etc/os-release").ok().and_then(|text| {
            let line = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
            Some(line.trim_matches('"').to_owned())
        });
        let cpu = procfs::CpuInfo::current().ok().and_then(|cpu| Some(cpu.model_name(0)?.to_owned()));
        Self {
            system: system.unwrap_or_else(unknown),
            kernel: rustix::system::uname().release().to_string_lossy().into_owned(),
            cpu: cpu.unwrap_or_else(unknown),
            cores: std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32),
            memory_bytes: procfs::Meminfo::current().map_or(0, |memory| memory.mem_total),
        }
    }

    /// The first fact that is another one now: `4 cores, which were 8`. A virtual machine's memory may grow and shrink a little.
    pub fn change(&self, now: &Self) -> Option<String> {
        const MEMORY_TOLERANCE: f64 = 0.02;
        let texts = [(&self.system, &now.system), (&self.kernel, &now.kernel), (&self.cpu, &now.cpu)];
        let text = texts.into_iter().find(|(then, now)| then != now);
        if let Some((then, now)) = text {
            return Some(format!("{now}, which was {then}"));
        }
        if self.cores != now.cores {
            return Some(format!("{} cores, which were {}", now.cores, self.cores));
        }
        let [then, now] = [self.memory_bytes, now.memory_bytes];
        let differs = (now as f64 - then as f64).abs() > MEMORY_TOLERANCE * then as f64;
        differs.then(|| format!("{} MiB of memory, which were {}", now >> 20, then >> 20))
    }
}

/// Folders of server programs, which an ordinary user's PATH often lacks.
const SYSTEM_FOLDERS: [&str; 3] = ["/usr/local/sbin", "/usr/sbin", "/sbin"];

/// Finds a program in PATH and in the folders of system programs. An absolute path is returned as it is.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(SYSTEM_FOLDERS.map(PathBuf::from));
    folders.map(|folder| folder.join(name)).find(|file| is_executable(file))
}

/// Finds a program in PATH, or else in these folders: in the newest of those that match a pattern.
pub(crate) fn find_program_in(name: &str, folders: &[String]) -> Option<PathBuf> {
    let folders = folders.iter().flat_map(|pattern| matching(pattern));
    let own =
        || folders.into_iter().find_map(|folder| find_program(&folder.join(name).display().to_string()));
    find_program(name).or_else(own)
}

/// The folders that match a path with a `*` for one whole part, the highest number first.
fn matching(pattern: &str) -> Vec<PathBuf> {
    let Some((above, below)) = pattern.split_once("/*/") else { return vec![pattern.into()] };
    let entries = std::fs::read_dir(above).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let number = |name: &String| name.parse::<u32>().unwrap_or_default();
    names.sort_by_key(|name| std::cmp::Reverse((number(name), name.clone())));
    names.iter().map(|name| Path::new(above).join(name).join(below)).collect()
}

fn is_executable(file: &Path) -> bool {
    std::fs::metadata(file).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_has_changed_is_told_with_what_it_was() {
        let facts = HostFacts {
            system: "Debian 12".to_owned(),
            kernel: "6.1.0".to_owned(),
            cpu: "Xeon".to_owned(),
            cores: 8,
            memory_bytes: 4000 << 20,
        };
        let changed = |change: fn(&mut HostFacts)| {
            let mut now = facts.clone();
            change(&mut now);
            facts.change(&now)
        };
        assert_eq!(changed(|now| now.memory_bytes = 4010 << 20), None);
        for (changed, told) in [
            (changed(|now| now.cores = 4), "4 cores, which were 8"),
            (changed(|now| now.kernel = "6.2.0".to_owned()), "6.2.0, which was 6.1.0"),
            (changed(|now| now.memory_bytes = 2000 << 20), "2000 MiB of memory, which were 4000"),
        ] {
            assert_eq!(changed.as_deref(), Some(told));
        }
    }
}
