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
fn turns() -> (Sender<Turn>, Receiver<TurnNews>, Turns<'static>) {
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
    go.send(Turn::Next).unwrap();
    turns.wait();
    let mut on_progress = |phase, seconds, is_ready| {
        go.send(Turn::Next).unwrap();
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
fn a_stretch_is_repeated_when_its_round_is() {
    let (go, _heard, mut turns) = turns();
    go.send(Turn::Next).unwrap();
    turns.wait();
    turns.is_ready = true;
    for (turn, directive) in [(Turn::Again, Directive::Repeat), (Turn::Next, Directive::GoOn)] {
        turns.on_progress(&progress(Phase::Measure, 9, false));
        assert_eq!(turns.on_progress(&progress(Phase::Ramp, 12, false)), Directive::Pause);
        go.send(turn).unwrap();
        assert_eq!(turns.on_progress(&progress(Phase::Paused, 12, false)), directive);
    }
    drop(go);
    assert_eq!(turns.on_progress(&progress(Phase::Paused, 12, false)), Directive::Enough);
}

/// The rounds that are driven of six, and that count; `disturbed` says which are.
fn rounds_of_six(disturbed: impl Fn(u32) -> bool) -> (u32, u32) {
    let (mut rounds, mut driven, mut counted) = (Rounds::new(6, false), 0, 0);
    while rounds.needed > 0 {
        counted += u32::from(!rounds.record(disturbed(driven)));
        driven += 1;
        assert!(driven <= 9, "at most half as many again");
    }
    (driven, counted)
}

#[test]
fn disturbed_rounds_are_repeated_unless_all_are_disturbed() {
    assert_eq!(rounds_of_six(|_| false), (6, 6));
    assert_eq!(rounds_of_six(|round| round == 2), (7, 6));
    assert_eq!(rounds_of_six(|round| round % 3 == 0), (9, 6), "bursts");
    assert_eq!(rounds_of_six(|round| round % 2 == 0), (9, 6), "three more at most");
    assert_eq!(rounds_of_six(|_| true), (8, 6), "two tries");
    let mut smoke = Rounds::new(6, true);
    assert!(!smoke.record(true) && smoke.needed == 5);
}

#[test]
fn who_disturbs_is_told_with_how_much() {
    let foreign = HostUse {
        cores: 2,
        steal_cores: 0.1,
        in_rounds: true,
        other_processes_cores: 0.44,
        quotas: Vec::new(),
        machines: Vec::new(),
        states: Vec::new(),
    };
    // Who is the busiest on this machine now is another question.
    let words = in_words(&foreign, &CpuCount::begin());
    assert!(words.starts_with("Other programs use 0.4 of 2 cores"), "{words}");
    let other = MachineUse { host: "db".into(), cores: 4.0, steal_cores: 0.9, other_processes_cores: 0.0 };
    let words = in_words(&HostUse { machines: vec![other], ..foreign }, &CpuCount::begin());
    assert!(words.starts_with("The hypervisor withholds 0.9 of 4 cores on db. "), "{words}");
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
    assert_eq!(gap_after(&[]), 1000);
    assert_eq!(gap_after(&[100, 900]), 1000);
    assert_eq!(gap_after(&[6000; 5]), 6000);
    assert_eq!(gap_after(&[100, 100, 6000, 100]), 5400, "few answers, of which some are slow");
    assert_eq!(gap_after(&[10_000, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10]), 3486, "it was cold");
    assert_eq!(gap_after(&[60_000; 5]), 20_000);
}
