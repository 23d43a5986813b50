//! A person reads results of arriving clients.

use crate::{
    chrome::Chrome,
    inspection::{inspect, look},
    report::{everything_opens_by_keyboard, it_prints_whole, read},
    tab::{DARK, LIGHT, PHONE, SMALL_PHONE},
};
use serde_json::json;
use specimens::{
    curves::with_samples,
    open_loop::{growing, single},
};
use tempfile::TempDir;

#[test]
fn a_report_of_arriving_clients_can_be_read() {
    let folder = TempDir::new().unwrap();
    for (name, result) in [("report-growing", growing()), ("report-single", single())] {
        let folder = folder.path().join(name);
        let result = with_samples(result, &folder);
        let file = folder.join("report.html");
        fs_err::write(&file, report::html(&result)).unwrap();
        let chrome = Chrome::start();
        let tab = read(&chrome, &file);
        inspect(&tab, name);
        let below = "['.answer', '.reason'].filter(part => document.querySelector(part).getBoundingClientRect().bottom > innerHeight)";
        assert_eq!(tab.evaluate(below), json!([]), "{name}: what came of it is seen without scrolling");
        everything_opens_by_keyboard(&tab);
        for view in [DARK, PHONE, SMALL_PHONE, LIGHT] {
            tab.view(view);
            look(&tab, &format!("{name}-open"), view);
        }
        for section in ["arrivals", "tiers", "timelines", "verdicts"] {
            tab.picture_of(&format!("{name}-{section}"), &format!("document.getElementById('{section}')"));
        }
        it_prints_whole(&tab, name);
        assert_eq!(tab.complaints(), Vec::<String>::new());
    }
}
