//! Schedules against servers whose throughput is a formula: no time passes, and nothing is measured.

use super::*;
use proptest::prelude::*;
use rand::RngExt;
use results::{HostFigures, Times, Verdict};

/// A server in virtual time: it saturates, declines, scatters, and is sometimes disturbed.
#[derive(Debug, Clone)]
struct Server {
    capacity: f64,
    decline: f64,
    noise: f64,
    disturbed: f64,
}

impl Server {
    fn steady(capacity: f64) -> Self {
        Self { capacity, decline: 0.1, noise: 0.0, disturbed: 0.0 }
    }

    /// What a point gives; the same whenever the same point is asked for.
    fn measure(&self, name: &str, task: &Task) -> Point {
        let mut random = ChaCha8Rng::seed_from_u64(task.seed ^ u64::from(task.sequence));
        let load = f64::from(task.clients) / 7.0;
        let beyond = (load / self.capacity).max(1.0);
        let throughput = load.min(self.capacity) * beyond.powf(-self.decline);
        let scatter: f64 = random.random_range(-1.0..=1.0);
        let valid = random.random::<f64>() >= self.disturbed;
        point(name, task, throughput * (1.0 + self.noise * scatter), valid)
    }
}

fn point(name: &str, task: &Task, throughput: f64, valid: bool) -> Point {
    Point {
        configuration: name.to_owned(),
        stack: String::new(),
        clients: task.clients,
        repetition: task.repetition,
        sequence: task.sequence,
        purpose: task.purpose,
        seed: task.seed,
        patience_s: None,
        started: String::new(),
        warm_up: None,
        warm_s: 0.0,
        window_s: 0.0,
        throughput,
        throughput_half_width: None,
        response: Times::default(),
        quantiles: Vec::new(),
        service: Times::default(),
        completed: 0,
        refused: 0,
        errors: [].into(),
        backs: 0,
        fallbacks: 0,
        reconnects: 0,
        bytes_received: 0,
        interactions: Vec::new(),
        tiers: Vec::new(),
        host: HostFigures::default(),
        hosts: Vec::new(),
        sampler_cpu: 0.0,
        generator_cpu: 0.0,
        lateness_p99_ms: 0.0,
        timeline: Vec::new(),
        rounds: Vec::new(),
        start: None,
        arrivals: None,
        audit: None,
        verdict: Verdict { valid, checks: Vec::new() },
    }
}

const NAMES: [&str; 3] = ["A", "B", "C"];
const SEARCH: Loads = Loads::ToThePeak { first: 50, most: 4000, coarse: false };

fn listed(loads: &[u32], repetitions: u32, seed: u64) -> Schedule {
    Schedule::new(&NAMES, &Loads::These(loads.to_vec()), repetitions, seed)
}

/// Measures all that a schedule asks for from now on, and holds each step against what it said was left.
fn finish(schedule: &mut Schedule, servers: &[Server]) -> Vec<(Task, Point)> {
    let mut measured = Vec::new();
    let mut said = Vec::new();
    while let Some(task) = schedule.next() {
        assert_eq!(schedule.next().as_ref(), Some(&task), "asking changes nothing");
        said.push(schedule.left());
        let point = servers[task.contender].measure(NAMES[task.contender], &task);
        schedule.record(&point);
        measured.push((task, point));
        assert!(measured.len() < 1000, "no end");
    }
    assert_eq!(schedule.left(), (0, 0));
    for (done, (least, most)) in said.into_iter().enumerate() {
        let left = &measured[done..];
        if left.iter().all(|(_, point)| point.verdict.valid) {
            let really = left.len() as u32;
            assert!(least <= really && really <= most, "{really}, not {least} to {most}, after {done}");
        }
    }
    measured
}

fn tasks(measured: &[(Task, Point)]) -> Vec<Task> {
    measured.iter().map(|(task, _)| task.clone()).collect()
}

fn points(measured: &[(Task, Point)]) -> Vec<Point> {
    measured.iter().map(|(_, point)| point.clone()).collect()
}

fn three() -> Vec<Server> {
    [300.0, 90.0, 1000.0].map(Server::steady).to_vec()
}

#[test]
fn all_listed_loads_come_once_before_any_comes_again() {
    let tasks = tasks(&finish(&mut listed(&[20, 10], 2, 1), &three()));
    let loads: Vec<(u32, u32)> =
        tasks.iter().step_by(3).map(|task| (task.clients, task.repetition)).collect();
    assert_eq!(loads, [(20, 1), (10, 1), (20, 2), (10, 2)]);
    let sequence: Vec<u32> = tasks.iter().map(|task| task.sequence).collect();
    assert_eq!(sequence, Vec::from_iter(1..=12));
    assert!(tasks.iter().all(|task| task.purpose == Purpose::Listed));
}

