//! A testbed's file: hosts with their cores, CPU, memory and link, and their roles.

use serde::Deserialize;
use settings::{Document, SettingsError, did_you_mean};
use std::{
    collections::{BTreeMap, BTreeSet},
    net::Ipv4Addr,
    ops::Range,
    path::{Path, PathBuf},
};
use toml::Spanned;

use super::{Separation, TestbedError};

/// Hosts and their roles; `docs/manifests.md` describes the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Testbed {
    pub file: PathBuf,
    pub title: String,
    pub separation: Separation,
    pub hosts: Vec<HostPlan>,
    fallback: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct HostPlan {
    pub name: String,
    /// A tier runs on the host of its role.
    pub roles: Vec<String>,
    pub cores: Cores,
    /// CPU limit in cores; none if unlimited.
    pub cpu: Option<f64>,
    pub memory_bytes: Option<u64>,
    /// Speed of its link in bits per second; none if unlimited, or unknown.
    pub link_bits: Option<u64>,
    /// The words of the command that reaches another machine; empty for this one.
    pub reach: Vec<String>,
    /// The address of a machine, as the others know it; none if it is to be asked.
    pub address: Option<Ipv4Addr>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cores {
    List(Vec<u32>),
    /// All cores that no other host names.
    Rest,
}

/// The role of the laboratory itself, which emulates the clients.
pub const CLIENT: &str = "client";

/// The kernel refuses smaller quotas.
const LEAST_CPU: f64 = 0.1;
/// A network device's name has at most 15 characters; the switch's prefix takes some of them.
const LONGEST_NAME: usize = 12;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TestbedEntry {
    title: String,
    separation: Separation,
    fallback: Spanned<String>,
    #[serde(default)]
    link_scale: Option<Spanned<f64>>,
    host: BTreeMap<Spanned<String>, HostEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HostEntry {
    #[serde(default)]
    roles: Option<Vec<Spanned<String>>>,
    #[serde(default)]
    cores: Option<Spanned<CoresEntry>>,
    #[serde(default)]
    reach: Option<Spanned<String>>,
    #[serde(default)]
    address: Option<Spanned<Ipv4Addr>>,
    #[serde(default)]
    cpu: Option<Spanned<f64>>,
    #[serde(default)]
    memory: Option<Spanned<String>>,
    #[serde(default)]
    link: Option<Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "cores must be numbers, such as [0, 1], or \"rest\"")]
enum CoresEntry {
    List(Vec<u32>),
    Word(RestWord),
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RestWord {
    Rest,
}

type FileFault = Box<SettingsError>;

impl Testbed {
    pub fn read(file: &Path) -> Result<Self, TestbedError> {
        let absolute = std::path::absolute(file)?;
        let document = Document::read(file)?;
        Ok(Self::of(&document, absolute)?)
    }

    fn of(document: &Document, file: PathBuf) -> Result<Self, FileFault> {
        let entry: TestbedEntry = document.parse()?;
        let reader = Reader { document, separation: entry.separation };
        let link_scale = reader.link_scale(entry.link_scale.as_ref())?;
        let hosts = entry.host.iter().map(|(name, host)| reader.host(name, host, link_scale));
        let hosts: Vec<HostPlan> = hosts.collect::<Result<_, _>>()?;
        reader.expect_distinct_roles(&entry.host)?;
        reader.expect_fallback(&entry.fallback, &hosts)?;
        reader.expect_client_here(&entry.host, &hosts)?;
        if entry.separation != Separation::Machines {
            reader.expect_quotas_below_cores(&entry.host, &hosts)?;
        }
        Ok(Self {
            file,
            title: entry.title,
            separation: entry.separation,
            hosts,
            fallback: entry.fallback.into_inner(),
        })
    }

    /// The hosts that divide the clients: this machine first.
    pub fn clients(&self) -> impl Iterator<Item = &HostPlan> {
        let [here, there] = [true, false].map(|is_here| {
            self.hosts.iter().filter(move |host| host.plays(CLIENT) && host.reach.is_empty() == is_here)
        });
        here.chain(there)
    }

    /// The host of a role: the one that names it, or else the one with all other roles. Of several hosts of the clients, it is
    /// this machine.
    pub fn host_of(&self, role: &str) -> &HostPlan {
        let named =
            self.hosts.iter().filter(|host| host.plays(role)).min_by_key(|host| !host.reach.is_empty());
        let fallback = || self.hosts.iter().find(|host| host.name == self.fallback);
        named.or_else(fallback).expect("a testbed is refused unless its fallback is one of its hosts")
    }
}

impl HostPlan {
    pub(super) fn plays(&self, role: &str) -> bool {
        self.roles.iter().any(|own| own == role)
    }
}

struct Reader<'a> {
    document: &'a Document,
    separation: Separation,
}

impl Reader<'_> {
    fn wrong<T>(&self, place: Range<usize>, fault: impl Into<String>, remedy: &str) -> Result<T, FileFault> {
        Err(self.document.error(Some(place), fault, Some(remedy.to_owned())))
    }

    fn link_scale(&self, entry: Option<&Spanned<f64>>) -> Result<f64, FileFault> {
        let Some(entry) = entry else { return Ok(1.0) };
        let scale = *entry.get_ref();
        match scale > 0.0 && scale.is_finite() {
            true => Ok(scale),
            false => self.wrong(entry.span(), "link_scale must be above 0", "1 leaves links as they are"),
        }
    }

    fn host(
        &self,
        name: &Spanned<String>,
        entry: &HostEntry,
        link_scale: f64,
    ) -> Result<HostPlan, FileFault> {
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        let text = name.get_ref();
        if text.is_empty() || text.len() > LONGEST_NAME || !text.chars().all(is_plain) {
            let fault = format!("`{text}` can't be a host's name");
            return self.wrong(
                name.span(),
                fault,
                "take at most 12 small letters and digits, which also name its network device",
            );
        }
        if self.separation == Separation::Machines {
            self.expect_machine(entry)?;
        } else {
            self.expect_share(entry)?;
        }
        let cores = match &entry.cores {
            Some(cores) => self.cores(cores)?,
            None if self.separation == Separation::Machines => Cores::Rest,
            None => {
                let fault = format!("the host `{text}` has no `cores`");
                return self.wrong(name.span(), fault, "name its cores, such as [1], or take \"rest\"");
            }
        };
        let named = entry.roles.as_ref();
        let roles: Vec<String> = named.map_or_else(
            || vec![text.clone()],
            |roles| roles.iter().map(|role| role.get_ref().clone()).collect(),
        );
        if roles.iter().any(|role| role == CLIENT) {
            self.expect_unthrottled(entry)?;
        }
        let reach = entry.reach.as_ref().map_or("", |reach| reach.get_ref().as_str());
        if self.separation == Separation::Cores {
            self.expect_no_limits(entry)?;
        }
        let link = entry.link.as_ref().map(|link| self.quantity(link, &LINK)).transpose()?;
        Ok(HostPlan {
            name: text.clone(),
            roles,
            cpu: entry.cpu.as_ref().map(|cpu| self.cpu(cpu, &cores)).transpose()?,
            cores,
            memory_bytes: entry.memory.as_ref().map(|memory| self.quantity(memory, &MEMORY)).transpose()?,
            link_bits: link.map(|bits| (bits as f64 * link_scale).round() as u64),
            reach: reach.split_ascii_whitespace().map(ToOwned::to_owned).collect(),
            address: entry.address.as_ref().map(|address| *address.get_ref()),
        })
    }

    /// A machine is reached as it is: the laboratory limits nothing there.
    fn expect_machine(&self, entry: &HostEntry) -> Result<(), FileFault> {
        let limits = [
            entry.cores.as_ref().map(Spanned::span),
            entry.cpu.as_ref().map(Spanned::span),
            entry.memory.as_ref().map(Spanned::span),
        ];
        if let Some(place) = limits.into_iter().flatten().next() {
            return self.wrong(place, "a machine of its own is not limited", "leave it out");
        }
        match &entry.reach {
            Some(reach) if reach.get_ref().trim().is_empty() => {
                let fault = "the command that reaches the host is empty";
                self.wrong(reach.span(), fault, "write \"ssh web1\"")
            }
            _ => Ok(()),
        }
    }

    fn expect_share(&self, entry: &HostEntry) -> Result<(), FileFault> {
        let places = [entry.reach.as_ref().map(Spanned::span), entry.address.as_ref().map(Spanned::span)];
        match places.into_iter().flatten().next() {
            None => Ok(()),
            Some(place) => self.wrong(
                place,
                "a share of this machine is reached without a command",
                "leave it out, or set separation = \"machines\"",
            ),
        }
    }

    fn cores(&self, entry: &Spanned<CoresEntry>) -> Result<Cores, FileFault> {
        let CoresEntry::List(numbers) = entry.get_ref() else { return Ok(Cores::Rest) };
        let distinct: BTreeSet<u32> = numbers.iter().copied().collect();
        match distinct.len() == numbers.len() && !numbers.is_empty() {
            true => Ok(Cores::List(distinct.into_iter().collect())),
            false => self.wrong(
                entry.span(),
                "a host needs at least one core, and each of them once",
                "number the machine's cores from 0, such as [1], or take \"rest\"",
            ),
        }
    }

    /// A throttled load generator would measure itself.
    fn expect_unthrottled(&self, entry: &HostEntry) -> Result<(), FileFault> {
        let places = [entry.cpu.as_ref().map(Spanned::span), entry.memory.as_ref().map(Spanned::span)];
        match places.into_iter().flatten().next() {
            None => Ok(()),
            Some(place) => self.wrong(
                place,
                "the host of the clients can't be limited in CPU or memory: the laboratory runs there",
                "leave the limit out and give the host its own core",
            ),
        }
    }

    fn expect_no_limits(&self, entry: &HostEntry) -> Result<(), FileFault> {
        let cpu = entry.cpu.as_ref().map(Spanned::span);
        let others = [&entry.memory, &entry.link].map(|text| text.as_ref().map(Spanned::span));
        match cpu.into_iter().chain(others.into_iter().flatten()).next() {
            None => Ok(()),
            Some(place) => self.wrong(
                place,
                "hosts that are separated by cores can't be limited further",
                "leave it out, or set separation = \"namespaces\", which needs root",
            ),
        }
    }

    fn cpu(&self, entry: &Spanned<f64>, cores: &Cores) -> Result<f64, FileFault> {
        let cpu = *entry.get_ref();
        let Cores::List(numbers) = cores else {
            let remedy = "name its cores, or leave cpu out: it then has all that they have";
            return self.wrong(entry.span(), "a host with the rest of the cores can't be limited", remedy);
        };
        match cpu >= LEAST_CPU && cpu <= numbers.len() as f64 {
            true => Ok(cpu),
            false => self.wrong(
                entry.span(),
                format!("cpu must be between {LEAST_CPU} and the number of the host's cores"),
                "it is CPU time in cores: 0.3 is 30 % of one core",
            ),
        }
    }

    fn quantity(&self, entry: &Spanned<String>, units: &Units) -> Result<u64, FileFault> {
        match units.read(entry.get_ref()) {
            Some(quantity) => Ok(quantity),
            None => {
                let fault = format!("`{}` is no {}", entry.get_ref(), units.what);
                self.wrong(entry.span(), fault, &format!("write it such as \"{}\"", units.example))
            }
        }
    }

    fn expect_distinct_roles(&self, hosts: &BTreeMap<Spanned<String>, HostEntry>) -> Result<(), FileFault> {
        let mut played = BTreeSet::new();
        for (name, host) in hosts {
            let own = [name.clone()];
            for role in host.roles.as_deref().unwrap_or(&own) {
                // Several machines may divide the clients.
                let is_client = role.get_ref() == CLIENT && host.reach.is_some();
                if !is_client && !played.insert(role.get_ref().clone()) {
                    let fault = format!("two hosts play the role `{}`", role.get_ref());
                    return self.wrong(role.span(), fault, "leave it to one of them");
                }
            }
        }
        Ok(())
    }

    /// The laboratory itself drives clients; other machines may drive more of them.
    fn expect_client_here(
        &self,
        entries: &BTreeMap<Spanned<String>, HostEntry>,
        hosts: &[HostPlan],
    ) -> Result<(), FileFault> {
        let mut clients = entries.keys().zip(hosts).filter(|(_, host)| host.plays(CLIENT)).peekable();
        match clients.peek().copied() {
            None => self.wrong(
                entries.keys().next().map_or(0..0, Spanned::span),
                format!("no host plays the role `{CLIENT}`"),
                &format!("add a table [host.{CLIENT}]; the laboratory itself runs there"),
            ),
            Some((name, _)) if clients.all(|(_, host)| !host.reach.is_empty()) => self.wrong(
                name.span(),
                "all clients are on other machines, but this one drives some, too",
                &format!("add a table [host.{CLIENT}] without `reach`"),
            ),
            Some(_) => Ok(()),
        }
    }

    fn expect_fallback(&self, entry: &Spanned<String>, hosts: &[HostPlan]) -> Result<(), FileFault> {
        let names = hosts.iter().map(|host| host.name.as_str());
        if names.clone().any(|name| name == entry.get_ref()) {
            return Ok(());
        }
        let remedy = did_you_mean(entry.get_ref(), names.collect::<Vec<_>>());
        self.wrong(entry.span(), format!("there is no host `{}`", entry.get_ref()), &remedy)
    }

    /// The quotas of a core must add up to less than the core: only then does each host get its quota.
    fn expect_quotas_below_cores(
        &self,
        entries: &BTreeMap<Spanned<String>, HostEntry>,
        hosts: &[HostPlan],
    ) -> Result<(), FileFault> {
        let mut allotted: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        let mut has_rest = false;
        for (entry, host) in entries.values().zip(hosts) {
            let place = || entry.cores.as_ref().map_or(0..0, Spanned::span);
            let Cores::List(numbers) = &host.cores else {
                if std::mem::replace(&mut has_rest, true) {
                    return self.wrong(place(), "two hosts have the rest of the cores", "name one's cores");
                }
                continue;
            };
            for core in numbers {
                let shares = allotted.entry(*core).or_default();
                shares.push(host.cpu.map_or(1.0, |cpu| cpu / numbers.len() as f64));
                let sum: f64 = shares.iter().sum();
                if shares.len() > 1 && sum >= 1.0 {
                    let place = entry.cpu.as_ref().map_or_else(place, Spanned::span);
                    let fault = format!("core {core} is allotted to {:.0} %", sum * 100.0);
                    return self.wrong(
                        place,
                        fault,
                        "give each host that shares a core a `cpu`, together below 100 %",
                    );
                }
            }
        }
        Ok(())
    }
}

