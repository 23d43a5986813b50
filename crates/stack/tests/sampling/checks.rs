//! The checks.

use crate::{
    children,
    house::{AUCTION_IN_MARIADB, COMMENTS_IN_POSTGRESQL, Case, Client, House, Kept, with_case, with_site},
    jvm, kept, put_back,
};
use results::{Gauge, Sample, TierFigures, TierSample};
use stack::{Sampled, Sampling, Site};
use std::{
    thread,
    time::{Duration, Instant},
};

pub const ALL: [(&str, fn()); 12] = [
    ("an_idle_site_is_idle_and_its_questions_are_not_counted", idle),
    ("who_waits_for_a_table_lock_is_seen_in_every_tier", table_lock),
    ("who_waits_for_a_row_is_told_apart", row_lock),
    ("processes_that_idle_connections_hold_are_busy_and_still_answer", held_workers),
    ("looking_at_forty_or_six_hundred_processes_costs_less_than_a_hundredth_of_a_core", cost),
    ("what_programs_use_that_live_for_one_request_is_counted_in_full", children::cgi),
    ("a_jvm_tells_of_its_heap_its_threads_and_who_waits_for_a_connection", jvm::gauges),
    ("what_its_collectors_take_is_seen_of_a_jvm", jvm::collections),
    ("looking_into_a_jvm_costs_less_than_a_hundredth_of_a_core", jvm::cost),
    ("a_server_without_its_application_has_not_started", jvm::without_application),
    ("requests_share_the_connections_to_the_tier_behind", kept::connections),
    ("data_are_put_back_below_tiers_that_go_on_running", put_back::data),
];

/// Samples a site for some seconds, once a second, while something is done with it.
pub fn sample(site: &Site<'_>, seconds: u64, work: impl FnOnce() + Send) -> (Sampled, Vec<Sample>) {
    let mut sampling = Sampling::begin(site);
    let mut silent: Vec<usize> = (0..sampling.tick(Duration::ZERO).tiers.len()).collect();
    until(|| {
        let sample = sampling.tick(Duration::ZERO);
        // The store's first rates need two answers.
        let works = |tier: &TierSample| KEPT.iter().any(|kept| tier.gauges.contains_key(kept.work));
        let says = |tier: &TierSample| tier.role != "db" || works(tier);
        silent.retain(|at| sample.tiers[*at].gauges.is_empty() || !says(&sample.tiers[*at]));
        silent.is_empty()
    });
    let begin = Instant::now();
    sampling.open_window(begin.elapsed());
    let mut samples = Vec::new();
    thread::scope(|scope| {
        scope.spawn(work);
        for second in 1..seconds {
            thread::sleep(Duration::from_secs(second).saturating_sub(begin.elapsed()));
            samples.push(sampling.tick(begin.elapsed()));
        }
    });
    thread::sleep(Duration::from_secs(seconds).saturating_sub(begin.elapsed()));
    samples.push(sampling.close_window(begin.elapsed()));
    (sampling.finish().unwrap(), samples)
}

/// Waits until something is so; fails if it never is.
pub fn until(mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_secs(120), "waited in vain");
        thread::sleep(Duration::from_millis(50));
    }
}

pub fn tier<'a>(sampled: &'a Sampled, role: &str) -> &'a TierFigures {
    sampled.tiers.iter().find(|tier| tier.role == role).unwrap()
}

pub fn gauge<'a>(tier: &'a TierFigures, name: &str) -> &'a Gauge {
    let found = tier.gauges.iter().find(|gauge| gauge.name == name);
    found.unwrap_or_else(|| panic!("no {name} among {:?}, blind: {:?}", tier.gauges, tier.blind))
}

/// The applications in the databases that sites of PHP are looked at with.
const KEPT: [Kept; 2] = [AUCTION_IN_MARIADB, COMMENTS_IN_POSTGRESQL];

/// PHP with three processes, behind a web server that has more workers than are needed.
fn three_children(kept: Kept) -> Case<'static> {
    let factors = &[("children", "3"), ("workers", "64")];
    Case { kept, stack: "php", name: "WsPhpFpm-DB", factors }
}

