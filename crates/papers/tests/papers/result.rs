//! Claims judged from results as reports read them.

use papers::{
    CapacityPlan, Figure, Judgement, Load, Measurement, Observations, Paper, Reproduction, Resource, Users,
    Verdict,
};
use results::{
    ArrivalFigures, ArrivalLoad, ArrivalsEnd, ConcurrencyFigures, Gauge, GaugeRole, HostUsageFigures,
    HostUsageSample, LoadKind, Loads, Manifest, Point, ResultReader, Unfairness,
};
use specimens::{
    THINK_TIME, manifest,
    points::{invalid, point, searched},
};
use stats::{CapacitySearch, StoppingRule};
use std::path::Path;

fn paper() -> Paper {
    Paper::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../papers/middleware-2003")).unwrap()
}

/// A curve with three runs at its peak, which is passed.
fn curve(name: &str, peak: f64) -> Vec<Point> {
    let clients = |share: f64| (7.0 * peak * share) as u32;
    let at = |share: f64, throughput: f64| point(name, clients(share), throughput, Some(0.004 * throughput));
    vec![
        at(0.4, 0.4 * peak),
        at(0.8, 0.8 * peak),
        at(1.1, 0.99 * peak),
        at(1.1, peak),
        at(1.1, 1.01 * peak),
        at(2.0, 0.98 * peak),
    ]
}

/// A result on a testbed with these hosts: roles and number of cores.
fn result(points: Vec<Point>, hosts: &[(&[&str], f64)]) -> ResultReader {
    let mut names: Vec<&str> = points.iter().map(|point| point.configuration.as_str()).collect();
    names.dedup();
    let hosts = hosts.iter().map(|(roles, cores)| specimens::host(roles.iter().copied(), Some(*cores)));
    let manifest = Manifest { testbed: Some(specimens::testbed(hosts.collect())), ..manifest(&names) };
    specimens::result(manifest, points)
}

fn judged(points: Vec<Point>, claim: &str) -> Judgement {
    let paper = paper();
    let claim = paper.claim(claim).unwrap();
    let workload = paper.experiment(&claim.experiment).unwrap().workload();
    paper.judge(claim, &Observations::of_result(&paper, &workload, &result(points, &[])))
}

fn peak(points: Vec<Point>, hosts: &[(&[&str], f64)]) -> Load {
    let workload = paper().experiment("fig12").unwrap().workload();
    let seen = Observations::of_result(&paper(), &workload, &result(points, hosts));
    seen.get(&workload, "WsPhp-DB").unwrap().peak().unwrap().clone()
}

#[test]
fn peaks_are_compared_by_their_runs_whatever_factors_they_ran_with() {
    let points =
        [curve("WsPhp-DB,engine=MyISAM", 400.0), curve("WsServlet-DB,engine=MyISAM", 300.0)].concat();
    let judgement = judged(points, "auction-bidding-php-over-servlet");
    assert_eq!(judgement.verdict, Verdict::Holds, "{}", judgement.reason);
    let ratio = judgement.ratios[0].ratio;
    assert!((ratio.value - 4.0 / 3.0).abs() < 1e-9 && ratio.low < ratio.value, "{ratio:?}");
}

fn oopsla() -> Paper {
    Paper::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../papers/oopsla-2002")).unwrap()
}

fn att() -> Paper {
    Paper::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../papers/att-2000")).unwrap()
}

/// A study may have two variants of one configuration, which differ in other factors.
#[test]
fn variants_of_one_configuration_are_told_apart() {
    let paper = oopsla();
    let claim = paper.claim("bmp-bidding-jonas-over-jboss").unwrap();
    let workload = paper.experiment(&claim.experiment).unwrap().workload();
    let plain = "Ws-Servlet-EJB-DB,design=bmp";
    let judged = |glassfish: f64, tomee: f64| {
        let curves = [
            curve(&format!("{plain},workers=64"), glassfish),
            curve(&format!("{plain},ejb=tomee,workers=64"), tomee),
        ];
        paper.judge(claim, &Observations::of_result(&paper, &workload, &result(curves.concat(), &[]))).verdict
    };
    assert_eq!(judged(400.0, 300.0), Verdict::Holds);
    assert_eq!(judged(300.0, 400.0), Verdict::NoLongerHolds);
}

