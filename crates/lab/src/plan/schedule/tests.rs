//! Schedules against servers whose throughput is a formula: no time passes, and nothing is measured.

use super::*;
use proptest::prelude::*;
use rand::RngExt;
use results::{Round, Verdict, WarmUp};
use stats::{Check, CheckId, StoppingRule};
use std::time::Duration;

/// A server in virtual time: it saturates, declines, scatters, and is sometimes disturbed.
#[derive(Debug, Clone)]
struct Server {
    capacity: f64,
    decline: f64,
    noise: f64,
    disturbed: f64,
    /// The check that a disturbed point fails.
    fails: CheckId,
}

impl Server {
    fn knee(&self) -> f64 {
        self.capacity * 7.0
    }

    fn steady(capacity: f64) -> Self {
        Self { capacity, decline: 0.1, noise: 0.0, disturbed: 0.0, fails: CheckId::Errors }
    }

    /// The throughput of a point; the same whenever the same point is asked for.
    fn measure(&self, name: &str, task: &Task) -> Point {
        let mut random = ChaCha8Rng::seed_from_u64(task.seed ^ u64::from(task.sequence));
        let load = f64::from(task.kind.clients()) / 7.0;
        let beyond = (load / self.capacity).max(1.0);
        let throughput = load.min(self.capacity) * beyond.powf(-self.decline);
        let scatter: f64 = random.random_range(-1.0..=1.0);
        let valid = random.random::<f64>() >= self.disturbed;
        let mut point = point(name, task, throughput * (1.0 + self.noise * scatter), valid);
        // The interactive response time law, for 7 s of thinking.
        point.response.mean_ms =
            Some((f64::from(task.kind.clients()) / point.throughput - 7.0).max(0.01) * 1e3);
        point.completed = 1;
        if !valid {
            point.verdict.checks.push(Check::new(self.fails, false, String::new(), String::new()));
        }
        point
    }
}

fn point(name: &str, task: &Task, throughput: f64, valid: bool) -> Point {
    Point {
        kind: task.kind.clone(),
        repetition: task.repetition,
        sequence: task.sequence,
        purpose: task.purpose,
        seed: task.seed,
        warm_up: Some(warm_up(None)),
        verdict: Verdict { valid, checks: Vec::new() },
        ..specimens::points::point(name, task.kind.clients(), throughput, None)
    }
}

fn warm_up(knee_clients: Option<f64>) -> WarmUp {
    WarmUp { knee_clients, ..specimens::warm_up() }
}

const NAMES: [&str; 3] = ["A", "B", "C"];
const THINK_TIME: Duration = Duration::from_secs(7);

fn listed(loads: &[u32], repetitions: u32, seed: u64) -> Schedule {
    Schedule::new(&NAMES, &Loads::closed(loads, THINK_TIME), repetitions, seed, false)
}

fn search(repetitions: u32, seed: u64, in_rounds: bool) -> Schedule {
    Schedule::new(&NAMES, &Loads::peak(4000, THINK_TIME, StoppingRule::Fixed), repetitions, seed, in_rounds)
}

/// The tasks of the next turn; none at the end.
fn next(schedule: &mut Schedule, servers: &[Server]) -> Vec<Task> {
    let turn = schedule.turn();
    assert_eq!(schedule.turn(), turn, "asking changes nothing");
    let Some(turn) = turn else { return Vec::new() };
    let tasks = schedule.tasks(&turn, |index| Some(servers[index].knee()));
    assert_eq!(schedule.tasks(&turn, |_| None), tasks, "a turn that has begun stays as it is");
    tasks
}

/// Measures all that a schedule asks for from now on.
fn finish(schedule: &mut Schedule, servers: &[Server]) -> Vec<(Task, Point)> {
    turns(schedule, servers).into_iter().flatten().collect()
}

