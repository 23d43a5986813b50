//! Limits of open files and local ports.

use crate::fault::CommandError;
use engine::OTHER_FILES;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use workload::Catalogue;

/// Open files for thousands of clients and their servers.
pub(crate) const OPEN_FILES: u64 = 20_000;

/// The current limit of this process and of the servers that it starts.
pub(crate) fn open_files() -> u64 {
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

const PORTS: &str = "/proc/sys/net/ipv4/ip_local_port_range";

/// The largest number of clients for which this system has files and ports.
pub(crate) fn clients_that_fit(catalogue: &Catalogue) -> u32 {
    let Needs { to_one, .. } = Needs::of(catalogue);
    let files = getrlimit(Resource::Nofile).maximum.unwrap_or(u64::MAX).max(open_files());
    let by_files = clients_of_files(files, catalogue);
    let by_ports = ports_here().map_or(u64::MAX, |ports| ports / to_one);
    u32::try_from(by_files.min(by_ports)).unwrap_or(u32::MAX)
}

struct Needs {
    /// All connections; each is an open file.
    connections: u64,
    /// Connections to one endpoint. Two endpoints can use the same local ports.
    to_one: u64,
}

impl Needs {
    fn of(catalogue: &Catalogue) -> Self {
        let connections = engine::connections_per_client(catalogue) as u64;
        Self { connections, to_one: connections / if catalogue.is_secure() { 2 } else { 1 } }
    }
}

/// Raises the limit of open files for this many clients. An error names the possible number and the remedy.
pub(crate) fn make_room_for(clients: u32, catalogue: &Catalogue) -> Result<(), CommandError> {
    open_files_for(clients, catalogue)?;
    enough_ports_for(clients, catalogue)
}

/// The same as [`make_room_for`], with clients divided among processes. Each process has its own limit of files; they share ports.
pub(crate) fn make_room_for_workers(
    clients: u32,
    workers: u32,
    catalogue: &Catalogue,
) -> Result<(), CommandError> {
    let each = clients.div_ceil(workers);
    open_files_for(each, catalogue).map_err(|fault| {
        let whose = if workers > 1 { "each worker: " } else { "" };
        let further = "or divide the clients among more processes with --workers";
        fault.extended(whose, (clients_of_files(open_files(), catalogue) > 0).then_some(further))
    })?;
    enough_ports_for(clients, catalogue)
}

fn open_files_for(clients: u32, catalogue: &Catalogue) -> Result<(), CommandError> {
    let Needs { connections, .. } = Needs::of(catalogue);
    let needed = u64::from(clients) * connections + OTHER_FILES;
    let limit = getrlimit(Resource::Nofile);
    if open_files() < needed && limit.maximum.is_none_or(|most| most >= needed) {
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(needed), ..limit });
    }
    let allowed = open_files();
    if allowed < needed {
        let fault = format!("{clients} clients need {needed} open files, and this system allows {allowed}");
        return Err(CommandError::input(fault).with_help(remedy(allowed, needed, catalogue)));
    }
    Ok(())
}

/// The remedy where more open files are needed than allowed.
fn remedy(allowed: u64, needed: u64, catalogue: &Catalogue) -> String {
    let raise = format!("raise the limit with `ulimit -n {needed}`");
    match clients_of_files(allowed, catalogue) {
        0 => format!("{raise}; {} files are the least", OTHER_FILES + Needs::of(catalogue).connections),
        most => format!("take at most {most} clients, or {raise}"),
    }
}

/// The number of clients for which these open files are enough.
fn clients_of_files(files: u64, catalogue: &Catalogue) -> u64 {
    files.saturating_sub(OTHER_FILES) / Needs::of(catalogue).connections
}

fn enough_ports_for(clients: u32, catalogue: &Catalogue) -> Result<(), CommandError> {
    let Needs { to_one, .. } = Needs::of(catalogue);
    let wanted = u64::from(clients) * to_one;
    match ports_here() {
        Some(ports) if ports < wanted => Err(CommandError::input(format!(
            "{clients} clients need {wanted} local ports, and this system has {ports} for one address"
        ))
        .with_help(format!(
            "take at most {} clients, or widen net.ipv4.ip_local_port_range with `sysctl`",
            ports / to_one
        ))),
        _ => Ok(()),
    }
}

/// The number of local ports for one endpoint, if the kernel tells it.
fn ports_here() -> Option<u64> {
    ports(&std::fs::read_to_string(PORTS).ok()?)
}

/// The size of a port range in the kernel's format.
fn ports(range: &str) -> Option<u64> {
    let mut ends = range.split_whitespace().map(|end| end.parse::<u64>().ok());
    let (first, last) = (ends.next()??, ends.next()??);
    Some((last + 1).saturating_sub(first))
}

/// Raises the limit of open files, which servers inherit. Not to the maximum, because some programs walk through all
/// possible files.
pub(crate) fn raise_open_files() {
    let limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.map_or(OPEN_FILES, |most| most.min(OPEN_FILES));
    if open_files() < wanted {
        // If it is refused, the doctor shows the limit that holds.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), ..limit });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::find;
    use miette::Diagnostic as _;

    #[test]
    fn fewer_files_than_one_client_needs_are_named_as_the_least() {
        let [few, many] = ["comments", "bookstore"].map(|name| find(name).unwrap().catalogue());
        assert_eq!(clients_of_files(OTHER_FILES, few), 0);
        assert_eq!(clients_of_files(OTHER_FILES + 1, few), 1);
        let limits = |allowed, catalogue| remedy(allowed, 5000, catalogue);
        assert_eq!(limits(64, few), "raise the limit with `ulimit -n 5000`; 97 files are the least");
        assert!(limits(64, many).ends_with("; 104 files are the least"), "{}", limits(64, many));
        assert!(limits(1000, few).starts_with("take at most 904 clients, or raise"), "{}", limits(1000, few));
    }

    #[test]
    fn more_clients_than_open_files_or_ports_allow_are_refused_with_the_limit() {
        assert_eq!(ports("32768\t60999\n"), Some(28_232));
        assert_eq!(ports("odd"), None);
        let [few, many] = ["comments", "bookstore"].map(|name| find(name).unwrap().catalogue());
        let texts = |fault: CommandError| (fault.to_string(), fault.help().unwrap().to_string());
        let (fault, help) = texts(make_room_for(u32::MAX, few).unwrap_err());
        assert!(fault.contains("4294967295 clients need") && help.contains("take at most"), "{fault}");
        assert!(make_room_for(10, many).is_ok());
        for application in [few, many] {
            let most = clients_that_fit(application);
            assert!(
                make_room_for(most, application).is_ok() && make_room_for(most + 1, application).is_err()
            );
        }
        let (fault, help) = texts(make_room_for_workers(u32::MAX, 2, many).unwrap_err());
        assert!(
            fault.starts_with("each worker: 2147483648 clients") && help.contains("--workers"),
            "{fault}"
        );
        assert!(make_room_for_workers(10, 20, many).is_ok());
        let (fault, _) = texts(make_room_for(u32::MAX, many).unwrap_err());
        assert!(
            fault.contains(&format!("need {} open files", 8 * u64::from(u32::MAX) + OTHER_FILES)),
            "{fault}"
        );
    }
}
