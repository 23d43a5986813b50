//! The search for the capacity under an objective, on closed sites whose capacity is known, with starts and runs that scatter.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use stats::{Capacity, CapacitySearch, ObjectiveRun};

/// A closed site: users think, one server serves them one after the other.
struct Site {
    think_s: f64,
    service_s: f64,
    limit_s: f64,
    /// Standard deviations: of the server's speed from start to start, and of a figure from run to run.
    scatter: (f64, f64),
    random: ChaCha8Rng,
}

const MOST: u32 = 20_000;

impl Site {
    fn new(seed: u64, scatter: (f64, f64)) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let service_s = 0.002 * 20.0_f64.powf(random.random());
        let limit_s = service_s * 10.0 * 10.0_f64.powf(random.random());
        Self { think_s: 7.0, service_s, limit_s, scatter, random }
    }

    /// The mean response time with so many clients (mean value analysis: Reiser and Lavenberg, Journal of the ACM 27, 1980),
    /// from which that of 90 % follows as if it were exponential.
    fn p90_s(&self, clients: u32, service_s: f64) -> f64 {
        let mut queue = 0.0;
        let mut response = service_s;
        for users in 1..=clients {
            response = service_s * (1.0 + queue);
            queue = f64::from(users) * response / (response + self.think_s);
        }
        response * 10.0_f64.ln()
    }

    fn truth(&self) -> u32 {
        (1..MOST)
            .take_while(|clients| self.p90_s(*clients, self.service_s) <= self.limit_s)
            .last()
            .unwrap_or(0)
    }

    fn normal(&mut self) -> f64 {
        let (radius, angle): (f64, f64) = (1.0 - self.random.random::<f64>(), self.random.random());
        (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
    }

    /// Searches from a knee that is wrong by up to a factor of two. Returns the answer and the number of runs.
    fn search(&mut self, most: u32) -> (Capacity, usize) {
        let wrong = 2.0_f64.powf(self.random.random_range(-1.0..=1.0));
        let knee = (self.service_s + self.think_s) / self.service_s * wrong;
        let (mut search, mut runs) = (CapacitySearch::new(most), 0);
        loop {
            let loads = search.next(knee);
            if loads.is_empty() {
                return (search.answer().expect("it is done"), runs);
            }
            let service_s = self.service_s * (self.scatter.0 * self.normal()).exp();
            for clients in loads {
                let figure = self.p90_s(clients, service_s) * (self.scatter.1 * self.normal()).exp();
                search.record(ObjectiveRun { clients, excess: Some((figure / self.limit_s).ln()) });
                runs += 1;
            }
        }
    }
}

#[test]
fn the_capacity_is_within_five_percent_in_95_of_100_searches() {
    let (mut within, mut confirmed, mut all_runs) = (0, 0, 0);
    for seed in 0..200 {
        let mut site = Site::new(seed, (0.01, 0.05));
        let truth = f64::from(site.truth());
        let (answer, runs) = site.search(MOST);
        all_runs += runs;
        let near = |clients: u32| (f64::from(clients) / truth - 1.0).abs() <= 0.05;
        within += match answer {
            Capacity::Confirmed { met, .. } => {
                confirmed += 1;
                i32::from(near(met))
            }
            // The true capacity must lie between the loads given.
            Capacity::Inconclusive { met: Some(met), missed: Some(missed) } => {
                i32::from((f64::from(met)..f64::from(missed)).contains(&truth))
            }
            _ => 0,
        };
    }
    assert!(within >= 190, "{within} of 200 were right");
    assert!(confirmed >= 150, "{confirmed} of 200 were confirmed");
    assert!(all_runs <= 200 * 24, "{all_runs} runs");
}

#[test]
fn a_noisy_site_gives_an_inconclusive_answer() {
    let mut inconclusive = 0;
    for seed in 0..100 {
        let mut site = Site::new(seed, (0.05, 0.5));
        let truth = f64::from(site.truth());
        match site.search(MOST).0 {
            Capacity::Inconclusive { met, missed } => {
                inconclusive += 1;
                assert!(met.is_none_or(|met| f64::from(met) <= truth * 1.1), "seed {seed}");
                assert!(missed.is_none_or(|missed| f64::from(missed) >= truth / 1.1), "seed {seed}");
            }
            Capacity::Confirmed { met, missed } => {
                assert!(
                    (truth / 1.15..truth * 1.15).contains(&f64::from(met)),
                    "seed {seed}: {met} {missed}"
                );
            }
            other => panic!("seed {seed}: {other:?}"),
        }
    }
    assert!(inconclusive >= 30, "{inconclusive} of 100");
}

#[test]
fn the_capacity_may_be_zero_or_the_most_clients_allowed() {
    let mut site = Site::new(1, (0.0, 0.0));
    assert_eq!(site.search(3).0, Capacity::AtLeast(3));
    site.limit_s = site.service_s;
    assert_eq!(site.search(MOST).0, Capacity::None);
}

#[test]
fn invalid_runs_are_repeated_up_to_the_limit_of_runs() {
    let mut search = CapacitySearch::new(100);
    let mut runs = 0;
    while let [clients] = search.next(10.0)[..] {
        search.record(ObjectiveRun { clients, excess: None });
        runs += 1;
    }
    assert_eq!(search.answer(), Some(Capacity::Inconclusive { met: None, missed: None }));
    assert_eq!(runs, 60);
}
