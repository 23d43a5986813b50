//! Conclusions of a summary from points, edge cases first.

use report::{Peak, PeakStatus, Severity, Summary, summary, terminal_table};
use results::{
    Check, CheckId, HostUsageFigures, HostUsageSample, Point, Purpose, ResultReader, Round, Verb, Verdict,
    Verification,
};
use specimens::{
    THINK_TIME, configuration,
    curves::{comparison, demonstration, external},
    manifest,
    points::{invalid, point},
};
use stats::Starts;

fn result(names: &[&str], points: Vec<Point>) -> ResultReader {
    specimens::result(manifest(names), points)
}

fn runs(name: &str, clients: u32, throughputs: &[f64]) -> Vec<Point> {
    throughputs.iter().map(|throughput| point(name, clients, *throughput, Some(1.0))).collect()
}

fn peak(summary: &Summary, index: usize) -> &Peak {
    summary.configurations[index].peak.as_ref().unwrap()
}

fn caveats(summary: &Summary) -> Vec<String> {
    summary.findings_of(Severity::Caveat).map(report::Finding::full_text).collect()
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
    assert_eq!(caveats(&summary), Vec::<String>::new());
}

#[test]
fn a_peak_at_the_highest_load_was_not_passed() {
    let summary =
        summary(&result(&["A"], vec![point("A", 100, 50.0, Some(1.0)), point("A", 200, 90.0, Some(1.0))]));
    assert_eq!(peak(&summary, 0).peak_status, PeakStatus::NothingAbove);
    assert!(caveats(&summary)[0].contains("was not passed"), "{:?}", caveats(&summary));
}

#[test]
fn where_a_host_is_saturated_no_higher_load_is_needed() {
    let with = |cores: f64| {
        let mut points = vec![point("A", 100, 50.0, Some(1.0)), point("A", 200, 90.0, Some(1.0))];
        for point in &mut points {
            let mean = HostUsageSample { name: "web".to_owned(), cores, ..HostUsageSample::default() };
            let tiers = vec!["web (apache)".to_owned()];
            point.hosts =
                vec![HostUsageFigures { mean, tiers, cpu: Some(0.3), ..HostUsageFigures::default() }];
        }
        let summary = summary(&result(&["A"], points));
        (peak(&summary, 0).peak_status, caveats(&summary).len())
    };
    assert_eq!(with(0.28), (PeakStatus::Saturated, 0));
    assert_eq!(with(0.278), (PeakStatus::NothingAbove, 1), "more clients may give a tenth more");
}

#[test]
fn cpu_time_keeps_a_start_that_others_disturbed() {
    let on_start = |start: u32, failed: Option<CheckId>| {
        let mut point = point("A", 100, 50.0, Some(1.0));
        let (length_s, cpu_s) = (3.0, vec![0.3 * f64::from(start); point.tiers.len()]);
        let (throughput, steal_cores, other_processes_cores) = (50.0, 0.0, 0.0);
        point.start = Some(start);
        point.rounds = vec![Round { length_s, throughput, cpu_s, steal_cores, other_processes_cores }];
        if let Some(id) = failed {
            point.verdict = Verdict::of(vec![Check::new(id, false, String::new(), String::new())]);
        }
        point
    };
    let (others, errors) = (Some(CheckId::OtherProcesses), Some(CheckId::Errors));
    let points = vec![on_start(1, None), on_start(2, others), on_start(3, errors)];
    let summary = summary(&result(&["A"], points));
    let peak = peak(&summary, 0);
    let counted = |starts: &Starts| starts.keys().copied().collect::<Vec<u32>>();
    assert_eq!(counted(&peak.starts.throughput), [1]);
    assert_eq!(counted(&peak.starts.cpu_ms), [1, 2]);
    assert_eq!(counted(&peak.cost.cpu_ms_of_starts), [1, 2]);
}

#[test]
fn an_invalid_point_is_shown_and_never_wins_nor_proves_a_peak() {
    let points = vec![point("A", 100, 50.0, Some(1.0)), invalid(point("A", 200, 90.0, Some(1.0)))];
    let summary = summary(&result(&["A"], points));
    let entry = &summary.configurations[0];
    assert_eq!((peak(&summary, 0).clients, peak(&summary, 0).peak_status), (100, PeakStatus::InvalidAbove));
    assert_eq!((entry.rejected[0].clients, entry.rejected[0].reasons.len()), (200, 1));
    assert!(entry.rejected[0].reasons[0].starts_with("errors: "), "{:?}", entry.rejected);
    let said = caveats(&summary);
    assert!(
        said[0].contains("1 of 2 points is INVALID") && said[1].contains("every point above"),
        "{said:?}"
    );
    let rejected = summary.findings_of(Severity::Rejected).next().unwrap();
    assert_eq!(rejected.remedy.as_deref(), Some("Lower the load."));
}

