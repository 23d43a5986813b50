//! `--profile`: where the CPU of real tiers goes, by real profilers.

use crate::{
    processes::{below, mentioning},
    result::expect_valid,
    sandbox::{QUICK, Sandbox, code_of, real_workspace, turn},
};
use results::{CheckId, Point, Profile, Purpose, ResultReader, TierProfile};
use rustix::process::Signal;
use std::{fs, process::Command};

/// Requirements on a result with one measured and one profiled point. Returns the profile.
fn expect_profiled(sandbox: &Sandbox, code: Option<i32>, error: &str) -> Profile {
    let all = sandbox.points();
    let purposes: Vec<Purpose> = all.iter().map(|point| point.purpose).collect();
    assert_eq!(purposes, [Purpose::Listed, Purpose::Profile], "{error}");
    let [measured, profiled] = [&all[0], &all[1]];
    assert_eq!(
        code,
        Some(code_of(std::slice::from_ref(measured))),
        "only what was measured counts:\n{error}"
    );
    assert_eq!((profiled.clients, profiled.sequence), (measured.clients, 2));
    let looked_at =
        |point: &Point| point.verdict.checks.iter().any(|check| check.id == CheckId::OtherProcesses);
    assert!(looked_at(measured) && !looked_at(profiled), "the profilers are other processes");
    let result = ResultReader::open(&sandbox.result()).unwrap();
    assert_eq!((result.points.len(), result.profiled.len()), (1, 1));
    let profile = result.profile(2).unwrap();
    let roles: Vec<&str> = profile.tiers.iter().map(|tier| tier.role.as_str()).collect();
    let expected: Vec<&str> = profiled.tiers.iter().map(|tier| tier.role.as_str()).collect();
    assert_eq!(roles, expected);
    for tier in &profile.tiers {
        assert!(tier.samples > 0, "{}: no samples", tier.service);
        let all: f64 = tier.shares.iter().map(|share| share.share).sum();
        assert!((all - 1.0).abs() < 1e-9, "{:?}", tier.shares);
        let stacks = result.stacks(2, tier).unwrap();
        assert_eq!((stacks.samples(), stacks.shares(&tier.components)), (tier.samples, tier.shares.clone()));
    }
    let text = fs::read_to_string(sandbox.result().join("profiles/0002/profile.json")).unwrap();
    expect_valid("profile.json", [serde_json::from_str(&text).unwrap()]);
    assert!(!sandbox.result().join("profiles/0001").exists());
    let page = fs::read_to_string(sandbox.result().join("report.html")).unwrap();
    assert!(
        page.contains("Where the CPU goes") && page.matches("<svg class=\"flame\"").count() == roles.len()
    );
    profile
}

fn share(tier: &TierProfile, component: &str) -> f64 {
    let mut shares = tier.shares.iter();
    shares.find(|share| share.component == component).map_or(0.0, |share| share.share)
}

fn tier<'a>(profile: &'a Profile, service: &str) -> &'a TierProfile {
    profile.tiers.iter().find(|tier| tier.service == service).unwrap()
}

#[test]
#[ignore = "part of make test-all"]
fn a_profile_names_the_components_of_native_tiers() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let mut command = sandbox.measure_for("WsPhpFpm-DB", "60", "5s");
    command.arg("--profile");
    let ended = sandbox.finish(command);
    let profile = expect_profiled(&sandbox, ended.code(), &ended.error);
    assert!(profile.tiers.iter().all(|tier| tier.profiler == "perf"));
    for (service, components) in [
        ("mariadb", ["database", "network"]),
        ("php-fpm", ["pages, rules and PHP's engine", "driver"]),
        ("apache", ["web server", "network"]),
    ] {
        for component in components {
            assert!(share(tier(&profile, service), component) > 0.0, "{service}, {component}: {profile:#?}");
        }
    }
    let manifest = sandbox.manifest();
    assert!(manifest.spec.profile);
}

#[test]
#[ignore = "part of make test-all"]
fn a_profile_looks_into_a_jvm_from_within() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tierbench"));
    // In the real workspace, where the stack is built.
    command.arg("--workspace").arg(real_workspace());
    command.args(["run", "auction", "Servlet-DB", "--clients", "60", "--window", "5s", "--profile"]);
    command.args(QUICK).arg("--out").arg(sandbox.result());
    command.env("TMPDIR", sandbox.temporary()).env("TIERBENCH_CACHE", sandbox.cache());
    let ended = sandbox.finish(command);
    let profile = expect_profiled(&sandbox, ended.code(), &ended.error);
    let jvm = tier(&profile, "tomcat");
    assert_eq!(
        (jvm.profiler.as_str(), tier(&profile, "mariadb").profiler.as_str()),
        ("async-profiler", "perf")
    );
    for component in ["container", "JVM: compiler"] {
        assert!(share(jvm, component) > 0.0, "{component}: {:?}", jvm.shares);
    }
    let ours = ["our rules", "our data access", "our web layer", "pages", "driver", "network"];
    let seen = ours.iter().filter(|component| share(jvm, component) > 0.0).count();
    assert!(seen > 0, "{:?}", jvm.shares);
}

/// The model needs no other program.
#[test]
fn a_missing_profiler_is_named_with_its_package_before_anything_is_built() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let mut command = sandbox.measure("Model", "5");
    command.arg("--profile").env("PATH", sandbox.path());
    let ended = sandbox.finish(command);
    ended.expect(5, &["`perf` is not installed", "--profile", "linux-perf"]);
    assert!(!sandbox.result().exists(), "a result folder for nothing");
}

#[test]
fn a_missing_library_for_jvms_is_named_before_anything_runs() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let last = "remedy = \"lower the factor children\"";
    let agent = format!("{last}\n\n[profile]\nagent = \"{{{{ site }}}}/nowhere\"");
    sandbox.edit("services/php-fpm/service.toml", last, &agent);
    let mut command = sandbox.measure("WsPhpFpm-DB", "5");
    command.arg("--profile");
    let ended = sandbox.finish(command);
    ended.expect(
        5,
        &["php-fpm: async-profiler is not at", "stacks/php/nowhere/linux-", "leave out --profile"],
    );
    assert!(!sandbox.result().exists(), "a result folder for nothing");
}

/// Only here are profilers at work when a command is killed.
#[test]
fn no_profiler_survives_a_kill_of_the_command() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let mut command = sandbox.measure_for("WsPhpFpm-DB", "5", "3s");
    command.arg("--profile");
    let mut run = sandbox.start(command);
    run.expect("attaching profilers");
    run.expect("5 clients for");
    assert!(below(run.id(), "perf").is_some(), "{:?}", mentioning(sandbox.path()));
    run.signal(Signal::KILL);
    run.wait();
    sandbox.expect_nothing_left();
    assert_eq!(sandbox.points().len(), 1, "what was measured before is kept");
}