#[test]
fn in_rounds_a_repetition_is_one_start_of_all_servers_and_what_is_left_of_one_is_too() {
    let new = || listed(&[20, 10], 2, 7).in_rounds();
    let alone = finish(&mut listed(&[20, 10], 2, 7), &three());
    let (planned, points) = (tasks(&alone), points(&alone));
    let mut schedule = new();
    assert_eq!(schedule.next_together(), &planned[..6]);
    assert_eq!(schedule.next_together(), &planned[..6], "asking changes nothing");
    for interruption in 0..planned.len() {
        let mut resumed = new();
        resumed.replay(&points[..interruption]).unwrap();
        let end = if interruption < 6 { 6 } else { 12 };
        assert_eq!(resumed.next_together(), &planned[interruption..end], "after {interruption}");
    }
    // All points of a start are told at its end, at two loads.
    for start in points.chunks(6) {
        assert_eq!(schedule.next_together().len(), 6);
        start.iter().for_each(|point| _ = schedule.record(point));
    }
    assert_eq!(schedule.next_together(), []);
    let mut profiled = new().with_profiles();
    profiled.replay(&points).unwrap();
    assert_eq!(profiled.next_together().len(), 1);
}

#[test]
fn a_load_that_is_listed_twice_is_measured_twice_with_other_clients() {
    let mut schedule = Schedule::new(&["A"], &Loads::These(vec![5, 5]), 1, 1);
    let tasks = tasks(&finish(&mut schedule, &three()));
    assert_eq!(tasks.iter().map(|task| task.repetition).collect::<Vec<_>>(), [1, 2]);
    assert_ne!(tasks[0].seed, tasks[1].seed);
}

#[test]
fn in_each_round_everybody_comes_once_in_an_order_of_its_own() {
    let order = |seed| {
        let tasks = tasks(&finish(&mut listed(&[20, 10], 10, seed), &three()));
        tasks.chunks(3).map(|round| round.iter().map(|task| task.contender).collect()).collect()
    };
    let rounds: Vec<Vec<usize>> = order(1);
    for round in &rounds {
        let mut sorted = round.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2]);
    }
    for first in 0..3 {
        let times = rounds.iter().filter(|round| round[0] == first).count();
        assert!((2..=12).contains(&times), "{first} comes first in {times} of 20 rounds");
    }
    assert_eq!(order(1), rounds);
    assert_ne!(order(2), rounds);
}

#[test]
fn all_configurations_meet_the_same_clients_and_no_point_meets_them_again() {
    let tasks = tasks(&finish(&mut listed(&[20, 10], 3, 7), &three()));
    let mut seeds = BTreeMap::new();
    for task in &tasks {
        let seed = *seeds.entry((task.clients, task.repetition)).or_insert(task.seed);
        assert_eq!(task.seed, seed);
    }
    let mut different: Vec<u64> = seeds.values().copied().collect();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), 6);
}

#[test]
fn no_peak_is_confirmed_before_all_are_found() {
    let mut schedule = Schedule::new(&NAMES, &SEARCH, 5, 1);
    let tasks = tasks(&finish(&mut schedule, &three()));
    let first = tasks.iter().position(|task| task.purpose == Purpose::Confirm).unwrap();
    assert!(tasks[first..].iter().all(|task| task.purpose == Purpose::Confirm));
    let together = &tasks[first..first + 15];
    for round in together.chunks(3) {
        let mut round: Vec<usize> = round.iter().map(|task| task.contender).collect();
        round.sort_unstable();
        assert_eq!(round, [0, 1, 2], "confirmed side by side");
    }
}

#[test]
fn the_end_of_each_search_is_told_once() {
    let mut schedule = Schedule::new(&NAMES, &SEARCH, 3, 1);
    let servers = three();
    let mut ends = Vec::new();
    while let Some(task) = schedule.next() {
        let point = servers[task.contender].measure(NAMES[task.contender], &task);
        if let Some(end) = schedule.record(&point) {
            ends.push((task.contender, end));
        }
    }
    let mut who: Vec<usize> = ends.iter().map(|(who, _)| *who).collect();
    who.sort_unstable();
    assert_eq!(who, [0, 1, 2]);
    for (who, end) in ends {
        let within_reach = servers[who].capacity.min(4000.0 / 7.0);
        let peak = end.peak.unwrap();
        assert!((peak.throughput / within_reach - 1.0).abs() < 0.05, "{peak:?} of {within_reach}");
        assert_eq!(end.passed, who != 2, "4000 clients are not enough for the third: {end:?}");
    }
}

