//! Test of the bottleneck that the report names. In each case one resource is made the limit on purpose. Then it
//! is halved, which must cost at least a quarter of the throughput, and others are halved one by one, which must cost
//! less than a tenth.
//!
//! Quotas and links make a resource short by themselves. Workers, threads, connections and locks are short only where they
//! are held without using a processor, as if a page asked another site. So the copy of the workspace gets stacks that
//! can be told to wait, or to ask the database for something costly: by factors that exist only here.
//!
//! Runs with all as it is stand between the others, which are held against the two around them, if these agree.

use crate::sandbox::{Sandbox, code_of, turn};
use report::Bottleneck;
use results::{CheckId, HostFigures, Point, ResultReader};
use rustix::process::Signal;
use std::{
    collections::BTreeMap,
    fmt::{self, Write as _},
    fs, iter,
    process::Command,
    thread,
    time::{Duration, Instant},
};

/// Variable that lets points be INVALID for other work on this machine. It is for writers of these tests.
const ON_A_BUSY_MACHINE: &str = "TIERBENCH_TEST_ON_A_BUSY_MACHINE";
/// The checks that a busy machine fails.
const OF_A_BUSY_MACHINE: [CheckId; 3] = [CheckId::OtherProcesses, CheckId::Lateness, CheckId::HostsGotCpu];
/// Only cases whose names hold this text are measured, where it is set.
const ONLY: &str = "TIERBENCH_TEST_CASE";

/// A quarter of the throughput at least is lost with half of what limits it, and a tenth at most with half of anything
/// else.
const LIMITS: f64 = 0.75;
const DOES_NOT_LIMIT: f64 = 0.9;

/// Two runs of the same agree if the logarithm of their ratio is no more than this.
const AGREES: f64 = 0.1;

/// Something of which there can be half.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Resource {
    /// The CPU that a host is promised.
    Cpu(&'static str),
    /// The speed of a host's link.
    Link(&'static str),
    /// A number of things that a factor sets.
    Number(&'static str),
    /// A resource that is held for a length that a factor sets: who holds it for twice as long has half of it.
    Held(&'static str),
    /// A JVM's heap, in which nothing would start if it were half as large: it is doubled instead.
    Heap,
}

impl fmt::Display for Resource {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu(host) => write!(text, "CPU of {host}"),
            Self::Link(host) => write!(text, "link of {host}"),
            Self::Number(factor) => text.write_str(factor),
            Self::Held(factor) => write!(text, "locks ({factor} x 2)"),
            Self::Heap => text.write_str("heap (the rest is with twice as much)"),
        }
    }
}

/// A server's host: its name and roles, its share of the one core in per cent, its link in Mbit/s.
#[derive(Debug, Clone)]
struct Host {
    name: &'static str,
    roles: &'static [&'static str],
    cpu: u32,
    link: f64,
}

