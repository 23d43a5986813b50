//! Machines that can't be reached, or lack something.

use super::remote_machine::Machine;
use crate::{disk::Disk, sandbox::Sandbox};
use std::fs;

/// Only here does a real sshd refuse.
#[test]
fn a_refused_key_an_unknown_host_and_another_architecture_are_told_with_host_and_remedy() {
    let Some(machine) = Machine::new() else { return };
    let (sandbox, place) = (Sandbox::new(), Sandbox::new());
    let up = machine.up(&place);
    for (way, texts) in [
        ("refused", ["the host `web`", "refuses this user or key", "ssh-copy-id"]),
        ("unknown", ["the host `web`", "is unknown to this machine", "connect once by hand"]),
        ("sparc", ["the host `web`", "is Linux sparc64", "same system and architecture"]),
    ] {
        let ended = sandbox.finish(up.command(&["testbed", "up", &machine.testbed(way)]));
        ended.expect(4, &texts);
    }
    machine.expect_nothing_left();
}

/// Only here is a program missing on one machine and present on the other.
#[test]
fn a_program_that_the_host_lacks_is_named_with_host_and_package() {
    const APACHE: &str = "services/apache/service.toml";
    let Some(machine) = Machine::new() else { return };
    let (sandbox, place) = (Sandbox::new(), Sandbox::new());
    place.edit(APACHE, "program = \"apache2\"", "program = \"apache99\"");
    let up = machine.up(&place);
    let words = ["run", "comments", "WsPhp-DB", "--clients", "5", "--testbed", &machine.testbed("all")];
    let ended = sandbox.finish(up.command(&words));
    let packages = "run `apt-get install --no-install-recommends";
    ended.expect(5, &["`apache99`", "on the host `web`", packages, "as root on the host `web`"]);
    machine.expect_nothing_left();
}

/// Only here is a machine's disk too small for the laboratory itself.
#[test]
fn a_host_without_room_for_the_laboratory_is_told_with_the_remedy() {
    let Some(machine) = Machine::new() else { return };
    let (sandbox, place) = (Sandbox::new(), Sandbox::new());
    let there = machine.there("web");
    fs::remove_dir(&there).unwrap();
    let Some(_disk) = Disk::mount(there, 1024) else { return };
    let up = machine.up(&place);
    let ended = sandbox.finish(up.command(&["testbed", "up", &machine.testbed("all")]));
    ended.expect(4, &["the host `web`", "has no room", "make room there", "TMPDIR"]);
    machine.expect_nothing_left();
}
