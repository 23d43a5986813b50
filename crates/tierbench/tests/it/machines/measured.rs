//! A measurement of servers on another machine.

use super::remote_machine::Machine;
use crate::sandbox::{QUICK, Sandbox, code_of, turn};
use results::Separation;

/// Only here are servers on another machine verified and measured.
#[test]
#[ignore = "takes a minute"]
fn servers_on_another_machine_are_verified_and_measured_and_leave_nothing_there() {
    let Some(machine) = Machine::new() else { return };
    let _turn = turn();
    let (sandbox, place) = (Sandbox::new(), Sandbox::new());
    let up = machine.up(&place);
    let testbed = machine.testbed("all");
    let ended = sandbox.finish(up.command(&["testbed", "up", &testbed]));
    ended.expect(0, &[]);
    ended.expect_output("round trip");
    let words = ["verify", "comments", "WsPhpFpm-DB", "--smoke", "--scale", "0.002", "--testbed", &testbed];
    let mut command = up.command(&words);
    // The measured site keeps its data in the other database.
    command.args(["--factor", "database=mariadb", "--factor", "engine=InnoDB"]);
    let ended = sandbox.finish(command);
    ended.expect(0, &[]);
    ended.expect_output("WsPhpFpm-DB,database=mariadb: verified");
    machine.expect_nothing_left();
    let mut command = up.command(&["run", "comments", "WsPhpFpm-DB", "--clients", "5", "--window", "2s"]);
    command.args(QUICK).args(["--testbed", &testbed, "--out"]).arg(sandbox.result());
    let ended = sandbox.finish(command);
    machine.expect_nothing_left();
    let points = sandbox.points();
    ended.expect(code_of(&points), &[]);
    let point = &points[0];
    assert!(point.completed > 0);
    assert!(point.tiers.iter().all(|tier| tier.cpu_user_s + tier.cpu_system_s > 0.0), "{:?}", point.tiers);
    assert!(
        point.hosts.iter().any(|host| host.mean.name == "web" && host.mean.cores > 0.0),
        "{:?}",
        point.hosts
    );
    let testbed = sandbox.manifest().testbed.unwrap();
    assert_eq!((testbed.separation, testbed.hosts.len()), (Separation::Machines, 2));
}
