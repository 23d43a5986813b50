use super::*;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const MOST: usize = 90;
/// The relative fall allowed at the end of the warm-up.
const LEFT: f64 = 0.03;

/// A site's cost falling to 1, and the CPU share of observable compilers.
struct Site {
    name: &'static str,
    cost: fn(f64) -> f64,
    compilers: fn(f64) -> f64,
}

fn falls(by: f64, within: f64, at: f64) -> f64 {
    by * (-at / within).exp()
}

fn steps(by: f64, at: f64, within: f64, now: f64) -> f64 {
    by / (1.0 + ((now - at) / within).exp())
}

const NONE: fn(f64) -> f64 = |_| 0.0;

const SITES: [Site; 7] = [
    Site { name: "PHP", cost: |t| 1.0 + falls(0.35, 0.7, t) + falls(0.06, 4.0, t), compilers: NONE },
    Site {
        name: "falls within 5 s",
        cost: |t| 1.0 + falls(8.0, 1.0, t) + falls(2.0, 5.0, t),
        compilers: NONE,
    },
    Site { name: "within 8 s", cost: |t| 1.0 + falls(6.0, 1.5, t) + falls(1.5, 8.0, t), compilers: NONE },
    Site { name: "within 12 s", cost: |t| 1.0 + falls(5.0, 1.0, t) + falls(1.0, 12.0, t), compilers: NONE },
    Site {
        name: "plateau until 20 s",
        cost: |t| 1.0 + falls(5.0, 1.5, t) + steps(0.5, 20.0, 2.0, t),
        compilers: NONE,
    },
    Site {
        name: "plateau until 30 s",
        cost: |t| 1.0 + falls(5.0, 1.5, t) + falls(1.0, 6.0, t) + steps(0.4, 30.0, 2.0, t),
        compilers: NONE,
    },
    // As observed of Tomcat with the auction.
    Site {
        name: "JVM",
        cost: |t| 1.0 + falls(6.0, 1.2, t) + falls(0.8, 4.0, t) + steps(0.65, 35.0, 0.6, t),
        compilers: |t| 0.02 + steps(0.2, 36.0, 0.5, t),
    },
];

/// The noise of a machine, as a share of the cost, second by second.
type Noise = fn(&mut ChaCha8Rng) -> Vec<f64>;

const NOISES: [(&str, Noise); 4] = [
    ("2 %", |random| dependent(0.02, 0.0, random)),
    ("5 %", |random| dependent(0.05, 0.0, random)),
    ("5 %, dependent", |random| dependent(0.05, 0.7, random)),
    ("neighbour", neighbour),
];

