//! A server that closes idle connections sooner makes its clients reconnect more often, which costs both.

use stack::Stack;
use std::{fs, path::Path};

const KEPT: &str = "60s";

/// Servers whose processes each serve one connection, idle or not.
const EXCEPT: [&str; 3] = ["PHP-Apache", "WsModPerl-DB", "WsPhp-DB"];

#[test]
fn all_servers_hold_idle_connections_of_clients_equally_long() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut seen = 0;
    for folder in fs::read_dir(home.join("stacks")).unwrap() {
        let applications = ["auction", "bookstore", "comments", "mail", "quotes"];
        let stack = Stack::read(&folder.unwrap().path(), &home.join("services"), &applications).unwrap();
        for configuration in &stack.configurations {
            // Clients talk to the last tier. The reference server never closes a connection.
            let tier = configuration.tiers.last().unwrap();
            // The factor has different names in different services.
            let kept = ["keep_alive", "http_keep_alive"].iter().find_map(|name| tier.factors.get(*name));
            let kept = kept.map_or("a time that is no factor", String::as_str);
            let is_right = match configuration.name.as_str() {
                name if EXCEPT.contains(&name) => tier.factors["mpm"] == "prefork",
                "Model" => true,
                _ => kept == KEPT,
            };
            assert!(
                is_right,
                "{}: {} holds idle connections for {kept}",
                configuration.name, tier.service.name
            );
            seen += usize::from(kept == KEPT);
        }
    }
    assert!(seen >= 6, "{seen} configurations");
}
