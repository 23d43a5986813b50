//! A person reads a report: a real one, and an invented one with everything that a report can show.

use crate::{
    chrome::Chrome,
    command::tierbench,
    inspection::{inspect, look},
    tab::{DARK, LIGHT, PAPER, PHONE, SMALL_PHONE, Tab, pictures},
};
use results::ResultReader;
use serde_json::json;
use std::path::Path;
use tempfile::TempDir;

use specimens::{
    curves::{comparison, demonstration, one_load, with_latencies, with_samples},
    profiled::with_profiles,
};

/// Opens a report from its file, without a network.
pub fn read(chrome: &Chrome, file: &Path) -> Tab {
    let tab = Tab::open(chrome);
    let offline = json!({ "offline": true, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0 });
    tab.call("Network.emulateNetworkConditions", &offline);
    tab.go(&format!("file://{}", file.display()));
    tab
}

/// Requirements on every report. It must say the same as the terminal.
fn examine(file: &Path, name: &str, terminal: &str) {
    let chrome = Chrome::start();
    let tab = read(&chrome, file);
    assert_eq!(tables_on(&tab), tables_in(terminal), "{terminal}");
    let said = words(terminal);
    for sentence in sentences_on(&tab) {
        assert!(said.contains(&words(&sentence)), "{sentence}\n{terminal}");
    }
    inspect(&tab, name);
    let below = tab.evaluate(
        "['.answer', '.reason'].filter(part => document.querySelector(part)?.getBoundingClientRect().bottom > innerHeight)",
    );
    assert_eq!(below, json!([]), "{name}: which, how far and why are to be seen without scrolling");
    everything_opens_by_keyboard(&tab);
    let sections = tab.evaluate("[...document.querySelectorAll('section[id]')].map(section => section.id)");
    for view in [DARK, PHONE, SMALL_PHONE, LIGHT] {
        tab.view(view);
        look(&tab, &format!("{name}-open"), view);
    }
    for section in sections.as_array().unwrap().iter().map(|id| id.as_str().unwrap()) {
        tab.picture_of(&format!("{name}-{section}"), &format!("document.getElementById('{section}')"));
    }
    it_prints_whole(&tab, name);
    assert_eq!(tab.complaints(), Vec::<String>::new());
    assert_eq!(tab.requests(), [format!("file://{}", file.display())]);
}

type Table = Vec<Vec<String>>;

/// For each peak: name, interactions per second, ±, clients, errors, audit, peak; and name, then each response time
/// and its interval.
fn tables_on(tab: &Tab) -> [Table; 2] {
    let cells = tab.evaluate(
        "(() => {
           const own = node => [...node.childNodes].find(child => child.nodeType === Node.TEXT_NODE)?.data.trim() ?? '';
           const small = cell => cell.querySelector('small')?.innerText.replace('± ', '').replace('no interval', 'unknown');
           const text = cell => cell.innerText.trim();
           const name = cell => [...cell.querySelectorAll('.part')].map(part => part.textContent).join('');
           const rows = [...document.querySelectorAll('.peaks tbody tr')].filter(row => row.querySelector('.main'));
           return [
             rows.map(({ cells }) => [name(cells[0]), own(cells[1]), small(cells[1]), own(cells[2]), ...[...cells].slice(-3).map(text)]),
             rows.map(({ cells }) => [name(cells[0]), ...[3, 4, 5].flatMap(index => [own(cells[index]), small(cells[index]) ?? 'unknown'])]),
           ];
         })()",
    );
    serde_json::from_value(cells).unwrap()
}

/// The same from the terminal: the first two tables, each below a heading with this beginning. Without a VALID point
/// there are none.
fn tables_in(terminal: &str) -> [Table; 2] {
    let cells = |row: &str| -> Vec<String> {
        row.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect()
    };
    let blocks = terminal.split("\n\n").filter(|block| block.trim_start().starts_with("configuration "));
    let mut tables =
        blocks.map(|block| block.trim_start_matches('\n').lines().skip(1).map(cells).collect::<Table>());
    let mut next = || tables.next().unwrap_or_default();
    let (peaks, times) = (next(), next());
    let pick = |row: Vec<String>| [0, 1, 2, 5, 6, 7, 8].map(|column: usize| row[column].clone()).to_vec();
    [peaks.into_iter().map(pick).collect(), times]
}

/// Sentences of the report that the terminal must have as well.
fn sentences_on(tab: &Tab) -> Vec<String> {
    let sentences = tab.evaluate(
        "[...document.querySelectorAll('.answer, .reason, #answer .caveat, .banner li, .why span')].map(element => {
           const text = element.textContent.trim();
           return element.closest('.why') ? text[0].toLowerCase() + text.slice(1) : text; })",
    );
    serde_json::from_value(sentences).unwrap()
}

