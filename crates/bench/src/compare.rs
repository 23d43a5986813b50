//! Comparison of load generators. They run in turn, round by round, each as a process whose CPU time counts. A ratio
//! within a round cancels disturbances of the machine that last longer than a round.

use crate::{server, text_of};
use anyhow::ensure;
use procfs::process::Process;
use stats::Interval;
use std::ops::Sub;
use std::process::Command;

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Cpu {
    pub user_s: f64,
    pub system_s: f64,
}

impl Cpu {
    /// The CPU time of all ended children of this process, to 10 ms.
    fn of_ended_children() -> anyhow::Result<Self> {
        let stat = Process::myself()?.stat()?;
        let seconds = |ticks: i64| ticks as f64 / procfs::ticks_per_second() as f64;
        Ok(Self { user_s: seconds(stat.cutime), system_s: seconds(stat.cstime) })
    }
}

impl Sub for Cpu {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { user_s: self.user_s - other.user_s, system_s: self.system_s - other.system_s }
    }
}

#[derive(Debug, PartialEq)]
pub(crate) struct RunCount {
    /// Answered requests.
    pub requests: u64,
    /// CPU time before its first request, which doesn't count: its share would be smaller in a longer run.
    pub setup: Cpu,
}

impl RunCount {
    /// For a generator that starts in a few milliseconds.
    pub fn of(requests: u64) -> Self {
        Self { requests, setup: Cpu::default() }
    }
}

pub(crate) type Reader = fn(&str) -> anyhow::Result<RunCount>;

pub(crate) struct Generator<'a> {
    name: &'static str,
    command: Box<dyn Fn() -> Command + 'a>,
    read: Reader,
    is_peer: bool,
}

impl<'a> Generator<'a> {
    /// One of our generators, with its command and the reader of its output.
    pub fn new(name: &'static str, read: Reader, command: impl Fn() -> Command + 'a) -> Self {
        Self { name, command: Box::new(command), read, is_peer: false }
    }

    /// Another tool's generator, which is left out once it fails.
    pub fn peer(name: &'static str, read: Reader, command: impl Fn() -> Command + 'a) -> Self {
        Self { is_peer: true, ..Self::new(name, read, command) }
    }

    /// The cost of a run; none of a peer that has failed.
    fn cost(&self) -> anyhow::Result<Option<Cost>> {
        match self.run() {
            Ok(cost) => Ok(Some(cost)),
            Err(error) if self.is_peer => {
                println!("  left out: {}: {error:#}", self.name);
                Ok(None)
            }
            Err(error) => Err(error.context(self.name)),
        }
    }

    fn run(&self) -> anyhow::Result<Cost> {
        let before = Cpu::of_ended_children()?;
        let text = text_of_generator((self.command)())?;
        let ended = Cpu::of_ended_children()?;
        let report = (self.read)(&text)?;
        ensure!(report.requests > 0, "no request was answered:\n{text}");
        let used = ended - before - report.setup;
        ensure!(used.user_s > 0.0, "{} used no CPU time that can be measured; run it for longer", self.name);
        let per_request = |seconds: f64| seconds * 1e6 / report.requests as f64;
        Ok(Cost { total_us: per_request(used.user_s + used.system_s), user_us: per_request(used.user_s) })
    }
}

/// The output of a generator on the generators' CPU.
pub(crate) fn text_of_generator(command: Command) -> anyhow::Result<String> {
    server::on_cpu(server::Side::Generator, || text_of(command))?
}

#[derive(Clone, Copy)]
struct Cost {
    /// Including the kernel's work.
    total_us: f64,
    user_us: f64,
}

const PARTS: [fn(&Cost) -> f64; 2] = [|cost| cost.total_us, |cost| cost.user_us];

pub(crate) struct Costs {
    name: &'static str,
    rounds: Vec<Cost>,
}

