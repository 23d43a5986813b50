//! Connections between a web server and the tier behind it, shared by many requests: a new one for each would exhaust
//! the ports of the web server's host within a minute.

use crate::workspace::{Client, Workspace};
use stack::Site;

const PAGE: &str = "/auction/BrowseCategories";
const REQUESTS: usize = 200;
/// State in the kernel's table of connections: closed, with ports in use for a minute.
const TIME_WAIT: &str = "06";

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

/// Connections with this port closed within the last minute.
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
