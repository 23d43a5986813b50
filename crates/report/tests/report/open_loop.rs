use report::{Summary, html, summary, terminal_table};
use results::{HostUsageFigures, HostUsageSample, ResultReader};
use scraper::{ElementRef, Html, Selector};
use specimens::{
    curves::with_samples,
    open_loop::{growing, single},
};

fn parsed(result: &ResultReader) -> Html {
    Html::parse_document(&html(result))
}

fn select<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    page.select(&Selector::parse(selector).unwrap()).collect()
}

fn text(page: &Html, selector: &str) -> String {
    select(page, selector).iter().flat_map(ElementRef::text).collect()
}

fn limits(summary: &Summary) -> Vec<String> {
    summary.arrived.as_ref().unwrap().largest.iter().map(report::Largest::sentence).collect()
}

#[test]
fn each_load_says_how_long_it_took_and_what_ended_it() {
    let (growing, single) = (growing(), single());
    insta::assert_snapshot!(summary(&growing).answer, @"WsPhp-DB: the first request timed out after 121 s (timeout 3 s), when 60 clients had come. Until then it sent 17.9 kB/s. WsPhpFpm-DB: the first request timed out after 90.9 s (timeout 3 s), when 45 clients had come. Until then it sent 23.7 kB/s.");
    insta::assert_snapshot!(summary(&single).answer, @"WsPhp-DB, loads of 14 to 30: 3 of 440 requests failed. The slowest tenth of clients of the load of 30 waited 3.67 times as long as the fastest tenth. All clients were gone after 10.2 s. WsPhpFpm-DB has no VALID run of the loads of 14 and 30 clients.");
    let [growing, single] = [&growing, &single].map(parsed);
    let lede = |page| text(page, ".lede");
    assert!(lede(&growing).starts_with("2 loads of 90.9 to 121 s, measured on"), "{}", lede(&growing));
    assert!(lede(&single).starts_with("5 loads of 10.2 s, measured on"), "{}", lede(&single));
    for page in [&growing, &single] {
        let record = text(page, "#record");
        assert!(!record.contains("Window") && !record.contains("Ramp"), "it has neither: {record}");
    }
}

#[test]
fn every_load_has_its_checks_its_timeline_and_its_audit() {
    let result = single();
    let page = parsed(&result);
    let (all, invalid) = (result.arrivals.len(), 3);
    assert_eq!(select(&page, "#verdicts .point").len(), all);
    assert_eq!(select(&page, "#verdicts .invalid-points .point").len(), invalid);
    assert_eq!(select(&page, "#timelines svg").len(), all);
    assert_eq!(select(&page, "#data tbody tr").len(), all);
    let rows = select(&page, "#verdicts .checks tbody tr").len();
    assert_eq!(rows, result.arrivals.iter().map(|load| load.verdict.checks.len()).sum::<usize>());
    let verdicts = text(&page, "#verdicts");
    assert!(verdicts.contains("INVALID WsPhp-DB, load of 30, run 2"), "{verdicts}");
    assert!(verdicts.contains("Errors: timeout 3."), "{verdicts}");
    assert!(text(&page, "#data").contains("no client had written anything"), "{}", text(&page, "#data"));
    let said = text(&page, "#answer");
    assert!(said.contains("No acknowledged write was lost; 3 of 5 points are INVALID"), "{said}");
    let table = terminal_table(&summary(&result));
    assert!(
        table.contains("INVALID: WsPhp-DB at 30 clients, run 2 (") && table.contains("errors: 2.083 %"),
        "{table}"
    );
}

#[test]
fn tiers_are_those_of_the_largest_valid_load() {
    let result = single();
    let page = parsed(&result);
    assert_eq!(select(&page, "#tiers .machine").len(), 1, "WsPhpFpm-DB has no VALID load");
    let db = text(&page, "#tiers table:first-of-type tbody tr:first-child td:nth-child(6)");
    let largest = &result.arrivals[1];
    assert_eq!(db, format!("{:.3}", largest.tiers[0].cores));
    assert!(!text(&page, "#tiers").contains("peak"), "{}", text(&page, "#tiers"));
    let mut none = result;
    none.arrivals.drain(..2);
    assert!(text(&parsed(&none), "#tiers").contains("No load is VALID."));
}

#[test]
fn hosts_of_a_testbed_are_those_of_the_largest_load_and_without_a_valid_one_of_the_last() {
    let mut result = single();
    assert!(select(&parsed(&result), "#hosts").is_empty());
    let host = |name: &str| HostUsageFigures {
        mean: HostUsageSample { name: name.into(), cores: 0.24, ..HostUsageSample::default() },
        tiers: vec!["db (mariadb)".to_owned()],
        cpu: Some(0.3),
        ..HostUsageFigures::default()
    };
    result.arrivals.iter_mut().for_each(|load| load.hosts = vec![host("db")]);
    let page = parsed(&result);
    let groups: Vec<String> = select(&page, "#hosts .group").iter().map(|row| row.text().collect()).collect();
    assert_eq!(groups, ["WsPhp-DB, load of 30", "WsPhpFpm-DB, INVALID, load of 30"]);
}