/// Runs all generators in each round, and prints their costs.
pub(crate) fn in_rounds(generators: &[Generator<'_>], rounds: usize) -> anyhow::Result<Vec<Costs>> {
    let mut all: Vec<Option<Costs>> = Vec::new();
    for generator in generators {
        // The first run loads code, which costs more.
        let first = generator.cost()?;
        all.push(first.map(|_| Costs { name: generator.name, rounds: Vec::new() }));
    }
    for round in 0..rounds {
        // The order rotates between rounds.
        for turn in 0..generators.len() {
            let at = (turn + round) % generators.len();
            let Some(costs) = &mut all[at] else { continue };
            match generators[at].cost()? {
                Some(cost) => costs.rounds.push(cost),
                None => all[at] = None,
            }
        }
        let shown = |costs: &Costs| format!("{} {:.2} µs", costs.name, costs.rounds[round].total_us);
        println!("  round {}: {}", round + 1, all.iter().flatten().map(shown).collect::<Vec<_>>().join(", "));
    }
    Ok(all.into_iter().flatten().collect())
}

/// A Markdown table of all generators, with the ratios of the first to each other one.
pub(crate) fn table(all: &[Costs]) -> String {
    let [ours, others @ ..] = all else { return String::new() };
    let head = format!(
        "| generator | CPU per request | in user mode | CPU, {0} / it | in user mode, {0} / it |\n|---|--:|--:|--:|--:|\n",
        ours.name
    );
    let own = row(ours, [String::new(), String::new()]);
    let rows = others.iter().map(|costs| row(costs, PARTS.map(|part| ratio(ours, costs, part))));
    [head, own].into_iter().chain(rows).collect()
}

fn row(costs: &Costs, ratios: [String; 2]) -> String {
    let [total, user] = PARTS.map(|part| mean(costs, part));
    let [ratio, user_ratio] = ratios;
    format!("| {} | {total:.2} µs | {user:.2} µs | {ratio} | {user_ratio} |\n", costs.name)
}

fn mean(costs: &Costs, part: fn(&Cost) -> f64) -> f64 {
    costs.rounds.iter().map(part).sum::<f64>() / costs.rounds.len() as f64
}

/// The geometric mean of the rounds' ratios, with its 95 % interval.
fn ratio(ours: &Costs, theirs: &Costs, part: fn(&Cost) -> f64) -> String {
    let rounds = ours.rounds.iter().zip(&theirs.rounds);
    let logarithms: Vec<f64> = rounds.map(|(one, other)| (part(one) / part(other)).ln()).collect();
    let shown = |interval: Interval| {
        let [mean, low, high] = [interval.mean, interval.low(), interval.high()].map(f64::exp);
        format!("{mean:.3} ({low:.3} to {high:.3})")
    };
    Interval::of_mean(&logarithms).map(shown).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs(name: &'static str, rounds: [[f64; 2]; 3]) -> Costs {
        Costs { name, rounds: rounds.map(|[total_us, user_us]| Cost { total_us, user_us }).to_vec() }
    }

    #[test]
    fn ratios_are_those_of_neighbours() {
        // The machine is three times as slow in the last round.
        let ours = costs("stress", [[8.0, 2.0], [8.0, 2.0], [24.0, 6.0]]);
        let theirs = costs("wrk", [[10.0, 4.0], [10.0, 4.0], [30.0, 12.0]]);
        let table = table(&[ours, theirs]);
        let rows: Vec<&str> = table.lines().skip(2).collect();
        assert_eq!(
            rows,
            [
                "| stress | 13.33 µs | 3.33 µs |  |  |",
                "| wrk | 16.67 µs | 6.67 µs | 0.800 (0.800 to 0.800) | 0.500 (0.500 to 0.500) |",
            ]
        );
    }

    #[test]
    fn rounds_that_disagree_widen_the_interval() {
        let ours = costs("stress", [[9.0, 1.0], [10.0, 1.0], [11.0, 1.0]]);
        let theirs = costs("wrk", [[10.0, 1.0]; 3]);
        let shown = ratio(&ours, &theirs, PARTS[0]);
        assert!(shown.starts_with("0.997 (0.77") && shown.ends_with(')'), "{shown}");
    }

    #[test]
    fn a_peer_that_fails_is_left_out_and_our_own_failure_ends_all() {
        let fails = || Command::new("false");
        let read: Reader = |_| Ok(RunCount::of(1));
        let peer = [Generator::peer("peer", read, fails)];
        assert!(in_rounds(&peer, 2).unwrap().is_empty());
        let error = in_rounds(&[Generator::new("ours", read, fails)], 2).err().unwrap();
        assert!(error.to_string().starts_with("ours"), "{error:#}");
    }

    #[test]
    fn a_generator_alone_has_no_ratio() {
        let table = table(&[costs("users", [[1.0, 0.5]; 3])]);
        assert_eq!(table.lines().next_back(), Some("| users | 1.00 µs | 0.50 µs |  |  |"));
    }
}
