//! The hosts of a testbed, as a person uses them. Hosts that are namespaces need root and two cores; where these are
//! missing, only what is said about that is tried.

use crate::{
    processes::{below, until},
    sandbox::{Running, Sandbox, code_of, real_workspace, turn},
};
use rustix::process::Signal;
use std::{
    collections::BTreeSet, fs, os::unix::process::CommandExt, path::PathBuf, process::Output,
    thread::available_parallelism, time::Duration,
};

/// A copy of the machines of the papers, which nobody else brings up.
pub(crate) fn four_machines(sandbox: &Sandbox) -> String {
    let file = sandbox.path().join("four.toml");
    fs::copy(real_workspace().join("testbeds/four-machines.toml"), &file).unwrap();
    file.to_str().unwrap().to_owned()
}

/// True if hosts can be made here; prints the reason if not.
pub(crate) fn can_have_hosts() -> bool {
    let can =
        rustix::process::geteuid().is_root() && available_parallelism().is_ok_and(|cores| cores.get() > 1);
    if !can {
        eprintln!("left out: hosts need root and two cores");
    }
    can
}

/// Runs a command to its end, without looking for what it leaves.
fn output(sandbox: &Sandbox, words: &[&str]) -> Output {
    sandbox.command(words).output().unwrap()
}

fn expect(output: &Output, code: i32, texts: &[&str]) {
    let printed = [output.stdout.as_slice(), &output.stderr].concat();
    let printed = String::from_utf8(printed).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(output.status.code(), Some(code), "{printed}");
    assert!(texts.iter().all(|text| printed.contains(text)), "{texts:?} should be in: {printed}");
}

/// A testbed that is up, and the groups of one of its hosts.
fn up<'a>(sandbox: &'a Sandbox, file: &str) -> (Running<'a>, Vec<PathBuf>) {
    let mut up = sandbox.start(sandbox.command(&["testbed", "up", file]));
    assert!(up.expect("  web ").contains("30 % of a core"));
    up.expect("Ctrl-C ends it");
    (up, groups_of_web(sandbox, file))
}

pub(crate) fn groups_of_web(sandbox: &Sandbox, file: &str) -> Vec<PathBuf> {
    groups_of(sandbox, file, "web")
}

pub(crate) fn groups_of(sandbox: &Sandbox, file: &str, host: &str) -> Vec<PathBuf> {
    let printed = output(sandbox, &["testbed", "exec", file, host, "cat", "/proc/self/cgroup"]);
    let text = String::from_utf8(printed.stdout).unwrap();
    let line = text.lines().find(|line| line.ends_with(&format!("/{host}"))).expect("it is a group");
    let path = line.rsplit_once(":/").expect("a path ends each line").1;
    let mounts = fs::read_dir("/sys/fs/cgroup").unwrap().flatten().map(|entry| entry.path());
    let all = mounts.chain([PathBuf::from("/sys/fs/cgroup")]).map(|mount| mount.join(path));
    let groups: Vec<PathBuf> = all.filter(|group| group.exists()).collect();
    assert!(!groups.is_empty(), "{text}");
    groups
}

fn expect_gone(groups: &[PathBuf]) {
    let gone = until(Duration::from_secs(30), || !groups.iter().any(|one| one.exists()));
    assert!(gone, "{groups:?} are left behind");
}

#[test]
fn a_fault_in_a_testbeds_file_is_shown_at_its_line() {
    let sandbox = Sandbox::new();
    let file = four_machines(&sandbox);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("cpu = 0.3", "cpu = 0.5", 1)).unwrap();
    let ended = sandbox.run(&["testbed", "up", &file]);
    ended.expect(2, &["core 1 is allotted to 110 %", "four.toml:", "together below 100 %"]);
    let ended = sandbox.run(&["testbed", "up", "nowhere.toml"]);
    ended.expect(2, &["nowhere.toml", "No such file"]);
}