#[test]
fn a_page_calls_configurations_as_claims_do_and_says_once_what_all_share() {
    let paper = oopsla();
    let experiment = paper.experiment("fig12").unwrap();
    let whole = ["workers=64", "ejb=tomee,workers=64", "workers=64,again"]
        .map(|factors| format!("Ws-Servlet-EJB-DB,design=bmp,{factors}"));
    let points = whole.iter().flat_map(|name| curve(name, 300.0)).collect();
    let reproduction = Reproduction {
        paper: &paper,
        experiments: &[experiment],
        measurements: vec![Measurement {
            workload: experiment.workload(),
            result: result(points, &[]),
            report: "report.html".into(),
        }],
        left_out: Vec::new(),
    };
    let page = reproduction.html("0.1.0");
    for name in ["", ",ejb=tomee", ",again"].map(|factors| format!("Ws-Servlet-EJB-DB,design=bmp{factors}")) {
        assert!(page.contains(&format!("/></svg>{name}</li>")), "no {name} in a legend");
    }
    assert!(
        page.contains("All configurations: design=bmp, workers=64")
            && page.matches("workers=64").count() == 1
    );
}

/// Figures of a protocol that lists loads are those at the best one, without a peak.
#[test]
fn what_was_measured_at_listed_loads_counts_without_a_peak() {
    let at_100 = |name: &str, throughput: f64| {
        [0.99, 1.0, 1.01].map(|share| point(name, 100, share * throughput, Some(1.0))).to_vec()
    };
    let points = [at_100("WsPhp-DB", 400.0), at_100("WsServlet-DB", 300.0)].concat();
    let judged = |loads: Loads| {
        let mut result = result(points.clone(), &[]);
        result.manifest.spec.loads = loads;
        let paper = paper();
        let claim = paper.claim("auction-bidding-php-above-servlet").unwrap();
        let workload = paper.experiment(&claim.experiment).unwrap().workload();
        paper.judge(claim, &Observations::of_result(&paper, &workload, &result))
    };
    assert_eq!(judged(Loads::closed(&[100], THINK_TIME)).verdict, Verdict::Holds);
    assert_eq!(judged(Loads::closed(&[50, 100], THINK_TIME)).verdict, Verdict::Holds);
    let searched = judged(Loads::peak(400, THINK_TIME, StoppingRule::Fixed));
    assert_eq!(searched.verdict, Verdict::CannotBeTold);
    assert!(
        searched.reason.starts_with("WsPhp-DB has a peak that was not measured again"),
        "{}",
        searched.reason
    );
}

/// The same points on hosts: name, tiers, and CPU utilisation of the quota.
fn on_hosts(mut points: Vec<Point>, hosts: &[(&str, &str, f64)]) -> Vec<Point> {
    for point in &mut points {
        let host = |(name, tier, share): &(&str, &str, f64)| HostUsageFigures {
            mean: HostUsageSample {
                name: (*name).to_owned(),
                cores: 0.3 * share,
                ..HostUsageSample::default()
            },
            tiers: vec![(*tier).to_owned()],
            cpu: Some(0.3),
            ..HostUsageFigures::default()
        };
        point.hosts = hosts.iter().map(host).collect();
        point.host.mean.busy_cores = 1.0;
        point.generator_cpu = 0.1;
        point.tiers.iter_mut().for_each(|tier| tier.gauges.clear());
    }
    points
}

