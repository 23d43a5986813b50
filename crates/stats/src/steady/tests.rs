use super::*;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn normal(random: &mut impl Rng) -> f64 {
    let (radius, angle): (f64, f64) = (1.0 - random.random::<f64>(), random.random());
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

/// An AR(1) process around 100 with a deviation of 10 and the correlation `kept`.
fn noise(count: usize, kept: f64, random: &mut impl Rng) -> Vec<f64> {
    let innovation = (1.0_f64 - kept * kept).sqrt();
    let mut deviation = normal(random);
    let values = std::iter::repeat_with(|| {
        deviation = kept * deviation + innovation * normal(random);
        100.0 + 10.0 * deviation
    });
    values.take(count).collect()
}

/// The number of 4,000 series that exceed a limit.
fn above(limit: f64, count: usize, kept: f64, find: fn(&[f64]) -> Option<ChangePoint>) -> usize {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let series = (0..4000).map(|_| noise(count, kept, &mut random));
    series.filter(|values| find(values).unwrap().statistic > limit).count()
}

#[test]
fn the_statistic_matches_the_printed_tables() {
    // Shao and Zhang, Table 1: the 90 %, 95 % and 99 % quantiles without a change.
    for (limit, share) in [(29.6, 0.10), (40.1, 0.05), (68.6, 0.01)] {
        let count_above = above(limit, 200, 0.0, likeliest_change) as f64 / 4000.0;
        let error = (share * (1.0 - share) / 4000.0_f64).sqrt();
        assert!(
            (count_above - share).abs() < 4.0 * error + 0.1 * share,
            "{limit}: {count_above}, not {share}"
        );
    }
}

#[test]
fn noise_is_hardly_ever_a_change() {
    for (count, kept, most) in
        [(10, 0.0, 6), (30, 0.0, 4), (60, 0.0, 4), (60, 0.3, 6), (300, 0.5, 4), (600, 0.8, 6)]
    {
        let count_above = above(CHANGE_LIMIT, count, kept, likeliest_change);
        assert!(count_above <= most, "{count} values that keep {kept}: {count_above} of 4000");
    }
}

#[test]
fn noise_is_hardly_ever_cut() {
    for (count, kept) in [(300, 0.0), (300, 0.5), (300, 0.9), (1800, 0.0), (1800, 0.9)] {
        let count_above = above(CUT_DEVIATIONS, count, kept, mser5);
        assert!(count_above <= 8, "{count} values that keep {kept}: {count_above} of 4000");
    }
}

#[test]
fn a_step_is_found_at_its_position() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for at in [60, 150, 240] {
        let mut values = noise(300, 0.0, &mut random);
        values.iter_mut().skip(at).for_each(|value| *value += 25.0);
        let change = likeliest_change(&values).unwrap();
        assert!(change.at.abs_diff(at) <= 10, "{change:?}, not at {at}");
        assert!(
            change.statistic > CHANGE_LIMIT && (change.after - change.before - 25.0).abs() < 4.0,
            "{change:?}"
        );
    }
}

#[test]
fn a_step_without_noise_is_significant() {
    let values: Vec<f64> = (0..20).map(|at| if at < 10 { 1.0 } else { 2.0 }).collect();
    let change = likeliest_change(&values).unwrap();
    assert_eq!((change.at, change.before, change.after), (10, 1.0, 2.0));
    assert_eq!(change.statistic, f64::INFINITY);
    assert_eq!(likeliest_change(&[5.0; 20]).unwrap().statistic, 0.0);
    assert_eq!(likeliest_change(&[5.0; 9]), None);
}

#[test]
fn a_decaying_transient_is_cut_at_its_end() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    for kept in [0.0, 0.5] {
        let mut values = noise(600, kept, &mut random);
        // Down to a fifth of the noise after 80 values.
        values.iter_mut().enumerate().for_each(|(at, value)| *value -= 60.0 * (-(at as f64) / 25.0).exp());
        let cut = mser5(&values).unwrap();
        assert!((40..=140).contains(&cut.at), "{cut:?}");
        assert!(cut.statistic > CUT_DEVIATIONS && cut.share() > 0.05, "{cut:?}");
    }
}

#[test]
fn mser_5_needs_sixty_batches_and_cuts_at_most_half() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let values = noise(304, 0.0, &mut random);
    assert_eq!(mser5(&values[..299]), None);
    assert!(mser5(&values).unwrap().at <= 150);
    let rising: Vec<f64> = (0..300).map(f64::from).collect();
    assert_eq!(mser5(&rising).unwrap().at, 150);
}