const fn host(name: &'static str, roles: &'static [&'static str], cpu: u32, link: f64) -> Host {
    Host { name, roles, cpu, link }
}

/// Fast enough to be no limit.
const FAST: f64 = 100.0;

struct Case {
    name: &'static str,
    stack: &'static str,
    configuration: &'static str,
    clients: &'static str,
    hosts: [Host; 2],
    factors: &'static [(&'static str, &'static str)],
    /// Its bottleneck, and the report's words for it.
    limit: (Resource, &'static str),
    others: &'static [Resource],
}

const PHP: &[&str] = &["web", "app"];

const CASES: &[Case] = &[
    Case {
        name: "CPU of the web server",
        stack: "php",
        configuration: "WsPhpFpm-DB",
        clients: "40",
        hosts: [host("web", PHP, 20, FAST), host("db", &["db"], 50, FAST)],
        factors: &[("flush_log", "0")],
        limit: (Resource::Cpu("web"), "the CPU of web"),
        others: &[Resource::Cpu("db"), Resource::Link("web"), Resource::Number("children")],
    },
    Case {
        name: "CPU of the database",
        stack: "php",
        configuration: "WsPhpFpm-DB",
        clients: "20",
        hosts: [host("web", PHP, 50, FAST), host("db", &["db"], 20, FAST)],
        factors: &[("flush_log", "0"), ("query", "8000")],
        limit: (Resource::Cpu("db"), "the CPU of db"),
        others: &[Resource::Cpu("web"), Resource::Link("db"), Resource::Number("children")],
    },
    Case {
        name: "link",
        stack: "php",
        configuration: "WsPhpFpm-DB",
        clients: "24",
        hosts: [host("web", PHP, 50, 3.0), host("db", &["db"], 30, FAST)],
        factors: &[("flush_log", "0")],
        limit: (Resource::Link("web"), "the link of web"),
        others: &[Resource::Cpu("web"), Resource::Cpu("db"), Resource::Number("children")],
    },
    Case {
        name: "children of PHP-FPM",
        stack: "php",
        configuration: "WsPhpFpm-DB",
        clients: "14",
        hosts: [host("web", PHP, 40, FAST), host("db", &["db"], 40, FAST)],
        factors: &[("flush_log", "0"), ("outside", "60"), ("children", "4")],
        limit: (Resource::Number("children"), "the processes of app (php-fpm)"),
        others: &[Resource::Cpu("web"), Resource::Cpu("db"), Resource::Link("web")],
    },
    Case {
        name: "workers of Apache",
        stack: "php",
        configuration: "WsPhp-DB",
        clients: "16",
        hosts: [host("web", PHP, 40, FAST), host("db", &["db"], 40, FAST)],
        factors: &[("flush_log", "0"), ("outside", "60"), ("workers", "6")],
        limit: (Resource::Number("workers"), "the workers of web (apache)"),
        others: &[Resource::Cpu("web"), Resource::Cpu("db"), Resource::Link("web")],
    },
    Case {
        name: "table locks",
        stack: "php",
        configuration: "WsPhpFpm-DB",
        clients: "14",
        hosts: [host("web", PHP, 40, FAST), host("db", &["db"], 40, FAST)],
        factors: &[("engine", "MyISAM"), ("held", "60")],
        limit: (Resource::Held("held"), "table locks of db (mariadb)"),
        others: &[Resource::Cpu("web"), Resource::Cpu("db"), Resource::Number("children")],
    },
    Case {
        name: "row locks",
        stack: "php",
        configuration: "WsPhpFpm-DB",
        clients: "14",
        hosts: [host("web", PHP, 40, FAST), host("db", &["db"], 40, FAST)],
        factors: &[("flush_log", "0"), ("held", "80")],
        limit: (Resource::Held("held"), "row locks of db (mariadb)"),
        others: &[Resource::Cpu("web"), Resource::Cpu("db"), Resource::Number("children")],
    },
    Case {
        name: "threads of Tomcat",
        stack: "java",
        configuration: "Servlet-DB",
        clients: "14",
        hosts: [host("app", &["app"], 60, FAST), host("db", &["db"], 30, FAST)],
        factors: &[("flush_log", "0"), ("outside", "60"), ("threads", "4")],
        limit: (Resource::Number("threads"), "the threads of app (tomcat)"),
        others: &[Resource::Cpu("db"), Resource::Number("pool")],
    },
    Case {
        name: "connection pool",
        stack: "java",
        configuration: "Servlet-DB",
        clients: "14",
        hosts: [host("app", &["app"], 60, FAST), host("db", &["db"], 30, FAST)],
        factors: &[("flush_log", "0"), ("held", "60"), ("pool", "4")],
        limit: (Resource::Number("pool"), "the connections of app (tomcat)"),
        others: &[Resource::Cpu("db"), Resource::Number("threads")],
    },
    Case {
        name: "collector",
        stack: "java",
        configuration: "Servlet-DB",
        clients: "30",
        hosts: [host("app", &["app"], 60, FAST), host("db", &["db"], 30, FAST)],
        factors: &[("flush_log", "0"), ("kept", "60"), ("heap", "80m")],
        limit: (Resource::Heap, "the garbage collector of app (tomcat)"),
        others: &[Resource::Number("threads")],
    },
];

/// The value of a factor that is to be halved, unless a case says otherwise.
const DEFAULTS: [(&str, &str); 3] = [("children", "32"), ("threads", "200"), ("pool", "32")];

#[derive(Debug, Clone)]
struct Site {
    hosts: [Host; 2],
    factors: BTreeMap<&'static str, String>,
}

impl Site {
    fn of(case: &Case) -> Self {
        let factors = case.factors.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        Self { hosts: case.hosts.clone(), factors }
    }

    fn with_half(&self, resource: Resource) -> Self {
        let mut site = self.clone();
        match resource {
            Resource::Cpu(name) => site.host(name).cpu /= 2,
            Resource::Link(name) => site.host(name).link /= 2.0,
            Resource::Number(factor) => site.change(factor, |number| number / 2),
            Resource::Held(factor) => site.change(factor, |length| length * 2),
            Resource::Heap => drop(site.factors.insert("heap", "160m".to_owned())),
        }
        site
    }

    fn host(&mut self, name: &str) -> &mut Host {
        self.hosts.iter_mut().find(|host| host.name == name).expect("it is a host of this case")
    }

    fn change(&mut self, factor: &'static str, new: impl Fn(u32) -> u32) {
        let default = DEFAULTS.iter().find(|(name, _)| *name == factor).map(|(_, value)| *value);
        let value = self.factors.get(factor).map(String::as_str).or(default).expect("its value is known");
        let value = new(value.parse().unwrap()).to_string();
        self.factors.insert(factor, value);
    }

    /// The file of a testbed with these hosts.
    fn testbed(&self) -> String {
        let mut text = format!(
            "title = \"Halves\"\nseparation = \"namespaces\"\nfallback = \"{}\"\n[host.client]\ncores = [0]\n",
            self.hosts[0].name
        );
        for Host { name, roles, cpu, link } in &self.hosts {
            let cpu = f64::from(*cpu) / 100.0;
            let _ = write!(
                text,
                "[host.{name}]\nroles = {roles:?}\ncores = [1]\ncpu = {cpu}\nmemory = \"2 GiB\"\nlink = \"{link} Mbit/s\"\n"
            );
        }
        text
    }
}

/// Gives a stack the factors `outside` (ms that a request waits before anything else), `held` (ms for which PHP holds the
/// locks of a transaction, and Java a connection), `query` (how many hashes a request has the database compute with PHP)
/// and `kept` (for how many requests Java keeps half a megabyte of each).
fn prepare(sandbox: &Sandbox, stack: &str) {
    let factor = |name: &str| {
        format!("[declare.{name}]\ndefault = \"0\"\nkind = \"number\"\nhelp = \"for this test\"\n\n")
    };
    let factors: String = ["outside", "held", "query", "kept"].map(factor).concat();
    let before = "[declare.protocol]";
    sandbox.edit(&format!("stacks/{stack}/stack.toml"), before, &(factors + before));
    if stack == "php" { prepare_php(sandbox) } else { prepare_java(sandbox) }
}

fn prepare_php(sandbox: &Sandbox) {
    let page = "$interaction = $route->interaction ?? throw Fault::unknownPage();";
    let waits = "usleep(1000 * (int) Environment::get('TIERBENCH_FACTOR_OUTSIDE'));
        $hashes = (int) Environment::get('TIERBENCH_FACTOR_QUERY');
        if ($hashes > 0) {
            (new Database())->rows(\"SELECT BENCHMARK({$hashes}, MD5('a')) AS done\");
        }";
    sandbox.edit("stacks/php/common/FrontController.php", page, &format!("{page}\n{waits}"));
    // With row locks all want the same row.
    let begin = "$connection->begin($tables);";
    let holds = "$held = (int) Environment::get('TIERBENCH_FACTOR_HELD');
            if ($held > 0 && Environment::get('TIERBENCH_DB_ENGINE') === 'InnoDB') {
                $connection->execute('SELECT id FROM regions WHERE id = 1 FOR UPDATE', []);
            }
            usleep(1000 * $held);";
    sandbox.edit("stacks/php/common/Database.php", begin, &format!("{begin}\n{holds}"));
}

fn prepare_java(sandbox: &Sandbox) {
    let session = "try (Session session = database.session()) {";
    let waits = "java.util.concurrent.locks.LockSupport.parkNanos(
        1_000_000L * Long.parseLong(System.getenv(\"TIERBENCH_FACTOR_OUTSIDE\")));";
    let holds = "String held = System.getenv(\"TIERBENCH_FACTOR_HELD\");
      if (!\"0\".equals(held)) {
        session.rows(\"SELECT SLEEP(\" + held + \" / 1000)\", row -> 0);
      }";
    let web = "stacks/java/common/src/main/java/tierbench/common/web";
    let edited = format!("Kept.afterRequest();\n{waits}\n{session}\n{holds}");
    sandbox.edit(&format!("{web}/FrontServlet.java"), session, &edited);
    fs::write(sandbox.workspace().join(web).join("Kept.java"), KEPT).unwrap();
}

/// A heap that is always so full that the collector must work for each request.
const KEPT: &str = "package tierbench.common.web;

final class Kept {
  private static final byte[][] KEPT = new byte[Integer.parseInt(System.getenv(\"TIERBENCH_FACTOR_KEPT\"))][];
  private static int next;

  static synchronized void afterRequest() {
    if (KEPT.length > 0) {
      KEPT[next] = new byte[512 * 1024];
      next = (next + 1) % KEPT.length;
    }
  }
}
";

/// The figures of a site, and the report's words about them.
struct Measured {
    throughput: f64,
    bottleneck: Bottleneck,
}

/// An INVALID point counts for nothing, and is measured again a few times.
const TRIES: usize = 3;

fn measure(sandbox: &Sandbox, case: &Case, site: &Site) -> Measured {
    let mut reasons = Vec::new();
    for _ in 0..TRIES {
        let mut result = measured(sandbox, case, site);
        let [point] = result.points.as_mut_slice() else { panic!("one point is measured") };
        pardon(point);
        if point.verdict.valid {
            let throughput = point.throughput;
            let peak = report::summary(&result).configurations.remove(0).peak.unwrap();
            return Measured { throughput, bottleneck: peak.bottleneck };
        }
        reasons.push(failed(point));
    }
    panic!("{} is never VALID: {site:?}\n{reasons:#?}", case.name)
}

fn measured(sandbox: &Sandbox, case: &Case, site: &Site) -> ResultReader {
    let ended = sandbox.finish(command(sandbox, case, site));
    ended.expect(code_of(&sandbox.points()), &[]);
    ResultReader::open(&sandbox.result()).unwrap()
}

fn command(sandbox: &Sandbox, case: &Case, site: &Site) -> Command {
    let file = sandbox.path().join("halves.toml");
    fs::write(&file, site.testbed()).unwrap();
    if sandbox.result().exists() {
        fs::remove_dir_all(sandbox.result()).unwrap();
    }
    let mut command = sandbox.command(&["run", "auction", case.configuration, "--clients", case.clients]);
    command.args(["--scale", "0.1", "--time-scale", "0.01", "--ramp", "4s", "--window", "5s"]);
    command.args(["--repetitions", "1", "--timeout", "none", "--smoke", "--skip-verify"]);
    command.arg("--testbed").arg(file).arg("--out").arg(sandbox.result());
    for (name, value) in &site.factors {
        command.arg("--factor").arg(format!("{name}={value}"));
    }
    command
}

fn failed(point: &Point) -> Vec<String> {
    let failed = point.verdict.checks.iter().filter(|check| !check.passed);
    failed.map(|check| format!("{}: {}", check.id, check.figure)).collect()
}

/// Forgets what a busy machine did to a point, where that is allowed for.
fn pardon(point: &mut Point) {
    let failed = point.verdict.checks.iter().filter(|check| !check.passed);
    let pardoned = failed.clone().all(|check| OF_A_BUSY_MACHINE.contains(&check.id));
    if std::env::var_os(ON_A_BUSY_MACHINE).is_some() && failed.count() > 0 && pardoned {
        point.verdict.valid = true;
        point.host = HostFigures::default();
    }
}

/// Measures a case and tells people what it shows; what is wrong with that.
fn examine(sandbox: &Sandbox, case: &Case) -> Vec<String> {
    let site = Site::of(case);
    let (limit, words) = case.limit;
    let first = measure(sandbox, case, &site);
    let sentence = first.bottleneck.sentence();
    let mut faults = Vec::new();
    if first.bottleneck.cause.as_ref().map(ToString::to_string).as_deref() != Some(words) {
        faults.push(format!("{}: {sentence}, but not `{words}`", case.name));
    }
    println!("{}: {sentence}\n  {:.1}/s as it is", case.name, first.throughput);
    let mut whole = first.throughput;
    let resources: Vec<Resource> = iter::once(limit).chain(case.others.iter().copied()).collect();
    for two in resources.chunks(2) {
        let Some(ratios) = halved(sandbox, case, two, &mut whole) else {
            faults.push(format!(
                "{}: runs with all as it is never agree, so that nothing can be told",
                case.name
            ));
            continue;
        };
        for (resource, ratio) in two.iter().zip(ratios) {
            if *resource == limit && ratio > LIMITS || *resource != limit && ratio <= DOES_NOT_LIMIT {
                faults.push(format!("{}: half of {resource} gives x {ratio:.2}", case.name));
            }
        }
    }
    faults
}

/// Throughput with half of each of these, as a share of the whole: the mean of a run with all as it is before, which gave
/// `whole`, and of one after, whose throughput `whole` is then. Of a heap it is the whole as a share of what the double
/// gives. Where the two runs don't agree, all is measured again, a few times; none where they never do.
fn halved(sandbox: &Sandbox, case: &Case, resources: &[Resource], whole: &mut f64) -> Option<Vec<f64>> {
    let site = Site::of(case);
    for _ in 0..TRIES {
        let halves: Vec<f64> =
            resources.iter().map(|of| measure(sandbox, case, &site.with_half(*of)).throughput).collect();
        let before = std::mem::replace(whole, measure(sandbox, case, &site).throughput);
        let between = format!("between {before:.1} and {whole:.1}");
        if (*whole / before).ln().abs() > AGREES {
            println!("  again, for with all as it is it was {between}");
            continue;
        }
        let mean = (before + *whole) / 2.0;
        let ratio = |(resource, half): (&Resource, f64)| {
            let ratio = if *resource == Resource::Heap { mean / half } else { half / mean };
            println!("  {half:.1}/s with half of {resource}: x {ratio:.2} ({between})");
            ratio
        };
        return Some(resources.iter().zip(halves).map(ratio).collect());
    }
    None
}

#[test]
#[ignore = "part of make test-machine"]
fn halving_the_named_bottleneck_costs_a_quarter_and_halving_anything_else_next_to_nothing() {
    if !crate::testbed::can_have_hosts() {
        return;
    }
    let _turn = turn();
    let only = std::env::var(ONLY).unwrap_or_default();
    assert!(CASES.iter().any(|case| case.name.contains(&only)), "no case's name holds {ONLY}: {only}");
    let mut faults = Vec::new();
    for stack in ["php", "java"] {
        let sandbox = Sandbox::new();
        prepare(&sandbox, stack);
        for case in CASES.iter().filter(|case| case.stack == stack && case.name.contains(&only)) {
            faults.extend(examine(&sandbox, case));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Its figures would be those of the generator, so there are none that count, whatever limits the site.
#[test]
#[ignore = "part of make test-machine"]
fn a_held_up_generator_makes_its_points_invalid() {
    if !crate::testbed::can_have_hosts() {
        return;
    }
    let _turn = turn();
    let sandbox = Sandbox::new();
    prepare(&sandbox, "php");
    let case = &CASES[0];
    let mut run = sandbox.start(command(&sandbox, case, &Site::of(case)));
    run.expect("clients for");
    // It gets half of the time, up to the window's end.
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(8) {
        for signal in [Signal::STOP, Signal::CONT] {
            run.signal(signal);
            thread::sleep(Duration::from_millis(100));
        }
    }
    run.end().expect(7, &[]);
    let failed = failed(&sandbox.points()[0]);
    assert!(failed.iter().any(|check| check.starts_with("lateness: ")), "{failed:#?}");
}
