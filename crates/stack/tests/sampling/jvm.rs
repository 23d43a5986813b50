//! The checks of what runs in a JVM.

use crate::{
    checks::{LITTLE, MEASURED, ROUNDS, gauge, sample, tier, until},
    house::{
        AUCTION_IN_MARIADB, COMMENTS_IN_POSTGRESQL, Case, Client, House, Kept, with_built, with_case,
        with_site,
    },
};
use stack::Site;
use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    path::Path,
    thread,
    time::{Duration, Instant},
};

const BUSY_THREADS: &str = "busy threads";
const BUSY_CONNECTIONS: &str = "busy connections";
const WAITING: &str = "requests waiting for connections";
const HEAP: &str = "heap used MiB";
const PAUSES: &str = "collector pauses %";

/// The versions of the JVM that are here, of those that the factor has.
fn jdks() -> Vec<&'static str> {
    let is_here = |jdk: &&str| {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../services/tomcat/templates/java.sh");
        let found = std::process::Command::new("sh").arg(script).arg(jdk).output().unwrap().status.success();
        if !found {
            println!("left out: there is no JVM of version {jdk} here");
        }
        found
    };
    ["17", "25"].into_iter().filter(is_here).collect()
}

pub fn gauges() {
    let (pool, shared) = (("pool", "1"), ("connection", "shared"));
    let cases = [(AUCTION_IN_MARIADB, pool), (AUCTION_IN_MARIADB, shared), (COMMENTS_IN_POSTGRESQL, pool)];
    for jdk in jdks() {
        for (kept, connections) in cases {
            let factors = &[("jdk", jdk), ("heap", "64m"), ("threads", "4"), connections];
            with_case(Case { kept, stack: "java", name: "Servlet-DB", factors }, |site, house| {
                at_rest(site);
                stuck(kept, site, house);
                nothing_is_public(site);
            });
        }
    }
    // Also behind a web server, which passes everything on.
    with_site("java", "WsServlet-DB", &[], |site, _| nothing_is_public(site));
}

fn at_rest(site: &Site<'_>) {
    let (sampled, samples) = sample(site, 3, || ());
    let app = tier(&sampled, "app");
    let heap = gauge(app, HEAP);
    assert_eq!(heap.limit, Some(64.0));
    assert!(heap.mean > 1.0 && heap.max <= 64.0, "{heap:?}");
    assert_eq!((gauge(app, BUSY_THREADS).max, gauge(app, BUSY_THREADS).limit), (0.0, Some(4.0)));
    assert_eq!((gauge(app, BUSY_CONNECTIONS).max, gauge(app, BUSY_CONNECTIONS).limit), (0.0, Some(1.0)));
    assert_eq!((gauge(app, WAITING).max, gauge(app, WAITING).limit), (0.0, None));
    assert!(gauge(app, PAUSES).max < 100.0);
    // A JVM that has just started may take longer than a second for one of its answers.
    let told = samples.iter().filter(|sample| sample.tiers[1].gauges.contains_key(HEAP)).count();
    assert!(told + 1 >= samples.len(), "{samples:?}");
}

/// Three requests hold a thread each; one has the only connection and waits in the database.
fn stuck(kept: Kept, site: &Site<'_>, house: &House) {
    let mut database = house.database();
    let mut clients: Vec<Client> = (0..3).map(|_| Client::connect(site)).collect();
    let (sampled, _) = sample(site, 4, || {
        database.run(kept.lock);
        clients.iter_mut().for_each(|client| client.ask(kept.page));
        house.wait_for_waiting(1);
        thread::sleep(Duration::from_secs(2));
        database.run(kept.unlock);
        clients.iter_mut().for_each(|client| assert!(client.answer().starts_with("HTTP/1.1 200")));
    });
    let app = tier(&sampled, "app");
    assert_eq!(gauge(app, BUSY_THREADS).max, 3.0);
    assert_eq!(gauge(app, BUSY_CONNECTIONS).max, 1.0);
    assert_eq!(gauge(app, WAITING).max, 2.0);
    assert_eq!(gauge(tier(&sampled, "db"), "waiting for table locks").max, 1.0);
}

