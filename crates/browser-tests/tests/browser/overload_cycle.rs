//! A person reads how a site coped with too many clients, and whether it recovered.

use crate::{
    chrome::Chrome,
    inspection::{inspect, look},
    report::{everything_opens_by_keyboard, it_prints_whole, read},
    tab::{DARK, LIGHT, PHONE, SMALL_PHONE},
};
use serde_json::json;
use specimens::overload_cycles::collapsing;
use tempfile::TempDir;

#[test]
fn a_report_of_an_overload_cycle_can_be_read() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("report.html");
    let result = collapsing();
    fs_err::write(&file, report::html(&result)).unwrap();
    let chrome = Chrome::start();
    let tab = read(&chrome, &file);
    inspect(&tab, "report-overload_cycle");
    let below = "['.answer', '.reason'].filter(part => document.querySelector(part).getBoundingClientRect().bottom > innerHeight)";
    assert_eq!(tab.evaluate(below), json!([]), "how far and whether it recovered are seen without scrolling");
    // The charts for this width are visible, each with the order of time below it.
    let seen = "[...document.querySelectorAll('#overload-cycles figure > div')].filter(chart => chart.getClientRects().length)";
    let steps = tab.evaluate(&format!(
        "{seen}.map(chart => [...chart.querySelectorAll('text')].map(text => text.textContent.trim())
           .filter(text => ['400', '1,600', '3,200'].includes(text)))"
    ));
    let all = ["400", "1,600", "3,200", "1,600", "400"];
    assert_eq!(steps, json!([all, all]), "throughput and response time");
    let ways = tab.evaluate(
        "[...document.querySelectorAll('#overload-cycles tbody tr')].map(row => row.cells[1].innerText)",
    );
    assert_eq!(ways, json!(["up", "up", "top", "down", "down"]));
    everything_opens_by_keyboard(&tab);
    for view in [DARK, PHONE, SMALL_PHONE, LIGHT] {
        tab.view(view);
        look(&tab, "report-overload_cycle-open", view);
    }
    tab.picture_of("report-overload_cycle-section", "document.getElementById('overload-cycles')");
    it_prints_whole(&tab, "report-overload_cycle");
    assert_eq!(tab.complaints(), Vec::<String>::new());
}