#[test]
fn without_root_a_testbed_is_refused_with_the_remedy() {
    let sandbox = Sandbox::new();
    let file = four_machines(&sandbox);
    let mut command = sandbox.command(&["testbed", "up", &file]);
    if rustix::process::geteuid().is_root() {
        command.uid(65_534).gid(65_534);
    }
    sandbox.finish(command).expect(2, &["four.toml needs root", "as root", "one-machine.toml"]);
}

#[test]
fn cores_of_this_machine_are_always_up() {
    let sandbox = Sandbox::new();
    let file = real_workspace().join("testbeds/one-machine.toml");
    let file = file.to_str().unwrap();
    if available_parallelism().is_ok_and(|cores| cores.get() == 1) {
        sandbox.run(&["testbed", "up", file]).expect(2, &["core of its own"]);
        return;
    }
    let ended = sandbox.run(&["testbed", "up", file]);
    ended.expect(0, &[]);
    ended.expect_output("always up");
    let exec = ["testbed", "exec", file, "client", "grep", "Cpus_allowed_list", "/proc/self/status"];
    let ended = sandbox.run(&exec);
    ended.expect(0, &[]);
    assert_eq!(ended.output.split_whitespace().last(), Some("0"), "{}", ended.output);
}

/// Only here are all verbs of a testbed used.
#[test]
fn a_testbed_can_be_brought_up_used_and_taken_down() {
    if !can_have_hosts() {
        return;
    }
    let sandbox = Sandbox::new();
    let file = four_machines(&sandbox);
    let not_up = output(&sandbox, &["testbed", "exec", &file, "web", "true"]);
    expect(&not_up, 2, &["four.toml is not up", "tierbench testbed up"]);
    let (mut first, groups) = up(&sandbox, &file);
    expect(&output(&sandbox, &["testbed", "exec", &file, "web", "sh", "-c", "exit 7"]), 7, &[]);
    let words = ["testbed", "exec", &file, "db", "cat", "/proc/net/fib_trie"];
    expect(&output(&sandbox, &words), 0, &["10.77.0."]);
    expect(&output(&sandbox, &["testbed", "exec", &file, "wep", "true"]), 2, &["no host `wep`", "`web`"]);
    expect(
        &output(&sandbox, &["testbed", "exec", &file, "web", "nonsense"]),
        2,
        &["can't run nonsense on the host web"],
    );
    expect(&output(&sandbox, &["testbed", "up", &file]), 2, &["already up", "testbed down"]);
    expect(&output(&sandbox, &["testbed", "down", &file]), 0, &[]);
    assert!(!groups.iter().any(|group| group.exists()), "{groups:?} are left behind");
    first.expect("it was taken down");
    first.end().expect(0, &[]);
    expect(&output(&sandbox, &["testbed", "down", &file]), 2, &["is not up"]);
}

/// Only here could hosts be left without anybody.
#[test]
fn ctrl_c_and_a_kill_remove_all_of_a_testbed() {
    if !can_have_hosts() {
        return;
    }
    let sandbox = Sandbox::new();
    let file = four_machines(&sandbox);
    for signal in [Signal::INT, Signal::KILL] {
        let (run, groups) = up(&sandbox, &file);
        let sleeping = ["testbed", "exec", &file, "web", "sh", "-c", "setsid sleep 1000 >&- 2>&- &"];
        expect(&output(&sandbox, &sleeping), 0, &[]);
        run.signal(signal);
        run.end();
        expect_gone(&groups);
    }
}

/// Only here is a testbed up while no command runs.
#[test]
fn a_detached_testbed_stays_until_it_is_taken_down() {
    if !can_have_hosts() {
        return;
    }
    let sandbox = Sandbox::new();
    let file = four_machines(&sandbox);
    expect(&output(&sandbox, &["testbed", "up", "--detach", &file]), 0, &["testbed down", "10.77.0."]);
    let groups = groups_of_web(&sandbox, &file);
    expect(&output(&sandbox, &["testbed", "down", &file]), 0, &[]);
    expect_gone(&groups);
    sandbox.expect_nothing_left();
}

