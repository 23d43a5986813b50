//! Machines that can't be reached.

use super::remote_machine::Machine;
use crate::sandbox::Sandbox;

/// Only here does a real sshd refuse.
#[test]
fn a_refused_key_and_an_unknown_host_are_told_with_host_and_remedy() {
    let Some(machine) = Machine::new() else { return };
    let (sandbox, place) = (Sandbox::new(), Sandbox::new());
    let up = machine.up(&place);
    for (way, texts) in [
        ("refused", ["the host `web`", "refuses this user or key", "ssh-copy-id"]),
        ("unknown", ["the host `web`", "is unknown to this machine", "connect once by hand"]),
    ] {
        let ended = sandbox.finish(up.command(&["testbed", "up", &machine.testbed(way)]));
        ended.expect(4, &texts);
    }
    machine.expect_nothing_left();
}
