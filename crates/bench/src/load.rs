//! The cost of loading an application's rows while they are generated, compared with loading the same rows from ready
//! files. The latter uses one LOAD DATA INFILE per table, as many tables at once as there are CPUs, and secondary
//! indexes afterwards; no faster way was found.

use crate::{show, text_of};
use anyhow::{Context as _, bail, ensure};
use application::{Application, Dataset, Generator, Table, Timestamp};
use auction::AUCTION;
use fs_err as fs;
use mysql::{Conn, prelude::Queryable};
use procfs::process::Process;
use services::{
    Instance, ReadySettings, RunPaths, Service, TierSettings,
    fixture::Connection,
    store::{self, Access, LoadOrder},
};
use settings::Document;
use std::{
    collections::BTreeMap,
    env,
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed},
    thread,
    time::Instant,
};
use testbed::{Scratch, TierMeter};

pub(crate) const OURS: &str = "load-made";
pub(crate) const FILES: &str = "load-files";
pub(crate) const MAKE: &str = "make";
/// The most bytes that are written at scale 1: files, a store, its logs.
const BYTES: f64 = 5e9;
/// All runs make the same rows.
const EPOCH: Timestamp = Timestamp(1_795_000_000);
/// Largest first.
const ORDER: [&str; 9] =
    ["old_items", "users", "comments", "items", "bids", "buy_now", "categories", "regions", "ids"];

/// Loads `rounds` times in each way, and prints the figures and their ratios.
pub(crate) fn run(scale: &str, rounds: &str) -> anyhow::Result<()> {
    let factor: f64 = scale.parse().context("the scale is a number")?;
    let rounds: usize = rounds.parse().context("the number of rounds is a number")?;
    let own = env::current_exe()?;
    let scratch = Scratch::create(&own)?;
    let free = testbed::free_bytes(scratch.path())?;
    ensure!(
        free as f64 > BYTES * factor.max(0.2),
        "loading at scale {scale} needs {:.1} GB in {}, where {:.1} GB are free",
        BYTES * factor.max(0.2) / 1e9,
        scratch.path().display(),
        free as f64 / 1e9
    );
    let files = scratch.path().join("files");
    fs::create_dir(&files)?;
    let bytes = write_files(&files, factor)?;
    println!(
        "{rounds} rounds of loading the auction at scale {scale} on InnoDB, each way in turn: {:.2} GB of text",
        bytes as f64 / 1e9
    );
    let once = |word: &str| -> anyhow::Result<RoundCost> {
        let mut command = Command::new(&own);
        command.arg(word).arg(scale).arg(&files);
        text_of(command)?.parse()
    };
    let mut all = Vec::new();
    for round in 0..rounds {
        // The order alternates between rounds.
        let words = if round % 2 == 0 { [OURS, FILES] } else { [FILES, OURS] };
        let [first, second] = [once(words[0])?, once(words[1])?];
        let (ours, theirs) = if round % 2 == 0 { (first, second) } else { (second, first) };
        let made = once(MAKE)?;
        println!(
            "  round {}: made meanwhile {:.2} s ({:.2} s of CPU, {:.0} MB), ready files {:.2} s ({:.2} s of CPU), making alone {:.2} s; load average {}",
            round + 1,
            ours.seconds,
            ours.cpu_s,
            ours.peak_mb,
            theirs.seconds,
            theirs.cpu_s,
            made.seconds,
            load_average()
        );
        all.push((ours, theirs, made));
    }
    show(
        "made / ready",
        "seconds, of which 1.3 are wanted at most",
        all.iter().map(|(ours, theirs, _)| ours.seconds / theirs.seconds),
    );
    show(
        "made / ready",
        "CPU seconds of server and laboratory",
        all.iter().map(|(ours, theirs, _)| ours.cpu_s / theirs.cpu_s),
    );
    show(
        "load / making",
        "seconds, of which 5 are wanted at least",
        all.iter().map(|(ours, _, made)| ours.seconds / made.seconds),
    );
    show(
        "peak memory",
        "MB of the process that makes and sends rows; 100 at most",
        all.iter().map(|(ours, ..)| ours.peak_mb),
    );
    Ok(())
}

fn load_average() -> String {
    fs::read_to_string("/proc/loadavg").unwrap_or_default().split(' ').take(1).collect()
}

struct RoundCost {
    seconds: f64,
    cpu_s: f64,
    peak_mb: f64,
}

impl std::str::FromStr for RoundCost {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let numbers: Result<Vec<f64>, _> = text.split_whitespace().map(str::parse).collect();
        match numbers?.as_slice() {
            &[seconds, cpu_s, peak_mb] => Ok(Self { seconds, cpu_s, peak_mb }),
            _ => anyhow::bail!("three numbers are expected:\n{text}"),
        }
    }
}

