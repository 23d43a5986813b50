//! Checks of sites in a JVM.

use crate::{
    looking::{Looking, gauge, tier, until},
    php::{LITTLE, MEASURED, ROUNDS},
    workspace::{Client, Workspace},
};
use stack::Site;
use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    path::Path,
    process::Command,
    thread,
    time::Instant,
};

const BUSY_THREADS: &str = "busy threads";
const BUSY_CONNECTIONS: &str = "busy connections";
const WAITING: &str = "requests waiting for connections";
const HEAP: &str = "heap used MiB";
const PAUSES: &str = "collector pauses %";

/// Heap of sites with a single connection, in MiB: small enough to be collected soon.
const MOST_HEAP: f64 = 32.0;

pub fn is_here(jdk: &str) -> bool {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../services/tomcat/templates/java.sh");
    Command::new("sh").arg(script).arg(jdk).output().unwrap().status.success()
}

/// A JVM reports its heap, threads and connections.
pub fn at_rest(site: &mut Site<'_>, workspace: &Workspace) {
    let sampled = Looking::at(site, workspace.kept.work).figures();
    let app = tier(&sampled, "app");
    let heap = gauge(app, HEAP);
    assert_eq!(heap.limit, Some(MOST_HEAP));
    assert!(heap.mean > 1.0 && heap.max <= MOST_HEAP, "{heap:?}");
    assert_eq!((gauge(app, BUSY_THREADS).max, gauge(app, BUSY_THREADS).limit), (0.0, Some(4.0)));
    assert_eq!((gauge(app, BUSY_CONNECTIONS).max, gauge(app, BUSY_CONNECTIONS).limit), (0.0, Some(1.0)));
    assert_eq!((gauge(app, WAITING).max, gauge(app, WAITING).limit), (0.0, None));
    assert!(gauge(app, PAUSES).max < 100.0);
}

/// Three requests hold a thread each; one has the only connection and waits in the database.
pub fn stuck(site: &mut Site<'_>, workspace: &Workspace) {
    let kept = workspace.kept;
    let mut database = workspace.database();
    let mut clients: Vec<Client> = (0..3).map(|_| Client::connect(site)).collect();
    let mut looking = Looking::at(site, kept.work);
    database.run(kept.lock);
    clients.iter_mut().for_each(|client| client.ask(kept.page));
    workspace.wait_for_waiting(1);
    looking.expect(&[
        ("app", BUSY_THREADS, 3.0),
        ("app", BUSY_CONNECTIONS, 1.0),
        ("app", WAITING, 2.0),
        ("db", "waiting for table locks", 1.0),
    ]);
    database.run(kept.unlock);
    clients.iter_mut().for_each(|client| assert!(client.answer().starts_with("HTTP/1.1 200")));
    looking.expect(&[("app", BUSY_THREADS, 0.0), ("app", WAITING, 0.0)]);
}

/// The agent's and Tomcat's status pages are not public.
pub fn nothing_is_public(site: &mut Site<'_>, _: &Workspace) {
    let paths = [
        "/metrics",
        "/metrics?name%5B%5D=jvm_memory_used_bytes",
        "/-/healthy",
        "/",
        "/manager/status",
        "/server-status",
    ];
    for path in paths {
        let mut client = Client::connect(site);
        client.ask(path);
        let answer = client.answer();
        let shown =
            ["jvm_", "tomcat_", "connections_", "Scoreboard"].iter().any(|word| answer.contains(word));
        assert!(answer.starts_with("HTTP/1.1 404") && !shown, "{path}: {answer}");
    }
}

const COLLECTIONS: &str = "jvm_gc_collection_seconds_sum";

/// Collector pauses of a JVM are visible.
pub fn collections(site: &mut Site<'_>, workspace: &Workspace) {
    let mut looking = Looking::at(site, workspace.kept.work);
    let mut agent = Agent::of(workspace);
    let before = agent.collected_s();
    let mut client = Client::connect(site);
    until(|| {
        for _ in 0..100 {
            client.ask(workspace.kept.page);
            assert!(client.answer().starts_with("HTTP/1.1 200"));
        }
        agent.collected_s() > before
    });
    // The next answer includes it at the latest.
    looking.expect_more("app", PAUSES, 0.0);
    let sampled = looking.figures();
    assert!(gauge(tier(&sampled, "app"), PAUSES).max < 100.0);
    assert!(gauge(tier(&sampled, "app"), HEAP).max <= MOST_HEAP);
}

/// The most bytes in an answer of the agent, which gives the requested metrics only.
const MOST_BYTES: usize = 4096;

/// Sampling a JVM is cheap because the request is small: a line or two for each name.
pub fn little_is_asked(_: &mut Site<'_>, workspace: &Workspace) {
    let answer = Agent::of(workspace).ask();
    assert!(answer.len() < MOST_BYTES, "{} bytes: {answer}", answer.len());
}

/// Requests to the agent before its cost is measured, so that its code is compiled.
const WARM_UP: usize = 1000;