/// All tasks, turn by turn.
fn turns(schedule: &mut Schedule, servers: &[Server]) -> Vec<Vec<(Task, Point)>> {
    let mut all = Vec::new();
    loop {
        let tasks = next(schedule, servers);
        if tasks.is_empty() {
            break;
        }
        let is_shared = schedule.is_in_rounds() && tasks[0].purpose != Purpose::Profile;
        let measured = tasks.into_iter().map(|task| {
            let server = &servers[task.configuration];
            let mut point = server.measure(NAMES[task.configuration], &task);
            point.warm_up = Some(warm_up(Some(server.knee())));
            let throughput = point.throughput;
            let (length_s, steal_cores, other_processes_cores) = (3.0, 0.0, 0.0);
            point.start = is_shared.then_some(task.repetition);
            point.rounds =
                vec![Round { length_s, throughput, cpu_s: Vec::new(), steal_cores, other_processes_cores }];
            schedule.record(&point);
            (task, point)
        });
        all.push(measured.collect::<Vec<_>>());
        assert!(all.len() < 300, "no end");
    }
    assert!(schedule.left().all(|left| left == Remaining::default()));
    all
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
        tasks.iter().step_by(3).map(|task| (task.kind.clients(), task.repetition)).collect();
    assert_eq!(loads, [(20, 1), (10, 1), (20, 2), (10, 2)]);
    let sequence: Vec<u32> = tasks.iter().map(|task| task.sequence).collect();
    assert_eq!(sequence, Vec::from_iter(1..=12));
    assert!(tasks.iter().all(|task| task.purpose == Purpose::Listed));
}

#[test]
fn in_rounds_a_repetition_is_one_start_of_all_servers_and_what_is_left_of_one_is_too() {
    let new = || Schedule::new(&NAMES, &Loads::closed(&[20, 10], THINK_TIME), 2, 7, true);
    let starts = turns(&mut new(), &three());
    assert_eq!(starts.iter().map(Vec::len).collect::<Vec<_>>(), [6, 6]);
    let all: Vec<(Task, Point)> = starts.concat();
    let (planned, points) = (tasks(&all), points(&all));
    for interruption in 0..planned.len() {
        let mut resumed = new();
        resumed.replay(&points[..interruption]).unwrap();
        let end = if interruption < 6 { 6 } else { 12 };
        assert_eq!(next(&mut resumed, &three()), &planned[interruption..end], "after {interruption}");
    }
    let mut profiled = new().with_profiles();
    profiled.replay(&points).unwrap();
    assert_eq!(next(&mut profiled, &three()).len(), 1);
}

#[test]
fn experiments_share_each_start_wherever_each_of_them_is() {
    let new = || Schedule::new(&NAMES, &Loads::closed(&[20, 10], THINK_TIME), 2, 7, true);
    let points = points(&finish(&mut new(), &three()));
    let sharers = |schedules: &mut [Schedule]| -> Vec<(usize, usize)> {
        let turns = sharing_next_start(schedules.iter_mut());
        turns.into_iter().map(|(index, turn)| (index, turn.configurations.len())).collect()
    };
    let after = |measured: usize| {
        let mut schedule = new();
        schedule.replay(&points[..measured]).unwrap();
        schedule
    };
    assert_eq!(sharers(&mut [new(), new()]), [(0, 3), (1, 3)]);
    assert_eq!(sharers(&mut [after(6), new()]), [(0, 3), (1, 3)], "one is ahead by a start");
    assert_eq!(sharers(&mut [after(10), after(6)]), [(0, 1), (1, 3)], "what is left of one is measured, too");
    assert_eq!(sharers(&mut [after(12), after(6)]), [(1, 3)]);
    assert!(sharers(&mut [after(12), after(12)]).is_empty());
    assert_eq!(sharers(&mut [listed(&[20], 1, 7), new()]), [(1, 3)]);
    assert_eq!(sharers(&mut [listed(&[20], 1, 7), listed(&[20], 1, 7)]), [(0, 1)]);
}

#[test]
fn in_rounds_all_search_on_one_start_and_confirm_on_others() {
    let starts = turns(&mut search(3, 7, true), &three());
    let who = |start: &Vec<(Task, Point)>| {
        let mut who: Vec<usize> = start.iter().map(|(task, _)| task.configuration).collect();
        who.dedup();
        who.sort_unstable();
        (who, start[0].0.purpose)
    };
    let purposes = [Purpose::Search, Purpose::Confirm, Purpose::Confirm, Purpose::Confirm];
    assert_eq!(starts.iter().map(who).collect::<Vec<_>>(), purposes.map(|purpose| (vec![0, 1, 2], purpose)));
    let of_one = |start: &[(Task, Point)]| -> Vec<u32> {
        start
            .iter()
            .filter(|(task, _)| task.configuration == 1)
            .map(|(task, _)| task.kind.clients())
            .collect()
    };
    // Its knee has 630 clients.
    assert_eq!(of_one(&starts[0]), [280, 400, 570, 800, 1100, 2300]);
    assert_eq!(of_one(&starts[1]), [800, 1600], "the best, and twice as many");
}

