//! Simulated measurements of a paper: results as reports read them, with the noise that was measured.

use crate::truths::{Truths, normal, uniform};
use papers::{
    Arrival, Arrived, CapacityPlan, Configuration, Figure, Measured, Observations, Paper, Run, Users,
    Workload,
};
use results::{
    HostUsageFigures, HostUsageSample, Loads, Manifest, Point, Round, TestbedRecord, TierFigures, WarmUp,
};
use specimens::{THINK_TIME, points::point};
use std::collections::BTreeSet;

/// Standard deviations of logarithms: of a window, and of a start of a site.
struct Noise {
    window: f64,
    start: f64,
}

const PROGRAMS: Noise = Noise { window: 0.078, start: 0.015 };
const SERVLETS: Noise = Noise { window: 0.12, start: 0.054 };
const BEANS: Noise = Noise { window: 0.12, start: 0.064 };
/// All sites of a start are faster or slower together.
const COMMON: f64 = 0.10;
/// Standard deviation of the logarithm of the system's share of CPU time.
const SHARE: f64 = 0.05;
/// Further starts of all sites that make up for INVALID points.
const EXTRA_STARTS: u32 = 2;
/// Seconds of a window of one round.
const ROUND_S: f64 = 3.0;
/// Share of a limiting host's CPU in use, and the part of it that is seen where a bottleneck can't be told.
const USED_UP: f64 = 0.98;
const MISSED: f64 = 0.87;
/// Cores of each host.
const CORES: f64 = 0.3;

/// Settings of the simulation.
#[derive(Debug, Clone, Default)]
pub struct World {
    pub truths: Truths,
    /// VALID starts that each pair is to share.
    pub starts: u32,
    /// Probability that a point is INVALID.
    pub invalid: f64,
    /// True if each round counts as a start, which it is not.
    pub rounds_count_as_starts: bool,
    /// Factor on all noise.
    pub noise: f64,
}

fn is_of_beans(here: &str) -> bool {
    here.contains("EJB")
}

fn has_compilers(here: &str) -> bool {
    ["Servlet", "Jsp", "Java"].iter().any(|word| here.contains(word))
}

fn noise_of(here: &str) -> Noise {
    match here {
        _ if is_of_beans(here) => BEANS,
        _ if has_compilers(here) => SERVLETS,
        _ => PROGRAMS,
    }
}

