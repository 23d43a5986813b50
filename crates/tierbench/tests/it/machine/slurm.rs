//! Nodes of a real Slurm: its own daemons, on hosts of a testbed.

use crate::{
    machines::cluster::{Cluster, ClusterUp, Job},
    processes::{parent, signal},
    sandbox::{QUICK, Sandbox, all_turns, code_of},
};
use rustix::process::Signal;

/// The words of a quick measurement into the sandbox's result.
fn quickly(sandbox: &Sandbox, words: &[&str]) -> Vec<String> {
    let out = sandbox.result().display().to_string();
    let all = words.iter().copied().chain(QUICK).chain(["--out", out.as_str()]);
    all.map(ToOwned::to_owned).collect()
}

fn submit<'u>(up: &'u ClusterUp<'_>, testbed: &str, words: &[String]) -> Job<'u> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    up.submit(testbed, &words)
}

#[test]
#[ignore = "part of make test-machine"]
fn jobs_of_slurm_verify_measure_with_two_generators_and_compare() {
    let Some(cluster) = Cluster::new() else { return };
    let _turns = all_turns();
    let (sandbox, compared) = (Sandbox::new(), Sandbox::new());
    let place = Sandbox::new();
    let up = cluster.up(&place);
    let words =
        ["verify", "comments", "WsPhp-DB", "--smoke", "--scale", "0.002", "--factor", "engine=InnoDB"];
    let (code, printed) = up.submit("slurm", &words).end();
    assert!(code == Some(0) && printed.contains("WsPhp-DB: verified"), "{code:?} {printed}");
    up.expect_nothing_left();

    let words = quickly(&sandbox, &["run", "comments", "WsPhp-DB", "--clients", "8", "--window", "4s"]);
    let (code, printed) = submit(&up, "two", &words).end();
    println!("{printed}");
    let points = sandbox.points();
    assert_eq!(code, Some(code_of(&points)), "{printed}");
    let [point] = &points[..] else { panic!("one load, once") };
    let generators: Vec<&str> = point.generators.iter().map(|one| one.host.as_str()).collect();
    assert_eq!(generators, ["client", "work"]);
    let audit = point.audit.as_ref().unwrap();
    assert!(audit.faults().is_empty() && !audit.accounts.is_empty(), "{audit:?}");
    let node = |name: &str| {
        let host = point.hosts.iter().find(|host| host.mean.name == name);
        host.and_then(|host| host.node.clone()).unwrap_or_default()
    };
    assert!(node("web").starts_with("web") && node("db").starts_with("db"), "{:?}", point.hosts);
    up.expect_nothing_left();

    let words = ["compare", "comments", "WsPhp-DB", "WsPhpFpm-DB", "--clients", "6", "--window", "6s"];
    let (code, printed) = submit(&up, "slurm", &quickly(&compared, &words)).end();
    let points = compared.points();
    assert_eq!(code, Some(code_of(&points)), "{printed}");
    assert_eq!(points.len(), 2);
    up.expect_nothing_left();
}

/// The processes that a kill of this victim hits.
fn victims(up: &ClusterUp<'_>, victim: &str) -> Vec<u32> {
    let laboratory = || up.processes(&["/tierbench ", " --workspace ", " run "]);
    match victim {
        "laboratory" => laboratory(),
        "srun" => {
            let (laboratory, all) = (laboratory(), up.processes(&["srun ", "--nodelist=web"]));
            all.into_iter().filter(|process| laboratory.contains(&parent(*process))).collect()
        }
        "answer" => up.processes(&["there-web", "/tierbench host-answer "]),
        _ => up.processes(&[" supervise ", "there-web", "apache2"]),
    }
}

/// Each ends the job with a result that says why, and the next job goes on with it.
#[test]
#[ignore = "part of make test-machine"]
fn a_kill_within_a_job_leaves_nothing_and_the_next_job_resumes() {
    let Some(cluster) = Cluster::new() else { return };
    let _turns = all_turns();
    let (sandbox, place) = (Sandbox::new(), Sandbox::new());
    let up = cluster.up(&place);
    let loads = "5,6,7,8,9,10";
    let mut words = quickly(&sandbox, &["run", "comments", "WsPhp-DB", "--clients", loads, "--window", "2s"]);
    let resume = ["run", "--resume", &sandbox.result().display().to_string()].map(ToOwned::to_owned);
    for (clients, victim, reason) in [
        (6, "laboratory", ""),
        (7, "srun", "the host `web` was lost"),
        (8, "answer", "the host `web` was lost"),
        (9, "supervisor", "apache"),
        (10, "interrupt", "interrupted"),
    ] {
        let job = submit(&up, "two", &words);
        job.expect(&format!("{clients} clients for"));
        if victim == "interrupt" {
            job.signal("INT");
        } else {
            let hit = victims(&up, victim);
            assert!(!hit.is_empty(), "there is no {victim} to kill");
            hit.into_iter().for_each(|process| signal(process, Signal::KILL));
        }
        let (code, printed) = job.end();
        up.expect_nothing_left();
        let ending = sandbox.manifest().ending;
        match victim {
            "laboratory" => assert!(ending.is_none(), "{ending:?}"),
            _ => {
                let ending = ending.unwrap();
                assert!(!ending.complete && ending.reason.as_ref().unwrap().contains(reason), "{ending:?}");
                assert!(printed.contains("--resume"), "{victim} {code:?}: {printed}");
            }
        }
        words = resume.to_vec();
    }
    let (code, printed) = submit(&up, "two", &words).end();
    let points = sandbox.points();
    assert_eq!(code, Some(code_of(&points)), "{printed}");
    let clients: Vec<u32> = points.iter().map(|point| point.clients).collect();
    assert_eq!(clients, [5, 6, 7, 8, 9, 10]);
    assert!(points.iter().all(|point| point.audit.as_ref().unwrap().faults().is_empty()));
    up.expect_nothing_left();
}