/// With 0.5 s of response time at most, a server that saturates at 90/s serves 7.5 · 90 clients.
#[test]
fn capacities_are_bracketed_side_by_side_and_each_is_confirmed_on_its_own_loads() {
    let loads = Loads::capacity(4000, THINK_TIME, "mean <= 500ms".parse().unwrap());
    let servers =
        [90.0, 180.0].map(|capacity| Server { decline: 0.0, noise: 0.01, ..Server::steady(capacity) });
    let mut schedule = Schedule::new(&NAMES[..2], &loads, 12, 7, true);
    let (mut ends, mut starts) = (Vec::new(), 0);
    while let Some(turn) = schedule.turn() {
        starts += 1;
        let tasks = schedule.tasks(&turn, |index| Some(servers[index].knee()));
        for task in tasks {
            ends.extend(
                schedule.record(&servers[task.configuration].measure(NAMES[task.configuration], &task)),
            );
        }
    }
    assert!(starts < 12, "{starts} starts");
    for (name, capacity) in [("A", 675.0), ("B", 1350.0)] {
        let (_, end) = ends.iter().find(|(of, _)| of == name).unwrap();
        let found = f64::from(end.clients().unwrap());
        assert!((found / capacity - 1.0_f64).abs() < 0.05, "{name}: {end:?}");
    }
}

#[test]
fn a_load_that_is_listed_twice_is_measured_twice_with_other_clients() {
    let mut schedule = Schedule::new(&["A"], &Loads::closed(&[5, 5], THINK_TIME), 1, 1, false);
    let tasks = tasks(&finish(&mut schedule, &three()));
    assert_eq!(tasks.iter().map(|task| task.repetition).collect::<Vec<_>>(), [1, 2]);
    assert_ne!(tasks[0].seed, tasks[1].seed);
}

#[test]
fn in_each_round_everybody_comes_once_in_an_order_of_its_own() {
    let order = |seed| {
        let tasks = tasks(&finish(&mut listed(&[20, 10], 10, seed), &three()));
        tasks.chunks(3).map(|round| round.iter().map(|task| task.configuration).collect()).collect()
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
        let seed = *seeds.entry((task.kind.clients(), task.repetition)).or_insert(task.seed);
        assert_eq!(task.seed, seed);
    }
    let mut different: Vec<u64> = seeds.values().copied().collect();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), 6);
}

#[test]
fn no_further_starts_are_made_once_all_comparisons_are_decided() {
    let looked = |capacities: [f64; 3], noise| {
        let servers = capacities.map(|capacity| Server { noise, ..Server::steady(capacity) });
        let loads = Loads::peak(4000, THINK_TIME, StoppingRule::Sequential);
        let mut schedule = Schedule::new(&NAMES, &loads, StoppingRule::most_starts(), 7, true);
        let starts = turns(&mut schedule, &servers);
        starts.iter().filter(|start| start[0].0.purpose == Purpose::Confirm).count()
    };
    assert_eq!(looked([300.0, 90.0, 200.0], 0.01), 4, "they differ");
    assert_eq!(looked([300.0, 300.0, 300.0], 0.001), 4, "they are the same");
    assert_eq!(looked([300.0, 285.0, 300.0], 0.08), 9, "they can't be told");
}

/// A comparison of servers of which these shares of the points fail a check.
fn disturbed(disturbed: [f64; 3], fails: CheckId, seed: u64) -> Schedule {
    let mut schedule = Schedule::new(&NAMES, &Loads::closed(&[400], THINK_TIME), 3, seed, true);
    let servers = disturbed.map(|disturbed| Server { disturbed, fails, ..Server::steady(300.0) });
    let all = finish(&mut schedule, &servers);
    let mut resumed = Schedule::new(&NAMES, &Loads::closed(&[400], THINK_TIME), 3, seed, true);
    resumed.replay(&points(&all)[..all.len() / 2]).unwrap();
    assert_eq!(tasks(&finish(&mut resumed, &servers)), tasks(&all)[all.len() / 2..]);
    schedule
}

