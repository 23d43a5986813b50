//! A site of which all goes over TLS. Only here do nginx's factor, the laboratory's clients and `drive` meet.

use crate::sandbox::{QUICK, Sandbox, code_of, turn};
use rustix::process::Signal;

/// A configuration that ends with nginx.
const CONFIGURATION: &str = "Nginx-Go-DB";
const SMALL: [&str; 2] = ["--scale", "0.002"];

#[test]
fn a_site_over_tls_or_http2_is_verified_and_measured() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    for protocol in ["site_protocol=https", "site_protocol=http2"] {
        let words = [
            "verify",
            "comments",
            CONFIGURATION,
            "--smoke",
            "--factor",
            protocol,
            "--factor",
            "database=postgresql",
        ];
        sandbox.run(&[&words[..], &SMALL].concat()).expect(0, &[]).expect_output("verified (3 interactions");
    }
    let mut command =
        sandbox.command(&["run", "comments", CONFIGURATION, "--clients", "5", "--window", "1s"]);
    command
        .args(["--factor", "site_protocol=http,https,http2"])
        .args(QUICK)
        .arg("--out")
        .arg(sandbox.result());
    let ended = sandbox.finish(command);
    let points = sandbox.points();
    ended.expect(code_of(&points), &[]);
    let names: Vec<&str> = points.iter().map(|point| point.configuration.as_str()).collect();
    assert_eq!(points.len(), 3, "{names:?}");
    assert!(points.iter().all(|point| point.failed() == 0), "{points:?}");
}

#[test]
fn a_site_elsewhere_is_driven_over_http2() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let words = ["up", "comments", CONFIGURATION, "--factor", "site_protocol=http2"];
    let mut up = sandbox.start(sandbox.command(&[&words[..], &SMALL].concat()));
    let page = up.expect("  address   https://");
    let page = page.trim_start_matches("  address   ");
    let trust = up.expect("  trust     ");
    let authority = trust.trim_start_matches("  trust     ").split(',').next().unwrap();

    // A site that doesn't speak it is refused.
    let mut drive = sandbox.command(&["drive", page, "--ca", authority, "--http2", "--clients", "8"]);
    drive.args(["--no-think", "--ramp", "1s", "--window", "2s", "--out"]).arg(sandbox.result());
    let driven = drive.output().unwrap();
    let points = sandbox.points();
    assert_eq!(driven.status.code(), Some(code_of(&points)), "{driven:?}");
    let [point] = &points[..] else { panic!("{points:?}") };
    assert!(point.failed() == 0 && point.interactions[0].completed > 0, "{point:?}");
    assert_eq!(sandbox.manifest().configurations[0].factors["clients.http2"], "yes");
    up.signal(Signal::INT);
    up.end().expect(0, &[]);
}
