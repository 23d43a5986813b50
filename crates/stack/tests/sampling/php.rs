//! Checks of sites in PHP.

use crate::{
    looking::{Looking, gauge, tier, until},
    workspace::{Client, Workspace},
};
use results::Sample;
use stack::{Sampling, Site};
use std::time::Duration;

/// Factors for few PHP processes behind a web server with more workers than needed.
pub const THREE_CHILDREN: &[(&str, &str)] = &[("children", "3"), ("workers", "64")];

/// On an idle site, the laboratory's own requests do not count as work.
pub fn idle(site: &mut Site<'_>, workspace: &Workspace) {
    let kept = workspace.kept;
    // Wakes all processes, and makes the connections to the database.
    let mut client = Client::connect(site);
    client.ask(kept.page);
    assert!(client.answer().starts_with("HTTP/1.1 200"));
    site.trace_statements(true).unwrap().unwrap();
    let sampled = Looking::at(site, kept.work).figures();
    let traced = site.take_statements().unwrap().unwrap();
    site.trace_statements(false).unwrap().unwrap();
    assert_eq!((traced.statements.len(), traced.round_trips), (0, 0), "{traced:?}");
    let [web, app, db] = ["web", "app", "db"].map(|role| tier(&sampled, role));
    assert_eq!(gauge(db, kept.work).max, 0.0);
    assert_eq!((gauge(db, "connections").max, gauge(db, "connections").limit), (1.0, Some(1000.0)));
    assert_eq!((gauge(db, "connections").mean, gauge(db, "running statements").max), (1.0, 0.0));
    assert_eq!((gauge(app, "busy processes").max, gauge(app, "busy processes").limit), (0.0, Some(3.0)));
    assert_eq!((gauge(web, "busy workers").max, gauge(web, "busy workers").limit), (0.0, Some(64.0)));
    for tier in [web, app, db] {
        assert!(tier.resident_bytes > tier.proportional_bytes.unwrap());
        assert!(tier.processes >= 1 && tier.threads >= tier.processes && tier.switches_per_s > 0.0);
        // On a slow machine answers may be late, which is reported too.
        let known = ["Network", "control groups", "answers took too long"];
        let is_known = |said: &&String| known.iter().any(|part| said.contains(part));
        assert_eq!(tier.blind.iter().find(|said| !is_known(said)), None);
        assert!(tier.blind.iter().any(|said| said.starts_with("Network")));
    }
    // The master, three children, and the one with the status page.
    assert_eq!((app.processes, app.threads), (5, 5));
    assert!(sampled.host.cores > 0 && sampled.host.mean.available_bytes > 0);
}

