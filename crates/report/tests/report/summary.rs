//! What a summary concludes from points, edge cases first of all.

use crate::fixture::{
    configuration,
    curves::{comparison, demonstration},
    manifest,
    points::{invalid, point},
};
use report::{Peak, PeakStatus, Summary, summary, terminal_table};
use results::{HostUsageFigures, HostUsageSample, Point, Purpose, ResultReader, Verification};

fn result(names: &[&str], points: Vec<Point>) -> ResultReader {
    crate::fixture::result(manifest(names), points)
}

/// Runs of a load, with these throughputs.
fn runs(name: &str, clients: u32, throughputs: &[f64]) -> Vec<Point> {
    throughputs.iter().map(|throughput| point(name, clients, *throughput, Some(1.0))).collect()
}

fn peak(summary: &Summary, index: usize) -> &Peak {
    summary.summaries[index].peak.as_ref().unwrap()
}

#[test]
fn the_best_load_is_the_peak_and_a_higher_one_shows_that_it_was_passed() {
    let points = vec![
        point("A", 100, 50.0, Some(1.0)),
        point("A", 200, 90.0, Some(1.0)),
        point("A", 400, 80.0, Some(1.0)),
    ];
    let summary = summary(&result(&["A"], points));
    let peak = peak(&summary, 0);
    assert_eq!((peak.clients, peak.throughput, peak.peak_status), (200, 90.0, PeakStatus::Passed));
    let answer =
        "A reached 90.0 ± 1.0 interactions/s at 200 clients (± within 1 run; next VALID loads: 100 and 400).";
    assert_eq!(summary.answer, answer);
    assert!(summary.caveats.is_empty(), "{:?}", summary.caveats);
}

#[test]
fn a_peak_at_the_highest_load_was_not_passed() {
    let summary =
        summary(&result(&["A"], vec![point("A", 100, 50.0, Some(1.0)), point("A", 200, 90.0, Some(1.0))]));
    assert_eq!(peak(&summary, 0).peak_status, PeakStatus::NothingAbove);
    assert!(summary.caveats[0].contains("was not passed"), "{:?}", summary.caveats);
}

#[test]
fn where_a_host_uses_up_its_cpu_no_higher_load_is_needed() {
    let with = |cores: f64| {
        let mut points = vec![point("A", 100, 50.0, Some(1.0)), point("A", 200, 90.0, Some(1.0))];
        for point in &mut points {
            let mean = HostUsageSample { name: "web".to_owned(), cores, ..HostUsageSample::default() };
            let tiers = vec!["web (apache)".to_owned()];
            point.hosts =
                vec![HostUsageFigures { mean, tiers, cpu: Some(0.3), ..HostUsageFigures::default() }];
        }
        let summary = summary(&result(&["A"], points));
        (peak(&summary, 0).peak_status, summary.caveats.len())
    };
    assert_eq!(with(0.291), (PeakStatus::UsedUp, 0));
    assert_eq!(with(0.279), (PeakStatus::NothingAbove, 1), "more clients may give a tenth more");
}

#[test]
fn an_invalid_point_is_shown_and_never_wins_nor_proves_a_peak() {
    let points = vec![point("A", 100, 50.0, Some(1.0)), invalid(point("A", 200, 90.0, Some(1.0)))];
    let summary = summary(&result(&["A"], points));
    let entry = &summary.summaries[0];
    assert_eq!((peak(&summary, 0).clients, peak(&summary, 0).peak_status), (100, PeakStatus::InvalidAbove));
    assert_eq!((entry.rejected[0].clients, entry.rejected[0].reasons.len()), (200, 1));
    assert!(entry.rejected[0].reasons[0].starts_with("errors: "), "{:?}", entry.rejected);
    assert!(summary.caveats[0].contains("INVALID"), "{:?}", summary.caveats);
}

