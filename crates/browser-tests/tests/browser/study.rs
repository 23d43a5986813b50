//! A person reads the verdicts on a study: an invented measurement of the real paper's figures, on machines of their
//! own and on a shared one.

use crate::{
    chrome::Chrome,
    command::workspace,
    inspection::{inspect, look},
    report::{everything_opens_by_keyboard, it_prints_whole, read},
    tab::{DARK, LIGHT, PHONE, SMALL_PHONE, Tab},
};
use papers::{Experiment, Measurement, Paper, Reproduction};
use results::{HostRecord, HostUsageFigures, HostUsageSample, Manifest, Point, ResultReader};
use serde_json::json;
use specimens::points::{at_peak, invalid, point};
use tempfile::TempDir;

const CLAIMS_ON_THE_AUCTION: usize = 31;

/// Configurations with their peaks.
const PEAKS: [(&str, f64); 5] = [
    ("WsPhp-DB", 300.0),
    ("WsServlet-DB", 226.0),
    ("WsServlet-DB-sync", 228.0),
    ("Ws-Servlet-DB", 342.0),
    ("Ws-Servlet-DB-sync", 300.0),
];

/// A curve with a peak that was measured three times and passed. Loads far beyond it are INVALID.
fn curve((name, peak): (&str, f64)) -> Vec<Point> {
    let name = format!("{name},engine=MyISAM");
    let at = |share: f64, throughput: f64| {
        point(&name, (7.0 * peak * share) as u32, throughput, Some(0.01 * throughput))
    };
    let peaks =
        [0.99, 1.0, 1.01].into_iter().zip(1..).map(|(share, run)| at_peak(at(1.1, share * peak), run));
    let rising = [at(0.4, 0.4 * peak), at(0.8, 0.79 * peak)];
    let beyond = [at(2.0, 0.97 * peak), invalid(at(4.0, 0.9 * peak))];
    rising.into_iter().chain(peaks).chain(beyond).map(|point| on_hosts(point, &name)).collect()
}

/// On hosts, with that of the pages busy: servlets have one of their own where the name says so.
fn on_hosts(mut point: Point, name: &str) -> Point {
    let apart = name.starts_with("Ws-");
    let uses =
        [("web", if apart { 0.4 } else { 0.98 }), ("app", if apart { 0.97 } else { 0.0 }), ("db", 0.55)];
    let host = |(name, share): (&str, f64)| HostUsageFigures {
        mean: HostUsageSample { name: name.to_owned(), cores: 0.3 * share, ..HostUsageSample::default() },
        tiers: if share > 0.0 { vec![name.to_owned()] } else { Vec::new() },
        cpu: Some(0.3),
        ..HostUsageFigures::default()
    };
    point.hosts = uses.map(host).to_vec();
    point
}

fn result(mix: &str, hosts: Vec<HostRecord>) -> ResultReader {
    let names = PEAKS.map(|(name, _)| format!("{name},engine=MyISAM"));
    let mut manifest = specimens::manifest(&names.each_ref().map(String::as_str));
    (manifest.spec.mix, manifest.spec.scale) = (mix.into(), 0.1);
    let demonstration = vec!["The data are 0.1 of the size in the papers.".to_owned()];
    let manifest = Manifest { testbed: Some(specimens::testbed(hosts)), demonstration, ..manifest };
    specimens::result(manifest, PEAKS.into_iter().flat_map(curve).collect())
}

/// The page must show each claim as the terminal does.
fn it_says_what_the_terminal_says(tab: &Tab, terminal: &str) {
    let said = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let rows = tab.evaluate(
        "[...document.querySelectorAll('.claims tbody')].map(body => [
           body.querySelector('.claim').textContent, body.querySelector('[data-label=Verdict]').textContent,
           body.querySelector('.why span').textContent ])",
    );
    let rows: Vec<[String; 3]> = serde_json::from_value(rows).unwrap();
    let terminal = said(terminal);
    for [says, verdict, reason] in &rows {
        let sentence = said(&format!("{says} It {verdict}. {reason}"));
        assert!(terminal.contains(&sentence), "{sentence}\n{terminal}");
    }
    let answer = tab.evaluate("document.querySelector('.answer').textContent");
    assert!(terminal.starts_with(&said(answer.as_str().unwrap())), "{answer}");
    assert_eq!(rows.len(), CLAIMS_ON_THE_AUCTION);
}

#[test]
fn a_study_that_was_measured_again_can_be_read() {
    let folder = TempDir::new().unwrap();
    let paper = Paper::read(&workspace().join("papers/middleware-2003")).unwrap();
    let figures = ["fig11", "fig12", "fig13", "fig14"];
    let experiments: Vec<&Experiment> = figures.iter().filter_map(|name| paper.experiment(name)).collect();
    let client = || specimens::host(["client"], None);
    let server = |role| specimens::host([role], Some(0.3));
    let own = vec![client(), server("web"), server("app"), server("db")];
    let shared = vec![client(), specimens::host(["web", "app", "db"], None)];
    let measurement = |experiment: &Experiment, result| Measurement {
        workload: experiment.workload(),
        result,
        report: format!("{}/report.html", experiment.workload().name()),
    };
    let reproduction = Reproduction {
        paper: &paper,
        experiments: &experiments,
        measurements: vec![
            measurement(experiments[0], result("bidding", own)),
            measurement(experiments[2], result("browsing", shared)),
        ],
        left_out: vec!["Ws-Servlet-EJB-DB: no stack has Enterprise Java Beans yet".into()],
    };
    let file = folder.path().join("report.html");
    fs_err::write(&file, reproduction.html("0.1.0")).unwrap();
    let chrome = Chrome::start();
    let tab = read(&chrome, &file);
    it_says_what_the_terminal_says(&tab, &reproduction.text());
    inspect(&tab, "study");
    let count = |what: &str| tab.evaluate(&format!("document.querySelectorAll('{what}').length"));
    let (on_two_machines, on_three_machines) = (3, 2);
    assert_eq!(count("#fig12 .gauge"), json!(2 * on_two_machines + 3 * on_three_machines));
    assert_eq!(count("#fig14 .gauge"), json!(0), "tiers shared a machine");
    assert_eq!(count("#invalid li"), json!(2 * PEAKS.len()), "one of each curve in both results");
    assert_eq!(count("#fig11 .wide .name"), json!(PEAKS.len()));
    everything_opens_by_keyboard(&tab);
    for view in [DARK, PHONE, SMALL_PHONE, LIGHT] {
        tab.view(view);
        look(&tab, "study-open", view);
    }
    for section in ["answer", "claims", "fig11", "fig12", "invalid", "record"] {
        tab.picture_of(&format!("study-{section}"), &format!("document.getElementById('{section}')"));
    }
    it_prints_whole(&tab, "study");
    assert_eq!(tab.complaints(), Vec::<String>::new());
    assert_eq!(tab.requests(), [format!("file://{}", file.display())]);
}