#[test]
fn the_bottleneck_of_a_growing_load_is_that_of_its_last_tenth() {
    let folder = tempfile::tempdir().unwrap();
    // Over the whole run half of it is used, far from any limit.
    let unseen = limits(&summary(&growing()));
    assert_eq!(
        unseen[0],
        "WsPhp-DB, load of 4,000: what limits it is not known: nothing that is sampled was near its limit."
    );
    let seen = summary(&with_samples(growing(), folder.path()));
    let said = limits(&seen);
    assert!(
        said[0].starts_with(
            "WsPhp-DB, load of 4,000, in its last tenth: limited by the CPU of this machine: 8.00 of 8"
        ),
        "{said:?}"
    );
    assert!(
        said[1].contains("WsPhpFpm-DB, load of 4,000, in its last tenth: what limits it is not known"),
        "{said:?}"
    );
    assert_eq!(
        seen.reason,
        "WsPhp-DB is limited by the CPU of this machine. What limits WsPhpFpm-DB is not known."
    );
    let mut result = with_samples(growing(), folder.path());
    assert!(text(&parsed(&result), "#arrivals").contains(&said[0]));
    // For a single configuration the reason says it, but not that it is about the end.
    result.arrivals.truncate(1);
    assert!(text(&parsed(&result), "#arrivals").contains(&said[0]));
    assert!(select(&parsed(&single()), "#arrivals li").is_empty());
}

#[test]
fn page_and_terminal_have_the_same_tables() {
    for (result, count) in [(growing(), 2), (single(), 1)] {
        let summary = summary(&result);
        let page = parsed(&result);
        let tables = &summary.arrived.as_ref().unwrap().tables;
        assert_eq!((tables.len(), select(&page, "#arrivals table").len()), (count, count));
        let terminal = terminal_table(&summary);
        assert!(terminal.lines().all(|line| line.chars().count() <= 110), "{terminal}");
        for (grid, table) in tables.iter().zip(select(&page, "#arrivals table")) {
            let rows = Selector::parse("tbody tr").unwrap();
            let cells = |row: ElementRef<'_>| -> Vec<String> {
                row.child_elements().map(|cell| cell.text().collect()).collect()
            };
            assert_eq!(table.select(&rows).map(cells).collect::<Vec<_>>(), grid.rows);
            for row in &grid.rows {
                assert_eq!(row.len(), grid.columns.len());
                let cells = row.iter().flat_map(|cell| cell.split(' ')).filter(|word| !word.is_empty());
                assert!(cells.clone().all(|word| terminal.contains(word)), "{row:?}\n{terminal}");
            }
        }
    }
}

#[test]
fn a_load_of_clients_who_come_and_go_is_open() {
    let said = |result: &ResultReader| text(&parsed(result), "#limits");
    assert!(!said(&single()).contains("Open load"));
    assert!(said(&growing()).contains("Open load beyond the first request."));
    assert!(said(&growing()).contains("A load of 121 s has"), "{}", said(&growing()));
    assert!(said(&single()).contains("Each load was measured once."));
}

#[test]
fn loads_stand_by_configuration_and_size_in_whatever_order_they_were_measured() {
    let told = |result: &ResultReader| {
        let summary = summary(result);
        (summary.answer, summary.arrived.unwrap().tables[0].rows.clone())
    };
    let mut result = single();
    let before = told(&result);
    assert_eq!(before.1[2][..3], ["WsPhp-DB", "30", "2"]);
    result.arrivals.reverse();
    assert_eq!(told(&result), before);
}

#[test]
fn arrivals_have_no_sections_of_curves() {
    for page in [growing(), single()].each_ref().map(parsed) {
        for section in ["#peaks", "#throughput-section", "#response-section", "#interactions"] {
            assert!(select(&page, section).is_empty(), "{section}");
        }
    }
    let summary = summary(&growing());
    assert!(summary.configurations.iter().all(|entry| entry.peak.is_none() && entry.points == 1));
}

#[test]
fn a_result_without_loads_says_so() {
    let mut none = growing();
    none.arrivals.clear();
    let page = parsed(&none);
    assert_eq!(text(&page, ".answer"), "Nothing was measured, so there is no answer.");
    assert!(text(&page, ".lede").starts_with("0 points"), "{}", text(&page, ".lede"));
}