fn normal(random: &mut impl Rng) -> f64 {
    let (radius, angle): (f64, f64) = (1.0 - random.random::<f64>(), random.random());
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

fn dependent(deviation: f64, kept: f64, random: &mut ChaCha8Rng) -> Vec<f64> {
    let mut now = normal(random);
    let next = || {
        now = kept * now + (1.0 - kept * kept).sqrt() * normal(random);
        (deviation * now).max(-0.7)
    };
    std::iter::repeat_with(next).take(MOST).collect()
}

fn neighbour(random: &mut ChaCha8Rng) -> Vec<f64> {
    let mut is_there = random.random_bool(0.5);
    let next = || {
        is_there ^= random.random_bool(0.2);
        0.02 * normal(random) + if is_there { 0.15 } else { 0.0 }
    };
    std::iter::repeat_with(next).take(MOST).collect()
}

impl Site {
    fn mean_cost(&self, second: usize) -> f64 {
        let instants = (0..10).map(|tenth| second as f64 + (f64::from(tenth) + 0.5) / 10.0);
        instants.map(self.cost).sum::<f64>() / 10.0
    }

    /// The first second with no more than `LEFT` left.
    fn needed(&self) -> usize {
        (0..MOST).rposition(|second| self.mean_cost(second) > 1.0 + LEFT).map_or(0, |last| last + 1)
    }

    /// The second in which the warm-up ends.
    fn ends(&self, noise: &[f64]) -> usize {
        let mut warming = Warming::default();
        let is_warm = |(second, noise): (usize, &f64)| {
            let compilers = (self.compilers)(second as f64 + 0.5);
            warming.record(WarmSecond { cpu_ms: 0.3 * self.mean_cost(second) * (1.0 + noise), compilers });
            warming.is_warm()
        };
        noise.iter().enumerate().position(is_warm).map_or(MOST, |last| last + 1)
    }

    /// The mean end of the warm-up, and the share of cases in which it is too early.
    fn trials(&self, noise: Noise, trials: usize) -> (f64, f64) {
        let mut random = ChaCha8Rng::seed_from_u64(6);
        let ends: Vec<usize> = (0..trials).map(|_| self.ends(&noise(&mut random))).collect();
        let early = ends.iter().filter(|end| self.mean_cost(**end) > 1.0 + LEFT).count();
        (ends.iter().sum::<usize>() as f64 / trials as f64, early as f64 / trials as f64)
    }
}

/// The table of the module's documentation: run with `--ignored --nocapture`.
#[test]
#[ignore = "a table for people"]
fn print_the_share_of_early_ends() {
    for site in &SITES {
        let fields = NOISES.map(|(_, noise)| {
            let (mean, early) = site.trials(noise, 1000);
            format!("{mean:.0} ({:.0})", 100.0 * early)
        });
        println!("//! | {} | {} | {} |", site.name, site.needed(), fields.join(" | "));
    }
}

#[test]
fn without_noise_it_ends_in_time_and_hardly_ever_early() {
    for site in &SITES {
        let (mean, early) = site.trials(NOISES[0].1, 200);
        let needed = site.needed() as f64;
        assert!(early <= 0.02, "{}: {early}", site.name);
        let times = if site.name == "JVM" { 2.0 } else { 1.5 };
        assert!(mean <= times * needed + 8.0, "{}: {mean} s, {needed} s needed", site.name);
    }
}

#[test]
fn a_plateau_with_an_active_compiler_is_not_warm() {
    let jvm = &SITES[6];
    for (name, noise) in NOISES {
        let (mean, early) = jvm.trials(noise, 200);
        assert!(early == 0.0 && mean < 85.0, "{name}: {mean} s, {early}");
    }
    let (_, early) = Site { compilers: NONE, ..SITES[6] }.trials(NOISES[2].1, 200);
    assert!(early > 0.05, "without this, the compiler check would be needless: {early}");
}

#[test]
fn with_a_compiler_doubling_the_time_gains_little() {
    // The cost falls with the logarithm of time: by 10 % with each doubling, then by 2 %.
    let fall = |by: f64, compilers: f64| {
        let cost = |second: usize| {
            let doublings = ((second + 1) as f64).log2();
            2.0 - 0.1 * doublings.min(6.0) - by * (doublings - 6.0).max(0.0)
        };
        let mut warming = Warming::default();
        let is_warm = |second: usize| {
            warming.record(WarmSecond { cpu_ms: cost(second), compilers });
            warming.is_warm()
        };
        (0..600).position(is_warm)
    };
    assert!(fall(0.02, 0.0).unwrap() < 20, "without a compiler, ten level seconds suffice");
    assert!((60..140).contains(&fall(0.02, 0.01).unwrap()));
    assert_eq!(fall(0.1, 0.01), None);
}

#[test]
fn noise_delays_the_end_rather_than_causing_errors() {
    let (quiet, _) = SITES[0].trials(NOISES[0].1, 200);
    let (noisy, early) = SITES[0].trials(NOISES[1].1, 200);
    assert!(noisy > quiet && early < 0.05, "{noisy} s after {quiet} s, {early}");
}

#[test]
fn a_constant_cost_is_warm_after_the_least_time() {
    let mut warming = Warming::default();
    for second in 1..=LEAST {
        assert!(!warming.is_warm(), "{second}");
        warming.record(WarmSecond { cpu_ms: 2.0, compilers: 0.0 });
    }
    assert!(warming.is_warm());
    assert_eq!((warming.first(), warming.last()), (Some(2.0), Some(2.0)));
}

#[test]
fn a_falling_cost_or_an_active_compiler_is_not_warm() {
    let warming = |cost: fn(usize) -> f64, compilers: f64| {
        let mut warming = Warming::default();
        (0..40).for_each(|second| warming.record(WarmSecond { cpu_ms: cost(second), compilers }));
        warming.is_warm()
    };
    assert!(warming(|_| 1.0, 0.049) && !warming(|_| 1.0, 0.05));
    assert!(!warming(|second| 2.0 - 0.02 * second as f64, 0.0));
    assert!(!warming(|_| 0.0, 0.0) && !warming(|_| f64::NAN, 0.0), "nothing is known");
}

#[test]
fn compilers_are_idle_after_the_least_time_whatever_the_cost() {
    let after = |busy: usize, idle: usize| {
        let mut warming = Warming::default();
        for second in 0..busy + idle {
            let compilers = if second < busy { 0.3 } else { 0.01 };
            warming.record(WarmSecond { cpu_ms: 9.0 - second as f64 * 0.1, compilers });
        }
        warming.compilers_are_idle()
    };
    assert!(!after(0, LEAST - 1) && after(0, LEAST));
    assert!(!after(20, LEAST - 1) && after(20, LEAST), "the cost falls all the time");
}

#[test]
fn a_compiler_that_was_active_once_counts() {
    let mut warming = Warming::default();
    warming.record(WarmSecond { cpu_ms: 1.0, compilers: 0.0 });
    assert!(!warming.has_compilers());
    warming.record(WarmSecond { cpu_ms: 1.0, compilers: 0.001 });
    warming.record(WarmSecond { cpu_ms: 1.0, compilers: 0.0 });
    assert!(warming.has_compilers());
}

#[test]
fn the_confidence_limit_of_a_fall_is_that_of_least_squares() {
    // By hand: slope -0.1, residuals ±0.1 and 0, standard error √(0.02/1/2) = 0.1, t(0.9; 1) = 3.0777.
    let fall = fall_at_most(&[1.2, 0.8, 1.0]);
    let slope = -0.1;
    let rest: f64 = [1.2 - 1.1, 0.8 - 1.0, 1.0 - 0.9].iter().map(|residual: &f64| residual.powi(2)).sum();
    assert!((fall - 2.0 * (3.077_68 * (rest / 2.0).sqrt() - slope)).abs() < 1e-4, "{fall}");
}
