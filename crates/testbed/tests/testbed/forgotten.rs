//! CPU time of children that are not waited for: a control group counts it in full, and a process tree misses it.

use crate::perl;
use std::fs;
use testbed::{SystemMeter, TierMeter};

/// Ten children use a tenth of a second each, one after the other. Their parent doesn't wait for them.
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
    // No group is named after the parent, so that its children are counted as a tree.
    let mut meter = SystemMeter::of([supervisor.id(), parent]);
    let sample = meter.sample();
    let tiers = meter.each();
    let samples = sample.tiers.iter().map(|tier| tier.cpu.total_s);
    let detailed = tiers.iter().map(|tier| tier.sample_in_detail().cpu.total_s);
    let cpu_s: Vec<f64> = samples.chain(detailed).collect();
    println!("of 1 s that forgotten children used, a group and a tree show {cpu_s:.2?}");
    assert!(!tiers[1].has_group() && cpu_s[1] < 0.3 && cpu_s[3] < 0.3);
    match tiers[0].has_group() {
        true => assert!(cpu_s[0] > 0.99 && cpu_s[2] > 0.99),
        false => assert!(cpu_s[0] < 0.3 && cpu_s[2] < 0.3),
    }
    let own = TierMeter::of(std::process::id());
    assert!(own.sample_in_detail().threads >= 2 && own.proportional_bytes().is_some_and(|bytes| bytes > 0));
}
