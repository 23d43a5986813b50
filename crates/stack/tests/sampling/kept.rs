//! Connections between a web server and the tier behind it, which many requests share: a new one for each would use up the
//! ports of the web server's host within a minute.

use crate::workspace::{Client, Workspace};
use stack::Site;

const PAGE: &str = "/auction/BrowseCategories";
/// How many clients ask, one after the other.
const REQUESTS: usize = 200;
/// In the kernel's table of connections: closed, but its ports are not free for a minute.
const TIME_WAIT: &str = "06";

/// Requests share the connections to the tier behind.
pub fn connections(site: &mut Site<'_>, workspace: &Workspace) {
    for _ in 0..REQUESTS {
        let mut client = Client::connect(site);
        client.ask(PAGE);
        let answer = client.answer();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    let closed = closed_connections(port_of_tomcat(workspace));
    println!("{closed} connections to Tomcat were closed after {REQUESTS} requests");
    assert!(closed < REQUESTS / 10, "{closed} connections for {REQUESTS} requests");
}

fn port_of_tomcat(workspace: &Workspace) -> u16 {
    let server = workspace.file("web-tomcat/conf/server.xml");
    let (_, connector) = server.split_once("protocol=\"AJP/1.3\"").expect("it speaks AJP");
    let (_, port) = connector.split_once("port=\"").expect("it has a port");
    port.split_once('"').and_then(|(port, _)| port.parse().ok()).expect("a port is a number")
}

/// How many connections with this port were closed within the last minute.
fn closed_connections(port: u16) -> usize {
    let port = format!(":{port:04X}");
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"];
    let tables = tables.map(|table| std::fs::read_to_string(table).unwrap_or_default());
    let is_closed = |line: &&str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        fields.get(3) == Some(&TIME_WAIT) && fields[1..3].iter().any(|address| address.ends_with(&port))
    };
    tables.iter().map(|table| table.lines().filter(is_closed).count()).sum()
}