/// The notation of quantities: a number and a unit.
struct Units {
    what: &'static str,
    example: &'static str,
    units: &'static [(&'static str, f64)],
}

const MEMORY: Units = Units {
    what: "amount of memory",
    example: "2 GiB",
    units: &[("MiB", 1024.0 * 1024.0), ("GiB", 1024.0 * 1024.0 * 1024.0)],
};
const LINK: Units =
    Units { what: "speed of a link", example: "100 Mbit/s", units: &[("Mbit/s", 1e6), ("Gbit/s", 1e9)] };

impl Units {
    fn read(&self, text: &str) -> Option<u64> {
        let find = |(unit, factor): &(&str, f64)| {
            let number: f64 = text.strip_suffix(unit)?.trim_end().parse().ok()?;
            (number.is_finite() && number >= 1.0).then_some((number * factor).round() as u64)
        };
        self.units.iter().find_map(find)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUR: &str = include_str!("../../../../testbeds/four-machines.toml");
    const FIVE: &str = include_str!("../../../../testbeds/five-machines.toml");
    const ONE: &str = include_str!("../../../../testbeds/one-machine.toml");
    const MACHINES: &str = include_str!("../../../../testbeds/two-machines.toml");

    fn read(text: &str) -> Result<Testbed, String> {
        let document = Document::new("bed.toml", text);
        Testbed::of(&document, PathBuf::from("/bed.toml")).map_err(|fault| {
            let mut shown = String::new();
            let handler = miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::none());
            handler.render_report(&mut shown, fault.as_ref()).unwrap();
            shown
        })
    }