fn idle() {
    KEPT.into_iter().for_each(idle_in);
}

fn idle_in(kept: Kept) {
    with_case(three_children(kept), |site, house| {
        // Wakes everybody, and makes the connections to the database.
        let mut client = Client::connect(site);
        client.ask(kept.page);
        assert!(client.answer().starts_with("HTTP/1.1 200"));
        site.trace_statements(true).unwrap().unwrap();
        let (sampled, samples) = sample(site, 3, || ());
        let traced = site.take_statements().unwrap().unwrap();
        assert_eq!((traced.statements.len(), traced.round_trips), (0, 0), "{traced:?}");
        let [web, app, db] = ["web", "app", "db"].map(|role| tier(&sampled, role));
        assert_eq!(gauge(db, kept.work).max, 0.0);
        assert_eq!((gauge(db, "connections").max, gauge(db, "connections").limit), (1.0, Some(1000.0)));
        assert_eq!(gauge(db, "running statements").max, 0.0);
        assert_eq!((gauge(app, "busy processes").max, gauge(app, "busy processes").limit), (0.0, Some(3.0)));
        assert_eq!((gauge(web, "busy workers").max, gauge(web, "busy workers").limit), (0.0, Some(64.0)));
        for tier in [web, app, db] {
            let cpu = tier.cpu_user_s + tier.cpu_system_s;
            assert!(cpu > 0.0 && cpu < 0.3, "{} has used {cpu} s", tier.role);
            assert!(tier.resident_bytes > tier.proportional_bytes.unwrap());
            assert!(tier.processes >= 1 && tier.threads >= tier.processes && tier.switches_per_s > 0.0);
            let known = |said: &&String| said.starts_with("Network") || said.contains("control groups");
            assert_eq!(tier.blind.iter().find(|said| !known(said)), None);
            assert!(tier.blind.iter().any(|said| said.starts_with("Network")));
        }
        // The master, three children, and the one that answers how they are.
        assert_eq!((app.processes, app.threads), (5, 5));
        assert_eq!(samples.len(), 3);
        assert!(samples.iter().map(|sample| sample.length_s).sum::<f64>() >= 2.99, "{samples:?}");
        assert!(samples.iter().all(|sample| sample.tiers[0].gauges["connections"] == 1.0));
        assert!(sampled.host.cores > 0 && sampled.host.mean.available_bytes > 0);
        nothing_is_public(site, house);
    });
}

/// The status pages are not shown to clients, whatever they ask for.
fn nothing_is_public(site: &Site<'_>, house: &House) {
    let secret = house.file("app-php-fpm/fpm.conf");
    let secret = secret.lines().find_map(|line| line.strip_prefix("pm.status_path = ")).unwrap();
    assert!(secret.len() > 30);
    for path in ["/server-status?auto", "/server-status", "/?auto", "/status", "/fpm-status", "/status.sock"]
    {
        let mut client = Client::connect(site);
        client.ask(path);
        let answer = client.answer();
        let shown =
            ["Scoreboard", "BusyWorkers", "active processes"].iter().any(|word| answer.contains(word));
        assert!(answer.starts_with("HTTP/1.1 404") && !shown, "{path}: {answer}");
    }
}

fn table_lock() {
    KEPT.into_iter().for_each(table_lock_in);
}

fn table_lock_in(kept: Kept) {
    with_case(three_children(kept), |site, house| {
        let mut database = house.database();
        let mut clients: Vec<Client> = (0..5).map(|_| Client::connect(site)).collect();
        let (sampled, _) = sample(site, 4, || {
            database.run(kept.lock);
            clients.iter_mut().for_each(|client| client.ask(kept.page));
            house.wait_for_waiting(3);
            thread::sleep(Duration::from_secs(2));
            database.run(kept.unlock);
            clients.iter_mut().for_each(|client| assert!(client.answer().starts_with("HTTP/1.1 200")));
        });
        let [web, app, db] = ["web", "app", "db"].map(|role| tier(&sampled, role));
        // Three children wait in the database; two more requests wait for a child, and hold a worker each.
        let waiting = gauge(db, "waiting for table locks");
        assert_eq!(waiting.max, 3.0);
        assert!((0.1..3.0).contains(&waiting.mean), "three wait, but not all the time: {}", waiting.mean);
        assert_eq!(gauge(app, "busy processes").max, 3.0);
        assert_eq!(gauge(web, "busy workers").max, 5.0);
        assert!(gauge(db, kept.work).max >= 1.0);
    });
}