#[test]
fn a_load_counts_by_the_mean_of_its_valid_runs() {
    let points = vec![
        point("A", 100, 80.0, Some(1.0)),
        point("A", 200, 95.0, Some(1.0)),
        point("A", 200, 61.0, Some(1.0)),
        invalid(point("A", 200, 500.0, Some(1.0))),
    ];
    let summary = summary(&result(&["A"], points));
    let peak = peak(&summary, 0);
    assert_eq!((peak.clients, peak.runs, peak.throughput), (100, 1, 80.0));
}

#[test]
fn of_two_runs_the_interval_covers_both_and_of_more_their_scatter() {
    let runs = |throughputs: &[f64]| {
        let points = throughputs.iter().map(|throughput| point("A", 100, *throughput, Some(2.0)));
        let summary = summary(&result(&["A"], points.collect()));
        let peak = peak(&summary, 0);
        assert_eq!(peak.runs, throughputs.len());
        peak.interval.unwrap()
    };
    let two = runs(&[90.0, 100.0]);
    assert_eq!((two.low(), two.high()), (88.0, 102.0));
    let three = runs(&[99.0, 100.0, 101.0]);
    assert!((three.half_width - 2.484).abs() < 1e-3, "{three:?}");
}

#[test]
fn runs_of_a_peak_are_summed_up() {
    let points = vec![point("A", 100, 90.0, None), point("A", 100, 110.0, None)];
    let (first, second) = (points[0].clone(), points[1].clone());
    let summary = summary(&result(&["A"], points));
    let peak = peak(&summary, 0);
    assert_eq!(peak.completed, first.completed + second.completed);
    assert!((peak.usage.tiers[0].cores - (first.tiers[0].cores + second.tiers[0].cores) / 2.0).abs() < 1e-9);
    assert!(
        (peak.usage.cpu_ms.value
            - peak.usage.tiers.iter().map(|tier| tier.cpu_ms_per_interaction).sum::<f64>())
        .abs()
            < 1e-9
    );
    assert_eq!(peak.usage.tiers.len(), first.tiers.len());
    assert_eq!(peak.interactions.len(), first.interactions.len());
    assert_eq!(
        peak.interactions[3].completed,
        first.interactions[3].completed + second.interactions[3].completed
    );
}

#[test]
fn the_answer_names_ratios_with_their_intervals() {
    insta::assert_snapshot!(summary(&comparison()).answer, @"WsPhpFpm-DB reached 932 ± 11 interactions/s at 8,000 clients (± over 5 runs; next VALID loads: 5,657 and 11,314), 1.31 ± 0.02 times WsPhp-DB (711 ± 6), 1.32 ± 0.02 times WsPhp-DB,engine=MyISAM (707 ± 10) and 2.32 ± 0.03 times Ws-Servlet-DB-sync (402 ± 5).");
}

#[test]
fn of_many_that_are_behind_the_answer_names_the_nearest_and_the_farthest() {
    let names = ["A", "B", "C", "D", "E", "F"];
    let of = |(place, name): (usize, &&str)| {
        let throughput = 100.0 - 10.0 * place as f64;
        runs(name, 100, &[throughput - 0.5, throughput, throughput + 0.5])
    };
    let summary = summary(&result(&names, names.iter().enumerate().flat_map(of).collect()));
    insta::assert_snapshot!(summary.answer, @"A reached 100 ± 1 interactions/s at 100 clients (± over 3 runs; no other VALID load), from 1.11 ± 0.01 times B (90.0 ± 1.2) to 2.00 ± 0.04 times F (50.0 ± 1.2), with 3 others between them.");
}

