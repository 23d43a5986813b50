//! The rate of false claims about equal configurations, and the power to detect a difference of 5 %. The figures were
//! recorded on a real site, so that their distribution is real.

use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use stats::{Ranking, compare_all, compare_times};

type Compare = fn(&[&[f64]]) -> Ranking;

/// The recorded figures, and how each is compared.
const FIGURES: [(&str, Compare); 8] = [
    ("throughput", compare_all),
    ("mean", compare_times),
    ("p50", compare_times),
    ("p90", compare_times),
    ("p99", compare_times),
    ("cpu_db", compare_all),
    ("cpu_app", compare_all),
    ("cpu_web", compare_all),
];

const RUNS: usize = 5;

/// Figures of the VALID points by name; three of the 40 are INVALID.
fn recorded(name: &str) -> Vec<f64> {
    let text = include_str!("recorded/one-configuration.csv");
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let column = lines.next().and_then(|head| head.split(',').position(|column| column == name));
    let cells = lines.filter_map(|line| line.strip_prefix("true,"));
    let values = cells.map(|cells| cells.split(',').nth(column.expect("a column") - 1).expect("a cell"));
    values.map(|value| value.parse().expect("a number")).collect()
}

/// The share of random splits of recorded runs, five against five, in which the halves are found to differ, in %. The
/// first half is multiplied by `times`.
fn differing(name: &str, compare: Compare, splits: u64, times: f64) -> f64 {
    let values = recorded(name);
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let differing = (0..splits).filter(|_| {
        let mut shuffled = values.clone();
        shuffled.shuffle(&mut random);
        let first: Vec<f64> = shuffled[..RUNS].iter().map(|value| value * times).collect();
        compare(&[&first, &shuffled[RUNS..2 * RUNS]]).pairs[0].differs
    });
    100.0 * differing.count() as f64 / splits as f64
}

/// In 3 to 7 % of splits; the standard error of a thousand splits is 0.7 %.
#[test]
fn equal_configurations_differ_in_about_5_percent_of_splits() {
    for (name, compare) in FIGURES {
        let [few, many] = [1000, 10_000].map(|splits| differing(name, compare, splits, 1.0));
        println!("{name}: {few:.1} % of 1,000 splits, {many:.1} % of 10,000");
        assert!((3.0 - 0.7..=7.0 + 0.7).contains(&few), "{name}: {few} %");
        assert!((3.0 - 0.2..=7.0 + 0.2).contains(&many), "{name}: {many} %");
    }
}

#[test]
fn five_percent_more_throughput_is_detected() {
    let share = differing("throughput", compare_all, 1000, 1.05);
    println!("{share:.1} %");
    assert!(share > 95.0, "{share} %");
}