/// What the agent and Tomcat tell is not shown to clients, whatever they ask for.
fn nothing_is_public(site: &Site<'_>) {
    let paths = [
        "/metrics",
        "/metrics?name[]=jvm_memory_used_bytes",
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

/// The counter of the seconds that collections took.
const COLLECTIONS: &str = "jvm_gc_collection_seconds_sum";

pub fn collections() {
    for jdk in jdks() {
        with_site("java", "Servlet-DB", &[("jdk", jdk), ("heap", "32m")], |site, house| {
            let (sampled, _) = sample(site, 3, || {
                let mut agent = Agent::of(house);
                let before = agent.collected_s();
                let mut client = Client::connect(site);
                until(|| {
                    for _ in 0..100 {
                        client.ask("/auction/BrowseCategories");
                        assert!(client.answer().starts_with("HTTP/1.1 200"));
                    }
                    agent.collected_s() > before
                });
                // The next question sees it.
                thread::sleep(Duration::from_secs(2));
            });
            let pauses = gauge(tier(&sampled, "app"), PAUSES);
            println!("Java {jdk}: {:.2} % of the time, {:.2} % in one second", pauses.mean, pauses.max);
            assert!(pauses.max > 0.0 && pauses.max < 100.0, "{pauses:?}");
            assert!(gauge(tier(&sampled, "app"), HEAP).max <= 32.0);
        });
    }
}

/// How often the agent is asked before its cost is measured, so that its code is compiled as it would be after some
/// minutes.
const WARM_UP: usize = 1000;

pub fn cost() {
    for jdk in jdks() {
        with_site("java", "Servlet-DB", &[("jdk", jdk)], |site, house| {
            let mut agent = Agent::of(house);
            (0..WARM_UP).for_each(|_| drop(agent.ask()));
            drop(agent);
            let pid = process_of(house);
            let [mut alone, mut watched, mut looking] = [f64::MAX; 3];
            let mut answering = f64::MAX;
            for _ in 0..ROUNDS {
                alone = alone.min(cores_over(pid, || thread::sleep(Duration::from_secs(MEASURED))));
                let look = || looking = looking.min(sample(site, MEASURED, || ()).0.sampler_cpu);
                watched = watched.min(cores_over(pid, look));
                answering = (watched - alone).max(0.0);
                if looking + answering < LITTLE {
                    break;
                }
            }
            println!(
                "Java {jdk}: looking cost {:.2} % of a core, and {:.2} % to answer beside {:.2} % at rest",
                looking * 100.0,
                answering * 100.0,
                alone * 100.0
            );
            assert!(looking + answering < LITTLE);
        });
    }
}

/// A connection to the agent, on which it is asked as the sampler asks.
struct Agent(TcpStream);

impl Agent {
    fn of(house: &House) -> Self {
        let script = house.file("app-tomcat/start.sh");
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

    /// How long collections have taken so far.
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

/// The JVM of a site.
fn process_of(house: &House) -> u32 {
    let base = format!("-Dcatalina.base={}", house.path("app-tomcat").display());
    let is_it = |pid: &u32| {
        let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&words).split('\0').any(|word| word == base)
    };
    let all =
        fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    all.into_iter().find(is_it).unwrap()
}

/// How many cores a process uses meanwhile.
fn cores_over(pid: u32, meanwhile: impl FnOnce()) -> f64 {
    let (begin, used) = (Instant::now(), cpu_s(pid));
    meanwhile();
    (cpu_s(pid) - used) / begin.elapsed().as_secs_f64()
}

/// The CPU time that a process has taken, with its threads that have ended.
fn cpu_s(pid: u32) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    // User and system time, in hundredths of a second on every Linux.
    [11, 12].iter().map(|field| fields[*field].parse::<f64>().unwrap()).sum::<f64>() / 100.0
}

pub fn without_application() {
    for (name, role) in [("Servlet-DB", "app"), ("WsServlet-DB", "web")] {
        with_built(Case { kept: AUCTION_IN_MARIADB, stack: "java", name, factors: &[] }, |site, house| {
            let script = house.path(&format!("{role}-tomcat/start.sh"));
            let good = fs::read_to_string(&script).unwrap();
            fs::write(&script, format!("export TIERBENCH_DB_PASSWORD=wrong\n{good}")).unwrap();
            let said = site.start_fresh().unwrap_err().to_string();
            assert!(
                said.starts_with(
                    "tomcat answers, but what it is there for did not start: the database refuses"
                ),
                "{said}"
            );
            assert!(said.contains("Access denied for user") && !said.contains("\tat "), "{said}");
            fs::write(&script, good).unwrap();

            let library = house.path("site/target/web/auction/WEB-INF/web.xml");
            let good = fs::read_to_string(&library).unwrap();
            fs::write(&library, good.replace("AuctionServlet", "AbsentServlet")).unwrap();
            let said = site.start_fresh().unwrap_err().to_string();
            assert!(said.contains("Tomcat could not start the web application"), "{said}");
            assert!(said.contains("ClassNotFoundException: tierbench.auction.web.AbsentServlet"), "{said}");

            fs::write(&library, good).unwrap();
            site.start_fresh().unwrap();
        });
    }
}