/// A text with single blanks, however its lines break.
fn words(text: &str) -> String {
    text.replace('\u{a0}', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Tab from link to link to the last; Enter on everything closed.
pub fn everything_opens_by_keyboard(tab: &Tab) {
    // Of radio buttons of one name, the chosen one is the stop.
    let count = "document.querySelectorAll('a, summary, [tabindex], input:checked').length";
    let stops = tab.evaluate(count).as_u64().unwrap();
    assert!(tab.evaluate("document.querySelectorAll('details:not([open])').length").as_u64().unwrap() > 0);
    tab.evaluate("scrollTo(0, 0); document.activeElement.blur()");
    for _ in 0..stops {
        tab.press("Tab");
        assert_ne!(tab.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "none");
        let closed = "document.activeElement.matches('details:not([open]) > summary')";
        if tab.evaluate(closed) == true {
            tab.press("Enter");
            assert_eq!(tab.evaluate(closed), false, "Enter opens nothing");
        }
    }
    assert_eq!(tab.evaluate("document.querySelectorAll('details:not([open])').length"), 0);
}

pub fn it_prints_whole(tab: &Tab, name: &str) {
    tab.paper();
    look(tab, name, PAPER);
    let printed = tab.printed();
    assert!(printed.starts_with(b"%PDF-") && printed.len() > 20_000, "{} bytes", printed.len());
    if let Some(folder) = pictures() {
        fs_err::write(folder.join(format!("{name}.pdf")), printed).unwrap();
    }
}

#[test]
fn an_invented_report_with_all_sections_can_be_read() {
    let folder = TempDir::new().unwrap();
    for (name, result) in [("comparison", comparison()), ("demonstration", demonstration())] {
        let folder = folder.path().join(name);
        let result = with_latencies(with_profiles(with_samples(result, &folder), &folder), &folder);
        let file = folder.join("report.html");
        fs_err::write(&file, report::html(&result)).unwrap();
        let terminal = report::terminal_table(&report::summary(&result));
        let peaks = &tables_in(&terminal)[0];
        assert_eq!(peaks.len(), result.manifest.configurations.len());
        examine(&file, &format!("report-{name}"), &terminal);
    }
}

/// By CSS alone: a choice hides configurations everywhere, a baseline adds ratios, and no figure changes.
#[test]
fn a_choice_shows_what_is_asked_for_and_a_baseline_adds_ratios() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("report.html");
    fs_err::write(&file, report::html(&comparison())).unwrap();
    let chrome = Chrome::start();
    let tab = read(&chrome, &file);
    let seen = |selector: &str| {
        // Chromium calls parts of a drawing visible that are not drawn.
        let is_seen = "one => one.checkVisibility() && one.getClientRects().length > 0";
        let visible = format!("[...document.querySelectorAll('{selector}')].filter({is_seen})");
        tab.evaluate(&format!("{visible}.map(one => one.id || one.textContent.trim())"))
    };
    let count = |selector: &str| seen(selector).as_array().unwrap().len();
    let figures = tables_on(&tab);
    let marks = count("#throughput-section .wide .mark");
    tab.click("document.querySelector('.choices summary')");
    tab.click("document.getElementById('only-stack-java')");
    assert_eq!(seen("#peaks tbody[id]"), json!(["peak-Ws-Servlet-DB-sync"]));
    assert_eq!(count("#configurations article"), 1);
    assert!((1..marks).contains(&count("#throughput-section .wide .mark")));
    tab.click("document.querySelector('[name=stack]')");
    assert_eq!(count("#peaks tbody[id]"), 4);
    assert_eq!(count("td.main .versus"), 0);
    tab.click("document.getElementById('baseline-1')");
    assert_eq!(count("td.main .versus"), 4);
    assert_eq!(count("td.main .versus.v1"), 4);
    assert_eq!(tables_on(&tab), figures, "no figure changes");
    for view in [DARK, PHONE, SMALL_PHONE, LIGHT] {
        tab.view(view);
        look(&tab, "report-choices", view);
    }
    tab.evaluate("location.hash = 'point-3'");
    assert_eq!(
        tab.evaluate("document.getElementById('point-3').checkVisibility()"),
        true,
        "a link opens what it leads to"
    );
    assert_eq!(tab.complaints(), Vec::<String>::new());
}

#[test]
fn a_page_of_several_results_can_be_read() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("several.html");
    let mut elsewhere = comparison();
    elsewhere.manifest.host.cpu = "Another CPU with a rather long name @ 3.20 GHz".into();
    fs_err::write(&file, report::several_html(&[comparison(), elsewhere, one_load()])).unwrap();
    let chrome = Chrome::start();
    let tab = read(&chrome, &file);
    inspect(&tab, "several");
    for view in [DARK, PHONE, SMALL_PHONE, LIGHT] {
        tab.view(view);
        look(&tab, "several", view);
    }
    it_prints_whole(&tab, "several");
    assert_eq!(tab.complaints(), Vec::<String>::new());
    assert_eq!(tab.requests(), [format!("file://{}", file.display())]);
}

#[test]
fn a_real_report_says_what_the_terminal_says() {
    let folder = TempDir::new().unwrap();
    let result = folder.path().join("result");
    let words =
        ["run", "auction", "reference", "--clients", "20,40", "--scale", "0.002", "--time-scale", "0.02"];
    let length = ["--window", "11s", "--repetitions", "1", "--out"];
    let output = tierbench(&words).args(length).arg(&result).output().unwrap();
    // Beside other running tests, a point may be INVALID. Its report must be readable all the same.
    let code = output.status.code();
    assert!(matches!(code, Some(0 | 7)), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(ResultReader::open(&result).unwrap().points.len(), 2);
    examine(&result.join("report.html"), "report-real", &String::from_utf8(output.stdout).unwrap());
}
