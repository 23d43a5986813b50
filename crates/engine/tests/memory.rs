//! Memory of an idle client.

mod shop;

use shop::{Shop, load};
use simulation::{Reply, VirtualServer, simulate};
use std::fmt::Write;
use std::time::Duration;

const CLIENTS: u32 = 2_000;
/// The fewest clients that show the memory of a load with any: its histograms, and the writes that are kept.
const FEW: u32 = 200;

/// Sends pages like those of a real site, and samples its own memory now and then.
struct Site {
    page: Vec<u8>,
    requests: u64,
    most: u64,
}

/// Resident memory of this process, in bytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim_end_matches("kB").trim().parse::<u64>().unwrap() << 10
}

impl Site {
    /// Pages with a form, and with this number of links to items and options to choose from.
    fn new(items: u32, regions: u32) -> Self {
        let mut body = String::new();
        for item in 1..=items {
            write!(
                body,
                "<tr><td><a href='Item?itemId={item}&page=0&nbOfItems=20'>Item {item}</a><td>12.50</tr>"
            )
            .unwrap();
        }
        body.push_str(
            "<form action='Buy' method='post'><input type=hidden name=to value=1><select name=region>",
        );
        for region in 1..=regions {
            write!(body, "<option value='{region}'>Region {region}</option>").unwrap();
        }
        body.push_str("</select><input name=bid min=1><data class=acknowledged value=1></data></form><a href='index.html'>Home</a>");
        let page = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len()).into_bytes();
        Self { page, requests: 0, most: 0 }
    }

    /// The most memory that this process takes while so many clients ask for these pages.
    fn memory_with(mut self, clients: u32) -> u64 {
        // Long enough for the histories of sessions to be full.
        let outcome = simulate(&mut self, &Shop::new().users(), &load(clients, 7000, 600_000));
        assert!(outcome.total().completed > 80 * u64::from(clients));
        self.most
    }

    /// The memory that each further client takes for these pages, beyond that of a `few`.
    fn memory_of_each(self, few: u64) -> u64 {
        let each = self.memory_with(CLIENTS).saturating_sub(few) / u64::from(CLIENTS - FEW);
        println!("{each} bytes per client");
        each
    }
}

impl VirtualServer for Site {
    fn answer(&mut self, _request: &[u8], now: Duration) -> Reply {
        self.requests += 1;
        if self.requests.is_multiple_of(1000) {
            self.most = self.most.max(resident());
        }
        Reply { at: now + Duration::from_millis(5), response: self.page.clone() }
    }
}

#[test]
fn an_idle_client_takes_less_than_4_kib() {
    let few = Site::new(3, 5).memory_with(FEW);
    let small = Site::new(3, 5).memory_of_each(few);
    assert!((1 << 10..4 << 10).contains(&small), "{small} bytes per client");
    // The memory of the first clients is reused.
    let large = Site::new(20, 62).memory_of_each(few);
    assert!((small..6 << 10).contains(&large), "{large} bytes per client");
}