#[test]
fn what_is_within_the_scatter_of_runs_cannot_be_told_apart() {
    let mut points = runs("A", 100, &[108.0, 99.0, 104.0]);
    points.extend(runs("B", 100, &[112.0, 103.0, 106.0]));
    points.extend(runs("C", 100, &[50.0, 50.5, 51.0]));
    let summary = summary(&result(&["A", "B", "C"], points));
    insta::assert_snapshot!(summary.answer, @"B reached 107 ± 11 interactions/s at 100 clients (± over 3 runs; no other VALID load), 2.12 ± 0.21 times C (50.5 ± 1.2). It cannot be told apart from A (104 ± 11).");
    let letters: Vec<&str> = summary.summaries.iter().map(|entry| entry.letters.as_str()).collect();
    assert_eq!(letters, ["a", "a", "b"]);
    let conclusions: Vec<&str> =
        summary.contests.iter().map(report::PairwiseComparison::conclusion).collect();
    assert_eq!(conclusions, ["cannot be told apart", "differ", "differ"]);
}

#[test]
fn with_fewer_than_three_runs_no_difference_is_claimed() {
    let mut points = runs("A", 100, &[110.0, 111.0]);
    points.extend(runs("B", 100, &[50.0, 50.5, 51.0]));
    let summary = summary(&result(&["A", "B"], points));
    insta::assert_snapshot!(summary.answer, @"A reached 110 ± 2 interactions/s at 100 clients (± within 2 runs; no other VALID load). Whether it differs from B (50.5 ± 1.2 over 3 runs) is not claimed: that takes at least three runs of each peak.");
    assert!(summary.summaries.iter().all(|entry| entry.letters.is_empty()));
    assert_eq!(summary.contests[0].conclusion(), "too few runs to tell");
}

#[test]
fn figures_without_an_interval_have_a_caution() {
    let points = vec![point("A", 100, 110.0, None), point("B", 100, 100.0, None)];
    let caveats = summary(&result(&["A", "B"], points)).caveats;
    insta::assert_snapshot!(caveats[1], @"The peaks of A and B have no interval, for the window is too short: a small difference means nothing.");
}

#[test]
fn what_is_to_be_said_of_several_is_said_once() {
    let points = vec![point("A", 100, 110.0, Some(1.0)), point("B", 100, 100.0, Some(1.0))];
    let caveats = summary(&result(&["A", "B"], points)).caveats;
    insta::assert_snapshot!(caveats.join(" "), @"The peaks of A and B were not passed: no load above 100 clients was measured, so they may go higher.");
}

#[test]
fn a_peak_that_was_not_passed_is_not_divided_by() {
    let above = invalid(point("B", 200, 90.0, None));
    let points = vec![
        point("A", 200, 110.0, Some(1.0)),
        point("A", 400, 100.0, Some(1.0)),
        point("B", 100, 50.0, Some(1.0)),
        above,
    ];
    let summary = summary(&result(&["A", "B"], points));
    assert_eq!(summary.contests[0].conclusion(), "open: not both were passed");
    insta::assert_snapshot!(summary.answer, @"A reached 110 ± 1 interactions/s at 200 clients (± within 1 run; next VALID load: 400, none below). How it compares with B (50.0 ± 1.0) at 100 clients is open: not all of these peaks were passed.");
}

#[test]
fn without_a_valid_point_nothing_is_claimed() {
    let dead = |name| invalid(point(name, 100, 50.0, None));
    let one = summary(&result(&["A", "B"], vec![dead("A"), point("B", 100, 9.0, Some(0.5))]));
    insta::assert_snapshot!(one.answer, @"B reached 9.00 ± 0.50 interactions/s at 100 clients (± within 1 run; no other VALID load). A has no VALID point, so nothing can be said of it.");
    let all = summary(&result(&["A", "B"], vec![dead("A"), dead("B")]));
    insta::assert_snapshot!(all.answer, @"A and B have no VALID point, so nothing can be said of them.");
    assert_eq!(summary(&result(&["A"], Vec::new())).answer, "Nothing was measured, so there is no answer.");
}

#[test]
fn a_site_that_completed_nothing_is_no_divisor() {
    let mut still = point("B", 100, 1.0, Some(0.0));
    (still.throughput, still.throughput_half_width) = (0.0, Some(0.0));
    let summary = summary(&result(&["A", "B"], vec![point("A", 100, 10.0, Some(1.0)), still]));
    assert!(!summary.answer.contains("inf") && !summary.answer.contains("NaN"), "{}", summary.answer);
}