#[test]
fn a_machine_of_its_own_is_the_limit_where_its_cpu_is_saturated() {
    let hosts = |web| {
        on_hosts(curve("WsPhp-DB", 400.0), &[("web", "web (apache)", web), ("db", "db (mariadb)", 0.05)])
    };
    let own: &[(&[&str], f64)] = &[(&["web"], 0.3), (&["db"], 0.3)];
    let busy = peak(hosts(0.97), own);
    let limit = busy.limit.unwrap();
    assert_eq!((limit.resource, limit.machine.as_deref()), (Resource::Cpu, Some("web")));
    assert!(busy.evidence.contains("of its 0.30 cores busy"), "{}", busy.evidence);
    assert!(busy.machines["db"] < 0.1 && busy.machines["web"] > 0.9, "{:?}", busy.machines);
    let idle = peak(hosts(0.5), own);
    assert_ne!(idle.limit.and_then(|limit| limit.machine).as_deref(), Some("web"));
    let points = on_hosts(curve("WsPhp-DB", 400.0), &[("web and app", "web (apache)", 0.97)]);
    let shared = peak(points, &[(&["web", "app"], 0.3)]);
    assert!(shared.machines.is_empty(), "{:?}", shared.machines);
    assert_eq!(shared.limit.unwrap().machine, None, "two roles share it");
    let points = on_hosts(curve("WsPhp-DB", 400.0), &[("web", "db (mariadb)", 0.97)]);
    let taken_in = peak(points, &[(&["web"], 0.3)]);
    assert!(taken_in.machines.is_empty(), "{:?}", taken_in.machines);
    assert_eq!(taken_in.limit.unwrap().machine, None, "it has a tier that no host plays");
}

/// The study of web mail has all page-generating tiers on one machine, whose CPU and page faults it prints.
#[test]
fn a_host_that_plays_all_roles_of_a_machine_is_that_machine() {
    let paper = att();
    let claim = paper.claim("cgi-limited-by-cpu").unwrap();
    let workload = paper.experiment(&claim.experiment).unwrap().workload();
    let names = ["WsCppCgi-Mail", "WsCppFcgi-Mail"];
    let seen = |hosts: &[(&str, &str, f64)], roles: &[(&[&str], f64)]| {
        let points = names.map(|name| on_hosts(curve(name, 400.0), hosts)).concat();
        Observations::of_result(&paper, &workload, &result(points, roles))
    };
    let back: &[&str] = &["smtp", "mail", "directory"];
    let own = seen(
        &[("web and app", "web (apache)", 0.97), ("smtp and mail and directory", "mail (dovecot)", 0.1)],
        &[(&["web", "app"], 0.3), (back, 0.6)],
    );
    assert_eq!(paper.judge(claim, &own).verdict, Verdict::Holds);
    let spared = paper.judge(paper.claim("back-end-limits-nobody").unwrap(), &own);
    assert!(!spared.reason.contains("share"), "{}", spared.reason);
    let peak = |seen: &Observations| seen.get(&workload, names[0]).unwrap().peak().unwrap().clone();
    let [own, together] =
        [own, seen(&[("web and app and mail", "web (apache)", 0.97)], &[(&["web", "app", "mail"], 0.3)])]
            .map(|seen| peak(&seen));
    assert!(own.machines["app"] > 0.9 && own.machines["mail"] < 0.2, "{:?}", own.machines);
    let faults = 2.1 * own.throughputs[0];
    assert!((own.faults_per_s[0] - faults).abs() < 1e-6, "{:?}", own.faults_per_s);
    let mut points = on_hosts(curve(names[0], 400.0), &[("web and app", "web (apache)", 0.97)]);
    points.iter_mut().flat_map(|point| &mut point.hosts).for_each(|host| {
        host.mean.page_faults_per_s = Some(50_000.0);
    });
    let points =
        [points, on_hosts(curve(names[1], 400.0), &[("web and app", "web (apache)", 0.97)])].concat();
    let seen = Observations::of_result(&paper, &workload, &result(points, &[(&["web", "app"], 0.3)]));
    assert_eq!(peak(&seen).faults_per_s[0], 50_000.0, "also of processes that ended between two samples");
    assert!(own.cpu_ms.iter().all(|cpu_ms| *cpu_ms > 0.0));
    assert!(together.cpu_ms.is_empty() && together.limit.unwrap().machine.is_none());
}