/// Loads rows while they are generated; prints the cost, as [`RoundCost`] parses it.
pub(crate) fn ours(scale: &str) -> anyhow::Result<()> {
    let mut server = StoreServer::start()?;
    let dataset = Dataset::new(1, scale.parse()?, EPOCH);
    let schema = schema()?;
    let stop = AtomicBool::new(false);
    let order = LoadOrder { application: &AUCTION, dataset: &dataset, schema: &schema, stop: &stop };
    server.measure(|server| {
        Ok(store::load(&mut server.instance, &server.access, order, &mut |_| ()).map(|_| ())?)
    })
}

/// A running server with the rows of a dataset, the stack's access to them, and the folder of both.
pub(crate) fn loaded(dataset: &Dataset) -> anyhow::Result<(Instance, Access, Scratch)> {
    let StoreServer { mut instance, access, _scratch } = StoreServer::start()?;
    let (schema, stop) = (schema()?, AtomicBool::new(false));
    let order = LoadOrder { application: &AUCTION, dataset, schema: &schema, stop: &stop };
    store::load(&mut instance, &access, order, &mut |_| ())?;
    Ok((instance, access, _scratch))
}

pub(crate) fn files(folder: &Path) -> anyhow::Result<()> {
    let mut server = StoreServer::start()?;
    let place = server.instance.folder().join("load");
    for name in ORDER {
        fs::hard_link(folder.join(name), place.join(name))?;
    }
    server.measure(|server| {
        let mut root = server.connect("mysql")?;
        root.query_drop("CREATE DATABASE auction COLLATE utf8mb4_nopad_bin")?;
        root.query_drop("USE auction")?;
        let schema = schema()?.replace("{{ engine }}", "InnoDB");
        let (tables, keys) = without_keys(&schema);
        for statement in tables.split(';').filter(|statement| !statement.trim().is_empty()) {
            root.query_drop(statement)?;
        }
        let next = AtomicUsize::new(0);
        let work = || -> anyhow::Result<()> {
            let mut connection = server.connect("auction")?;
            while let Some(name) = ORDER.get(next.fetch_add(1, Relaxed)) {
                let file = place.join(name);
                connection.query_drop(format!(
                    "LOAD DATA INFILE '{}' INTO TABLE {name} CHARACTER SET utf8mb4",
                    file.display()
                ))?;
                if let Some(keys) = keys.get(*name) {
                    connection.query_drop(format!("ALTER TABLE {name} {}", keys.join(", ")))?;
                }
            }
            Ok(())
        };
        in_parallel(&work)
    })
}

/// Generates all rows and discards them; prints the cost.
pub(crate) fn make(scale: &str) -> anyhow::Result<()> {
    let start = Instant::now();
    let generator = AUCTION.generator(&Dataset::new(1, scale.parse()?, EPOCH));
    let parts = parts(generator.as_ref());
    let next = AtomicUsize::new(0);
    let bytes = AtomicU64::new(0);
    let work = || -> anyhow::Result<()> {
        let mut text = Vec::new();
        while let Some((table, units)) = parts.get(next.fetch_add(1, Relaxed)) {
            text.clear();
            generator.rows(table, units.clone(), &mut |row| store::write_row(&mut text, row));
            bytes.fetch_add(text.len() as u64, Relaxed);
        }
        Ok(())
    };
    in_parallel(&work)?;
    ensure!(bytes.into_inner() > 0, "no rows were made");
    print_round(start.elapsed().as_secs_f64(), 0.0)
}

/// The number of units that are generated at once.
const PART_UNITS: u64 = 500;

fn parts(generator: &dyn Generator) -> Vec<(&'static Table, std::ops::Range<u64>)> {
    let of = |table: &'static Table| {
        let units = generator.units(table);
        (0..units)
            .step_by(PART_UNITS as usize)
            .map(move |begin| (table, begin..units.min(begin + PART_UNITS)))
    };
    AUCTION.tables().iter().flat_map(of).collect()
}

fn in_parallel(work: &(dyn Fn() -> anyhow::Result<()> + Sync)) -> anyhow::Result<()> {
    let processors = thread::available_parallelism()?.get();
    thread::scope(|scope| {
        let threads: Vec<_> = (0..processors).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
    })
}

fn write_files(folder: &Path, scale: f64) -> anyhow::Result<u64> {
    let generator = AUCTION.generator(&Dataset::new(1, scale, EPOCH));
    let mut bytes = 0;
    let mut text = Vec::new();
    for name in ORDER {
        fs::write(folder.join(name), "")?;
    }
    for (table, units) in parts(generator.as_ref()) {
        text.clear();
        generator.rows(table, units, &mut |row| store::write_row(&mut text, row));
        fs::OpenOptions::new().append(true).open(folder.join(table.name))?.write_all(&text)?;
        bytes += text.len() as u64;
    }
    Ok(bytes)
}