/// Sampling a JVM, and answering there, costs less than a hundredth of a core.
pub fn cost(site: &mut Site<'_>, workspace: &Workspace) {
    let mut agent = Agent::of(workspace);
    (0..WARM_UP).for_each(|_| drop(agent.ask()));
    drop(agent);
    let pid = process_of(workspace);
    let [mut alone, mut watched, mut looking, mut answering] = [f64::MAX; 4];
    for _ in 0..ROUNDS {
        alone = alone.min(cores_over(pid, || thread::sleep(MEASURED)));
        let look = || {
            let sampled = Looking::at(site, workspace.kept.work).for_long(MEASURED);
            looking = looking.min(sampled.sampler_cpu);
        };
        watched = watched.min(cores_over(pid, look));
        answering = (watched - alone).max(0.0);
        if looking + answering < LITTLE {
            break;
        }
    }
    println!(
        "looking cost {:.2} % of a core, and {:.2} % to answer beside {:.2} % at rest",
        looking * 100.0,
        answering * 100.0,
        alone * 100.0
    );
    assert!(looking + answering < LITTLE);
}

struct Agent(TcpStream);

impl Agent {
    fn of(workspace: &Workspace) -> Self {
        let script = workspace.file("app-tomcat/start.sh");
        let address = script.lines().find_map(|line| line.split("$agent=").nth(1)?.split(":/").next());
        let stream = TcpStream::connect(address.unwrap()).unwrap();
        // An answer comes in two pieces, of which the second waits until the first is confirmed.
        stream.set_nodelay(true).unwrap();
        Self(stream)
    }

    fn ask(&mut self) -> String {
        let names = [
            "jvm_memory_used_bytes",
            "jvm_memory_max_bytes",
            COLLECTIONS,
            "tomcat_threads_busy",
            "tomcat_threads_max",
        ];
        let names = names.iter().chain(&["connections_active", "connections_max", "connections_waiting"]);
        let query: Vec<String> = names.map(|name| format!("name%5B%5D={name}")).collect();
        write!(self.0, "GET /metrics?{} HTTP/1.1\r\nHost: test\r\n\r\n", query.join("&")).unwrap();
        let mut answer = String::new();
        while !is_whole(&answer) {
            let mut piece = [0; 16384];
            let length = self.0.read(&mut piece).unwrap();
            assert!(length > 0, "{answer}");
            answer += std::str::from_utf8(&piece[..length]).unwrap();
        }
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("tomcat_threads_busy "), "{answer}");
        answer
    }

    fn collected_s(&mut self) -> f64 {
        let page = self.ask();
        let sums = page.lines().filter(|line| line.starts_with(COLLECTIONS));
        sums.map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap()).sum()
    }
}

fn is_whole(answer: &str) -> bool {
    let Some((head, body)) = answer.split_once("\r\n\r\n") else { return false };
    let length = head
        .lines()
        .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    length == Some(body.len())
}

fn process_of(workspace: &Workspace) -> u32 {
    let base = format!("-Dcatalina.base={}", workspace.path("app-tomcat").display());
    let is_it = |pid: &u32| {
        let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&words).split('\0').any(|word| word == base)
    };
    let all =
        fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    all.into_iter().find(is_it).unwrap()
}

/// CPU of a process in cores, during a call.
fn cores_over(pid: u32, meanwhile: impl FnOnce()) -> f64 {
    let (begin, used) = (Instant::now(), cpu_s(pid));
    meanwhile();
    (cpu_s(pid) - used) / begin.elapsed().as_secs_f64()
}

fn cpu_s(pid: u32) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    // User and system time, in hundredths of a second on every Linux.
    [11, 12].iter().map(|field| fields[*field].parse::<f64>().unwrap()).sum::<f64>() / 100.0
}

/// A server without its application has not started, and says why.
pub fn without_application(site: &mut Site<'_>, workspace: &Workspace) {
    let script = ["app", "web"].map(|role| workspace.path(&format!("{role}-tomcat/start.sh")));
    let script = script.into_iter().find(|script| script.exists()).unwrap();
    let good = fs::read_to_string(&script).unwrap();
    fs::write(&script, format!("export TIERBENCH_DB_PASSWORD=wrong\n{good}")).unwrap();
    let said = site.start_fresh().unwrap_err().to_string();
    fs::write(&script, good).unwrap();
    assert!(
        said.starts_with(
            "tomcat accepts connections, but the application in it failed to start: the database refuses"
        ),
        "{said}"
    );
    assert!(said.contains("Access denied for user") && !said.contains("\tat "), "{said}");

    let library = workspace.path("site/target/web/auction/WEB-INF/web.xml");
    let good = fs::read_to_string(&library).unwrap();
    fs::write(&library, good.replace("AuctionServlet", "AbsentServlet")).unwrap();
    let said = site.start_fresh().unwrap_err().to_string();
    fs::write(&library, good).unwrap();
    assert!(said.contains("Tomcat could not start the web application"), "{said}");
    assert!(said.contains("ClassNotFoundException: tierbench.auction.web.AbsentServlet"), "{said}");

    site.start_fresh().unwrap();
}