/// The bottlenecks of a report are understood.
#[test]
fn limits_are_those_of_the_report() {
    let with = |change: &dyn Fn(&mut Point)| {
        let mut points = curve("WsPhp-DB", 100.0);
        points.iter_mut().for_each(change);
        let limit = peak(points, &[]).limit;
        limit.map(|limit| (limit.resource, limit.machine.map(|machine| machine.to_string())))
    };
    let idle = |point: &mut Point| {
        point.host.mean.busy_cores = 1.0;
        point.generator_cpu = 0.1;
        point.tiers.iter_mut().for_each(|tier| tier.gauges.clear());
    };
    let gauge = |point: &mut Point, tier: &str, role: GaugeRole, mean: f64, limit: Option<f64>| {
        let tier = point.tiers.iter_mut().find(|one| one.role == tier).unwrap();
        tier.gauges.push(Gauge { name: "a gauge".into(), role, mean, max: mean, limit });
    };
    assert_eq!(with(&idle), None);
    assert_eq!(
        with(&|point| point.host.mean.busy_cores = f64::from(point.host.cores)),
        Some((Resource::Cpu, None))
    );
    let generator = with(&|point| {
        idle(point);
        point.generator_cpu = 0.78;
    });
    assert_eq!(generator, Some((Resource::Generator, None)));
    let locks = with(&|point| {
        idle(point);
        gauge(point, "db", GaugeRole::LockWait("table locks".into()), 12.0, None);
    });
    assert_eq!(locks, Some((Resource::Locks, Some("db".into()))));
    let workers = with(&|point| {
        idle(point);
        gauge(point, "web", GaugeRole::Pool("workers".into()), 63.0, Some(64.0));
    });
    assert_eq!(workers, Some((Resource::Pool, Some("web".into()))));
    let collector = with(&|point| gauge(point, "db", GaugeRole::CollectorPause, 30.0, None));
    assert_eq!(collector, Some((Resource::Collector, Some("db".into()))));
    let link = |point: &mut Point| {
        idle(point);
        let (received, sent) = (Some(1e5), Some(12e6));
        let mean =
            HostUsageSample { received_bytes_per_s: received, sent_bytes_per_s: sent, ..named("web", 0.1) };
        let tiers = vec!["web (apache)".to_owned()];
        let link_bits_per_s = Some(100_000_000);
        point.hosts = vec![HostUsageFigures { mean, tiers, link_bits_per_s, ..HostUsageFigures::default() }];
    };
    let mut points = curve("WsPhp-DB", 100.0);
    points.iter_mut().for_each(link);
    let peak = peak(points, &[(&["web"], 1.0)]);
    let limit = peak.limit.unwrap();
    assert_eq!((limit.resource, limit.machine.unwrap().to_string()), (Resource::Network, "web".into()));
    assert!((peak.links["web"] - 0.96).abs() < 1e-9, "{:?}", peak.links);
}

fn named(name: &str, cores: f64) -> HostUsageSample {
    HostUsageSample { name: name.to_owned(), cores, ..HostUsageSample::default() }
}

fn load_kind(clients: u32, goes: bool) -> LoadKind {
    LoadKind::Arrivals(ArrivalLoad {
        model: "bench".into(),
        clients,
        users: clients,
        every_s: 0.1,
        start: "Comments".into(),
        requests: goes.then_some(1),
        think_s: (0.0, 0.0),
        ends_unanswered: !goes,
        again: false,
    })
}

