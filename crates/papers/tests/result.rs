//! Claims judged from results as reports read them.

#[allow(dead_code)]
#[path = "../../report/tests/fixture/mod.rs"]
mod fixture;

use fixture::{
    manifest,
    points::{invalid, point},
};
use papers::{Judgement, Paper, Peak, Resource, Seen, Verdict};
use results::{Gauge, HostRecord, Manifest, Point, ResultReader, ShareFigures, ShareSample, TestbedRecord};
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

/// A result on a testbed with these hosts, each by its roles and how many cores it might use.
fn result(points: Vec<Point>, hosts: &[(&[&str], f64)]) -> ResultReader {
    let mut names: Vec<&str> = points.iter().map(|point| point.configuration.as_str()).collect();
    names.dedup();
    let hosts = hosts.iter().map(|(roles, cores)| HostRecord {
        name: roles.join(" and "),
        roles: roles.iter().map(|role| (*role).to_owned()).collect(),
        cores: vec![1],
        cpu: Some(*cores),
        memory_bytes: None,
        link_bits_per_s: None,
    });
    let testbed =
        TestbedRecord { title: "Machines".into(), separation: "namespaces".into(), hosts: hosts.collect() };
    let manifest = Manifest { testbed: Some(testbed), ..manifest(&names) };
    fixture::result(manifest, points)
}

fn judged(points: Vec<Point>, claim: &str) -> Judgement {
    let seen = Seen::of_result(&result(points, &[]));
    let paper = paper();
    paper.judge(paper.claim(claim).unwrap(), &seen)
}

/// What was seen at PHP's peak.
fn peak(points: Vec<Point>, hosts: &[(&[&str], f64)]) -> Peak {
    let seen = Seen::of_result(&result(points, hosts));
    let workload = paper().experiment("fig12").unwrap().workload();
    seen.get(&workload, "WsPhp-DB").unwrap().peak.clone().unwrap()
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

#[test]
fn a_peak_that_was_not_passed_decides_nothing() {
    let mut points = [curve("WsPhp-DB", 400.0), curve("WsServlet-DB", 300.0)].concat();
    let last = points.iter_mut().rfind(|point| point.configuration == "WsPhp-DB").unwrap();
    *last = invalid(last.clone());
    let judgement = judged(points, "auction-bidding-php-above-servlet");
    assert_eq!(judgement.verdict, Verdict::CannotBeTold);
    assert!(
        judgement.reason.starts_with("WsPhp-DB has no VALID point above its best load"),
        "{}",
        judgement.reason
    );
}

/// The same points on hosts, each with its name, its tiers, and the share of its promised CPU that it used.
fn on_hosts(mut points: Vec<Point>, hosts: &[(&str, &str, f64)]) -> Vec<Point> {
    for point in &mut points {
        let host = |(name, tier, share): &(&str, &str, f64)| ShareFigures {
            mean: ShareSample { name: (*name).to_owned(), cores: 0.3 * share, ..ShareSample::default() },
            tiers: vec![(*tier).to_owned()],
            cpu: Some(0.3),
            ..ShareFigures::default()
        };
        point.hosts = hosts.iter().map(host).collect();
        point.host.mean.busy_cores = 1.0;
        point.generator_cpu = 0.1;
        point.tiers.iter_mut().for_each(|tier| tier.gauges.clear());
    }
    points
}

#[test]
fn a_machine_of_its_own_is_the_limit_where_its_cpu_is_used_up() {
    let hosts = |web| {
        on_hosts(curve("WsPhp-DB", 400.0), &[("web", "web (apache)", web), ("db", "db (mariadb)", 0.05)])
    };
    let own: &[(&[&str], f64)] = &[(&["web"], 0.3), (&["db"], 0.3)];
    let busy = peak(hosts(0.97), own);
    let limit = busy.limit.unwrap();
    assert_eq!((limit.resource, limit.machine.as_deref()), (Resource::Cpu, Some("web")));
    assert!(busy.evidence.contains("promised"), "{}", busy.evidence);
    assert!(busy.machines["db"] < 0.1 && busy.machines["web"] > 0.9, "{:?}", busy.machines);
    let idle = peak(hosts(0.5), own);
    assert_ne!(idle.limit.and_then(|limit| limit.machine).as_deref(), Some("web"));
    let points = on_hosts(curve("WsPhp-DB", 400.0), &[("web and app", "web (apache)", 0.97)]);
    let shared = peak(points, &[(&["web", "app"], 0.3)]);
    assert!(shared.machines.is_empty(), "{:?}", shared.machines);
    assert_eq!(shared.limit.unwrap().machine, None, "two roles share it");
}

/// The words in which a report names a limit are understood.
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
    let gauge = |point: &mut Point, role: &str, name: &str, mean: f64, limit: Option<f64>| {
        let tier = point.tiers.iter_mut().find(|tier| tier.role == role).unwrap();
        tier.gauges.push(Gauge { name: name.into(), mean, max: mean, limit });
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
        gauge(point, "db", "waiting for table locks", 12.0, None);
    });
    assert_eq!(locks, Some((Resource::Locks, Some("db".into()))));
    let workers = with(&|point| {
        idle(point);
        gauge(point, "web", "busy workers", 63.0, Some(64.0));
    });
    assert_eq!(workers, Some((Resource::Pool, Some("web".into()))));
    let collector = with(&|point| gauge(point, "db", "collector pauses %", 30.0, None));
    assert_eq!(collector, Some((Resource::Collector, Some("db".into()))));
}
