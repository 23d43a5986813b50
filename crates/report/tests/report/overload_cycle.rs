use report::{Severity, Summary, html, summary, terminal_table};
use results::{Account, Audit};
use specimens::overload_cycles::{NAME, collapsing, overloaded};
use stats::RecoveryStatus;

fn sentences(summary: &Summary) -> Vec<&str> {
    summary.overload_cycles[0].sentences.iter().map(String::as_str).collect()
}

#[test]
fn a_collapse_and_a_late_recovery_have_their_figures() {
    let summary = summary(&collapsing());
    let said = sentences(&summary);
    assert_eq!(
        said[0],
        "WsPhp-DB reached 220 ± 2 interactions/s at 1,600 clients and collapsed at 3,200, to 27.3 % of that."
    );
    assert_eq!(
        said[1],
        "It recovered in the end, with 400 clients. Throughput on the way down over that on the way up: 0.41 ± 0.02 times \
         with 1,600 clients and 1.00 ± 0.01 times with 400 clients."
    );
    let timeouts = summary.findings.iter().find(|finding| finding.title == "Timeouts").unwrap();
    assert_eq!(
        timeouts.text,
        "3,150 of 32,112 requests of WsPhp-DB timed out after 10 s (9.81 %); no other failed."
    );
    let findings: Vec<Option<RecoveryStatus>> =
        summary.overload_cycles[0].steps.iter().map(|step| Some(step.recovery?.1.finding)).collect();
    assert_eq!(findings[3..], [Some(RecoveryStatus::NotRecovered), Some(RecoveryStatus::Recovered)]);
    assert_eq!(findings[..3], [None; 3]);
}

#[test]
fn a_missing_and_an_uncertain_recovery_are_said() {
    let said = |down: (f64, f64)| {
        let steps = [(400, 56.0, 0.5, 0.0), (3200, 57.0, 3.0, 0.0), (400, down.0, down.1, 0.0)];
        let summary = summary(&overloaded(&steps));
        sentences(&summary)[1].split('.').next().unwrap().to_owned()
    };
    assert_eq!(said((56.0, 0.5)), "It recovered");
    assert_eq!(said((20.0, 0.5)), "It did not recover");
    assert_eq!(said((56.0, 9.0)), "Whether it recovered cannot be told at 400 clients");
}

#[test]
fn a_site_that_keeps_its_throughput_has_not_collapsed() {
    let summary = summary(&overloaded(&[
        (400, 56.0, 0.5, 0.0),
        (3200, 230.0, 3.0, 0.0),
        (4800, 221.0, 3.0, 0.0),
        (400, 56.0, 0.5, 0.0),
    ]));
    assert_eq!(
        sentences(&summary)[0],
        "WsPhp-DB reached 230 ± 3 interactions/s at 3,200 clients and did not collapse. With up to 4,800 clients it kept \
         at least 96.1 % of that."
    );
    assert!(summary.overload_cycles[0].steps.iter().all(|step| !step.collapsed));
}

#[test]
fn steps_are_no_curve_and_have_no_peak() {
    let result = collapsing();
    let summary = summary(&result);
    assert!(summary.configurations.iter().all(|entry| entry.peak.is_none()));
    assert!(report::curve(&result, NAME).is_empty());
    assert_eq!(
        report::csv(std::slice::from_ref(&result))
            .lines()
            .filter(|line| line.contains(",overload-step,"))
            .count(),
        5
    );
}

#[test]
fn the_bottlenecks_of_the_best_and_of_the_worst_step_are_named() {
    let limits = |result| summary(&result).overload_cycles[0].limits.clone();
    let said = limits(collapsing());
    assert!(said.contains("What limited WsPhp-DB at 1,600 clients is not known: nothing"), "{said}");
    assert!(
        said.contains("At 3,200 clients, WsPhp-DB was limited by the workers of web (apache): "),
        "{said}"
    );
    let steady = limits(overloaded(&[(400, 56.0, 0.5, 0.0), (1600, 220.0, 0.5, 0.0), (400, 56.0, 0.5, 0.0)]));
    assert!(steady.contains("at 1,600 clients") && !steady.contains(" 400 clients"), "{steady}");
}

#[test]
fn the_page_of_a_cycle_has_the_sections_of_every_report() {
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
fn cycles_of_one_configuration_are_numbered() {
    let mut result = collapsing();
    let again = result.overload_steps.to_vec();
    result.overload_steps.extend(again);
    let cycles = summary(&result).overload_cycles;
    assert_eq!(cycles.iter().map(|cycle| cycle.number).collect::<Vec<_>>(), [(1, 2), (2, 2)]);
    assert!(html(&result).contains("WsPhp-DB, overload cycle 2 of 2"));
}

#[test]
fn an_interrupted_cycle_is_shown_as_far_as_it_went() {
    let mut result = collapsing();
    result.overload_steps.truncate(2);
    let summary = summary(&result);
    assert_eq!(sentences(&summary).len(), 1, "{:?}", sentences(&summary));
    assert!(html(&result).contains("id=\"overload_cycle-1\""));
}

#[test]
fn the_data_of_a_cycle_are_judged_once() {
    let said = |missing: u64| {
        let account = Account { table: "bids".to_owned(), acknowledged: 50, missing, ..Account::default() };
        let audit = Audit { seconds: 1.0, findings: Vec::new(), accounts: vec![account], pages: None };
        let mut result = collapsing();
        result.overload_steps.iter_mut().for_each(|step| step.audit = Some(audit.clone()));
        let summary = summary(&result);
        let data = summary.findings_of(Severity::Note).next().unwrap().full_text();
        assert!(
            data.starts_with("After each overload cycle an audit"),
            "it is one audit, counted once: {data}"
        );
        assert!(!html(&result).contains("Nobody checked whether acknowledged writes"), "it was looked at");
        summary.findings_of(Severity::Caveat).map(report::Finding::full_text).collect::<Vec<_>>().join(" ")
    };
    assert!(said(0).ends_with("No acknowledged write of the whole overload cycle was lost."), "{}", said(0));
    let lost = "Data were lost or corrupted: 1 of 50 acknowledged rows of bids are not there";
    assert!(said(1).contains(lost), "{}", said(1));
}

#[test]
fn page_and_terminal_show_each_step() {
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
        words.contains("It recovered in the end")
            && words.contains("Recovered: with 95 % certainty, at least 95 %"),
        "{table}"
    );
    let down: Vec<&str> =
        table.lines().filter(|line| line.contains(" down  ") && !line.contains("clients")).collect();
    assert!(down[0].contains("0.41") && down[0].contains("20.0 %"), "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 110), "{table}");
}