/// An INVALID point none of whose requests was answered with a page.
fn failed(errors: &[(&str, u64)], causes: &[(&str, &str)]) -> Point {
    let mut point = invalid(point("A", 100, 10.0, None));
    (point.completed, point.refused, point.throughput) = (0, 0, 0.0);
    (point.response, point.service, point.quantiles) = Default::default();
    point.errors = errors.iter().map(|(kind, count)| ((*kind).to_owned(), *count)).collect();
    point.causes = causes.iter().map(|(kind, cause)| ((*kind).to_owned(), (*cause).to_owned())).collect();
    point
}

#[test]
fn where_all_requests_fail_the_first_causes_are_said_and_no_other_load_is_advised() {
    let one = failed(&[("tls-failed", 10)], &[("tls-failed", "certificate expired"), ("timeout", "x")]);
    let summary = summary(&result(&["A"], vec![one]));
    let said = "A: 10 of 10 requests failed: certificate expired (tls-failed).";
    assert!(caveats(&summary).iter().any(|caveat| caveat == said), "{:?}", caveats(&summary));
    let rejected = summary.findings_of(Severity::Rejected).next().unwrap();
    assert_eq!(rejected.remedy.as_deref(), Some("Mend what makes requests fail."));
    let errors = [("status-4xx", 2), ("status-5xx", 7)];
    let points = vec![failed(&errors, &[("status-4xx", "404 for /a"), ("status-5xx", "500 for /b")])];
    let caveats = caveats(&report::summary(&result(&["A"], points)));
    let said = "A: 9 of 9 requests failed: 7 with status-5xx, first: 500 for /b; 2 with status-4xx, first: 404 for /a.";
    assert!(caveats.iter().any(|caveat| caveat.ends_with(said)), "{caveats:?}");
}

#[test]
fn where_nothing_was_measured_tables_have_an_empty_field() {
    let result = result(&["A"], vec![failed(&[("timeout", 3)], &[("timeout", "no answer in time, for /")])]);
    let table = report::csv(std::slice::from_ref(&result));
    let mut lines = csv::Reader::from_reader(table.as_bytes());
    let names = lines.headers().unwrap().clone();
    let row = lines.records().next().unwrap().unwrap();
    let field = |name: &str| &row[names.iter().position(|known| known == name).unwrap()];
    for name in
        ["response_mean_ms", "response_p50_ms", "response_p99_ms", "response_max_ms", "service_p90_ms"]
    {
        assert_eq!(field(name), "", "{name}");
    }
    assert_eq!((field("failed"), field("errors")), ("3", "timeout 3"));
    assert_eq!(field("first_causes"), "timeout: no answer in time, for /");
}

#[test]
fn references_to_other_sites_are_named_with_their_number() {
    let mut points = vec![point("A", 100, 50.0, Some(1.0)), point("A", 200, 60.0, Some(1.0))];
    for (number, point) in (1..).zip(&mut points) {
        point.left_out = [("http://b.example".to_owned(), number), ("http://c.example".to_owned(), 4)].into();
    }
    let summary = summary(&result(&["A"], points));
    let notes: Vec<String> = summary.findings_of(Severity::Note).map(report::Finding::full_text).collect();
    let said = "11 references of pages lead to other sites and were not requested: http://c.example (8), http://b.example (3).";
    assert!(notes.iter().any(|note| note.contains(said)), "{notes:?}");
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
    insta::assert_snapshot!(summary(&comparison()).answer, @"WsPhpFpm-DB reached 932 ± 11 interactions/s at 8,000 clients (± over 5 runs; next VALID loads: 5,657 and 11,314). That is 1.31 ± 0.02 times WsPhp-DB (711 ± 6), 1.32 ± 0.02 times WsPhp-DB,engine=MyISAM (707 ± 10) and 2.32 ± 0.03 times Ws-Servlet-DB-sync (402 ± 5).");
}

