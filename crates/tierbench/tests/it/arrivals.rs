//! Load models on a real site: users who arrive, on PHP and the database of the comments.

use crate::sandbox::{Sandbox, code_of, turn};
use results::{ArrivalsEnd, CheckId, ResultReader, Series};
use std::fs;

/// Runs a load model with hurried users, and gives back its result and what was said.
fn run(sandbox: &Sandbox, model: &str, more: &[&str]) -> ResultReader {
    let mut command = sandbox.command(&["run", "comments", "WsPhpFpm-DB", "--arrivals", model]);
    command.args(["--scale", "0.1", "--repetitions", "1", "--smoke", "--skip-verify"]).args(more);
    command.arg("--out").arg(sandbox.result());
    let ended = sandbox.start(command).end();
    let result = ResultReader::open(&sandbox.result()).unwrap();
    ended.expect(code_of(&result.arrivals), &[model, " clients for at most "]);
    assert!(
        result.points.is_empty()
            && result.arrivals.iter().all(|point| point.kind.series() == Series::Arrivals)
    );
    let page = fs::read_to_string(sandbox.result().join("report.html")).unwrap();
    for part in [
        "id=\"arrivals\"",
        "id=\"tiers\"",
        "id=\"timelines\"",
        "id=\"data\"",
        "id=\"verdicts\"",
        "WsPhpFpm-DB",
    ] {
        assert!(page.contains(part), "no {part}");
    }
    result
}

/// Only here are requests that come by a load model sent and counted on a real site.
#[test]
fn open_arrivals_send_every_request_however_slow_the_site_is() {
    let _turn = turn();
    let result = run(&Sandbox::new(), "bench3", &["--clients", "14", "--window", "2s"]);
    let loads = &result.manifest.spec.loads;
    assert_eq!((loads.arrivals().unwrap().model.as_str(), loads.clients()), ("bench3", vec![14]));
    let due = 28;
    for point in &result.arrivals {
        let figures = point.arrivals.as_ref().unwrap();
        assert_eq!(figures.ended, ArrivalsEnd::AllGone);
        assert_eq!((u64::from(figures.users), point.completed + point.failed()), (due, due));
        let list = point.interactions.iter().find(|interaction| interaction.name == "ListComments").unwrap();
        assert_eq!(list.completed, point.completed, "nobody asks for anything else");
        assert!(figures.unfairness.is_some());
        assert!(!point.verdict.checks.iter().any(|check| check.id == CheckId::Errors));
    }
}

/// Only here does a crowd grow on a real site.
#[test]
#[ignore = "part of make test-all"]
fn a_crowd_grows_until_the_load_is_over() {
    let _turn = turn();
    let result = run(&Sandbox::new(), "bench2", &["--clients", "5", "--time-scale", "0.05"]);
    let figures = result.arrivals[0].arrivals.as_ref().unwrap();
    assert_eq!((figures.users, figures.ended), (5, ArrivalsEnd::Over));
    assert_eq!(result.arrivals[0].kind.arrivals().unwrap().every_s, 0.5);
    let there: Vec<u32> = figures.by_concurrency.iter().map(|crowd| crowd.there).collect();
    assert_eq!(there, [1, 2, 3, 4, 5]);
    assert!(figures.by_concurrency.iter().all(|crowd| crowd.completed > 0 && crowd.mean_ms > 0.0));
    assert!(
        result.arrivals[0].verdict.checks.iter().any(|check| check.id == CheckId::Errors && check.passed)
    );
}