    #[test]
    fn the_papers_machines_have_equal_servers_and_a_separate_client() {
        for (text, servers, cpu) in [(FOUR, 3, 0.3), (FIVE, 4, 0.22)] {
            let bed = read(text).unwrap();
            let (client, others): (Vec<_>, Vec<_>) = bed.hosts.iter().partition(|host| host.name == CLIENT);
            assert_eq!((client.len(), others.len()), (1, servers));
            assert!(others.iter().all(|host| host.cpu == Some(cpu)
                && host.cores == others[0].cores
                && host.memory_bytes == others[0].memory_bytes
                && host.link_bits == Some(100_000_000)));
            assert!(client[0].cpu.is_none() && client[0].cores != others[0].cores);
            for role in ["web", "app", "db", "ejb", CLIENT] {
                let expected = if role == "ejb" && servers == 3 { "app" } else { role };
                assert_eq!(bed.host_of(role).name, expected);
            }
        }
    }

    #[test]
    fn one_machine_needs_no_root_and_separates_the_generator() {
        let bed = read(ONE).unwrap();
        assert_eq!(bed.separation, Separation::Cores);
        assert_ne!(bed.host_of(CLIENT).name, bed.host_of("web").name);
        assert_eq!(bed.host_of("web"), bed.host_of("db"));
    }