#[test]
fn starts_with_an_invalid_point_are_made_up_for() {
    let shared = |schedule: &Schedule| schedule.pairs().map(|pair| pair.shared).min().unwrap();
    let all: Vec<Schedule> =
        (0..200).map(|seed| disturbed([0.25, 0.0, 0.0], CheckId::Errors, seed)).collect();
    let enough = all.iter().filter(|schedule| shared(schedule) >= 3).count();
    let at_once = all.iter().filter(|schedule| schedule.made_up == 0).count();
    // With probability 0.90, two of five points at most are INVALID; with 0.42, none of three is.
    assert!((170..=190).contains(&enough) && (65..=105).contains(&at_once), "{enough}, {at_once}");
    assert_eq!(disturbed([0.0; 3], CheckId::Errors, 7).made_up, 0);
    let never = disturbed([1.0, 0.0, 0.0], CheckId::Errors, 7);
    assert_eq!((never.made_up, never.measured), (2, 15), "a site that is never VALID has an end");
    let busy = disturbed([1.0; 3], CheckId::OtherProcesses, 7);
    assert_eq!((busy.made_up, busy.measured), (0, 9), "others disturb all starts");
    let often = disturbed([1.0, 0.0, 0.0], CheckId::OtherProcesses, 7);
    assert_eq!((often.made_up, often.measured), (2, 15), "others do not disturb all points");
}

#[test]
fn no_peak_is_confirmed_before_all_are_found() {
    let starts = turns(&mut search(5, 1, false), &three());
    let purposes: Vec<Purpose> = starts.iter().map(|start| start[0].0.purpose).collect();
    let first = purposes.iter().position(|purpose| *purpose == Purpose::Confirm).unwrap();
    assert!(purposes[first..].iter().all(|purpose| *purpose == Purpose::Confirm));
    assert_eq!(starts.len() - first, 15);
    for round in starts[first..].chunks(3) {
        let mut round: Vec<usize> = round.iter().map(|start| start[0].0.configuration).collect();
        round.sort_unstable();
        assert_eq!(round, [0, 1, 2], "confirmed side by side");
    }
}

#[test]
fn the_end_of_each_search_is_reported_once() {
    let mut schedule = search(3, 1, true);
    let servers = three();
    let mut ends = Vec::new();
    loop {
        let tasks = next(&mut schedule, &servers);
        if tasks.is_empty() {
            break;
        }
        for task in tasks {
            let point = servers[task.configuration].measure(NAMES[task.configuration], &task);
            let index = |name: &str| NAMES.iter().position(|known| *known == name).unwrap();
            ends.extend(schedule.record(&point).into_iter().map(|(name, end)| (index(&name), end)));
        }
    }
    let mut who: Vec<usize> = ends.iter().map(|(who, _)| *who).collect();
    who.sort_unstable();
    assert_eq!(who, [0, 1, 2]);
    for (who, end) in ends {
        let within_reach = servers[who].capacity.min(4000.0 / 7.0);
        let SearchEnd::Peak { peak: Some(peak), passed } = end else { panic!("{end:?}") };
        assert!((peak.throughput / within_reach - 1.0).abs() < 0.05, "{peak:?} of {within_reach}");
        assert_eq!(passed, who != 2, "4000 clients are not enough for the third: {end:?}");
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
        let server = |(capacity, decline, noise, disturbed)| Server { decline, noise, disturbed, ..Server::steady(capacity) };
        all.into_iter().map(server).collect()
    }
}

