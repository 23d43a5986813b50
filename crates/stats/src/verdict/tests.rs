//! Each check at its limit. The tests of the laboratory show that real faults fail them.

use super::*;

/// 1,000 clients, 7 s think time, 100 ms response, 200 s: a sound point.
fn sound() -> Figures {
    let visited = |name: &str, requests, expected| Visited {
        name: name.to_owned(),
        requests,
        expected,
        known_from: f64::INFINITY,
        inflation: 1.0,
    };
    Figures {
        clients: 1000,
        window_s: 200.0,
        stretches: 1,
        generator: GeneratorFigures {
            cpu: 0.3,
            lateness_p50_ms: 0.1,
            lateness_p99_ms: 0.4,
            intended: 28_170,
            sent: 28_170,
        },
        generators: Vec::new(),
        site: SiteFigures {
            response_p50_ms: 80.0,
            response_p99_ms: 300.0,
            response_mean_ms: 100.0,
            completed: 28_169,
            failed: 0,
            looked_for: 0,
            keep_alive_races: 0,
            of_others: 0,
            idle_closed: 5000,
            seconds: seconds(|_| (140.0, 100.0)),
        },
        users: UserFigures {
            think: ThinkTimes { count: 28_200, mean_s: 7.0, expected_s: 7.0, histogram: exponential(28_200) },
            client_time_s: 200_000.0,
            edges_s: -216.9,
            warm_requests: 10.2,
            visited: vec![visited("Home", 7_100, 0.25), visited("Item", 21_069, 0.75)],
            rows: vec![Row {
                from: "Home".to_owned(),
                steps: vec![drawn("Item", 4_230, 0.6), drawn("Home", 2_870, 0.4)],
            }],
            fallbacks: 30,
        },
        host: HostUse {
            cores: 2,
            steal_cores: 0.0,
            in_rounds: false,
            other_processes_cores: 0.02,
            quotas: Vec::new(),
            machines: Vec::new(),
            states: Vec::new(),
        },
    }
}

fn drawn(to: &str, count: u64, probability: f64) -> Drawn {
    Drawn { to: to.to_owned(), count, probability }
}

/// 200 seconds with their throughput and mean response time, which scatter a little.
fn seconds(of: impl Fn(usize) -> (f64, f64)) -> Vec<SecondFigures> {
    let scatter = |second: usize| 1.0 + 0.05 * ((second * 7919 % 101) as f64 / 50.0 - 1.0);
    let second = |at| {
        let (completed, response_ms) = of(at);
        SecondFigures {
            completed: completed * scatter(at),
            response_mean_ms: Some(response_ms * scatter(at + 50)),
        }
    };
    (0..200).map(second).collect()
}

/// `count` think times, exactly by their law with a mean of 7 s.
fn exponential(count: u64) -> Vec<(f64, f64, u64)> {
    let below = |step: u64| ((1.0 - (-(step as f64) / 20.0).exp()) * count as f64).round() as u64;
    let limit_s = |step: u64| 7.0 * step as f64 / 20.0;
    (0..200).map(|step| (limit_s(step), limit_s(step + 1), below(step + 1) - below(step))).collect()
}

/// The checks that fail after `change`, without the response time law, to which almost all figures contribute.
fn failing(change: impl FnOnce(&mut Figures)) -> Vec<CheckId> {
    let all = failing_with_the_response_time_law(change).into_iter();
    all.filter(|check| *check != CheckId::ResponseTimeLaw).collect()
}

/// The checks that fail after `change`.
fn failing_with_the_response_time_law(change: impl FnOnce(&mut Figures)) -> Vec<CheckId> {
    let mut figures = sound();
    change(&mut figures);
    judge_closed(&figures).into_iter().filter(|check| !check.passed).map(|check| check.id).collect()
}

/// The verdict on clients who are always there.
fn judge_closed(figures: &Figures) -> Vec<Check> {
    let applicable: Vec<CheckId> = CheckId::ALL.into_iter().filter(|id| *id != CheckId::KeptUp).collect();
    judge(figures, &applicable)
}

const NONE: [CheckId; 0] = [];

#[test]
fn a_sound_point_passes() {
    assert_eq!(failing_with_the_response_time_law(|_| ()), NONE);
}

