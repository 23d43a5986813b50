//! A tab, used as a person does: by the texts of links, buttons and labels, with mouse and keyboard.

use crate::chrome::{Chrome, Link};
use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};
use std::{cell::RefCell, path::PathBuf, rc::Rc};

/// A window: its width in CSS pixels, and its colour scheme.
#[derive(Debug, Clone, Copy)]
pub struct View {
    pub name: &'static str,
    pub width: u32,
    pub dark: bool,
}

pub const LIGHT: View = View { name: "light", width: 1200, dark: false };
pub const DARK: View = View { name: "dark", width: 1200, dark: true };
pub const PHONE: View = View { name: "phone", width: 390, dark: false };
pub const SMALL_PHONE: View = View { name: "small-phone", width: 360, dark: true };

/// The variable that asks for pictures, which take longer than the tests.
const PICTURES: &str = "TIERBENCH_TEST_PICTURES";

/// A sheet of A4 within usual margins, for [`Tab::paper`].
pub const PAPER: View = View { name: "paper", width: 718, dark: false };

pub struct Tab {
    link: Rc<RefCell<Link>>,
    session: String,
}

impl Tab {
    pub fn open(chrome: &Chrome) -> Self {
        let (link, session) = chrome.new_session();
        let tab = Self { link, session };
        for domain in ["Page", "Network", "Log", "Runtime"] {
            tab.call(&format!("{domain}.enable"), &json!({}));
        }
        tab.view(LIGHT);
        tab
    }

    pub fn call(&self, method: &str, params: &Value) -> Value {
        self.link.borrow_mut().call(Some(&self.session), method, params)
    }

