use report::{difference, difference_table};
use results::{Loads, ResultReader};
use specimens::{
    THINK_TIME,
    curves::comparison,
    manifest,
    open_loop::{growing, single},
    points::point,
};

/// Three runs at 100 clients with these throughputs.
fn listed(throughputs: &[f64]) -> ResultReader {
    let points = throughputs.iter().map(|throughput| point("A", 100, *throughput, None)).collect();
    let mut result = specimens::result(manifest(&["A"]), points);
    result.manifest.spec.loads = Loads::closed(&[100], THINK_TIME);
    result
}

#[test]
fn a_result_does_not_differ_from_itself() {
    let result = comparison();
    let difference = difference(&result, &result);
    assert_eq!(difference.changes.len(), 4 * result.manifest.configurations.len());
    assert!(difference.changes.iter().all(|change| change.conclusion() == "cannot be told apart"));
    assert!(difference.circumstances.is_empty() && difference.alone.iter().all(Vec::is_empty));
}

#[test]
fn a_change_has_its_direction() {
    let (high, low) = (listed(&[50.0, 50.5, 51.0]), listed(&[40.0, 40.5, 41.0]));
    let fall = difference(&high, &low);
    let throughput = &fall.changes[0];
    assert_eq!((throughput.figure, throughput.clients.as_str()), ("interactions/s", "100"));
    assert!((throughput.difference.mean + 10.0).abs() < 1e-9, "{throughput:?}");
    assert_eq!(throughput.conclusion(), "lower");
    assert_eq!(difference(&low, &high).changes[0].conclusion(), "higher");
}

#[test]
fn with_fewer_than_three_runs_no_difference_is_claimed() {
    let difference = difference(&listed(&[50.0, 50.5]), &listed(&[40.0, 40.5, 41.0]));
    assert!(difference.changes.iter().all(|change| change.conclusion() == "too few runs to tell"));
    assert!(difference_table(&difference).contains("both need at least three."));
}

#[test]
fn loads_of_only_one_result_are_not_compared() {
    let mut other = listed(&[50.0, 50.5, 51.0]);
    other.points.iter_mut().for_each(|point| point.clients = 200);
    let text = difference_table(&difference(&listed(&[50.0, 50.5, 51.0]), &other));
    assert!(text.contains("Nothing was measured in both"), "{text}");
}

#[test]
fn loads_of_the_same_model_are_compared_and_of_different_models_not() {
    let thrice = |users: [u32; 3]| {
        let mut result = growing();
        let load = result.arrivals.swap_remove(0);
        let run = |users: u32| {
            let mut run = load.clone();
            run.arrivals.as_mut().unwrap().users = users;
            run
        };
        result.arrivals = users.map(run).to_vec();
        result
    };
    let changes = difference(&thrice([60, 61, 62]), &thrice([80, 81, 82])).changes;
    let came = &changes[0];
    assert_eq!(
        (came.figure, came.clients.as_str(), came.means),
        ("clients that came", "4,000", [61.0, 81.0])
    );
    assert_eq!((came.conclusion(), changes.len()), ("higher", 5));
    let mut other = thrice([80, 81, 82]);
    other.manifest.spec.loads = single().manifest.spec.loads;
    assert!(difference(&thrice([60, 61, 62]), &other).changes.is_empty());
    assert_eq!(difference(&single(), &single()).changes.len(), 8, "two loads, four figures");
}

#[test]
fn names_are_without_what_both_results_share_and_with_what_tells_them_apart() {
    let named = |name: &str| listed(&[50.0, 50.5, 51.0]).renamed(|_| name.to_owned());
    let same = difference(&named("A,engine=MyISAM"), &named("A,engine=MyISAM"));
    assert_eq!(same.changes[0].configuration, "A");
    assert!(difference_table(&same).contains("\nAll configurations: engine=MyISAM\n\n"));
    let others = difference(&named("A,engine=MyISAM,workers=64"), &named("A,workers=64"));
    assert_eq!(others.alone, [["A,engine=MyISAM"], ["A"]]);
    assert_eq!(others.common.unwrap(), "All configurations: workers=64");
}

#[test]
fn everything_that_differs_is_shown_in_110_columns() {
    let one = comparison();
    let mut other = comparison();
    for point in other.points.iter_mut().filter(|point| point.configuration == "WsPhp-DB") {
        point.throughput *= 1.08;
        for tier in &mut point.tiers {
            tier.cpu_ms_per_interaction *= 0.93;
        }
    }
    other.manifest.started = "2026-11-22T08:00:00Z".into();
    other.manifest.host.kernel = "6.1.0-31-amd64".into();
    other.manifest.configurations[1].services[1].version = "Apache/2.4.65".into();
    other.manifest.configurations.remove(3);
    let (mut one, mut other) = (one, other);
    (one.folder, other.folder) = ("results/before".into(), "results/after".into());
    let text = difference_table(&difference(&one, &other));
    assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
    insta::assert_snapshot!(text);
}
