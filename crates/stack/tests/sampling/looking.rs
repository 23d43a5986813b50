//! Samples a site until an expected state shows, however long that takes.

use results::{Gauge, Sample, TierFigures};
use stack::{Sampled, Sampling, Site};
use std::{
    collections::BTreeMap,
    thread,
    time::{Duration, Instant},
};

/// Only a hang takes longer.
const LIMIT: Duration = Duration::from_secs(120);
/// Poll interval. Services are sampled ten times a second at most.
const LOOK: Duration = Duration::from_millis(50);
/// Readings per gauge needed for figures.
const TIMES: usize = 3;

pub fn until(is_so: impl FnMut() -> bool) {
    assert!(becomes(is_so), "it did not become so in time");
}

fn becomes(mut is_so: impl FnMut() -> bool) -> bool {
    let begin = Instant::now();
    while !is_so() {
        if begin.elapsed() > LIMIT {
            return false;
        }
        thread::sleep(LOOK);
    }
    true
}

/// Last readings by role and gauge.
type Gauges = BTreeMap<(String, String), f64>;

/// Samples a site as the laboratory does during a measurement.
pub struct Looking {
    sampling: Sampling,
    begin: Instant,
    last: Gauges,
}

impl Looking {
    /// Begins, and waits until every tier has answered, and the store twice, as needed for rates.
    pub fn at(site: &Site<'_>, works: &str) -> Self {
        let mut looking =
            Self { sampling: Sampling::begin(site), begin: Instant::now(), last: Gauges::new() };
        let tiers = looking.look().tiers;
        let says = |last: &Gauges, role: &str| match role {
            "db" => last.contains_key(&("db".to_owned(), works.to_owned())),
            _ => last.keys().any(|(of, _)| of == role),
        };
        let all_speak = becomes(|| {
            looking.look();
            tiers.iter().all(|tier| says(&looking.last, &tier.role))
        });
        assert!(all_speak, "not all tiers say how they are: {:?}", looking.last);
        looking
    }

    pub fn look(&mut self) -> Sample {
        let sample = self.sampling.tick(self.begin.elapsed());
        for tier in &sample.tiers {
            let gauges = tier.gauges.iter();
            self.last.extend(gauges.map(|(name, value)| ((tier.role.clone(), name.clone()), *value)));
        }
        sample
    }

    /// Waits until the last answers of tiers show these values.
    pub fn expect(&mut self, wanted: &[(&str, &str, f64)]) {
        self.expect_all(wanted, |seen, wanted| seen == wanted);
    }

    pub fn expect_more(&mut self, role: &str, name: &str, than: f64) {
        self.expect_all(&[(role, name, than)], |seen, than| seen > than);
    }

    fn expect_all(&mut self, wanted: &[(&str, &str, f64)], is_right: impl Fn(f64, f64) -> bool) {
        let is_seen = |last: &Gauges, (role, name, value): &(&str, &str, f64)| {
            last.get(&((*role).to_owned(), (*name).to_owned())).is_some_and(|seen| is_right(*seen, *value))
        };
        let all_seen = becomes(|| {
            self.look();
            wanted.iter().all(|one| is_seen(&self.last, one))
        });
        assert!(all_seen, "{wanted:?} was never seen, but {:?}", self.last);
    }

    /// The figures of a window with several readings of each gauge, on an idle site.
    pub fn figures(mut self) -> Sampled {
        self.sampling.open_window(self.begin.elapsed());
        let mut told: BTreeMap<(String, String), usize> =
            self.last.keys().map(|gauge| (gauge.clone(), 0)).collect();
        let all_told = becomes(|| {
            for tier in self.look().tiers {
                for (name, _) in tier.gauges {
                    *told.entry((tier.role.clone(), name)).or_default() += 1;
                }
            }
            told.values().all(|times| *times >= TIMES)
        });
        assert!(all_told, "not all tiers go on saying how they are: {told:?}");
        self.close()
    }

    /// The figures of a window of this length, sampled as often as in the laboratory.
    pub fn for_long(mut self, length: Duration) -> Sampled {
        self.sampling.open_window(self.begin.elapsed());
        let end = self.begin.elapsed() + length;
        while self.begin.elapsed() < end {
            thread::sleep(Duration::from_secs(1).min(end - self.begin.elapsed().min(end)));
            self.look();
        }
        self.close()
    }

    /// The figures of a window with some work on the site, with each second's sample.
    pub fn while_doing(mut self, work: impl FnOnce() + Send) -> (Sampled, Vec<Sample>) {
        self.sampling.open_window(self.begin.elapsed());
        let mut samples = Vec::new();
        thread::scope(|scope| {
            let at_work = scope.spawn(work);
            while !at_work.is_finished() {
                thread::sleep(LOOK);
                samples.push(self.look());
            }
        });
        samples.push(self.sampling.close_window(self.begin.elapsed()));
        (self.sampling.finish(1).unwrap(), samples)
    }

    fn close(mut self) -> Sampled {
        self.sampling.close_window(self.begin.elapsed());
        self.sampling.finish(1).unwrap()
    }
}

pub fn tier<'a>(sampled: &'a Sampled, role: &str) -> &'a TierFigures {
    sampled.tiers.iter().find(|tier| tier.role == role).unwrap()
}

pub fn gauge<'a>(tier: &'a TierFigures, name: &str) -> &'a Gauge {
    let found = tier.gauges.iter().find(|gauge| gauge.name == name);
    found.unwrap_or_else(|| panic!("no {name} among {:?}, blind: {:?}", tier.gauges, tier.blind))
}