/// A run of a load model: response times rise by 2 ms per present client.
fn arrived(name: &str, load: u32, ended: ArrivalsEnd, there: u32) -> Point {
    let crowd = |there: u32| ConcurrencyFigures {
        there,
        completed: 10,
        failed: 0,
        mean_ms: 2.0 * f64::from(there),
        deviation_ms: Some(1.0),
        max_ms: 100.0,
    };
    let mut by_concurrency: Vec<ConcurrencyFigures> = (1..=there).map(crowd).collect();
    if ended == ArrivalsEnd::Unanswered {
        // Others arrived before the first timeout.
        by_concurrency.extend((1..5).map(|more| ConcurrencyFigures { completed: 0, ..crowd(there + more) }));
        by_concurrency[there as usize - 1].failed = 1;
        // Long before, the site had refused a request.
        by_concurrency[0].failed = 1;
    }
    let times = (1..=50).map(|client| f64::from(client % 10 + 1)).collect();
    let goes = ended == ArrivalsEnd::AllGone;
    Point {
        kind: load_kind(load, goes),
        clients: load,
        window_s: 10.0,
        bytes_received: 5_000_000,
        arrivals: Some(ArrivalFigures {
            users: there + 4,
            ended,
            first_timeout_at: (ended == ArrivalsEnd::Unanswered).then_some(there),
            by_concurrency,
            unfairness: goes.then(|| Unfairness::of(times)).flatten(),
        }),
        ..point(name, load, 100.0, None)
    }
}

fn result_of_load(loads: &[u32], points: Vec<Point>) -> ResultReader {
    let mut names: Vec<&str> = points.iter().map(|point| point.configuration.as_str()).collect();
    names.dedup();
    let mut result = specimens::result(manifest(&names), Vec::new());
    result.manifest.spec.loads = Loads::listed(loads.iter().map(|load| load_kind(*load, true)).collect());
    result.arrivals = points;
    result
}

fn apache() -> Paper {
    Paper::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../papers/apache-2002")).unwrap()
}

#[test]
fn a_loads_figures_are_those_of_its_valid_runs_at_its_highest_load() {
    let paper = apache();
    let workload = paper.experiment("bench1-8s").unwrap().workload();
    let runs = |result: &ResultReader, figure| {
        Observations::of_result(&paper, &workload, result).get(&workload, "WsPhp-DB").unwrap().runs(figure)
    };
    let end = ArrivalsEnd::Unanswered;
    let served = [300, 310, 900].map(|there| arrived("WsPhp-DB,database=postgresql", 4000, end, there));
    let [one, other, wrong] = served;
    let served = result_of_load(&[4000], vec![one, other, invalid(wrong)]);
    assert_eq!(runs(&served, Figure::Clients), Ok(vec![300.0, 310.0]), "not those who came afterwards");
    assert_eq!(runs(&served, Figure::Traffic), Ok(vec![5e5, 5e5]));
    assert!(runs(&served, Figure::P90OverP10).unwrap_err().contains("too few clients"));
    assert!(runs(&served, Figure::Throughput).unwrap_err().contains("not driven to a peak"));
    let all_served = result_of_load(&[4000], vec![arrived("WsPhp-DB", 4000, ArrivalsEnd::Over, 300)]);
    assert!(runs(&all_served, Figure::Clients).unwrap_err().contains("may serve more"));

    let gone = |load| arrived("WsPhp-DB", load, ArrivalsEnd::AllGone, 5);
    let both = result_of_load(&[14, 30], vec![gone(14), gone(30)]);
    let response = runs(&both, Figure::ResponseTime).unwrap();
    assert_eq!(response, [5.5], "of the later half of one load's clients");
    assert_eq!(runs(&both, Figure::P90OverP10), Ok(vec![9.0]));
    let lower = result_of_load(&[14, 30], vec![gone(14), invalid(gone(30))]);
    assert_eq!(runs(&lower, Figure::ResponseTime), Err("has no VALID run".to_owned()));
}

