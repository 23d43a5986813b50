//! Requirements on every page: readable in light and dark, no wider than a phone, in order when read aloud.

use crate::chrome::Chrome;
use crate::tab::{DARK, LIGHT, PHONE, Tab, View};
use serde_json::{Value, json};

const FUNCTIONS: &str = include_str!("inspection.js");

fn ask(tab: &Tab, function: &str) -> Value {
    tab.evaluate(&format!("{FUNCTIONS}.{function}()"))
}

/// Inspects a page in all views, and takes pictures.
pub fn inspect(tab: &Tab, name: &str) {
    for view in [DARK, PHONE, LIGHT] {
        tab.view(view);
        look(tab, name, view);
    }
    let headings: Vec<u64> =
        ask(tab, "headings").as_array().unwrap().iter().map(|level| level.as_u64().unwrap()).collect();
    assert_eq!(headings.iter().filter(|level| **level == 1).count(), 1, "{name}: {headings:?}");
    assert_eq!(headings[0], 1, "{name}: {headings:?}");
    assert!(headings.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{name}: {headings:?}");
    assert_eq!(ask(tab, "unnamed"), json!([]), "{name}");
}

/// Inspects a page as it is now shown, and takes a picture.
pub fn look(tab: &Tab, name: &str, view: View) {
    let name = format!("{name}-{}", view.name);
    tab.picture(&name);
    assert!(ask(tab, "texts").as_u64().unwrap() > 5, "{name} has next to no text");
    assert_eq!(ask(tab, "faint"), json!([]), "{name}: texts whose contrast is below 4.5");
    assert_eq!(ask(tab, "wide"), json!([]), "{name}: wider than the window");
    assert_eq!(ask(tab, "covering"), json!([]), "{name}: names over marks or over each other");
}

/// An inspection without any findings would accept every page.
#[test]
fn what_is_wrong_is_seen() {
    let chrome = Chrome::start();
    let tab = Tab::open(&chrome);
    tab.view(PHONE);
    tab.go("data:text/html,<h1>One</h1><h3>Three</h3><p style='color:%23999;background:%23fff'>faint</p>\
         <p style='width:500px'>wide</p><svg width='90' height='40'><path class='mark' d='M9 9h9v9h-9z'/>\
         <text class='name' x='12' y='18'>over</text><text class='name' x='60' y='18'>free</text></svg><input><img src='http://127.0.0.1:1/x.png'>\
         <script>console.error('loud'); missing()</script>");
    assert_eq!(ask(&tab, "headings"), json!([1, 3]));
    assert_eq!(ask(&tab, "faint"), json!(["2.85 p.: faint"]));
    assert_eq!(ask(&tab, "wide"), json!(["p.: wide", "the page is 508 px wide"]));
    assert_eq!(ask(&tab, "covering"), json!(["text.name: over"]));
    assert_eq!(ask(&tab, "unnamed"), json!(["input.: "]));
    assert_eq!(tab.requests(), ["http://127.0.0.1:1/x.png"]);
    let complaints = tab.complaints();
    for word in ["loud", "missing is not defined", "127.0.0.1:1"] {
        assert!(complaints.iter().any(|complaint| complaint.contains(word)), "{word}: {complaints:?}");
    }
}