#[test]
fn a_busy_generator_fails_the_check_of_its_cpu() {
    assert_eq!(failing(|figures| figures.generator.cpu = 0.8), NONE);
    assert_eq!(failing(|figures| figures.generator.cpu = 0.81), [CheckId::GeneratorCpu]);
    assert_eq!(failing(|figures| figures.generator.cpu = f64::NAN), [CheckId::GeneratorCpu]);
}

#[test]
fn what_another_machine_loses_fails_the_checks_of_this_one() {
    let with = |steal_cores: f64, other_processes_cores: f64| {
        move |figures: &mut Figures| {
            let host = "db".to_owned();
            figures.host.machines = vec![MachineUse { host, cores: 4.0, steal_cores, other_processes_cores }];
        }
    };
    assert_eq!(failing(with(0.04, 0.2)), NONE);
    assert_eq!(failing(with(0.05, 0.2)), [CheckId::Steal]);
    assert_eq!(failing(with(0.04, 0.3)), [CheckId::OtherProcesses]);
    let mut figures = sound();
    with(0.0, 0.3)(&mut figures);
    let checks = judge_closed(&figures);
    let check = checks.iter().find(|check| check.id == CheckId::OtherProcesses).unwrap();
    assert_eq!(check.figure, "7.5 % (0.30 of 4 cores on db)");
    figures.host.other_processes_cores = 0.5;
    let checks = judge_closed(&figures);
    let check = checks.iter().find(|check| check.id == CheckId::OtherProcesses).unwrap();
    assert_eq!(check.figure, "25.0 % (0.50 of 2 cores); 7.5 % (0.30 of 4 cores on db)");
}

#[test]
fn a_machine_that_has_changed_fails_a_check_that_names_it() {
    let with = |change: Option<&str>| {
        let state = MachineState { host: "db".to_owned(), change: change.map(ToOwned::to_owned) };
        move |figures: &mut Figures| figures.host.states = vec![state.clone()]
    };
    assert_eq!(failing(with(None)), NONE);
    let changed = with(Some("4 cores, which were 8"));
    assert_eq!(failing(changed.clone()), [CheckId::HostsUnchanged]);
    let mut figures = sound();
    changed(&mut figures);
    let checks = judge_closed(&figures);
    let check = checks.iter().find(|check| check.id == CheckId::HostsUnchanged).unwrap();
    assert_eq!(check.figure, "db: 4 cores, which were 8");
}

#[test]
fn each_of_several_generators_is_judged_and_the_worst_is_named() {
    let sound = sound().generator;
    let with = |more: GeneratorFigures| {
        let of = |host: &str, figures| HostGenerator { host: host.to_owned(), figures };
        move |figures: &mut Figures| figures.generators = vec![of("client", sound), of("more", more)]
    };
    assert_eq!(failing(with(sound)), NONE);
    for (figures, id, text) in [
        (
            GeneratorFigures { cpu: 0.95, ..sound },
            CheckId::GeneratorCpu,
            "0.95 core (more); at least 1 more generator is needed",
        ),
        (
            GeneratorFigures { lateness_p99_ms: 31.0, ..sound },
            CheckId::Lateness,
            "50 % of requests sent within 0.10 ms, 99 % within 31.00 ms (more)",
        ),
        (
            GeneratorFigures { sent: 28_100, ..sound },
            CheckId::DroppedSends,
            "28100 of 28170 intended requests sent (more)",
        ),
    ] {
        assert_eq!(failing(with(figures)), [id]);
        let mut all = self::sound();
        with(figures)(&mut all);
        let checks = judge_closed(&all);
        assert_eq!(checks.iter().find(|check| check.id == id).unwrap().figure, text);
    }
}

#[test]
fn a_busy_generator_says_how_many_more_are_needed() {
    let needed = |cpu: &[f64]| {
        let mut figures = sound();
        figures.generator.cpu = cpu[0];
        let of = |cpu: &f64| {
            let figures = GeneratorFigures { cpu: *cpu, ..figures.generator };
            HostGenerator { host: "load".to_owned(), figures }
        };
        if cpu.len() > 1 {
            figures.generators = cpu.iter().map(of).collect();
        }
        judge_closed(&figures)[0].figure.clone()
    };
    assert_eq!(needed(&[0.99]), "0.99 core; at least 1 more generator is needed");
    assert_eq!(needed(&[0.3, 0.3]), "0.30 core (load)");
    assert_eq!(needed(&[1.0, 1.0, 1.0, 1.0, 1.0]), "1.00 core (load); at least 2 more generators are needed");
}

