//! A small application and its mix, for tests.

use engine::{Account, Load, LoadKind, Users};
use settings::Document;
use std::time::Duration;
use workload::{Catalogue, Mix};

const APP: &str = r#"
name = "shop"
title = "A shop"
prefix = "/shop"
think_time = "7s"
session_length = "15m"
mix = "usual"
start = "Home"

[[interaction]]
name = "Home"
path = "index.html"
method = "GET"
class = "browse"
effect = "static"
protocol = "html"

[[interaction]]
name = "Item"
path = "Item"
method = "GET"
class = "browse"
effect = "read"
protocol = "html"

[[interaction]]
name = "Buy"
path = "Buy"
method = "POST"
class = "order"
effect = "write"
writes = "rows"
protocol = "html"
"#;

const MIX: &str = r#"
name = "shopping"
title = "Looking, now and then buying"

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

const POSTING_MIX: &str = r#"
name = "posting"
title = "Buying again and again"

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
        Self::with_mix(MIX)
    }

    /// Users who do nothing but buy.
    #[allow(dead_code, reason = "each test file uses a part of this module")]
    pub fn posting() -> Self {
        Self::with_mix(POSTING_MIX)
    }

    /// Users who browse over plain HTTP and buy over TLS.
    #[allow(dead_code, reason = "each test file uses a part of this module")]
    pub fn with_secure_buying() -> Self {
        let app = APP.replace("method = \"POST\"", "method = \"POST\"\nsecure = true");
        Self::of(&app, MIX)
    }

    fn with_mix(mix: &str) -> Self {
        Self::of(APP, mix)
    }

    fn of(app: &str, mix: &str) -> Self {
        let catalogue = Catalogue::parse(&Document::new("app.toml", app)).unwrap();
        let mix = Mix::parse(&Document::new("mix.toml", mix), &catalogue).unwrap();
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