/// Splits the secondary keys, each on its own line, from the schema.
fn without_keys(schema: &str) -> (String, BTreeMap<String, Vec<String>>) {
    let mut tables = Vec::new();
    let mut keys: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut table = "";
    for line in schema.lines().filter(|line| !line.starts_with("--")) {
        let trimmed = line.trim().trim_end_matches(',');
        table = trimmed.strip_prefix("CREATE TABLE ").map_or(table, |rest| rest.trim_end_matches(" ("));
        match trimmed.starts_with("KEY ") || trimmed.starts_with("UNIQUE KEY ") {
            true => keys.entry(table.to_owned()).or_default().push(format!("ADD {trimmed}")),
            false => tables.push(line),
        }
    }
    (tables.join("\n").replace(",\n)", "\n)"), keys)
}

pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn schema() -> anyhow::Result<String> {
    Ok(fs::read_to_string(workspace().join("apps/auction/schema/mariadb.sql"))?)
}

struct StoreServer {
    instance: Instance,
    access: Access,
    _scratch: Scratch,
}

impl StoreServer {
    fn start() -> anyhow::Result<Self> {
        let own = env::current_exe()?;
        let scratch = Scratch::create(&own)?;
        let service = Service::read(&workspace().join("services/mariadb"))?;
        let factors = service.factors.choose(&Document::new("", ""), &BTreeMap::new())?;
        let settings = TierSettings {
            role: "db".to_owned(),
            name: service.name.clone(),
            factors,
            stack_templates: Vec::new(),
            place: testbed::HostHandle::default(),
            fixed_port: None,
            ready: ReadySettings::default(),
            is_prepared: true,
            is_trained: false,
        };
        let run = RunPaths {
            executable: own,
            folder: scratch.path().to_owned(),
            lock: scratch.lock(),
            site: scratch.path().to_owned(),
            application: AUCTION.name().to_owned(),
            dataset: Dataset::new(1, 1.0, EPOCH),
            time_scale: 1.0,
            environment: BTreeMap::new(),
            tls: None,
            secure_paths: Vec::new(),
        };
        let mut instance = Instance::prepare(&service, &settings, &[], &run)?;
        let access = Access::new(&instance, AUCTION.name())?;
        instance.start()?;
        Ok(Self { instance, access, _scratch: scratch })
    }

    fn connect(&self, database: &str) -> anyhow::Result<Conn> {
        match Connection::with_all_rights(&self.instance, database) {
            Connection::Mariadb(connection) => Ok(connection),
            Connection::Postgresql(_) => bail!("this loads into MariaDB"),
        }
    }

    /// Runs some work on the server, and prints its cost.
    fn measure(&mut self, work: impl FnOnce(&mut Self) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let meter = TierMeter::of(self.instance.supervisor().context("the store does not run")?);
        let (start, before) = (Instant::now(), meter.sample_in_detail());
        work(self)?;
        let seconds = start.elapsed().as_secs_f64();
        let (user_s, system_s) = meter.sample_in_detail().since(&before).cpu_s;
        let found = self.connect("auction")?.query_first("SELECT COUNT(*) FROM users")?;
        ensure!(found.is_some_and(|rows: u64| rows > 0), "the store is empty");
        print_round(seconds, user_s + system_s)
    }
}

/// Prints what [`RoundCost`] parses: seconds, CPU seconds of the server and this process, peak memory of this process.
fn print_round(seconds: f64, server_cpu_s: f64) -> anyhow::Result<()> {
    let own = Process::myself()?;
    let stat = own.stat()?;
    let own_cpu_s = (stat.utime + stat.stime) as f64 / procfs::ticks_per_second() as f64;
    let peak_kb = own.status()?.vmhwm.context("the kernel doesn't report peak memory")?;
    println!("{seconds} {} {}", server_cpu_s + own_cpu_s, peak_kb as f64 / 1e3);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secondary_keys_are_split_from_the_schema() {
        let (tables, keys) = without_keys(&schema().unwrap());
        assert!(!tables.contains("  KEY") && tables.contains("PRIMARY KEY (id)\n)"), "{tables}");
        assert_eq!(
            keys["users"],
            ["ADD UNIQUE KEY users_nickname (nickname)", "ADD KEY users_region (region)"]
        );
        let mut names: Vec<&str> = AUCTION.tables().iter().map(|table| table.name).collect();
        names.sort_unstable();
        let mut order = ORDER;
        order.sort_unstable();
        assert_eq!(names, order);
    }
}
