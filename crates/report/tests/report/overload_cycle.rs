//! What a report says of overload cycles.

use crate::fixture::overload_cycles::{NAME, collapsing, swept};
use report::{Summary, html, summary, terminal_table};
use results::{Account, Audit};
use stats::RecoveryStatus;

fn sentences(summary: &Summary) -> Vec<&str> {
    summary.overload_cycles[0].sentences.iter().map(String::as_str).collect()
}

#[test]
fn a_collapse_and_a_late_recovery_are_told_with_their_figures() {
    let summary = summary(&collapsing());
    let said = sentences(&summary);
    assert_eq!(
        said[0],
        "WsPhp-DB reached 220 ± 2 interactions/s at 1,600 clients and collapsed at 3,200, to 27.3 % of that."
    );
    assert_eq!(
        said[1],
        "It recovered in the end, with 400 clients: on the way down it served 0.41 ± 0.02 times as much with 1,600 clients \
         and 1.00 ± 0.01 times as much with 400 clients as on the way up."
    );
    assert_eq!(
        summary.overload_cycles[0].remarks[0],
        "Clients of WsPhp-DB gave up 3,150 of 32,112 requests (9.81 %) after 10 s without an answer; no other failed."
    );
    let findings: Vec<Option<RecoveryStatus>> =
        summary.overload_cycles[0].steps.iter().map(|step| Some(step.recovery?.1.finding)).collect();
    assert_eq!(findings[3..], [Some(RecoveryStatus::NotRecovered), Some(RecoveryStatus::Recovered)]);
    assert_eq!(findings[..3], [None; 3]);
}

#[test]
fn what_does_not_recover_and_what_cannot_be_told_is_said() {
    let said = |down: (f64, f64)| {
        let steps = [(400, 56.0, 0.5, 0.0), (3200, 57.0, 3.0, 0.0), (400, down.0, down.1, 0.0)];
        let summary = summary(&swept(&steps));
        sentences(&summary)[1].split(':').next().unwrap().to_owned()
    };
    assert_eq!(said((56.0, 0.5)), "It recovered");
    assert_eq!(said((20.0, 0.5)), "It did not recover");
    assert_eq!(said((56.0, 9.0)), "Whether it recovered cannot be told from 400 clients");
}

#[test]
fn a_site_that_bears_more_clients_than_it_can_serve_has_not_collapsed() {
    let summary = summary(&swept(&[
        (400, 56.0, 0.5, 0.0),
        (3200, 230.0, 3.0, 0.0),
        (4800, 221.0, 3.0, 0.0),
        (400, 56.0, 0.5, 0.0),
    ]));
    assert_eq!(
        sentences(&summary)[0],
        "WsPhp-DB reached 230 ± 3 interactions/s at 3,200 clients and did not collapse: with up to 4,800 clients it kept \
         96.1 % of that or more."
    );
    assert!(summary.overload_cycles[0].steps.iter().all(|step| !step.collapsed));
}

#[test]
fn steps_are_no_curve_and_have_no_peak() {
    let result = collapsing();
    let summary = summary(&result);
    assert!(summary.summaries.iter().all(|entry| entry.peak.is_none()));
    assert!(report::curve(&result, NAME).is_empty());
    assert_eq!(report::csv(&result).lines().filter(|line| line.contains(",overload_cycle,")).count(), 5);
}

#[test]
fn what_limits_it_is_told_of_its_best_step_and_of_its_worst() {
    let limits = |result| summary(&result).overload_cycles[0].remarks.join(" ");
    let said = limits(collapsing());
    assert!(said.contains("What limited WsPhp-DB at 1,600 clients is not known: nothing"), "{said}");
    assert!(
        said.contains("At 3,200 clients, WsPhp-DB was limited by the workers of web (apache): "),
        "{said}"
    );
    let steady = limits(swept(&[(400, 56.0, 0.5, 0.0), (1600, 220.0, 0.5, 0.0), (400, 56.0, 0.5, 0.0)]));
    assert!(steady.contains("at 1,600 clients") && !steady.contains(" 400 clients"), "{steady}");
}

#[test]
fn its_page_has_the_sections_of_every_report() {
    let page = html(&collapsing());
    for section in ["tiers", "timelines", "verdicts"] {
        assert!(page.contains(&format!("<section id=\"{section}\"")), "{section}");
    }
    assert!(page.contains("Tiers at the best step"));
    for section in ["interactions", "throughput-section", "peaks"] {
        assert!(
            !page.contains(&format!("\"{section}\"")) && !page.contains(&format!("#{section}\"")),
            "{section}"
        );
    }
}

#[test]
fn several_sweeps_are_told_apart() {
    let mut result = collapsing();
    let again = result.swept.to_vec();
    result.swept.extend(again);
    let overload_cycles = summary(&result).overload_cycles;
    assert_eq!(
        overload_cycles.iter().map(|overload_cycle| overload_cycle.number).collect::<Vec<_>>(),
        [(1, 2), (2, 2)]
    );
    assert!(html(&result).contains("WsPhp-DB, overload cycle 2 of 2"));
}

#[test]
fn a_sweep_that_was_broken_off_is_shown_as_far_as_it_went() {
    let mut result = collapsing();
    result.swept.truncate(2);
    let summary = summary(&result);
    assert_eq!(sentences(&summary).len(), 1, "{:?}", sentences(&summary));
    assert!(html(&result).contains("id=\"overload_cycle-1\""));
}

#[test]
fn what_became_of_the_data_over_the_whole_of_it_is_said() {
    let said = |missing: u64| {
        let account = Account { table: "bids".to_owned(), acknowledged: 50, missing, ..Account::default() };
        let audit = Audit { seconds: 1.0, findings: Vec::new(), accounts: vec![account] };
        let mut result = collapsing();
        result.swept.iter_mut().for_each(|step| step.audit = Some(audit.clone()));
        let data = summary(&result).data.unwrap();
        assert!(data.starts_with("After each overload cycle"), "it is one audit, counted once: {data}");
        assert!(!html(&result).contains("in the database is not part"), "it was looked at");
        summary(&result).reason
    };
    assert!(said(0).ends_with("No acknowledged write of the whole overload cycle was lost."), "{}", said(0));
    let lost = "Data were lost or spoiled: 1 of 50 acknowledged rows of bids are not there";
    assert!(said(1).contains(lost), "{}", said(1));
}

#[test]
fn the_page_and_the_terminal_show_each_step() {
    let result = collapsing();
    let page = html(&result);
    for text in
        ["step 3, 3,200 clients: 60", "clients, in the order of time", "not recovered", "collapsed", "10 s"]
    {
        assert!(page.contains(text), "{text}");
    }
    assert!(!page.contains("Nothing was measured") && !page.contains("id=\"peaks\""));
    let table = terminal_table(&summary(&result));
    let words = table.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("It recovered in the end") && words.contains("Recovered: with certainty, 95 %"),
        "{table}"
    );
    let down: Vec<&str> =
        table.lines().filter(|line| line.contains(" down  ") && !line.contains("clients")).collect();
    assert!(down[0].contains("0.41") && down[0].contains("20.0 %"), "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 110), "{table}");
}