#[test]
fn late_sends_fail_by_median_or_tail() {
    assert_eq!(failing(|figures| figures.generator.lateness_p50_ms = 8.0), NONE);
    assert_eq!(failing(|figures| figures.generator.lateness_p50_ms = 8.1), [CheckId::Lateness]);
    assert_eq!(failing(|figures| figures.generator.lateness_p99_ms = 30.0), NONE);
    assert_eq!(failing(|figures| figures.generator.lateness_p99_ms = 30.1), [CheckId::Lateness]);
    assert_eq!(failing(|figures| figures.generator.lateness_p99_ms = f64::NAN), [CheckId::Lateness]);
    let quick = |lateness| {
        move |figures: &mut Figures| {
            (figures.site.response_p50_ms, figures.site.response_p99_ms) = (2.0, 9.0);
            figures.generator.lateness_p99_ms = lateness;
        }
    };
    assert_eq!(failing(quick(0.9)), NONE);
    assert_eq!(failing(quick(1.1)), [CheckId::Lateness]);
}

#[test]
fn requests_never_sent_fail() {
    assert_eq!(failing(|figures| figures.generator.sent = 28_142), NONE);
    assert_eq!(failing(|figures| figures.generator.sent = 28_141), [CheckId::DroppedSends]);
    assert_eq!(failing(|figures| figures.generator.sent = 28_171), [CheckId::DroppedSends]);
}

#[test]
fn errors_above_one_in_a_thousand_fail() {
    assert_eq!(failing(|figures| figures.site.failed = 28), NONE);
    assert_eq!(failing(|figures| figures.site.failed = 29), [CheckId::Errors]);
}

#[test]
fn one_page_of_another_user_is_too_many() {
    let shown = |figures: &mut Figures| {
        figures.site.failed = 1;
        figures.site.of_others = 1;
    };
    assert_eq!(failing(shown), [CheckId::Errors]);
    assert_eq!(failing(|figures| figures.site.failed = 1), NONE);
}

#[test]
fn keep_alive_races_have_a_limit_of_their_own() {
    let races = |races, errors| {
        move |figures: &mut Figures| {
            figures.site.completed -= races + errors;
            figures.site.failed = races + errors;
            figures.site.keep_alive_races = races;
        }
    };
    assert_eq!(failing(races(281, 28)), NONE);
    assert_eq!(failing(races(282, 28)), [CheckId::KeepAliveRaces]);
    assert_eq!(failing(races(281, 29)), [CheckId::Errors]);
}

#[test]
fn posts_left_unanswered_by_a_server_that_keeps_its_connections() {
    let lost = |posts, idle_closed| {
        move |figures: &mut Figures| {
            figures.site.failed = posts;
            figures.site.keep_alive_races = posts;
            figures.site.idle_closed = idle_closed;
        }
    };
    assert_eq!(failing(lost(29, 29)), NONE);
    assert_eq!(failing(lost(29, 28)), [CheckId::KeepAliveRaces]);
    // This excess over the closed ones is within chance.
    assert_eq!(failing(lost(28, 1)), NONE);
}

#[test]
fn a_single_error_fails_a_small_point() {
    let small = |figures: &mut Figures| {
        figures.site.completed = 500;
        figures.site.failed = 1;
        figures.clients = 18;
        figures.users.client_time_s = 3600.0;
    };
    assert_eq!(failing(small), [CheckId::Errors]);
}

#[test]
fn a_point_without_completions_fails() {
    let dead = |figures: &mut Figures| {
        figures.site.completed = 0;
        figures.site.seconds = Vec::new();
        figures.users.think.count = 0;
        figures.users.think.histogram = Vec::new();
        figures.users.visited = Vec::new();
        figures.users.rows = Vec::new();
        figures.users.fallbacks = 0;
        figures.window_s = 100.0;
        figures.users.client_time_s = 100_000.0;
    };
    assert_eq!(failing(dead), [CheckId::Completed]);
}

