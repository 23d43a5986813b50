//! What is counted below a lease: children that nobody waits for are counted in full by a control group, and are lost
//! to whoever adds up the process tree.

use std::{collections::BTreeMap, fs, thread, time::Duration};
use testbed::{Account, Accounts, Lease, LeaseOrder, Stop, find_program};

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
    let (lock, log) = (folder.path().join("lock"), folder.path().join("log"));
    fs::write(&lock, "").unwrap();
    let order = LeaseOrder {
        program: find_program("perl").unwrap(),
        arguments: vec!["-e".to_owned(), FORGETFUL.to_owned()],
        environment: BTreeMap::new(),
        folder: folder.path().to_owned(),
        log: log.clone(),
        stop: Stop::term(Duration::from_secs(5)),
        user: None,
        lock,
    };
    let lease = Lease::take(&std::env::current_exe().unwrap(), &order).unwrap();
    while fs::read_to_string(&log).unwrap() != "done" {
        assert_eq!(lease.ended(), None);
        thread::sleep(Duration::from_millis(10));
    }
    let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", lease.id())).unwrap();
    let parent: u32 = children.trim().parse().unwrap();
    // No group is named after the parent, so what is below it is looked at as a tree.
    let mut accounts = Accounts::of([lease.id(), parent]);
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
