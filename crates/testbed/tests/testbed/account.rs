//! What is counted below a supervisor: children that nobody waits for are counted in full by a control group, and are lost
//! to whoever adds up the process tree.

use crate::perl;
use std::fs;
use testbed::{Account, Accounts};

/// Ten children that each use a tenth of a second, one after the other, and that their parent doesn't wait for.
const FORGETFUL: &str = "$SIG{CHLD} = 'IGNORE';
    for (1 .. 10) {
        pipe(my $end, my $held);
        if (!fork) { 1 while (times)[0] + (times)[1] < 0.1; exit }
        close $held; readline $end;
    }
    print STDERR 'done'; sleep 60";

pub fn forgotten_children() {
    let folder = tempfile::tempdir().unwrap();
    let (supervisor, _) = perl::run(FORGETFUL, &[], folder.path(), None);
    let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", supervisor.id())).unwrap();
    let parent: u32 = children.trim().parse().unwrap();
    // No group is named after the parent, so what is below it is looked at as a tree.
    let mut accounts = Accounts::of([supervisor.id(), parent]);
    let seen = accounts.look();
    let accounts = accounts.each();
    let glances = seen.tiers.iter().map(|tier| tier.cpu.total_s);
    let inventories = accounts.iter().map(|account| account.inventory().cpu.total_s);
    let seen: Vec<f64> = glances.chain(inventories).collect();
    println!("of 1 s that forgotten children used, a group and a tree show {seen:.2?}");
    assert!(!accounts[1].has_group() && seen[1] < 0.3 && seen[3] < 0.3);
    match accounts[0].has_group() {
        true => assert!(seen[0] > 0.99 && seen[2] > 0.99),
        false => assert!(seen[0] < 0.3 && seen[2] < 0.3),
    }
    let own = Account::of(std::process::id());
    assert!(own.inventory().threads >= 2 && own.proportional_bytes().is_some_and(|bytes| bytes > 0));
}