#[test]
fn think_times_must_deviate_significantly_and_matter() {
    let think = |count, mean_s| {
        move |figures: &mut Figures| {
            figures.users.think.count = count;
            figures.users.think.mean_s = mean_s;
            figures.window_s = 100.0;
            figures.users.client_time_s = 100_000.0;
        }
    };
    assert_eq!(failing(think(1_000_000, 7.06)), NONE, "significant, yet below 1 %");
    assert_eq!(failing(think(100, 7.5)), NONE, "7 %, yet chance");
    assert_eq!(failing(think(1, 70.0)), NONE, "once in 22,000 times");
    assert_eq!(failing(think(1, 80.0)), [CheckId::ThinkTimesMean]);
    assert_eq!(failing(think(28_200, 7.2)), [CheckId::ThinkTimesMean]);
    assert_eq!(failing(think(28_200, 6.8)), [CheckId::ThinkTimesMean]);
}

#[test]
fn think_times_off_their_distribution_fail() {
    let think = |histogram: Vec<(f64, f64, u64)>| {
        move |figures: &mut Figures| figures.users.think.histogram = histogram
    };
    assert_eq!(failing(think(vec![(6.99, 7.0, 28_200)])), [CheckId::ThinkTimesLaw]);
    let uniform = (0..200).map(|step| (0.07 * f64::from(step), 0.07 * f64::from(step + 1), 141)).collect();
    assert_eq!(failing(think(uniform)), [CheckId::ThinkTimesLaw]);
    assert_eq!(failing(think(vec![(6.99, 7.0, 6)])), NONE, "six of them may be so by chance");
    assert_eq!(failing(think(vec![(6.99, 7.0, 13)])), [CheckId::ThinkTimesLaw]);
}

#[test]
fn users_who_do_not_think_have_no_law() {
    let think = ThinkTimes { count: 9, mean_s: 0.0, expected_s: 0.0, histogram: vec![(0.0, 2e-6, 9)] };
    let figures = Figures { users: UserFigures { think, ..sound().users }, ..sound() };
    let law = judge_closed(&figures)
        .into_iter()
        .filter(|check| matches!(check.id, CheckId::ThinkTimesMean | CheckId::ThinkTimesLaw));
    assert!(
        law.clone().count() == 2 && law.clone().all(|check| check.passed),
        "{:?}",
        law.collect::<Vec<_>>()
    );
}

#[test]
fn too_few_requests_before_the_window() {
    assert_eq!(failing(|figures| figures.users.warm_requests = 10.0), NONE);
    assert_eq!(failing(|figures| figures.users.warm_requests = 9.9), [CheckId::WarmUp]);
}

#[test]
fn interactions_that_are_visited_too_often() {
    let home = |share: f64, all: f64, inflation| {
        move |figures: &mut Figures| {
            figures.users.visited[0].requests = (share * all) as u64;
            figures.users.visited[1].requests = ((1.0 - share) * all) as u64;
            figures.users.visited.iter_mut().for_each(|seen| seen.inflation = inflation);
        }
    };
    assert_eq!(failing(home(0.2549, 1e6, 1.0)), NONE);
    assert_eq!(
        failing(home(0.2551, 1e6, 1.0)),
        [CheckId::VisitedMix],
        "half a point is too much, however sure"
    );
    assert_eq!(failing(home(0.26, 28_169.0, 1.0)), NONE);
    assert_eq!(failing(home(0.265, 28_169.0, 1.0)), [CheckId::VisitedMix]);
    assert_eq!(
        failing(home(0.265, 28_169.0, 4.0)),
        NONE,
        "where requests depend on one another, it is chance"
    );
    let with_fallbacks = |figures: &mut Figures| {
        home(0.265, 28_169.0, 1.0)(figures);
        figures.users.fallbacks = 280;
    };
    assert_eq!(failing(with_fallbacks), NONE, "who falls back asks for something else");
}

#[test]
fn steps_drawn_too_often_fail() {
    let items = |count: u64, all: u64| {
        move |figures: &mut Figures| {
            figures.users.rows[0].steps[0].count = count;
            figures.users.rows[0].steps[1].count = all - count;
        }
    };
    assert_eq!(failing(items(604_000, 1_000_000)), NONE, "less than half a point");
    assert_eq!(failing(items(606_000, 1_000_000)), [CheckId::Transitions]);
    assert_eq!(failing(items(680, 1000)), [CheckId::Transitions]);
    assert_eq!(failing(items(650, 1000)), NONE, "chance");
    assert_eq!(
        failing(|figures| figures.users.rows[0].steps.push(drawn("Buy", 1, 0.0))),
        [CheckId::Transitions]
    );
}

