//! A person reads a report: a real one, and an invented one with all that a report can show.

use crate::{
    chrome::Chrome,
    command::tierbench,
    inspection::{inspect, look},
    tab::{DARK, LIGHT, PAPER, PHONE, Tab},
};
use results::ResultReader;
use serde_json::json;
use std::path::Path;
use tempfile::TempDir;

#[allow(dead_code)]
#[path = "../../../report/tests/fixture/mod.rs"]
mod fixture;

/// Opens a report from its file, without a network.
fn read(chrome: &Chrome, file: &Path) -> Tab {
    let tab = Tab::open(chrome);
    let offline = json!({ "offline": true, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0 });
    tab.call("Network.emulateNetworkConditions", &offline);
    tab.go(&format!("file://{}", file.display()));
    tab
}

/// What every report must be. Its table must say what the terminal said.
fn examine(file: &Path, name: &str, terminal: &str) {
    let chrome = Chrome::start();
    let tab = read(&chrome, file);
    assert_eq!(peaks_on(&tab), peaks_in(terminal), "{terminal}");
    inspect(&tab, name);
    everything_opens_by_keyboard(&tab);
    let sections = tab.evaluate("[...document.querySelectorAll('section[id]')].map(section => section.id)");
    for view in [DARK, PHONE, LIGHT] {
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

/// The cells of each peak in the report: name, throughput, ±, clients, p50, p90, p99, errors, refused, passage.
fn peaks_on(tab: &Tab) -> Vec<Vec<String>> {
    let cells = tab.evaluate(
        "[...document.querySelectorAll('.peaks tbody tr')].filter(row => row.querySelector('.main')).map(row => {
           const own = cell => cell.firstChild.nodeType === Node.TEXT_NODE ? cell.firstChild.data.trim() : '';
           const name = [...row.cells[0].childNodes].find(node => node.nodeType === Node.TEXT_NODE).data.trim();
           const cells = [...row.cells].map(own);
           const half = row.querySelector('.main small').innerText.replace('± ', '').replace('no interval', 'unknown');
           const passage = row.cells[10].querySelector('small').innerText.replace('peak: ', '');
           return [name, cells[1], half, ...cells.slice(2, 6), cells[8], cells[9], passage]; })",
    );
    serde_json::from_value(cells).unwrap()
}

/// The same as the terminal shows it: the table below the one head that begins so.
fn peaks_in(terminal: &str) -> Vec<Vec<String>> {
    let lines = terminal.lines().skip_while(|line| !line.trim_start().starts_with("configuration"));
    let rows = lines.skip(1).take_while(|line| !line.trim().is_empty());
    let cells = |row: &str| {
        row.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect()
    };
    rows.map(cells).collect()
}

/// Tab from link to link as far as it goes; Enter on whatever is closed.
fn everything_opens_by_keyboard(tab: &Tab) {
    let count = "document.querySelectorAll('a, summary, [tabindex]').length";
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

fn it_prints_whole(tab: &Tab, name: &str) {
    tab.paper();
    look(tab, name, PAPER);
    let printed = tab.printed();
    assert!(printed.starts_with(b"%PDF-") && printed.len() > 20_000, "{} bytes", printed.len());
    fs_err::write(crate::command::target_folder().join(format!("screenshots/{name}.pdf")), printed).unwrap();
}

#[test]
fn a_report_of_everything_can_be_read() {
    let folder = TempDir::new().unwrap();
    for (name, result) in [("comparison", fixture::comparison()), ("demonstration", fixture::demonstration())]
    {
        let file = folder.path().join("report.html");
        fs_err::write(&file, report::html(&result)).unwrap();
        let terminal = report::terminal_table(&report::summary(&result));
        assert_eq!(peaks_in(&terminal).len(), result.manifest.configurations.len());
        examine(&file, &format!("report-{name}"), &terminal);
    }
}

#[test]
fn a_real_report_says_what_the_terminal_says() {
    let folder = TempDir::new().unwrap();
    let result = folder.path().join("result");
    let words =
        ["run", "auction", "reference", "--clients", "20,40", "--scale", "0.002", "--time-scale", "0.02"];
    let length = ["--window", "11s", "--out"];
    let output = tierbench(&words).args(length).arg(&result).output().unwrap();
    // Where other tests run at the same time, a point may well be INVALID. Its report is to be read all the same.
    let code = output.status.code();
    assert!(matches!(code, Some(0 | 7)), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(ResultReader::open(&result).unwrap().points.len(), 2);
    examine(&result.join("report.html"), "report-real", &String::from_utf8(output.stdout).unwrap());
}