#[test]
fn of_many_ratios_the_answer_names_the_smallest_and_the_largest() {
    let names = ["A", "B", "C", "D", "E", "F"];
    let of = |(place, name): (usize, &&str)| {
        let throughput = 100.0 - 10.0 * place as f64;
        runs(name, 100, &[throughput - 0.5, throughput, throughput + 0.5])
    };
    let summary = summary(&result(&names, names.iter().enumerate().flat_map(of).collect()));
    insta::assert_snapshot!(summary.answer, @"A reached 100 ± 1 interactions/s at 100 clients (± over 3 runs; no other VALID load). That is from 1.11 ± 0.01 times B (90.0 ± 1.2) to 2.00 ± 0.04 times F (50.0 ± 1.2), with 3 others between them.");
}

#[test]
fn peaks_that_differ_less_than_their_runs_cannot_be_told_apart() {
    let mut points = runs("A", 100, &[108.0, 99.0, 104.0]);
    points.extend(runs("B", 100, &[112.0, 103.0, 106.0]));
    points.extend(runs("C", 100, &[50.0, 50.5, 51.0]));
    let summary = summary(&result(&["A", "B", "C"], points));
    insta::assert_snapshot!(summary.answer, @"B reached 107 ± 11 interactions/s at 100 clients (± over 3 runs; no other VALID load). That is 2.12 ± 0.21 times C (50.5 ± 1.2). It cannot be told apart from A (104 ± 11).");
    let letters: Vec<&str> = summary.configurations.iter().map(|entry| entry.letters.as_str()).collect();
    assert_eq!(letters, ["a", "a", "b"]);
    let conclusions: Vec<&str> =
        summary.comparisons.iter().map(report::PairwiseComparison::conclusion).collect();
    assert_eq!(conclusions, ["cannot be told apart", "differ", "differ"]);
}

#[test]
fn with_fewer_than_three_runs_no_difference_is_claimed() {
    let mut points = runs("A", 100, &[110.0, 111.0]);
    points.extend(runs("B", 100, &[50.0, 50.5, 51.0]));
    let summary = summary(&result(&["A", "B"], points));
    insta::assert_snapshot!(summary.answer, @"A reached 110 ± 2 interactions/s at 100 clients (± within 2 runs; no other VALID load). Whether it differs from B (50.5 ± 1.2 over 3 runs) cannot be told: each peak needs three runs.");
    assert!(summary.configurations.iter().all(|entry| entry.letters.is_empty()));
    assert_eq!(summary.comparisons[0].conclusion(), "too few runs to tell");
}

#[test]
fn peaks_without_an_interval_have_a_caveat() {
    let points = vec![point("A", 100, 110.0, None), point("B", 100, 100.0, None)];
    let caveats = caveats(&summary(&result(&["A", "B"], points)));
    insta::assert_snapshot!(caveats[1], @"The peaks of A and B have no interval, because the window is too short. A small difference means nothing. Set a longer --window.");
}

#[test]
fn a_caveat_about_several_configurations_is_said_once() {
    let points = vec![point("A", 100, 110.0, Some(1.0)), point("B", 100, 100.0, Some(1.0))];
    let caveats = caveats(&summary(&result(&["A", "B"], points)));
    insta::assert_snapshot!(caveats.join(" "), @"The peaks of A and B were not passed: no load above 100 clients was measured, so they may go higher. Measure more clients.");
}

#[test]
fn a_peak_is_not_compared_with_one_that_was_not_passed() {
    let above = invalid(point("B", 200, 90.0, None));
    let points = vec![
        point("A", 200, 110.0, Some(1.0)),
        point("A", 400, 100.0, Some(1.0)),
        point("B", 100, 50.0, Some(1.0)),
        above,
    ];
    let summary = summary(&result(&["A", "B"], points));
    assert_eq!(summary.comparisons[0].conclusion(), "open: a peak was not passed");
    insta::assert_snapshot!(summary.answer, @"A reached 110 ± 1 interactions/s at 200 clients (± within 1 run; next VALID load: 400, none below). How it compares with B (50.0 ± 1.0) at 100 clients is open: not all of these peaks were passed.");
}

#[test]
fn a_configuration_without_a_valid_point_has_no_peak() {
    let dead = |name| invalid(point(name, 100, 50.0, None));
    let one = summary(&result(&["A", "B"], vec![dead("A"), point("B", 100, 9.0, Some(0.5))]));
    insta::assert_snapshot!(one.answer, @"B reached 9.00 ± 0.50 interactions/s at 100 clients (± within 1 run; no other VALID load). A has no VALID point, so it has no peak.");
    let all = summary(&result(&["A", "B"], vec![dead("A"), dead("B")]));
    insta::assert_snapshot!(all.answer, @"A and B have no VALID point, so they have no peak.");
    assert_eq!(summary(&result(&["A"], Vec::new())).answer, "Nothing was measured, so there is no answer.");
}