#[test]
fn rare_steps_are_taken_together() {
    // Of 40 draws 0.4 of each of nine steps are expected: one of each is no sign of anything, but one by one they
    // would come to a chi-square of 8.
    let mut steps: Vec<Drawn> = (0..9).map(|number| drawn(&number.to_string(), 1, 0.01)).collect();
    steps.push(drawn("Item", 31, 0.91));
    let row = vec![Row { from: "Home".to_owned(), steps }];
    assert_eq!(failing(|figures| figures.users.rows = row), NONE);
}

#[test]
fn many_fallbacks_fail() {
    assert_eq!(failing(|figures| figures.users.fallbacks = 348), NONE);
    assert_eq!(failing(|figures| figures.users.fallbacks = 349), [CheckId::Fallbacks]);
}

#[test]
fn client_time_that_is_lost_or_counted_twice() {
    assert_eq!(failing(|figures| figures.users.client_time_s = 199_801.0), NONE);
    assert_eq!(failing(|figures| figures.users.client_time_s = 199_700.0), [CheckId::ClientTime]);
    assert_eq!(failing(|figures| figures.users.client_time_s = 200_300.0), [CheckId::ClientTime]);
}

#[test]
fn a_throughput_that_its_clients_cannot_have_made() {
    let times = |response_mean_ms, edges_s| {
        failing_with_the_response_time_law(|figures: &mut Figures| {
            figures.site.response_mean_ms = response_mean_ms;
            figures.users.edges_s = edges_s;
        })
    };
    assert_eq!(times(170.0, -216.9), NONE, "1 % more than there is");
    assert_eq!(times(180.0, -216.9), [CheckId::ResponseTimeLaw]);
    assert_eq!(times(800.0, -216.9), [CheckId::ResponseTimeLaw]);
    assert_eq!(times(800.0, -19_935.0), NONE, "a tenth was spent outside the window");
    assert_eq!(times(820.0, -20_500.0), [CheckId::ResponseTimeLaw]);
}

#[test]
fn pages_that_take_too_long_to_count_are_more_than_chance() {
    // 24 clients in five stretches of 3 s: `cycles` each, and `cut_off_s` of 360 client-seconds cut off.
    let cut = |cycles: u32, cut_off_s: f64| {
        failing_with_the_response_time_law(|figures: &mut Figures| {
            (figures.clients, figures.window_s, figures.stretches) = (24, 15.0, 5);
            figures.site.completed = u64::from(24 * cycles);
            figures.site.response_mean_ms = 1000.0 * (360.0 - cut_off_s) / f64::from(24 * cycles);
            figures.users.think.count = 0;
            (figures.users.client_time_s, figures.users.edges_s) = (360.0, cut_off_s);
        })
        .contains(&CheckId::ResponseTimeLaw)
    };
    // √(2 · 5 / 24) cycles of 10 are 6.5 %.
    assert!(!cut(10, 115.0) && cut(10, 117.0));
    assert!(!cut(100, 36.0) && cut(100, 37.0));
}

#[test]
fn checks_not_judged_pass_with_a_reason() {
    let open = |fault: fn(&mut Figures)| {
        let mut figures = sound();
        fault(&mut figures);
        let extent = |extent| {
            let checks = judge_closed(&figures).into_iter().filter(move |check| check.judged == extent);
            checks.map(|check| check.id).collect::<Vec<_>>()
        };
        (extent(Extent::Part), extent(Extent::Nothing))
    };
    let (change, mser) = (CheckId::SteadyStateChange, CheckId::SteadyStateMser5);
    // 200 s are no 60 batches of five, and no 30 cycles of a client.
    assert_eq!(open(|_| ()), (vec![change], vec![mser]));
    let longer: fn(&mut Figures) = |figures| {
        let more = figures.site.seconds.clone();
        figures.site.seconds.extend(more);
        figures.window_s = 400.0;
    };
    assert_eq!(open(longer), (vec![], vec![]));
    let (part, nothing) = open(|figures| {
        figures.site.seconds.truncate(9);
        figures.host.cores = 0;
    });
    let expected = vec![mser, change, CheckId::Steal, CheckId::OtherProcesses];
    assert_eq!((part.len(), nothing), (0, expected));
}