#[test]
fn points_of_another_plan_are_refused_by_name() {
    let measured = points(&finish(&mut listed(&[20, 10], 1, 1), &three()));
    let refusal = |loads: &[u32], seed, points: &[Point]| {
        listed(loads, 1, seed).replay(points).unwrap_err().to_string()
    };
    let said = refusal(&[30, 10], 1, &measured);
    assert!(said.contains("its point 1 is") && said.contains("with 20 clients (run 1)"), "{said}");
    assert!(refusal(&[20], 1, &measured).contains("would be nothing more"));
    refusal(&[20, 10], 2, &measured);
    let mut swapped = measured.clone();
    swapped.swap(0, 1);
    refusal(&[20, 10], 1, &swapped);
    listed(&[20, 10], 1, 1).replay(&measured).unwrap();
}

prop_compose! {
    fn servers()(all in proptest::collection::vec(
        (10.0f64..2000.0, 0.0f64..0.6, 0.0f64..0.05, 0.0f64..0.2), 3)) -> Vec<Server> {
        let server = |(capacity, decline, noise, disturbed)| Server { capacity, decline, noise, disturbed };
        all.into_iter().map(server).collect()
    }
}

fn loads() -> impl Strategy<Value = Loads> {
    prop_oneof![
        proptest::collection::vec(1u32..2000, 1..5).prop_map(Loads::These),
        proptest::collection::vec(1u32..2000, 1..5).prop_map(Loads::Sweep),
        (1u32..200, 200u32..10_000, proptest::bool::ANY).prop_map(|(first, most, coarse)| Loads::ToThePeak {
            first,
            most,
            coarse
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Wherever a run is interrupted, and however often: it goes on as if it had not been.
    #[test]
    fn a_resumed_run_asks_for_exactly_what_the_uninterrupted_one_asks_for(
        servers in servers(), loads in loads(), repetitions in 1u32..6, seed: u64,
    ) {
        let new = || Schedule::new(&NAMES, &loads, repetitions, seed);
        let measured = finish(&mut new(), &servers);
        let (tasks, points) = (tasks(&measured), points(&measured));
        for interruption in 0..=points.len() {
            let mut resumed = new();
            resumed.replay(&points[..interruption]).unwrap();
            prop_assert_eq!(resumed.next(), tasks.get(interruption).cloned());
            for contender in 0..3 {
                let needed = tasks[interruption..].iter().any(|task| task.contender == contender);
                prop_assert_eq!(resumed.needs(contender), needed);
            }
        }
        let half = points.len() / 2;
        let mut resumed = new();
        resumed.replay(&points[..half]).unwrap();
        prop_assert_eq!(self::tasks(&finish(&mut resumed, &servers)), &tasks[half..]);
    }
}

#[test]
fn each_is_profiled_last_and_at_its_best_load() {
    let listed = finish(&mut listed(&[700, 7000, 2100], 2, 1).with_profiles(), &three());
    let profiles: Vec<&(Task, Point)> =
        listed.iter().filter(|(task, _)| task.purpose == Purpose::Profile).collect();
    assert_eq!(listed.len(), 3 * 3 * 2 + 3);
    assert!(listed[18..].iter().all(|(task, _)| task.purpose == Purpose::Profile), "after all else");
    let mut loads: Vec<(usize, u32)> =
        profiles.iter().map(|(task, _)| (task.contender, task.clients)).collect();
    loads.sort_unstable();
    // The saturated ones decline from there on.
    assert_eq!(loads, [(0, 2100), (1, 700), (2, 7000)]);
    assert!(profiles.iter().all(|(task, _)| task.repetition == 3));
    let mut schedule = Schedule::new(&NAMES, &SEARCH, 3, 1).with_profiles();
    let searched = finish(&mut schedule, &three());
    let confirmed: Vec<(usize, u32)> = searched
        .iter()
        .filter(|(task, _)| task.purpose == Purpose::Confirm)
        .map(|(task, _)| (task.contender, task.clients))
        .collect();
    let mut profiled = 0;
    for (task, _) in searched.iter().filter(|(task, _)| task.purpose == Purpose::Profile) {
        assert!(confirmed.contains(&(task.contender, task.clients)), "{task:?}");
        profiled += 1;
    }
    assert_eq!(profiled, 3);
}

#[test]
fn a_valid_load_is_profiled_rather_than_a_better_one_that_is_not() {
    let mut schedule = Schedule::new(&["A"], &Loads::These(vec![10, 20]), 1, 1).with_profiles();
    for (throughput, valid) in [(10.0, true), (20.0, false)] {
        let task = schedule.next().unwrap();
        schedule.record(&point("A", &task, throughput, valid));
    }
    let task = schedule.next().unwrap();
    assert_eq!((task.clients, task.purpose), (10, Purpose::Profile));
    schedule.record(&point("A", &task, 5.0, true));
    assert_eq!(schedule.next(), None);
}

#[test]
fn profiles_change_nothing_of_what_is_measured_and_can_be_resumed() {
    let plain = finish(&mut Schedule::new(&NAMES, &SEARCH, 3, 7), &three());
    let new = || Schedule::new(&NAMES, &SEARCH, 3, 7).with_profiles();
    let with = finish(&mut new(), &three());
    assert_eq!(tasks(&with)[..plain.len()], tasks(&plain));
    for done in plain.len()..=with.len() {
        let mut resumed = new();
        resumed.replay(&points(&with[..done])).unwrap();
        assert_eq!(tasks(&finish(&mut resumed, &three())), tasks(&with[done..]));
    }
}

#[test]
fn the_steps_of_a_sweep_follow_each_other_and_nothing_comes_between() {
    let steps = [100, 400, 800, 400, 100];
    let sweep = || Schedule::new(&NAMES, &Loads::Sweep(steps.to_vec()), 2, 7);
    let mut schedule = sweep();
    let mut starts = Vec::new();
    let mut measured = Vec::new();
    loop {
        let together = schedule.next_together();
        let Some(first) = together.first() else { break };
        let loads: Vec<u32> = together.iter().map(|task| task.clients).collect();
        assert_eq!(loads, steps);
        starts.push((first.contender, first.repetition));
        for task in together {
            assert_eq!(schedule.next(), Some(task.clone()), "the same points as one by one");
            let point = three()[task.contender].measure(NAMES[task.contender], &task);
            schedule.record(&point);
            measured.push((task, point));
        }
    }
    starts.sort_unstable();
    // Each has had two sweeps, in which the outer loads come twice.
    assert_eq!(starts, [(0, 1), (0, 3), (1, 1), (1, 3), (2, 1), (2, 3)]);
    let first: Vec<usize> = tasks(&measured)[..15].iter().step_by(5).map(|task| task.contender).collect();
    assert_eq!(first.iter().sum::<usize>(), 3, "all have had one before any has another: {first:?}");
    let mut seeds: Vec<(usize, u64)> =
        tasks(&measured).iter().map(|task| (task.contender, task.seed)).collect();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 30, "nobody does the same twice on the same data");
    // Whoever resumes has whole sweeps.
    let mut resumed = sweep();
    resumed.replay(&points(&measured)[..15]).unwrap();
    assert_eq!(resumed.next_together(), tasks(&measured)[15..20]);
}

#[test]
fn a_coarse_search_measures_its_doubled_loads_on_one_start_and_then_the_best_again_on_others() {
    let coarse = || Schedule::new(&NAMES, &Loads::ToThePeak { first: 400, most: 3200, coarse: true }, 3, 7);
    let mut schedule = coarse();
    let mut starts: Vec<(usize, Vec<u32>)> = Vec::new();
    let mut measured = Vec::new();
    loop {
        let together = schedule.next_together();
        let Some(first) = together.first() else { break };
        starts.push((first.contender, together.iter().map(|task| task.clients).collect()));
        for task in together {
            let point = three()[task.contender].measure(NAMES[task.contender], &task);
            schedule.record(&point);
            measured.push((task, point));
        }
    }
    let (ladders, confirmed) = starts.split_at(3);
    assert!(ladders.iter().all(|(_, loads)| *loads == [400, 800, 1600, 3200]), "{ladders:?}");
    let mut of_each: Vec<&(usize, Vec<u32>)> = confirmed.iter().collect();
    of_each.sort();
    // The first load at which they are saturated.
    let best = [(0, 3200), (1, 800), (2, 3200)];
    let expected: Vec<(usize, Vec<u32>)> =
        best.iter().flat_map(|(contender, load)| vec![(*contender, vec![*load]); 3]).collect();
    assert_eq!(of_each, expected.iter().collect::<Vec<_>>());
    assert_eq!(tasks(&measured), tasks(&finish(&mut coarse(), &three())), "the same points as one by one");
    // Whoever resumes within the doubled loads goes on with the rest of them.
    let mut resumed = coarse();
    resumed.replay(&points(&measured)[..2]).unwrap();
    assert_eq!(resumed.next_together(), tasks(&measured)[2..4]);
}
