//! The report's words about real hosts that are short of something.

use crate::{
    processes::until,
    sandbox::{Sandbox, code_of, turn},
    testbed::{can_have_hosts, four_machines, groups_of_web},
};
use results::{CheckId, HostFigures, ResultReader};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command},
    time::Duration,
};

/// Busy loops on the core of the servers, each in a group that weighs as much as all hosts together.
struct Robbers(Vec<(Child, PathBuf)>);

impl Robbers {
    /// Beside the groups of a host.
    fn start(groups: &[PathBuf]) -> Self {
        let runs = groups.iter().map(|group| group.parent().unwrap());
        let weight =
            |run: &&Path| ["cpu.shares", "cpu.weight"].into_iter().find(|file| run.join(file).exists());
        let (run, file) = runs.filter_map(|run| Some((run, weight(&run)?))).next().unwrap();
        let rob = |number: usize| {
            let mut process = Command::new("taskset");
            // If this test fails, nobody else may end it.
            let process = process.args(["-c", "1", "perl", "-e", "alarm 60; 1 while 1"]).spawn().unwrap();
            let group = run.with_file_name(format!("tierbench-robber-{}-{number}", std::process::id()));
            fs::create_dir(&group).unwrap();
            fs::write(group.join(file), fs::read(run.join(file)).unwrap()).unwrap();
            fs::write(group.join("cgroup.procs"), process.id().to_string()).unwrap();
            (process, group)
        };
        Self((0..3).map(rob).collect())
    }
}

impl Drop for Robbers {
    fn drop(&mut self) {
        for (process, group) in &mut self.0 {
            let _ = process.kill();
            let _ = process.wait();
            until(Duration::from_secs(5), || fs::remove_dir(&*group).is_ok());
        }
    }
}

#[test]
#[ignore = "part of make test-machine"]
fn a_point_whose_host_did_not_get_its_cpu_is_invalid() {
    if !can_have_hosts() {
        return;
    }
    let _turn = turn();
    let sandbox = Sandbox::new();
    let file = four_machines(&sandbox);
    let mut command = sandbox.measure_for("WsPhpFpm-DB", "300", "4s");
    command.args(["--testbed", &file]);
    let mut run = sandbox.start(command);
    run.expect("300 clients for");
    let robbers = Robbers::start(&groups_of_web(&sandbox, &file));
    let ended = run.end();
    drop(robbers);
    ended.expect(7, &[]);
    let checks = &sandbox.points()[0].verdict.checks;
    let check = checks.iter().find(|check| check.id == CheckId::HostsGotCpu).unwrap();
    assert!(!check.passed && check.figure.contains("of 30 % of a core while it had work"), "{check:?}");
    ended.expect_output("hosts got their CPU: web got");
}

#[test]
#[ignore = "part of make test-machine"]
fn a_link_that_is_too_slow_is_what_limits_a_site() {
    if !can_have_hosts() {
        return;
    }
    let _turn = turn();
    let sandbox = Sandbox::new();
    let file = four_machines(&sandbox);
    let text = fs::read_to_string(&file).unwrap();
    let (before, web) = text.split_once("[host.web]").unwrap();
    let slow = web.replacen("100 Mbit/s", "2 Mbit/s", 1);
    fs::write(&file, format!("{before}[host.web]{slow}")).unwrap();
    let mut command = sandbox.measure_for("WsPhpFpm-DB", "60", "4s");
    command.args(["--testbed", &file]);
    let ended = sandbox.finish(command);
    ended.expect(code_of(&sandbox.points()), &[]);
    let mut result = ResultReader::open(&sandbox.result()).unwrap();
    for point in &mut result.points {
        // Others may be at work on this machine, which is not what this is about.
        point.verdict.valid = true;
        point.host = HostFigures::default();
    }
    let summary = report::summary(&result);
    let sentence = summary.configurations[0].peak.as_ref().unwrap().bottleneck.sentence();
    assert!(sentence.starts_with("limited by the link of web: "), "{sentence}");
    assert!(sentence.contains("of 2 Mbit/s sent, with app (php-fpm) and web (apache)"), "{sentence}");
    let samples = result.samples(1).unwrap();
    let web = samples.iter().flat_map(|sample| &sample.hosts).filter(|host| host.name == "web");
    assert!(web.filter_map(|host| host.sent_bytes_per_s).any(|bytes| bytes > 0.8 * 2e6 / 8.0));
}