/// The host and the network of a process of a run.
fn whereabouts(process: u32) -> (String, PathBuf) {
    let groups = fs::read_to_string(format!("/proc/{process}/cgroup")).unwrap();
    let host = groups.lines().find_map(|line| line.split_once("/tierbench-hosts-")?.1.split('/').nth(1));
    let network = fs::read_link(format!("/proc/{process}/ns/net")).unwrap();
    (host.unwrap_or("none").to_owned(), network)
}

/// Only here is it seen where tiers run.
#[test]
fn tiers_run_on_their_hosts_and_clients_on_theirs() {
    if !can_have_hosts() {
        return;
    }
    let _turn = turn();
    let sandbox = Sandbox::new();
    let file = four_machines(&sandbox);
    let measure = || {
        let mut command = sandbox.measure_for("WsPhpFpm-DB", "5", "2s");
        command.args(["--testbed", &file]);
        let mut run = sandbox.start(command);
        run.expect("5 clients for");
        run
    };
    let run = measure();
    let of = |program| whereabouts(below(run.id(), program).expect("it runs"));
    let (database, web, pages) = (of("mariadbd"), of("apache2"), of("php-fpm8.2"));
    let clients = whereabouts(run.id());
    assert_eq!([&database.0, &web.0, &pages.0, &clients.0], ["db", "web", "web", "none"]);
    assert_eq!(web.1, pages.1);
    let networks = [database.1, web.1, clients.1, whereabouts(std::process::id()).1];
    assert_eq!(BTreeSet::from(networks.clone()).len(), 4, "{networks:?}");
    let groups = groups_of_web(&sandbox, &file);
    let ended = run.end();
    let points = sandbox.points();
    ended.expect(code_of(&points), &[]);
    assert!(
        points[0].completed > 0
            && points[0].tiers.iter().all(|tier| tier.cpu_user_s + tier.cpu_system_s > 0.0)
    );
    let asked = points[0].tiers.iter().flat_map(|tier| &tier.blind);
    assert!(!asked.clone().any(|text| text.contains("was asked last")), "{:?}", asked.collect::<Vec<_>>());
    let manifest = sandbox.manifest();
    assert_eq!(manifest.testbed.unwrap().hosts.len(), 4);
    assert_eq!(manifest.host.cores as usize, available_parallelism().unwrap().get());
    assert!(!groups.iter().any(|group| group.exists()), "{groups:?} are left behind");
    fs::remove_dir_all(sandbox.result()).unwrap();
    let run = measure();
    let groups = groups_of_web(&sandbox, &file);
    run.signal(Signal::KILL);
    run.end();
    expect_gone(&groups);
}

/// Only here are sites on hosts verified and looked at.
#[test]
fn verify_and_up_run_on_hosts_too() {
    if !can_have_hosts() {
        return;
    }
    let _turn = turn();
    let sandbox = Sandbox::new();
    let file = four_machines(&sandbox);
    let of = |words: &[&str]| {
        let mut command = sandbox.command(words);
        command.args(["auction", "WsPhpFpm-DB", "--scale", "0.002", "--testbed", &file]);
        command
    };
    let mut command = of(&["verify"]);
    command.args(["--smoke", "--factor", "database=mariadb", "--factor", "engine=InnoDB"]);
    let ended = sandbox.finish(command);
    ended.expect(0, &[]);
    ended.expect_output("WsPhpFpm-DB: verified");
    let mut up = sandbox.start(of(&["up"]));
    let line = up.expect("  address ");
    up.expect("Ctrl-C");
    let address = line.split_whitespace().last().unwrap();
    let page = ureq::get(address).call().unwrap().body_mut().read_to_string().unwrap();
    assert!(address.starts_with("http://127.0.0.1:") && page.contains("</html>"), "{address}: {page}");
    let web = whereabouts(below(up.id(), "apache2").expect("it runs"));
    assert_eq!(web.0, "web");
    up.signal(Signal::INT);
    up.end().expect(0, &[]);
}