#[test]
fn a_page_shows_of_a_load_what_it_has_and_nothing_else() {
    let paper = apache();
    let figures = ["bench1-8s", "bench4"];
    let experiments: Vec<_> = figures.iter().filter_map(|name| paper.experiment(name)).collect();
    let names = ["WsPerlFcgid-DB", "WsModPerl-DB", "WsPhp-DB", "WsServlet-DB-shared"];
    let result = |load: u32, end| {
        let runs = |name: &&str| [300, 305, 310].map(|there| arrived(name, load, end, there));
        let mut points: Vec<Point> = names.iter().flat_map(runs).collect();
        *points.last_mut().unwrap() = invalid(points.last().unwrap().clone());
        result_of_load(&[load], points)
    };
    let measurement = |index: usize, result| Measurement {
        workload: experiments[index].workload(),
        result,
        report: format!("{}/report.html", experiments[index].workload().name()),
    };
    let reproduction = Reproduction {
        paper: &paper,
        experiments: &experiments,
        measurements: vec![
            measurement(0, result(4000, ArrivalsEnd::Unanswered)),
            measurement(1, result(100, ArrivalsEnd::AllGone)),
        ],
        left_out: Vec::new(),
    };
    let page = reproduction.html("0.1.0");
    let section = |name: &str| {
        let from = page.split(&format!("<section id=\"{name}\"")).nth(1).unwrap();
        from.split("</section>").next().unwrap().to_owned()
    };
    let crowds = section("bench1-8s");
    for text in ["Mean response time by concurrency", "Clients served", "305 ± 1", "500"] {
        assert!(crowds.contains(text), "{text}\n{crowds}");
    }
    let single = section("bench4");
    for text in ["p90/p10 of waiting", "Failed requests", "Deviation, ms"] {
        assert!(single.contains(text) && !crowds.contains(text), "{text}");
    }
    assert!(!single.contains("<svg"), "no crowd stays");
    assert!(!page.contains("gauge\"") && !page.contains("Table of CPU"), "nobody sampled machines");
    assert!(section("invalid").contains("2 of 24 points"), "{}", section("invalid"));
    let facts = section("record");
    assert!(facts.contains("bench1 with think times up to 8s") && facts.contains("bench4"), "{facts}");
    assert!(!facts.contains("think 7.000 s"), "{facts}");
    let text = reproduction.text();
    assert!(text.contains("bench4") && text.contains("1.80"), "{text}");
}

/// A quick reproduction of BENCH1: the most clients of whom one in ten waits as long as the limit.
#[test]
fn a_capacity_stands_for_clients_who_come_until_one_waits_in_vain() {
    let mut paper = apache();
    for experiment in &mut paper.experiments {
        if let Some(capacity) = &mut experiment.quick.capacity {
            capacity.objective = "p90 <= 1s".parse().unwrap();
        }
    }
    let paper = paper.quick();
    let claim = |name: &str| paper.claim(name).unwrap();
    let workload = paper.experiment("bench1-8s").unwrap().workload();
    let Users::Capacity(CapacityPlan { objective, .. }) = workload.users.clone() else {
        panic!("{workload}")
    };
    let most = 4000;
    let judged = |name: &str, servlets: f64| {
        let of = |name: &str, clients: f64| searched(name, &objective, most, clients, 1.01);
        let points = [of("WsPerlFcgid-DB", 2000.5), of("WsServlet-DB-shared", servlets)].concat();
        let mut result = result(points, &[]);
        result.manifest.spec.loads = Loads::capacity(most, THINK_TIME, objective.clone());
        result.manifest.spec.repetitions = CapacitySearch::MOST_STARTS;
        paper.judge(claim(name), &Observations::of_result(&paper, &workload, &result))
    };
    let fewer = judged("bench1-servlets-serve-fewest", 500.5);
    assert_eq!(fewer.verdict, Verdict::Holds, "{fewer:?}");
    assert!((fewer.ratios[0].ratio.value - 0.25).abs() < 0.005, "{fewer:?}");
    assert_eq!(judged("bench1-servlets-serve-fewest", 1900.5).verdict, Verdict::NoLongerHolds);
    let open = judged("bench1-servlets-serve-fewest", 1e9);
    assert!(open.verdict == Verdict::CannotBeTold && open.reason.contains("has no capacity"), "{open:?}");
}