impl World {
    /// Observations of a quick reproduction of these runs.
    pub fn observed(&self, paper: &Paper, runs: &[Run<'_>]) -> Observations {
        let mut seen = Observations::default();
        for run in runs {
            match &run.workload.users {
                Users::Mix(_) => seen.extend(self.searched(paper, run)),
                Users::Load { .. } | Users::Capacity(_) => {
                    for configuration in &run.configurations {
                        let arrived = Measured::Arrived(self.arrived(&run.workload, configuration));
                        seen.add(&run.workload, configuration.maps_to.as_str(), arrived);
                    }
                }
            }
        }
        seen
    }

    fn searched(&self, paper: &Paper, run: &Run<'_>) -> Observations {
        let loads = loads(run);
        let starts = self.starts_needed(run, &loads);
        let mut points = Vec::new();
        for configuration in &run.configurations {
            let plain = plain(&configuration.maps_to);
            for (place, clients) in loads.iter().enumerate() {
                let starts = (1..=starts)
                    .map(|start| self.point(&plain, paper, run, configuration, (place, *clients), start));
                points.extend(starts);
            }
        }
        if self.rounds_count_as_starts {
            points = points.iter().flat_map(rounds_as_starts).collect();
        }
        let names: Vec<&str> = run.configurations.iter().map(|one| one.maps_to.as_str()).collect();
        let mut manifest = Manifest { testbed: Some(testbed(paper)), ..specimens::manifest(&names) };
        manifest.spec.loads = Loads::closed(&loads, THINK_TIME);
        Observations::of_result(paper, &run.workload, &specimens::result(manifest, points))
    }

    /// Starts until each pair of sites shares enough VALID ones at each load, or two more than that.
    fn starts_needed(&self, run: &Run<'_>, loads: &[u32]) -> u32 {
        let all: Vec<&str> = run.configurations.iter().map(|one| one.maps_to.as_str()).collect();
        let valid = |here: &&str, place: usize, starts: u32| -> BTreeSet<u32> {
            (1..=starts).filter(|start| self.is_valid(&run.name(), here, place, *start)).collect()
        };
        let is_enough = |starts: &u32| {
            (0..loads.len()).all(|place| {
                let sets: Vec<_> = all.iter().map(|here| valid(here, place, *starts)).collect();
                let shares =
                    |one: &BTreeSet<u32>, other| one.intersection(other).count() as u32 >= self.starts;
                sets.iter().all(|one| sets.iter().all(|other| shares(one, other)))
            })
        };
        let most = self.starts + EXTRA_STARTS;
        (self.starts..most).find(is_enough).unwrap_or(most)
    }

    fn is_valid(&self, run: &str, here: &str, place: usize, start: u32) -> bool {
        uniform(self.truths.seed, &format!("verdict {run} {here} {place} {start}")) >= self.invalid
    }

    /// A point: the load's place, and its clients.
    fn point(
        &self,
        plain: &Point,
        paper: &Paper,
        run: &Run<'_>,
        configuration: &Configuration,
        (place, clients): (usize, u32),
        start: u32,
    ) -> Point {
        let (here, workload) = (configuration.maps_to.as_str(), &run.workload);
        let deviate = |of: f64, key: String| self.noise * of * normal(self.truths.seed, &key);
        let Noise { window, start: own } = noise_of(here);
        // Mixes of a block share its starts.
        let block = format!("{} {:?}", workload.application, run.block);
        let name = run.name();
        let effects = deviate(COMMON, format!("start {start} of {block}"))
            + deviate(own, format!("start {start} of {block} {here}"));
        let fall = if place > 0 { self.truths.fall(workload, configuration) } else { 0.0 };
        let truth = self.truths.peak(&paper.name, workload, configuration) - fall;
        let rounds = (run.application.quick.window.0.as_secs_f64() / ROUND_S).round() as u32;
        let (limit, is_told) = self.truths.limit(workload, configuration);
        let throughputs: Vec<f64> = (0..rounds)
            .map(|round| {
                let key = format!("round {round} {start} {place} {name} {here}");
                (truth + effects + deviate(window, key)).exp()
            })
            .collect();
        let throughput = throughputs.iter().sum::<f64>() / f64::from(rounds);
        let host_of =
            |role: &str| host_names(paper).iter().position(|roles| roles.iter().any(|one| one == role));
        // All tiers of a host share its CPU, which is that of the limiting one here.
        let shares: Vec<f64> = configuration
            .machines
            .iter()
            .map(|role| match **role == *limit {
                true => USED_UP,
                false if host_of(role) == host_of(limit) => 0.0,
                false => 0.3,
            })
            .collect();
        let key = format!("system {start} {place} {name} {here}");
        let system = self.truths.system_share(here) * deviate(SHARE, key).exp();
        let tier = |(role, share): (&papers::Name, &f64)| TierFigures {
            role: role.to_string(),
            service: "server".into(),
            cpu_user_s: share * (1.0 - system),
            cpu_system_s: share * system,
            cpu_ms_per_interaction: 1e3 * share * CORES / throughput,
            cores: share * CORES,
            ..plain.tiers[0].clone()
        };
        let faults_per_s = self.truths.page_faults(configuration) * throughput;
        let round = |throughput: &f64| Round {
            length_s: ROUND_S,
            throughput: *throughput,
            cpu_s: shares.iter().map(|share| share * CORES * ROUND_S).collect(),
            steal_cores: 0.0,
            other_processes_cores: 0.0,
        };
        let mut point = Point {
            clients,
            repetition: start,
            start: Some(start),
            throughput,
            tiers: configuration.machines.iter().zip(&shares).map(tier).collect(),
            hosts: hosts(paper, configuration, &shares, is_told, faults_per_s),
            rounds: throughputs.iter().map(round).collect(),
            ..plain.clone()
        };
        point.verdict.valid = self.is_valid(&name, here, place, start);
        point
    }

    fn arrived(&self, workload: &Workload, configuration: &Configuration) -> Arrived {
        let here = configuration.maps_to.as_str();
        let Noise { window, start } = noise_of(here);
        let deviation = self.noise * COMMON.hypot(start).hypot(window / 2.0);
        let most = self.starts + EXTRA_STARTS;
        let valid: Vec<u32> = (1..=most)
            .filter(|run| self.is_valid(&workload.name(), here, 0, *run))
            .take(self.starts as usize)
            .collect();
        let truth = |figure: Figure| match &workload.users {
            // Clients who don't think are as many as the site answers in the time that the objective allows.
            Users::Capacity(CapacityPlan { mix, .. }) if workload.application == "mail" => {
                let at_peak = Workload { users: Users::Mix(mix.clone()), ..workload.clone() };
                self.truths.peak("att-2000", &at_peak, configuration)
            }
            _ => self.truths.arrived(configuration, figure),
        };
        let run = |run: &u32| {
            let figure = |figure: Figure| {
                let key = format!("{figure:?} {run} {} {here}", workload.name());
                (truth(figure) + deviation * normal(self.truths.seed, &key)).exp()
            };
            let bent = uniform(self.truths.seed, &format!("bent {here}")) < 0.5;
            let answer = |there: u32| {
                let key = format!("{there} {run} {} {here}", workload.name());
                let rise = f64::from(there).powf(if bent { 1.3 } else { 1.0 });
                (there, rise * (self.noise * 0.03 * normal(self.truths.seed, &key)).exp())
            };
            Arrival {
                clients: Some(figure(Figure::Clients)),
                traffic: figure(Figure::Traffic),
                response_ms: figure(Figure::ResponseTime),
                deviation_ms: Some(figure(Figure::Deviation)),
                p90_over_p10: Some(figure(Figure::P90OverP10)),
                failed: 0,
                requests: 1000,
                by_concurrency: (1..=21).map(answer).collect(),
            }
        };
        Arrived { loads: [(1, valid.iter().map(run).collect())].into() }
    }
}

/// A point for each of its rounds, as if the servers had been started for it.
fn rounds_as_starts(point: &Point) -> Vec<Point> {
    let each = (0..).zip(&point.rounds).map(|(place, round)| Point {
        start: point.start.map(|start| 100 * start + place),
        repetition: 100 * point.repetition + place,
        throughput: round.throughput,
        rounds: vec![round.clone()],
        ..point.clone()
    });
    each.collect()
}

/// The loads of a run; a search is simulated as its peak, measured again and known to be passed.
fn loads(run: &Run<'_>) -> Vec<u32> {
    let search = run.application.quick.search.as_ref().filter(|search| !search.clients.is_empty());
    search.map_or_else(|| vec![100], |search| search.clients.clone())
}

/// A point without what a simulation doesn't look at.
fn plain(here: &str) -> Point {
    let has_compilers = has_compilers(here);
    let warm_up = WarmUp { has_compilers, ..specimens::warm_up() };
    let full = point(here, 100, 100.0, None);
    let mut tiers = full.tiers;
    tiers.truncate(1);
    tiers[0].gauges.clear();
    Point {
        warm_up: Some(warm_up),
        timeline: Vec::new(),
        interactions: Vec::new(),
        tiers,
        generator_cpu: 0.1,
        ..full
    }
}

/// A host for each machine of the paper; where it counts several of a kind, one for each role.
fn host_names(paper: &Paper) -> Vec<Vec<String>> {
    let servers =
        paper.about.machines.iter().filter(|machine| machine.roles.iter().all(|role| **role != *"client"));
    servers
        .flat_map(|machine| {
            let roles: Vec<String> = machine.roles.iter().map(ToString::to_string).collect();
            match machine.count {
                Some(1) => vec![roles],
                _ => roles.into_iter().map(|role| vec![role]).collect(),
            }
        })
        .collect()
}

fn testbed(paper: &Paper) -> TestbedRecord {
    let hosts = host_names(paper).into_iter().map(|roles| specimens::host(roles, Some(CORES)));
    specimens::testbed(hosts.collect())
}

/// Each host is as busy as its tiers together, unless its meter misses some of it; all have the page faults of the measured
/// one.
fn hosts(
    paper: &Paper,
    configuration: &Configuration,
    shares: &[f64],
    is_told: bool,
    faults_per_s: f64,
) -> Vec<HostUsageFigures> {
    let hosts = host_names(paper).into_iter().map(|roles| {
        let mine = configuration
            .machines
            .iter()
            .zip(shares)
            .filter(|(role, _)| roles.iter().any(|own| **own == ***role));
        let (tiers, used): (Vec<String>, Vec<f64>) =
            mine.map(|(role, share)| (format!("{role} (server)"), *share)).unzip();
        HostUsageFigures {
            mean: HostUsageSample {
                name: roles.join(" and "),
                cores: CORES * used.iter().sum::<f64>() * if is_told { 1.0 } else { MISSED },
                page_faults_per_s: Some(faults_per_s),
                ..HostUsageSample::default()
            },
            tiers,
            cpu: Some(CORES),
            ..HostUsageFigures::default()
        }
    });
    hosts.collect()
}