#[test]
fn a_change_that_matters_is_no_steady_state() {
    let change = CheckId::SteadyStateChange;
    let slower = |by: f64| {
        move |figures: &mut Figures| {
            figures.site.seconds = seconds(|at| (if at < 100 { 140.0 } else { 140.0 * by }, 100.0));
        }
    };
    assert_eq!(failing(slower(0.96)), NONE, "sure, but less than 5 %");
    assert_eq!(failing(slower(0.94)), [change]);
    let longer = |by: f64| {
        move |figures: &mut Figures| {
            // Long enough for response times to be judged.
            (figures.window_s, figures.users.client_time_s, figures.site.completed) =
                (220.0, 220_000.0, 30_986);
            figures.site.seconds = seconds(|at| (140.0, if at < 100 { 100.0 } else { 100.0 * by }));
        }
    };
    assert_eq!(failing(longer(1.2)), NONE, "18 % of the mean of both");
    assert_eq!(failing(longer(1.3)), [change]);
}

#[test]
fn a_beginning_that_is_not_like_the_rest() {
    let cold = |window: usize| {
        move |figures: &mut Figures| {
            figures.site.seconds = seconds(|at| (if at < 30 { 100.0 } else { 140.0 }, 100.0));
            let more = seconds(|_| (140.0, 100.0)).into_iter().cycle().take(window - 200);
            figures.site.seconds.extend(more);
        }
    };
    assert_eq!(failing(cold(299)), [CheckId::SteadyStateChange]);
    assert_eq!(failing(cold(300)), [CheckId::SteadyStateMser5, CheckId::SteadyStateChange]);
}

#[test]
fn steal_other_processes_and_missed_quotas_fail() {
    assert_eq!(failing(|figures| figures.host.steal_cores = 0.02), NONE);
    assert_eq!(failing(|figures| figures.host.steal_cores = 0.021), [CheckId::Steal]);
    assert_eq!(failing(|figures| figures.host.other_processes_cores = 0.1), NONE);
    assert_eq!(failing(|figures| figures.host.other_processes_cores = 0.11), [CheckId::OtherProcesses]);
    let quota = |host: &str, runnable_s, granted_s| QuotaUse {
        host: host.to_owned(),
        cores: 0.3,
        runnable_s,
        granted_s,
    };
    let idle = quota("db", Some(0.0), 0.0);
    let among = |other: QuotaUse| failing(|figures| figures.host.quotas = vec![idle.clone(), other]);
    assert_eq!(among(quota("web", Some(60.0), 17.82)), NONE);
    assert_eq!(among(quota("web", Some(60.0), 17.8)), [CheckId::HostsGotCpu]);
    // Less than a period can't be seen in a second.
    assert_eq!(among(quota("web", Some(1.0), 0.288)), NONE);
    assert_eq!(among(quota("web", Some(1.0), 0.2)), [CheckId::HostsGotCpu]);
    assert_eq!(among(quota("web", None, 0.0)), NONE);
    assert_eq!(failing(|figures| figures.host.cores = 0), NONE, "nobody has looked");
    // Neighbours in rounds meet the same machine.
    let stolen = |in_rounds, steal_cores| {
        failing(|figures| (figures.host.in_rounds, figures.host.steal_cores) = (in_rounds, steal_cores))
    };
    assert_eq!(stolen(false, 0.03), [CheckId::Steal]);
    assert_eq!(stolen(true, 0.1), NONE);
    assert_eq!(stolen(true, 0.11), [CheckId::Steal]);
}

#[test]
fn only_the_checks_that_apply_are_made_in_their_order() {
    let applicable = [CheckId::Lateness, CheckId::Errors, CheckId::WarmServers, CheckId::Steal];
    let made: Vec<CheckId> = judge(&sound(), &applicable).into_iter().map(|check| check.id).collect();
    assert_eq!(made, [CheckId::Lateness, CheckId::Errors, CheckId::Steal]);
}

#[test]
fn a_rate_is_kept_up_with_but_for_what_is_under_way_at_the_edges() {
    let passes = |completed| {
        let mut figures = Figures { clients: 10, ..sound() };
        (figures.generator.intended, figures.site.completed) = (1000, completed);
        judge(&figures, &[CheckId::KeptUp])[0].passed
    };
    assert!(passes(980) && !passes(979));
}

#[test]
fn the_failure_that_a_load_looks_for_is_no_error() {
    let failed = |failed, looked_for| {
        failing(|figures: &mut Figures| {
            (figures.site.failed, figures.site.looked_for) = (failed, looked_for);
        })
    };
    assert_eq!(failed(29, 1), NONE);
    assert_eq!(failed(30, 1), [CheckId::Errors]);
}