    #[test]
    fn a_machine_of_its_own_is_reached_by_words_and_limited_by_nobody() {
        let bed = read(MACHINES).unwrap();
        let (clients, servers) = (bed.host_of(CLIENT), bed.host_of("web"));
        assert!(clients.reach.is_empty() && servers.reach == ["ssh", "web1"] && servers.address.is_some());
        let with = |from: &str, to: &str| {
            assert!(MACHINES.contains(from), "{from} is not in the file");
            read(&MACHINES.replacen(from, to, 1)).unwrap_err()
        };
        for (from, to, texts) in [
            ("reach =", "cores = [1]\nreach =", ["a machine of its own is not limited", "leave it out"]),
            (
                "reach =",
                "memory = \"2 GiB\"\nreach =",
                ["a machine of its own is not limited", "leave it out"],
            ),
            ("\"192.168.1.11\"", "\"web1\"", ["IPv4", "bed.toml"]),
            ("\"ssh web1\"", "\" \"", ["is empty", "\"ssh web1\""]),
            (
                "roles =",
                "reach = \"ssh web1\"\nroles =",
                ["all clients are on other machines", "[host.client] without `reach`"],
            ),
            ("\"machines\"", "\"cores\"", ["without a command", "separation = \"machines\""]),
        ] {
            let shown = with(from, to);
            let words = shown.replace('│', "").split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(texts.iter().all(|text| words.contains(text)), "{texts:?}:\n{shown}");
        }
        let without = FOUR.replacen("cores = [1]\n", "", 1);
        assert!(read(&without).unwrap_err().contains("has no `cores`"));
    }