    /// The value of a JavaScript expression.
    pub fn evaluate(&self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "returnByValue": true });
        let mut answer = self.call("Runtime.evaluate", &params);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].take()
    }

    /// The text of the first element that a selector finds; the test fails if there is none.
    pub fn text(&self, selector: &str) -> String {
        let text = self.evaluate(&format!("document.querySelector({})?.innerText", json!(selector)));
        text.as_str().unwrap_or_else(|| panic!("no {selector} on {}", self.address())).trim().to_owned()
    }

    /// The value of a term in a description list.
    pub fn described(&self, term: &str) -> String {
        let found = format!(
            "[...document.querySelectorAll('dt')].find(dt => dt.innerText === {})?.nextElementSibling.innerText",
            json!(term)
        );
        self.evaluate(&found).as_str().unwrap_or_else(|| panic!("no {term} on {}", self.address())).to_owned()
    }

    pub fn address(&self) -> String {
        self.evaluate("location.href").as_str().unwrap().to_owned()
    }

    pub fn go(&self, address: &str) {
        self.loading(|| {
            let answer = self.call("Page.navigate", &json!({ "url": address }));
            assert!(answer.get("errorText").is_none(), "{address}: {answer}");
        });
    }

    /// Does something that leads to another page, and waits for that page.
    pub fn loading(&self, act: impl FnOnce()) {
        let seen = self.link.borrow().events().len();
        act();
        self.link.borrow_mut().wait_for(&self.session, "Page.loadEventFired", seen);
    }

    /// Follows the link with this text.
    pub fn follow(&self, written: &str) {
        self.loading(|| self.click(&lettered("a", written)));
    }

    /// Presses the button with this text, which sends a form.
    pub fn send(&self, written: &str) {
        self.loading(|| self.click(&lettered("button", written)));
    }

    /// Scrolls to an element and clicks its place; an element that covers it gets the click, as with a person.
    pub fn click(&self, element: &str) {
        let place = self.evaluate(&format!(
            "(element => {{ if (!element) return null; element.scrollIntoView({{ block: 'center', behavior: 'instant' }});
             const box = element.getClientRects()[0];
             return box && [box.x + box.width / 2, box.y + box.height / 2]; }})({element})"
        ));
        assert!(place.is_array(), "{element} is not to be seen on {}", self.address());
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", &event);
        }
    }

    /// Clicks a field's label, and types over the field's content.
    pub fn fill(&self, label: &str, text: &str) {
        self.click(&labelled(label));
        self.evaluate("document.activeElement.select?.()");
        for character in text.chars() {
            let character = character.to_string();
            self.call(
                "Input.dispatchKeyEvent",
                &json!({ "type": "keyDown", "text": character, "key": character }),
            );
            self.call("Input.dispatchKeyEvent", &json!({ "type": "keyUp", "key": character }));
        }
        let typed = self.evaluate("document.activeElement.value");
        assert_eq!(typed, text, "in the field {label}");
    }

    /// Presses a named key: Tab, Enter, ArrowDown.
    pub fn press(&self, key: &str) {
        let (code, text) = match key {
            "Tab" => (9, None),
            "Enter" => (13, Some("\r")),
            "ArrowDown" => (40, None),
            _ => panic!("no such key: {key}"),
        };
        let kind = if text.is_some() { "keyDown" } else { "rawKeyDown" };
        let mut down = json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code });
        if let Some(text) = text {
            down["text"] = text.into();
        }
        self.call("Input.dispatchKeyEvent", &down);
        let up = json!({ "type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": code });
        self.call("Input.dispatchKeyEvent", &up);
    }

    pub fn view(&self, view: View) {
        let size = json!({ "width": view.width, "height": 800, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", &size);
        let scheme = if view.dark { "dark" } else { "light" };
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.call("Emulation.setEmulatedMedia", &media);
    }

    /// Lays the page out for print.
    pub fn paper(&self) {
        self.view(PAPER);
        self.call("Emulation.setEmulatedMedia", &json!({ "media": "print" }));
    }

    /// Leaves a picture of the whole page in `target/screenshots`.
    pub fn picture(&self, name: &str) {
        self.picture_of(name, "document.documentElement");
    }

    /// Leaves a picture of an element, if pictures are asked for.
    pub fn picture_of(&self, name: &str, element: &str) {
        let Some(folder) = pictures() else { return };
        let area = self.evaluate(&format!(
            "(box => ({{ x: 0, y: box.y + scrollY, width: innerWidth, height: box.height, scale: 1 }}))
             ({element}.getBoundingClientRect())"
        ));
        let picture = json!({ "format": "png", "captureBeyondViewport": true, "clip": area });
        let answer = self.call("Page.captureScreenshot", &picture);
        let file: PathBuf = folder.join(format!("{name}.png"));
        fs_err::write(file, decoded(answer["data"].as_str().unwrap())).unwrap();
    }

    pub fn printed(&self) -> Vec<u8> {
        let answer = self.call("Page.printToPDF", &json!({ "preferCSSPageSize": true }));
        decoded(answer["data"].as_str().unwrap())
    }

    /// All requested addresses, without `data:` ones.
    pub fn requests(&self) -> Vec<String> {
        let requests = self.events("Network.requestWillBeSent").into_iter();
        let addresses = requests.map(|params| params["request"]["url"].as_str().unwrap().to_owned());
        addresses.filter(|address| !address.starts_with("data:")).collect()
    }

    /// All complaints of the browser, with their addresses.
    pub fn complaints(&self) -> Vec<String> {
        let entries = self.events("Log.entryAdded").into_iter().map(|mut params| params["entry"].take());
        let entries = entries.filter(|entry| entry["level"] == "error" || entry["level"] == "warning");
        let entries = entries.map(|entry| format!("{} {}", entry["text"], entry["url"]));
        let calls = self.events("Runtime.consoleAPICalled").into_iter().map(|params| params.to_string());
        let exceptions = self.events("Runtime.exceptionThrown").into_iter().map(|params| params.to_string());
        entries.chain(calls).chain(exceptions).collect()
    }

    fn events(&self, method: &str) -> Vec<Value> {
        // An answer after them shows that all earlier events have come.
        self.evaluate("0");
        let link = self.link.borrow();
        let events = link.events().iter();
        let own = events.filter(|event| event.session == self.session && event.method == method);
        own.map(|event| event.params.clone()).collect()
    }
}

/// The folder for pictures, if they are asked for.
pub fn pictures() -> Option<PathBuf> {
    std::env::var_os(PICTURES)?;
    let folder = crate::command::target_folder().join("screenshots");
    fs_err::create_dir_all(&folder).unwrap();
    Some(folder)
}

/// The label with this text, in JavaScript.
pub fn labelled(written: &str) -> String {
    lettered("label", written)
}

fn lettered(tag: &str, written: &str) -> String {
    format!("[...document.querySelectorAll('{tag}')].find(e => e.innerText.trim() === {})", json!(written))
}

/// A file in the protocol's encoding.
fn decoded(text: &str) -> Vec<u8> {
    BASE64_STANDARD.decode(text).unwrap()
}
