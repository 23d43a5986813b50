//! A person looks for a result in a gallery.

use crate::{chrome::Chrome, inspection::inspect, report::read};
use report::{Exhibit, gallery};
use results::ResultReader;
use serde_json::json;
use specimens::curves::{comparison, demonstration};
use tempfile::TempDir;

/// Invented results: one of another application and stack.
fn exhibits() -> Vec<Exhibit> {
    let mut other: ResultReader = demonstration();
    other.manifest.spec.application = "bookstore".into();
    other.manifest.application_title = "Bookstore".into();
    other.manifest.configurations.iter_mut().for_each(|one| one.stack = "perl".into());
    let named = [("first", comparison()), ("second", demonstration()), ("third", other)];
    named.map(|(name, result)| Exhibit { name: name.into(), result }).into()
}

/// By CSS alone: a filter hides what is not asked for, and a card leads to its report.
#[test]
fn a_filter_leaves_what_is_asked_for_and_a_card_leads_to_its_report() {
    let folder = TempDir::new().unwrap();
    for (name, content) in gallery(&exhibits()) {
        let file = folder.path().join(name);
        fs_err::create_dir_all(file.parent().unwrap()).unwrap();
        fs_err::write(file, content).unwrap();
    }
    let chrome = Chrome::start();
    let tab = read(&chrome, &folder.path().join("index.html"));
    inspect(&tab, "gallery");
    let shown = || {
        tab.evaluate(
            "[...document.querySelectorAll('.card')].filter(card => card.offsetParent).map(card => card.id)",
        )
    };
    assert_eq!(shown(), json!(["first", "second", "third"]));
    tab.click("document.getElementById('only-application-bookstore')");
    assert_eq!(shown(), json!(["third"]));
    tab.click("document.querySelector('[name=application]')");
    assert_eq!(shown(), json!(["first", "second", "third"]));
    let broken =
        tab.evaluate("[...document.images].filter(image => !image.naturalWidth).map(image => image.src)");
    assert_eq!(broken, json!([]), "badges are drawn");
    tab.loading(|| tab.click("document.querySelector('#third h2 a')"));
    assert!(tab.address().ends_with("/third/report.html"), "{}", tab.address());
    assert_eq!(tab.complaints(), Vec::<String>::new());
}