#[test]
fn a_configuration_that_the_manifest_does_not_name_is_shown_too() {
    let summary = summary(&result(&["A"], vec![point("B", 100, 9.0, None)]));
    let names: Vec<&str> = summary.summaries.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["A", "B"]);
}

#[test]
fn stamps_name_what_nobody_may_miss() {
    let titles = |result: &ResultReader| {
        summary(result).banners.into_iter().map(|banner| banner.title).collect::<Vec<_>>()
    };
    assert_eq!(titles(&comparison()), Vec::<String>::new());
    assert_eq!(titles(&demonstration()), ["Incomplete result", "Demonstration only", "Not verified"]);
    let mut killed = comparison();
    killed.manifest.ending = None;
    assert_eq!(titles(&killed), ["Incomplete result"]);
    let mut skip_verify = configuration("A");
    skip_verify.verified = Verification::Pending;
    killed.manifest.configurations = vec![skip_verify];
    let banners = summary(&killed).banners;
    assert!(banners[1].reasons[0].starts_with("A: not yet."), "{banners:?}");
}

#[test]
fn the_terminal_says_it_in_110_columns() {
    let text = terminal_table(&summary(&demonstration()));
    assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn names_too_long_for_a_column_are_wrapped() {
    let name = "Ws-Servlet-DB-sync-with-an-endless-name-that-somebody-chose-to-type-out-in-full";
    let mut points = vec![point(name, 12_000, 12_345.0, Some(1234.0))];
    points[0].response.p99_ms = 1_234_567.0;
    let text = terminal_table(&summary(&result(&[name], points)));
    assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
}

#[test]
fn a_result_without_points_fits_the_terminal() {
    let text = terminal_table(&summary(&result(&["A"], Vec::new())));
    assert_eq!(text, "Auction, bidding mix\n\nNothing was measured, so there is no answer.\n");
}

#[test]
fn a_peak_is_what_confirmed_it_and_not_what_the_search_saw() {
    let mut result = comparison();
    for point in
        result.points.iter_mut().filter(|point| point.purpose == Purpose::Search && point.clients == 8000)
    {
        point.throughput = 2000.0;
    }
    let summary = summary(&result);
    let best = peak(&summary, 0);
    assert_eq!((best.clients, best.runs, best.confirmed), (8000, 5, true));
    assert!((900.0..970.0).contains(&best.throughput), "{}", best.throughput);
}

#[test]
fn a_search_that_was_broken_off_has_confirmed_nothing() {
    let mut result = comparison();
    result.points.retain(|point| point.purpose == Purpose::Search);
    let summary = summary(&result);
    assert!(summary.summaries.iter().all(|entry| entry.peak.as_ref().is_some_and(|peak| !peak.confirmed)));
    assert!(
        summary.caveats.iter().any(|caveat| caveat.contains("were not measured again")),
        "{:?}",
        summary.caveats
    );
}

#[test]
fn without_a_second_run_above_it_is_not_certain_that_a_peak_was_passed() {
    let mut result = comparison();
    result.points.retain(|point| point.clients <= 12_000 || point.repetition == 1);
    let summary = summary(&result);
    assert_eq!(peak(&summary, 0).peak_status, PeakStatus::Uncertain);
    insta::assert_snapshot!(summary.caveats[0], @"That the peak of WsPhpFpm-DB was passed is not certain: it may go higher.");
}

#[test]
fn the_reason_names_what_limits_whom() {
    insta::assert_snapshot!(summary(&comparison()).reason, @"WsPhpFpm-DB is limited by the CPU of this machine, WsPhp-DB by the workers of web (apache), WsPhp-DB,engine=MyISAM by table locks of db (mariadb). What limits Ws-Servlet-DB-sync is not known.");
    let one = summary(&result(&["A"], vec![point("A", 100, 50.0, None)])).reason;
    insta::assert_snapshot!(one, @"A served all that 100 clients ask for; add clients.");
}
