//! Wrong words and flags: refused at once, with what was probably meant.

use crate::{
    processes::{below, open_files},
    sandbox::{QUICK, Sandbox, code_of, turn, with_few_open_files},
};
use rustix::process::Signal;
use std::{net::TcpListener, path::Path};

/// Each command line, and what must be said about it.
#[test]
fn wrong_words_and_options_are_refused_with_a_suggestion() {
    let sandbox = Sandbox::new();
    let cases: [(&[&str], &[&str]); 16] = [
        (
            &["run", "auction", "WsPhp-DB", "--clients", "5", "--windw", "1s"],
            &["unexpected argument '--windw'", "--window"],
        ),
        (&["mesure", "auction"], &["unrecognized subcommand 'mesure'", "--help"]),
        (&["rum", "auction"], &["unrecognized subcommand 'rum'", "'run'"]),
        (&["run", "auction", "WsPhp-DB"], &["required", "--clients <CLIENTS>", "Usage"]),
        (&["run", "auction", "WsPhp-DB", "--clients", "0"], &["invalid value '0'", "--clients", "1.."]),
        (&["run", "auction", "WsPhp-DB", "--clients", "5", "--window", "5x"], &["'5x'", "--window", "7s"]),
        (&["run", "auction", "WsPhp-DB", "--clients", "5", "--window", "0s"], &["'0s'", "--window"]),
        (&["run", "auction", "WsPhp-DB", "--clients", "5", "--scale=-1"], &["--scale", "above 0"]),
        (
            &["run", "auktion", "WsPhp-DB", "--clients", "5"],
            &["there is no application `auktion`", "did you mean `auction`?"],
        ),
        (
            &["run", "auction", "WsPhp-BD", "--clients", "5"],
            &["there is no stack or configuration `WsPhp-BD`", "did you mean `WsPhp-DB`?"],
        ),
        (&["compare", "auction", "phhp"], &["`phhp`", "did you mean `php`?"]),
        (
            &["run", "auction", "WsPhp-DB", "--clients", "5", "--mix", "biding"],
            &["there is no mix `biding`", "did you mean `bidding`?"],
        ),
        (
            &["run", "auction", "zebra", "--clients", "5"],
            &["`zebra`", "known are: ", "php, WsPhp-DB, WsPhpFpm-DB"],
        ),
        (
            &["run", "auction", "Model", "--clients", "5", "--window", "5s"],
            &["a window of 5s is too short", "--window 10s", "--smoke"],
        ),
        (
            &["compare", "auction", "Model", "--ramp", "5s"],
            &["a ramp of 5s is too short", "70s", "--time-scale"],
        ),
        (
            &["run", "auction", "Model", "--clients", "5", "--fail-if", "p98 > 1ms"],
            &["there is no figure `p98`", "p98 > 1ms ^^^ did you mean `p9"],
        ),
    ];
    for (words, texts) in cases {
        sandbox.run(words).expect(2, texts);
    }
}

#[test]
fn outside_of_a_workspace_the_option_workspace_is_named() {
    let sandbox = Sandbox::new();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tierbench"));
    command.args(["check", "auction", "--workspace"]).arg(sandbox.path());
    sandbox.finish(command).expect(2, &["no workspace here", "apps/, services/ and stacks/", "--workspace"]);
}

#[test]
fn a_taken_port_is_refused_with_its_owner_and_a_remedy() {
    let sandbox = Sandbox::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let ended = sandbox.run(&["up", "auction", "php", "--port", &port]);
    let owner = format!("(process {})", std::process::id());
    ended.expect(2, &[&format!("port {port} on 127.0.0.1 is taken"), &owner, "--port"]);
}

/// Only here is a site used as a browser would.
#[test]
fn up_prints_an_address_that_answers_until_ctrl_c() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let mut up =
        sandbox.start(with_few_open_files(&sandbox.command(&["up", "auction", "php", "--scale", "0.002"])));
    let line = up.expect("address");
    let home = line.split_whitespace().last().unwrap().to_owned();
    assert!(up.expect("log in").contains("password"));
    let get = |url: &str| ureq::get(url).call().unwrap().body_mut().read_to_string().unwrap();
    assert!(get(&home).contains("href=\"/auction/browse.html\""), "no link to browse");
    let site = home.strip_suffix("/auction/index.html").unwrap();
    assert!(
        get(&format!("{site}/auction/ViewItem?itemId=1"))
            .contains("/auction/SearchItemsInCategory?category=")
    );
    let server = below(up.id(), "apache2").expect("a web server runs");
    assert_eq!(open_files(server), 20_000, "it would turn clients away");
    up.signal(Signal::INT);
    up.end().expect(0, &[]);
}

#[test]
fn check_lists_everything_in_the_workspace() {
    let sandbox = Sandbox::new();
    let ended = sandbox.run(&["check", "auction"]);
    ended.expect(0, &[]);
    for text in [
        "mix bidding",
        "mix browsing",
        "service mariadb",
        "service model",
        "stack php",
        "WsPhpFpm-DB",
        "stack reference",
    ] {
        ended.expect_output(text);
    }
}

/// Only here is nobody root. Where root is not to be had, services run as the user that calls.
#[test]
fn measuring_needs_no_root() {
    if !rustix::process::geteuid().is_root() {
        eprintln!(
            "SKIPPED: this test runs the command as another user, which only root can; all others ran without root"
        );
        return;
    }
    let _turn = turn();
    // Whose folders those of others are, is not known.
    let sandbox = Sandbox::new().with_own_cache().with_own_workspace();
    let executable = sandbox.path().join("tierbench");
    std::fs::copy(env!("CARGO_BIN_EXE_tierbench"), &executable).unwrap();
    let mut command = std::process::Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&executable);
    sandbox.furnish(&mut command, &["run", "auction", "WsPhpFpm-DB", "--clients", "5", "--window", "1s"]);
    command.args(QUICK).arg("--out").arg(sandbox.result()).env("HOME", Path::new("/nonexistent"));
    let ended = sandbox.finish(command);
    ended.expect(code_of(&sandbox.points()), &[]);
    assert!(!ended.error.contains("left behind"), "of another user's control group: {}", ended.error);
    assert_eq!(sandbox.points().len(), 1);
}