/// The status pages are not public.
pub fn nothing_is_public(site: &mut Site<'_>, workspace: &Workspace) {
    let secret = workspace.file("app-php-fpm/fpm.conf");
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

/// A wait for a table lock shows in every tier.
pub fn table_lock(site: &mut Site<'_>, workspace: &Workspace) {
    let kept = workspace.kept;
    let mut database = workspace.database();
    let mut clients: Vec<Client> = (0..5).map(|_| Client::connect(site)).collect();
    let mut looking = Looking::at(site, kept.work);
    database.run(kept.lock);
    clients.iter_mut().for_each(|client| client.ask(kept.page));
    workspace.wait_for_waiting(3);
    // Three children wait in the database; two more requests wait for a child, and hold a worker each.
    looking.expect(&[
        ("db", "waiting for table locks", 3.0),
        ("app", "busy processes", 3.0),
        ("web", "busy workers", 5.0),
    ]);
    database.run(kept.unlock);
    clients.iter_mut().for_each(|client| assert!(client.answer().starts_with("HTTP/1.1 200")));
    looking.expect_more("db", kept.work, 0.0);
    looking.expect(&[("db", "waiting for table locks", 0.0), ("app", "busy processes", 0.0)]);
}

/// Three comments wait for rows with their ids, inserted by a transaction still open.
pub fn row_lock(site: &mut Site<'_>, workspace: &Workspace) {
    let mut database = workspace.database();
    let mut clients: Vec<Client> = (0..3).map(|_| Client::connect(site)).collect();
    let mut looking = Looking::at(site, workspace.kept.work);
    database.run(
        "BEGIN; INSERT INTO comments SELECT MAX(id) + n, '', '', '' FROM comments, generate_series(1, 3) n \
         GROUP BY n",
    );
    for client in &mut clients {
        client.send("/comments/StoreComment", "name=Ada&email=ada%40example.org&comment=Waits");
    }
    workspace.wait_for_waiting(3);
    looking.expect(&[
        ("db", "waiting for row locks", 3.0),
        ("db", "waiting for table locks", 0.0),
        ("app", "busy processes", 3.0),
    ]);
    database.run("ROLLBACK");
    clients.iter_mut().for_each(|client| assert!(client.answer().starts_with("HTTP/1.1 200")));
    looking.expect(&[("db", "waiting for row locks", 0.0)]);
}

/// Factors of a site whose processes each serve one connection.
pub const FOUR_WORKERS: &[(&str, &str)] = &[("workers", "4"), ("keep_alive", "60s")];

/// Processes held by idle connections are busy, and still answer status requests.
pub fn held_workers(site: &mut Site<'_>, workspace: &Workspace) {
    let mut looking = Looking::at(site, workspace.kept.work);
    let mut clients = Vec::new();
    for _ in 0..4 {
        let mut client = Client::connect(site);
        client.ask(workspace.kept.page);
        assert!(client.answer().starts_with("HTTP/1.1 200"));
        clients.push(client);
    }
    let mut late = Client::connect(site);
    late.ask(workspace.kept.page);
    looking.expect(&[("web", "busy workers", 4.0)]);
    let sampled = looking.figures();
    let busy = gauge(tier(&sampled, "web"), "busy workers");
    assert_eq!((busy.mean, busy.max, busy.limit), (4.0, 4.0, Some(4.0)));
    drop(clients);
    assert!(late.answer().starts_with("HTTP/1.1 200"));
}

/// Length of a measurement of sampling's cost, and their number: other processes and JIT compilers can only add to
/// it.
pub const MEASURED: Duration = Duration::from_secs(10);
pub const ROUNDS: usize = 8;
pub const LITTLE: f64 = 0.01;

/// Of 40 and of 600 processes, all but the two servers' first ones and the one with the status page.
pub const FORTY_PROCESSES: &[(&str, &str)] = &[("workers", "37")];
pub const SIX_HUNDRED_PROCESSES: &[(&str, &str)] = &[("workers", "597")];

/// Sampling forty processes costs less than a hundredth of a core.
pub fn cost_of_forty(site: &mut Site<'_>, workspace: &Workspace) {
    cost(site, workspace, 40);
}

/// Sampling six hundred does so too.
pub fn cost_of_six_hundred(site: &mut Site<'_>, workspace: &Workspace) {
    cost(site, workspace, 600);
}

fn cost(site: &Site<'_>, workspace: &Workspace, processes: u32) {
    let running = |sample: &Sample| sample.tiers.iter().map(|tier| tier.processes).sum::<u32>();
    let mut starting = Sampling::begin(site);
    until(|| running(&starting.tick(Duration::ZERO)) == processes);
    drop(starting);
    let mut costs = Vec::new();
    while costs.len() < ROUNDS && costs.iter().all(|cost| *cost >= LITTLE) {
        let sampled = Looking::at(site, workspace.kept.work).for_long(MEASURED);
        println!(
            "looking at {processes} processes cost {:.2} % of a core, and {:.2} % to answer",
            sampled.sampler_cpu * 100.0,
            sampled.tiers.iter().map(|tier| tier.cores).sum::<f64>() * 100.0,
        );
        costs.push(sampled.sampler_cpu);
    }
    assert!(costs.iter().any(|cost| *cost < LITTLE), "{costs:?}");
}