fn loads() -> impl Strategy<Value = Loads> {
    prop_oneof![
        proptest::collection::vec(1u32..2000, 1..5).prop_map(|loads| Loads::closed(&loads, THINK_TIME)),
        proptest::collection::vec(1u32..2000, 1..5)
            .prop_map(|steps| Loads::overload_cycle(&steps, THINK_TIME)),
        (1u32..10_000, proptest::bool::ANY).prop_map(|(most, is_sequential)| {
            let stopping = if is_sequential { StoppingRule::Sequential } else { StoppingRule::Fixed };
            Loads::peak(most, THINK_TIME, stopping)
        }),
        (1u32..10_000).prop_map(|most| Loads::capacity(most, THINK_TIME, "mean <= 500ms".parse().unwrap())),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Wherever a run is interrupted, and however often: it goes on as if it had not been.
    #[test]
    fn a_resumed_run_asks_for_exactly_what_the_uninterrupted_one_asks_for(
        servers in servers(), loads in loads(), repetitions in 1u32..6, seed: u64, in_rounds: bool,
    ) {
        let new = || Schedule::new(&NAMES, &loads, repetitions, seed, in_rounds);
        let measured = finish(&mut new(), &servers);
        let (tasks, points) = (tasks(&measured), points(&measured));
        for interruption in 0..=points.len() {
            let mut resumed = new();
            resumed.replay(&points[..interruption]).unwrap();
            let next = next(&mut resumed, &servers);
            prop_assert_eq!(next.first(), tasks.get(interruption));
            for configuration in 0..3 {
                let needed = tasks[interruption..].iter().any(|task| task.configuration == configuration);
                // That no further starts are made is known when the last configuration has ended this one.
                prop_assert!(!needed || resumed.needs(configuration));
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
        profiles.iter().map(|(task, _)| (task.configuration, task.kind.clients())).collect();
    loads.sort_unstable();
    // The saturated ones decline from there on.
    assert_eq!(loads, [(0, 2100), (1, 700), (2, 7000)]);
    assert!(profiles.iter().all(|(task, _)| task.repetition == 3));
    let mut schedule = search(3, 1, true).with_profiles();
    let searched = finish(&mut schedule, &three());
    let confirmed: Vec<(usize, u32)> = searched
        .iter()
        .filter(|(task, _)| task.purpose == Purpose::Confirm)
        .map(|(task, _)| (task.configuration, task.kind.clients()))
        .collect();
    let mut profiled = 0;
    for (task, _) in searched.iter().filter(|(task, _)| task.purpose == Purpose::Profile) {
        assert!(confirmed.contains(&(task.configuration, task.kind.clients())), "{task:?}");
        profiled += 1;
    }
    assert_eq!(profiled, 3);
}

#[test]
fn a_valid_load_is_profiled_rather_than_a_better_one_that_is_not() {
    let mut schedule =
        Schedule::new(&["A"], &Loads::closed(&[10, 20], THINK_TIME), 1, 1, false).with_profiles();
    for (throughput, valid) in [(10.0, true), (20.0, false)] {
        let task = next(&mut schedule, &three()).remove(0);
        schedule.record(&point("A", &task, throughput, valid));
    }
    let task = next(&mut schedule, &three()).remove(0);
    assert_eq!((task.kind.clients(), task.purpose), (10, Purpose::Profile));
    schedule.record(&point("A", &task, 5.0, true));
    assert_eq!(schedule.turn(), None);
}

#[test]
fn profiles_change_nothing_of_what_is_measured_and_can_be_resumed() {
    let plain = finish(&mut search(3, 7, true), &three());
    let new = || search(3, 7, true).with_profiles();
    let with = finish(&mut new(), &three());
    assert_eq!(tasks(&with)[..plain.len()], tasks(&plain));
    for done in plain.len()..=with.len() {
        let mut resumed = new();
        resumed.replay(&points(&with[..done])).unwrap();
        assert_eq!(tasks(&finish(&mut resumed, &three())), tasks(&with[done..]));
    }
}

#[test]
fn the_loads_of_an_overload_cycle_follow_each_other_without_others_between() {
    let steps = [100, 400, 800, 400, 100];
    let overload_cycle = || Schedule::new(&NAMES, &Loads::overload_cycle(&steps, THINK_TIME), 2, 7, false);
    let overload_cycles = turns(&mut overload_cycle(), &three());
    for overload_cycle in &overload_cycles {
        assert_eq!(overload_cycle.iter().map(|(task, _)| task.kind.clients()).collect::<Vec<_>>(), steps);
    }
    let mut starts: Vec<(usize, u32)> = overload_cycles
        .iter()
        .map(|overload_cycle| (overload_cycle[0].0.configuration, overload_cycle[0].0.repetition))
        .collect();
    let first: Vec<usize> = starts[..3].iter().map(|(configuration, _)| *configuration).collect();
    assert_eq!(first.iter().sum::<usize>(), 3, "all have had one before any has another: {first:?}");
    starts.sort_unstable();
    // Each has had two overload cycles, in which the outer loads come twice.
    assert_eq!(starts, [(0, 1), (0, 3), (1, 1), (1, 3), (2, 1), (2, 3)]);
    let measured = overload_cycles.concat();
    let mut seeds: Vec<(usize, u64)> =
        tasks(&measured).iter().map(|task| (task.configuration, task.seed)).collect();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 30, "nobody does the same twice on the same data");
    // A resumed run has whole overload cycles.
    let mut resumed = overload_cycle();
    resumed.replay(&points(&measured)[..15]).unwrap();
    assert_eq!(next(&mut resumed, &three()), tasks(&measured)[15..20]);
}
