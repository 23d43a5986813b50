//! Programs started for one request: they live much shorter than the time between two samples, and mod_cgid forgets
//! them. Their usage is counted all the same.

use crate::{
    looking::{Looking, tier},
    workspace::Workspace,
};
use results::Sample;
use stack::Site;
use std::{
    io::{Read, Write},
    net::TcpStream,
};

/// A stack of the test, whose program reports its own usage.
pub const STACK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sampling/cgi");
const PROGRAMS: u32 = 100;

/// Usage of short-lived programs is counted in full, and once.
pub fn are_counted(site: &mut Site<'_>, workspace: &Workspace) {
    let mut told_s = 0.0;
    let looking = Looking::at(site, workspace.kept.work);
    let (sampled, samples) = looking.while_doing(|| told_s = (0..PROGRAMS).map(|_| burn(site)).sum());
    let web = tier(&sampled, "web");
    let used_s = web.cpu_user_s + web.cpu_system_s;
    let of_samples = |of: &Sample| (of.tiers[0].user_cores + of.tiers[0].system_cores) * of.length_s;
    let sampled_s: f64 = samples.iter().map(of_samples).sum();
    println!(
        "{PROGRAMS} programs told of {told_s:.3} s; their tier shows {used_s:.3} s, {sampled_s:.3} s in samples"
    );
    assert!(told_s >= f64::from(PROGRAMS) * 0.02);
    if web.blind.iter().any(|said| said.contains("control groups")) {
        // The limits name unawaited children, and without waiting they are missing.
        let waits = workspace.file("web-apache/httpd.conf").contains("mpm_prefork");
        assert!(waits || used_s < told_s);
        return;
    }
    for seen_s in [used_s, sampled_s] {
        assert!(seen_s > told_s, "{seen_s} s of {told_s} s are counted");
        // Forks, ends of processes and Apache's own work come on top, but nothing is counted twice.
        assert!(seen_s < 2.0 * told_s, "{seen_s} s for {told_s} s");
    }
}

/// Runs a program; returns the CPU seconds that it reports.
fn burn(site: &Site<'_>) -> f64 {
    let mut stream = TcpStream::connect(site.entry()).unwrap();
    stream.write_all(b"GET / HTTP/1.0\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (_, told) = answer.split_once("\r\n\r\n").unwrap();
    told.parse().unwrap_or_else(|_| panic!("{answer}"))
}
