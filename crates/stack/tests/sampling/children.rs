//! Programs that are started for one request: each lives much shorter than the time between two samples, and mod_cgid
//! forgets them. What they use is counted all the same.

use crate::{
    checks::{sample, tier},
    house::with_site,
};
use stack::Site;
use std::{
    io::{Read, Write},
    net::TcpStream,
};

/// A stack of the test, whose program tells what it has used.
const STACK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sampling/cgi");
/// How many programs are run, one after the other.
const PROGRAMS: u32 = 100;
/// What may come on top for each, in seconds: Apache's own work, the fork and the end of a process.
const ABOVE_S: f64 = 0.01;

pub fn cgi() {
    // mod_cgid's daemon waits for no program; mod_cgi's processes do.
    for mpm in ["event", "prefork"] {
        with_site(STACK, "WsCgi", &[("mpm", mpm)], |site, _| {
            let mut told_s = 0.0;
            let (sampled, samples) = sample(site, 6, || told_s = (0..PROGRAMS).map(|_| burn(site)).sum());
            let web = tier(&sampled, "web");
            let used_s = web.cpu_user_s + web.cpu_system_s;
            let of_samples =
                |of: &results::Sample| (of.tiers[0].user_cores + of.tiers[0].system_cores) * of.length_s;
            let sampled_s: f64 = samples.iter().map(of_samples).sum();
            println!(
                "{PROGRAMS} programs told of {told_s:.3} s; their tier shows {used_s:.3} s under {mpm}, \
                 {sampled_s:.3} s in samples"
            );
            assert!(told_s >= f64::from(PROGRAMS) * 0.02);
            if web.blind.iter().any(|said| said.contains("control groups")) {
                // It is said that those whom nobody waited for are missing, and they are.
                assert!(mpm == "prefork" || used_s < told_s);
                return;
            }
            for seen_s in [used_s, sampled_s] {
                assert!(seen_s > told_s, "{mpm}: {seen_s} s of {told_s} s are counted");
                assert!(seen_s < told_s + f64::from(PROGRAMS) * ABOVE_S, "{mpm}: {seen_s} s for {told_s} s");
            }
        });
    }
}

/// Has a program run, and returns the CPU time in seconds that it says it has used.
fn burn(site: &Site<'_>) -> f64 {
    let mut stream = TcpStream::connect(site.entry()).unwrap();
    stream.write_all(b"GET / HTTP/1.0\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (_, told) = answer.split_once("\r\n\r\n").unwrap();
    told.parse().unwrap_or_else(|_| panic!("{answer}"))
}
