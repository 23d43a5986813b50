//! Settings of this machine that change figures, for a result's manifest. What can't be read is left out.

use crate::open_files::open_files;
use fs_err as fs;
use std::{collections::BTreeMap, path::Path};
use testbed::{TIER_IDS, User, idle_spinner::is_virtual, store_user};

/// Settings with the files that hold them.
const FILES: [(&str, &str); 16] = [
    ("cpu governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
    ("cpu boost", "/sys/devices/system/cpu/cpufreq/boost"),
    ("intel no turbo", "/sys/devices/system/cpu/intel_pstate/no_turbo"),
    ("simultaneous multithreading", "/sys/devices/system/cpu/smt/active"),
    ("clock source", "/sys/devices/system/clocksource/clocksource0/current_clocksource"),
    ("transparent huge pages", "/sys/kernel/mm/transparent_hugepage/enabled"),
    ("vm.swappiness", "/proc/sys/vm/swappiness"),
    ("vm.dirty_ratio", "/proc/sys/vm/dirty_ratio"),
    ("vm.overcommit_memory", "/proc/sys/vm/overcommit_memory"),
    ("kernel.sched_autogroup_enabled", "/proc/sys/kernel/sched_autogroup_enabled"),
    ("net.core.somaxconn", "/proc/sys/net/core/somaxconn"),
    ("net.ipv4.tcp_max_syn_backlog", "/proc/sys/net/ipv4/tcp_max_syn_backlog"),
    ("net.ipv4.ip_local_port_range", "/proc/sys/net/ipv4/ip_local_port_range"),
    ("net.ipv4.tcp_congestion_control", "/proc/sys/net/ipv4/tcp_congestion_control"),
    ("net.ipv4.tcp_tw_reuse", "/proc/sys/net/ipv4/tcp_tw_reuse"),
    ("net.ipv4.tcp_fin_timeout", "/proc/sys/net/ipv4/tcp_fin_timeout"),
];

/// The kernel's mitigations of processor vulnerabilities, which cost time.
const VULNERABILITIES: &str = "/sys/devices/system/cpu/vulnerabilities";

pub(crate) fn settings() -> BTreeMap<String, String> {
    let files = FILES
        .iter()
        .filter_map(|(name, path)| Some(((*name).to_owned(), active(&fs::read_to_string(path).ok()?))));
    let others = [
        ("open files allowed", Some(open_files().to_string())),
        ("processor weaknesses left open", open_weaknesses(Path::new(VULNERABILITIES))),
        ("virtual machine", is_virtual().map(|is_virtual| if is_virtual { "yes" } else { "no" }.to_owned())),
        ("file system of temporary files", file_system()),
        ("users of services", Some(users(store_user()))),
    ];
    let others = others.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    files.chain(others).collect()
}

/// The users that services run as, by their numbers: each tier as one of its own, all stores as another.
fn users(of_stores: Option<User>) -> String {
    match of_stores {
        None => "the user who called; a stack can reach the files of its database".to_owned(),
        Some(stores) => {
            let (first, last) = (TIER_IDS.start, TIER_IDS.end - 1);
            format!("each tier another from {first} to {last}; databases and stores of mail {}", stores.uid)
        }
    }
}

/// A file's value: on a line with all possible ones, the one in brackets.
fn active(text: &str) -> String {
    let bracketed = text.split_once('[').and_then(|(_, rest)| Some(rest.split_once(']')?.0));
    bracketed.map_or_else(|| text.split_whitespace().collect::<Vec<_>>().join(" "), ToOwned::to_owned)
}

fn open_weaknesses(folder: &Path) -> Option<String> {
    let files = fs::read_dir(folder).ok()?.flatten();
    let open =
        files.filter(|file| fs::read_to_string(file.path()).is_ok_and(|text| text.starts_with("Vulnerable")));
    let mut names: Vec<String> = open.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Some(if names.is_empty() { "none".to_owned() } else { names.join(" ") })
}

/// The kind of file system that databases are written to.
fn file_system() -> Option<String> {
    let place = fs::canonicalize(std::env::temp_dir()).ok()?;
    kind_of(&place, &fs::read_to_string("/proc/self/mounts").ok()?)
}

/// The kind of the mount that holds a place: the last one of the longest path.
fn kind_of(place: &Path, mounts: &str) -> Option<String> {
    let lines = mounts.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let holding =
        lines.filter(|fields| fields.len() > 2 && place.starts_with(fields[1].replace("\\040", " ")));
    holding.max_by_key(|fields| fields[1].len()).map(|fields| fields[2].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_active_value_of_a_setting_is_read() {
        assert_eq!(active("always [madvise] never\n"), "madvise");
        assert_eq!(active("32768\t60999\n"), "32768 60999");
    }

    #[test]
    fn the_innermost_and_latest_mount_gives_the_file_system() {
        let mounts =
            "/dev/a / ext4 rw 0 0\nt /tmp tmpfs rw 0 0\n/dev/b /tmp xfs rw 0 0\n/dev/c /tmpx zfs rw 0 0\n";
        assert_eq!(kind_of(Path::new("/tmp/x"), mounts).as_deref(), Some("xfs"));
        assert_eq!(kind_of(Path::new("/home"), mounts).as_deref(), Some("ext4"));
        assert_eq!(kind_of(Path::new("/home"), ""), None);
    }

    #[test]
    fn whether_tiers_have_users_of_their_own_is_recorded() {
        assert_eq!(
            users(Some(User { uid: 65_534, gid: 65_534, member_of: Some(33) })),
            "each tier another from 60578 to 61183; databases and stores of mail 65534"
        );
        assert!(users(None).contains("a stack can reach the files of its database"));
    }

    #[test]
    fn only_unmitigated_vulnerabilities_are_named() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(open_weaknesses(folder.path()).as_deref(), Some("none"));
        for (name, text) in
            [("mds", "Vulnerable: no microcode\n"), ("l1tf", "Not affected\n"), ("a", "Vulnerable\n")]
        {
            fs::write(folder.path().join(name), text).unwrap();
        }
        assert_eq!(open_weaknesses(folder.path()).as_deref(), Some("a mds"));
        assert_eq!(open_weaknesses(Path::new("/nowhere")), None);
    }

    #[test]
    fn settings_of_this_machine_are_read_and_do_not_change() {
        let first = settings();
        assert!(
            first.contains_key("net.core.somaxconn") && first.contains_key("open files allowed"),
            "{first:?}"
        );
        assert_eq!(settings(), first);
    }
}