/// Three comments wait for rows with their ids, which somebody else has made and not yet acknowledged.
fn row_lock() {
    with_case(three_children(COMMENTS_IN_POSTGRESQL), |site, house| {
        let mut database = house.database();
        let mut clients: Vec<Client> = (0..3).map(|_| Client::connect(site)).collect();
        let (sampled, _) = sample(site, 4, || {
            database.run(
                "BEGIN; INSERT INTO comments SELECT MAX(id) + n, '', '', '' FROM comments, generate_series(1, 3) n \
                 GROUP BY n",
            );
            for client in &mut clients {
                client.send("/comments/StoreComment", "name=Ada&email=ada%40example.org&comment=Waits");
            }
            house.wait_for_waiting(3);
            thread::sleep(Duration::from_secs(2));
            database.run("ROLLBACK");
            clients.iter_mut().for_each(|client| assert!(client.answer().starts_with("HTTP/1.1 200")));
        });
        let db = tier(&sampled, "db");
        let waiting = gauge(db, "waiting for row locks");
        assert_eq!(waiting.max, 3.0);
        assert!((0.1..3.0).contains(&waiting.mean), "three wait, but not all the time: {}", waiting.mean);
        assert_eq!(gauge(db, "waiting for table locks").max, 0.0);
        assert_eq!(gauge(tier(&sampled, "app"), "busy processes").max, 3.0);
    });
}

fn held_workers() {
    with_site("php", "WsPhp-DB", &[("workers", "4"), ("keep_alive", "60s")], |site, _| {
        let (mut clients, mut late) = (Vec::new(), Client::connect(site));
        let (sampled, samples) = sample(site, 4, || {
            for _ in 0..4 {
                let mut client = Client::connect(site);
                client.ask("/auction/BrowseCategories");
                assert!(client.answer().starts_with("HTTP/1.1 200"));
                clients.push(client);
            }
            late.ask("/auction/BrowseCategories");
        });
        let busy = gauge(tier(&sampled, "web"), "busy workers");
        assert_eq!((busy.max, busy.limit), (4.0, Some(4.0)));
        assert_eq!(samples[3].tiers[1].gauges["busy workers"], 4.0);
        drop(clients);
        assert!(late.answer().starts_with("HTTP/1.1 200"));
    });
}

/// How long the cost of looking is measured each time, in seconds, and how often at most, as others on the machine and
/// compilers of a JVM can only add to it.
pub const MEASURED: u64 = 10;
pub const ROUNDS: usize = 8;
/// What looking may cost, in cores.
pub const LITTLE: f64 = 0.01;

fn cost() {
    for processes in [40, 600] {
        // All but the two servers' first processes, and the one that is there for the status page.
        let workers = (processes - 3).to_string();
        with_site("php", "WsPhp-DB", &[("workers", &workers)], |site, _| {
            let running = |sample: &Sample| sample.tiers.iter().map(|tier| tier.processes).sum::<u32>();
            let mut starting = Sampling::begin(site);
            until(|| running(&starting.tick(Duration::ZERO)) == processes);
            drop(starting);
            let cheap = (0..ROUNDS).any(|_| {
                let (sampled, samples) = sample(site, MEASURED, || ());
                println!(
                    "looking at {processes} processes cost {:.2} % of a core, and {:.2} % to answer",
                    sampled.sampler_cpu * 100.0,
                    sampled.tiers.iter().map(|tier| tier.cores).sum::<f64>() * 100.0,
                );
                assert!(samples.iter().all(|sample| running(sample) == processes));
                sampled.sampler_cpu < LITTLE
            });
            assert!(cheap);
        });
    }
}