#[test]
fn a_site_that_completed_nothing_gives_no_infinite_ratio() {
    let mut still = point("B", 100, 1.0, Some(0.0));
    (still.throughput, still.throughput_half_width) = (0.0, Some(0.0));
    let summary = summary(&result(&["A", "B"], vec![point("A", 100, 10.0, Some(1.0)), still]));
    assert!(!summary.answer.contains("inf") && !summary.answer.contains("NaN"), "{}", summary.answer);
}

#[test]
fn a_configuration_that_the_manifest_does_not_name_is_shown_too() {
    let summary = summary(&result(&["A"], vec![point("B", 100, 9.0, None)]));
    let names: Vec<&str> = summary.configurations.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["A", "B"]);
}

#[test]
fn a_value_without_a_proof_is_marked_as_what_is_unverified() {
    let mut result = comparison();
    result.manifest.configurations[0].unproven = vec!["protocol=text".to_owned()];
    let name = result.manifest.configurations[0].name.clone();
    let banners = summary(&result).banners();
    assert_eq!(banners.iter().map(|banner| banner.title).collect::<Vec<_>>(), ["Not verified"]);
    let said = &banners[0].sentences[0];
    assert!(said.starts_with(&format!("{name}: no proof has protocol=text.")), "{said}");
}

#[test]
fn banners_name_incomplete_demonstrated_and_unverified_results() {
    let titles = |result: &ResultReader| {
        summary(result).banners().into_iter().map(|banner| banner.title).collect::<Vec<_>>()
    };
    assert_eq!(titles(&comparison()), Vec::<&str>::new());
    assert_eq!(titles(&demonstration()), ["Incomplete result", "Demonstration only", "Not verified"]);
    let mut killed = comparison();
    killed.manifest.ending = None;
    assert_eq!(titles(&killed), ["Incomplete result"]);
    let mut skip_verify = configuration("A");
    skip_verify.verified = Verification::Pending;
    killed.manifest.configurations = vec![skip_verify];
    let banners = summary(&killed).banners();
    assert!(banners[1].sentences[0].starts_with("A: not yet."), "{banners:?}");
    assert_eq!(banners[1].sentences.last().unwrap(), "Run tierbench verify.");
}

#[test]
fn only_what_has_loads_left_is_to_be_continued() {
    let remedy = |measured: usize, verb: Verb| {
        let mut result = external();
        result.manifest.ending = None;
        result.manifest.spec.verb = verb;
        let planned = result.manifest.spec.loads.kinds.len() * result.manifest.spec.repetitions as usize;
        let points = result.points.clone();
        result.points = points.iter().cycle().take(measured.min(planned)).cloned().collect();
        let finding =
            summary(&result).findings.into_iter().find(|finding| finding.title == "Incomplete result");
        (planned, finding.unwrap().remedy)
    };
    let (planned, all) = remedy(usize::MAX, Verb::Drive);
    assert!(planned > 1 && all.is_none(), "{planned}: {all:?}");
    assert_eq!(remedy(0, Verb::Drive).1, None);
    for (measured, verb) in [(1, Verb::Drive), (0, Verb::Run)] {
        assert_eq!(remedy(measured, verb).1.as_deref(), Some("Continue it with --resume."));
    }
}

#[test]
fn findings_stand_by_severity_and_their_remedies_last() {
    let findings = summary(&demonstration()).findings;
    assert!(findings.is_sorted_by_key(|finding| finding.severity), "{findings:?}");
    for finding in &findings {
        let said = finding.full_text();
        assert!(said.ends_with('.') && !said.contains("..") && !finding.title.is_empty(), "{said}");
        assert!(finding.remedy.iter().all(|remedy| said.ends_with(remedy.as_str())), "{said}");
    }
}

#[test]
fn sentences_of_findings_have_at_most_25_words() {
    let mut listed = comparison();
    listed.manifest.spec.loads = results::Loads::closed(&[100], THINK_TIME);
    for result in [comparison(), demonstration(), listed] {
        for finding in summary(&result).findings.iter().filter(|one| one.severity != Severity::Rejected) {
            // Enumerations after a colon may be long.
            for sentence in finding.full_text().split(". ").map(|said| said.split(':').next().unwrap()) {
                assert!(sentence.split_whitespace().count() <= 25, "{sentence}");
            }
        }
    }
}

