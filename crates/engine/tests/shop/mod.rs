//! A small application and its mix, for tests.

use engine::{Account, Load, LoadKind, Users};
use settings::Document;
use std::time::Duration;
use workload::{Catalogue, ExternalSite, Mix};

const INTERACTIONS: &str = r#"
prefix = "/shop"

[[interaction]]
name = "Home"
path = "index.html"

[[interaction]]
name = "Item"
path = "Item"

[[interaction]]
name = "Buy"
path = "Buy"
method = "POST"
class = "order"
effect = "write"
writes = "rows"
"#;

const SHOPPING: &str = r#"
[transitions.Home]
Item = 1.0

[transitions.Item]
Item = 0.5
Buy = 0.2
Home = 0.1
back = 0.2

[transitions.Buy]
back = 0.3
Home = 0.7
"#;

const POSTING: &str = r#"
[transitions.Home]
Buy = 1.0

[transitions.Buy]
Buy = 1.0
"#;

pub struct Shop {
    /// Home, Item and Buy, in this order.
    pub catalogue: Catalogue,
    pub mix: Mix,
}

fn account(number: u64) -> Account {
    Account { nickname: format!("user{number}"), password: format!("password{number}") }
}

impl Shop {
    /// Users who browse more than they buy.
    pub fn new() -> Self {
        Self::of(INTERACTIONS, SHOPPING)
    }

    /// Users who do nothing but buy.
    #[allow(dead_code, reason = "each test file uses a part of this module")]
    pub fn posting() -> Self {
        Self::of(INTERACTIONS, POSTING)
    }

    /// Users who browse over plain HTTP and buy over TLS.
    #[allow(dead_code, reason = "each test file uses a part of this module")]
    pub fn with_secure_buying() -> Self {
        Self::of(&INTERACTIONS.replace("method = \"POST\"", "method = \"POST\"\nsecure = true"), SHOPPING)
    }

    fn of(interactions: &str, mix: &str) -> Self {
        let document = Document::new("shop.toml", format!("{interactions}{mix}"));
        let ExternalSite { catalogue, mix, .. } = ExternalSite::parse(&document, false).unwrap();
        Self { catalogue, mix }
    }

    pub fn users(&self) -> Users<'_> {
        Users {
            catalogue: &self.catalogue,
            mix: &self.mix,
            accounts: 100,
            account: &account,
            habits: &workload::PlainHabits,
        }
    }
}

/// Mean think time and window are in milliseconds.
pub fn load(clients: u32, think: u64, window: u64) -> Load {
    Load {
        ramp: Duration::from_millis(10 * think),
        longest_ramp: Duration::from_millis(10 * think),
        window: Duration::from_millis(window),
        seed: 42,
        ..Load::new(LoadKind::closed(clients, Duration::from_millis(think)))
    }
}