    #[test]
    fn several_machines_may_divide_the_clients() {
        let with = |reach: &str| {
            let more = format!("[host.more]\nroles = [\"client\"]\naddress = \"192.168.1.12\"\n{reach}");
            read(&format!("{MACHINES}{more}"))
        };
        let bed = with("reach = \"ssh load2\"\n").unwrap();
        assert_eq!(bed.host_of(CLIENT).name, "client");
        let named: Vec<&str> = bed.clients().map(|host| host.name.as_str()).collect();
        assert_eq!(named, ["client", "more"]);
        let two = with("").unwrap_err();
        assert!(two.contains("two hosts play the role `client`"), "{two}");
        assert_eq!(read(FOUR).unwrap().clients().count(), 1);
    }

    #[test]
    fn links_are_scaled() {
        let bed = read(&FOUR.replace("link_scale = 1.0", "link_scale = 2.5")).unwrap();
        assert!(bed.hosts.iter().all(|host| host.link_bits == Some(250_000_000)));
    }

    #[test]
    fn errors_name_the_line_and_a_remedy() {
        let four = |from: &str, to: &str| {
            let text = FOUR.replacen(from, to, 1);
            assert_ne!(text, FOUR, "{from} is not in the file");
            text
        };
        for (text, texts) in [
            (four("[host.web]", "[host.web]\nquota = 3"), ["unknown field `quota`", "known are"]),
            (four("cpu = 0.3", "cpu = 0.5"), ["allotted to 110 %", "below 100 %"]),
            (four("cpu = 0.3\n", ""), ["allotted to", "give each host that shares a core a `cpu`"]),
            (four("cpu = 0.3", "cpu = 0.05"), ["between 0.1", "30 % of one core"]),
            (four("cpu = 0.3", "cpu = 1.5"), ["number of the host's cores", "in cores"]),
            (four("fallback = \"app\"", "fallback = \"ap\""), ["no host `ap`", "did you mean `app`?"]),
            (four("[host.web]", "[host.Web_1]"), ["`Web_1` can't be", "small letters"]),
            (four("\"100 Mbit/s\"", "\"100 mbps\""), ["`100 mbps` is no speed", "\"100 Mbit/s\""]),
            (four("\"2 GiB\"", "\"2 GB\""), ["`2 GB` is no amount of memory", "\"2 GiB\""]),
            (four("cores = [1]", "cores = []"), ["at least one core", "from 0"]),
            (four("cores = [1]", "cores = \"all\""), ["\"rest\"", "bed.toml"]),
            (four("cores = [1]", "cores = \"rest\""), ["can't be limited", "name its cores"]),
            (four("[host.web]", "[host.web]\nroles = [\"db\"]"), ["two hosts play the role `db`", "one of"]),
            (
                four("\"client\", \"payment\"", "\"payment\""),
                ["no host plays the role `client`", "[host.client]"],
            ),
            (four("link_scale = 1.0", "link_scale = 0"), ["must be above 0", "as they are"]),
            (four("\"namespaces\"", "\"cores\""), ["can't be limited further", "needs root"]),
            (four("cores = [0]", "cores = [0]\ncpu = 0.9"), ["host of the clients", "its own core"]),
            (four("\"namespaces\"", "\"vms\""), ["unknown variant `vms`", "known are"]),
        ] {
            let shown = read(&text).unwrap_err();
            let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(texts.iter().all(|text| words.contains(text)), "{texts:?}:\n{shown}");
            assert!(words.contains("bed.toml"), "{shown}");
        }
    }
}
