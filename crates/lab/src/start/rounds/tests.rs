use super::*;
use results::Purpose;
use std::collections::BTreeSet;
use workload::LoadKind;

fn task(configuration: usize, clients: u32) -> Task {
    Task {
        configuration,
        kind: LoadKind::NoThink { clients },
        purpose: Purpose::Listed,
        repetition: 1,
        sequence: 1,
        seed: 1,
    }
}

#[test]
fn each_configuration_has_one_task_in_a_block() {
    let tasks = [task(1, 50), task(0, 50), task(0, 100), task(1, 100), task(1, 100)];
    assert_eq!(blocks(&tasks), [vec![0, 1], vec![2, 3], vec![4]]);
    let one_after_the_other = [task(1, 50), task(1, 100), task(1, 200), task(0, 50), task(0, 100)];
    assert_eq!(blocks(&one_after_the_other), [vec![0, 3], vec![1, 4], vec![2]]);
    assert!(blocks(&[]).is_empty());
}

#[test]
fn experiments_take_turns_block_by_block_in_an_order_that_is_drawn_for_each_start() {
    let blocks = || vec![vec![vec![0, 1], vec![2, 3], vec![4]], vec![vec![0, 1]], vec![vec![0], vec![1]]];
    let mut first = BTreeSet::new();
    for seed in 0..30 {
        let turns = in_turns(blocks(), seed);
        let of =
            |wanted| turns.iter().filter(move |(whose, _)| *whose == wanted).map(|(_, block)| block.clone());
        assert_eq!([0, 1, 2].map(|whose| of(whose).collect::<Vec<_>>()).to_vec(), blocks());
        let whose: Vec<usize> = turns.iter().map(|(whose, _)| *whose).collect();
        let order = &whose[..3];
        assert_eq!(BTreeSet::from_iter(order), BTreeSet::from([&0, &1, &2]));
        let second: Vec<usize> = order.iter().copied().filter(|whose| *whose != 1).collect();
        assert_eq!(whose[3..], [second, vec![0]].concat());
        assert_eq!(turns, in_turns(blocks(), seed));
        first.insert(whose[0]);
    }
    assert_eq!(first.len(), 3, "each comes first on some start");
}

/// The ends of the channels of a lane, and the turns of a site without compilers.
fn turns() -> (Sender<()>, Receiver<Progress>, Turns<'static>) {
    let (go, given) = mpsc::channel();
    let (sender, received) = mpsc::channel();
    (go, received, Turns::new(given, sender))
}

fn progress(phase: Phase, seconds: u64, is_ready: bool) -> Progress {
    Progress { elapsed: Duration::from_secs(seconds), phase, is_ready, ..Progress::default() }
}

#[test]
fn a_site_stands_still_after_its_ramp_and_after_each_stretch_and_works_again_before_the_next() {
    let (go, received, mut turns) = turns();
    go.send(()).unwrap();
    turns.wait();
    let mut on_progress = |phase, seconds, is_ready| {
        go.send(()).unwrap();
        turns.on_progress(&progress(phase, seconds, is_ready))
    };
    assert_eq!(on_progress(Phase::Ramp, 0, false), Directive::NotYet);
    assert_eq!(on_progress(Phase::Ramp, 7, true), Directive::Pause);
    on_progress(Phase::Paused, 7, true);
    assert_eq!(on_progress(Phase::Ramp, 8, true), Directive::GoOn, "what is said holds for the next second");
    assert_eq!(on_progress(Phase::Measure, 9, false), Directive::GoOn);
    assert_eq!(on_progress(Phase::Ramp, 12, false), Directive::Pause);
    on_progress(Phase::Paused, 12, false);
    assert_eq!(on_progress(Phase::Drain, 17, false), Directive::GoOn);
    assert_eq!(received.try_iter().count(), 8);
}

#[test]
fn without_further_turns_a_load_ends() {
    let (go, _heard, mut turns) = turns();
    drop(go);
    turns.wait();
    assert_eq!(turns.on_progress(&progress(Phase::Ramp, 3, true)), Directive::Enough);
}

#[test]
fn clients_are_at_work_as_long_as_slow_answers_take_before_a_stretch_begins() {
    let gap_after = |slow_ms: &[u64]| {
        let (_go, _heard, mut turns) = turns();
        for (second, slow) in slow_ms.iter().enumerate() {
            let quantiles = Some((Duration::ZERO, Duration::from_millis(*slow)));
            turns.in_ramp(&Progress { quantiles, ..progress(Phase::Ramp, second as u64, false) });
        }
        turns.gap().as_millis()
    };
    assert_eq!(gap_after(&[]), 2000);
    assert_eq!(gap_after(&[100, 900]), 2000);
    assert_eq!(gap_after(&[6000; 5]), 6000);
    assert_eq!(gap_after(&[100, 100, 6000, 100]), 5400, "few answers, of which some are slow");
    assert_eq!(gap_after(&[10_000, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10]), 3486, "it was cold");
    assert_eq!(gap_after(&[60_000; 5]), 20_000);
}
