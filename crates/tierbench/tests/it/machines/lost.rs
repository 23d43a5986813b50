//! Ends of a run on another machine that nobody planned.

use super::remote_machine::Machine;
use crate::{
    processes::{family, signal},
    sandbox::{QUICK, Running, Sandbox, turn},
};
use rustix::process::Signal;
use std::fs;

/// The victim of a kill: processes by words of theirs.
fn kill(machine: &Machine, run: &Running<'_>, victim: &str) {
    let config = machine.path().join("ssh_config").display().to_string();
    let killed = match victim {
        "laboratory" => vec![run.id()],
        "ssh" => {
            let own = family(run.id());
            machine.processes(&[&config]).into_iter().filter(|process| own.contains(process)).collect()
        }
        "serve" => machine.processes(&["/tierbench/hosts/", " host-serve"]),
        "answer" => machine.processes(&["/tierbench ", " host-answer "]),
        _ => machine.supervisors(),
    };
    assert!(!killed.is_empty(), "there is no {victim} to kill");
    killed.into_iter().for_each(|process| signal(process, Signal::KILL));
}

/// Only here does each end of the connection die while servers work.
#[test]
#[ignore = "takes a minute"]
fn a_kill_of_either_end_leaves_nothing_there_and_the_fault_names_the_host() {
    let Some(machine) = Machine::new() else { return };
    let _turn = turn();
    let (sandbox, place) = (Sandbox::new(), Sandbox::new());
    let up = machine.up(&place);
    let testbed = machine.testbed("all");
    for victim in ["laboratory", "ssh", "serve", "answer", "supervisor"] {
        let mut command =
            up.command(&["run", "comments", "WsPhpFpm-DB", "--clients", "5", "--window", "600s"]);
        command.args(QUICK).args(["--testbed", &testbed, "--out"]).arg(sandbox.result());
        let run = sandbox.start(command);
        machine.expect_served();
        kill(&machine, &run, victim);
        let ended = run.end();
        machine.expect_nothing_left();
        match victim {
            "laboratory" => assert_eq!(ended.code(), None),
            "supervisor" => drop(ended.expect(4, &["apache"])),
            _ => drop(ended.expect(4, &["the host `web` was lost"])),
        }
        fs::remove_dir_all(sandbox.result()).unwrap();
    }
}