#[test]
fn one_core_and_one_point_are_in_the_singular() {
    let mut one = result(&["A"], vec![point("A", 1, 50.0, Some(1.0))]);
    one.manifest.host.cores = 1;
    let said = terminal_table(&summary(&one)) + &report::html(&one);
    for wrong in ["1 clients", "1 points", "1 cores", "1 runs", "1 requests", "1 interactions", "1 factors"] {
        let at = said
            .match_indices(wrong)
            .find(|(at, _)| !said[..*at].ends_with(|c: char| c.is_ascii_digit() || ",.".contains(c)));
        assert!(at.is_none(), "{wrong}: {}", &said[at.unwrap().0.saturating_sub(60)..at.unwrap().0 + 20]);
    }
}

#[test]
fn a_search_says_what_twice_the_clients_give() {
    let summary = summary(&comparison());
    let peak = peak(&summary, 0);
    assert_eq!(peak.peak_status, PeakStatus::Passed);
    insta::assert_snapshot!(peak.gain_in_words().unwrap(), @"Passed: twice the clients give 0.98 (0.98 to 0.98) of it");
    assert!(terminal_table(&summary).contains("twice the clients give"));
}

#[test]
fn the_terminal_says_it_in_110_columns() {
    let text = terminal_table(&summary(&demonstration()));
    assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn what_all_configurations_share_is_said_once_and_stands_in_no_name() {
    let [one, other] = ["WsPhp-DB", "WsServlet-DB"].map(|name| format!("{name},engine=MyISAM,timeout=none"));
    let points = [runs(&one, 100, &[50.0, 50.5, 51.0]), runs(&other, 100, &[40.0, 40.5, 41.0])].concat();
    let result = result(&[&one, &other], points);
    let common = "All configurations: engine=MyISAM, timeout=none";
    let table = terminal_table(&summary(&result));
    assert!(table.starts_with(&format!("Auction, bidding mix\n{common}\n\nWsPhp-DB reached ")), "{table}");
    for text in [table, report::html(&result)] {
        assert!(text.contains(common) && text.matches("engine=MyISAM").count() == 1, "{text}");
    }
    assert_eq!(report::csv(std::slice::from_ref(&result)).matches(&one).count(), 3, "files have whole names");
}

#[test]
fn names_too_long_for_a_column_are_wrapped() {
    let name = "Ws-Servlet-DB-sync-with-an-endless-name-that-somebody-chose-to-type-out-in-full";
    let mut points = vec![point(name, 12_000, 12_345.0, Some(1234.0))];
    points[0].response.p99_ms = Some(1_234_567.0);
    let text = terminal_table(&summary(&result(&[name], points)));
    assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
}

#[test]
fn a_result_without_points_fits_the_terminal() {
    let text = terminal_table(&summary(&result(&["A"], Vec::new())));
    assert!(
        text.starts_with("Auction, bidding mix\n\nNothing was measured, so there is no answer.\n"),
        "{text}"
    );
    assert!(!text.contains("configuration "), "there is no table: {text}");
}

#[test]
fn the_figures_of_a_peak_come_from_the_runs_that_confirmed_it() {
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
fn an_interrupted_search_has_confirmed_no_peak() {
    let mut result = comparison();
    result.points.retain(|point| point.purpose == Purpose::Search);
    let summary = summary(&result);
    assert!(
        summary.configurations.iter().all(|entry| entry.peak.as_ref().is_some_and(|peak| !peak.confirmed))
    );
    let said = caveats(&summary);
    assert!(said.iter().any(|caveat| caveat.contains("were not measured again")), "{said:?}");
}

#[test]
fn without_a_second_run_above_it_is_not_certain_that_a_peak_was_passed() {
    let mut result = comparison();
    result.points.retain(|point| point.clients <= 12_000 || point.repetition == 1);
    let summary = summary(&result);
    assert_eq!(peak(&summary, 0).peak_status, PeakStatus::Uncertain);
    insta::assert_snapshot!(caveats(&summary)[1], @"It is not certain that the peak of WsPhpFpm-DB was passed, so it may go higher. Set more --repetitions.");
}

#[test]
fn the_reason_names_the_bottleneck_of_each_configuration() {
    insta::assert_snapshot!(summary(&comparison()).reason, @"WsPhpFpm-DB is limited by the CPU of this machine, WsPhp-DB by the workers of web (apache), WsPhp-DB,engine=MyISAM by table locks of db (mariadb). What limits Ws-Servlet-DB-sync is not known.");
    let one = summary(&result(&["A"], vec![point("A", 100, 50.0, None)])).reason;
    insta::assert_snapshot!(one, @"A served all that 100 clients ask for; add clients.");
}
