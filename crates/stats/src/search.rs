//! The search for the peak: which number of clients to measure next.
//!
//! It rises geometrically until more clients don't help, then looks once on each side of the best load. It takes a
//! handful of points: throughput near a peak is flat, so that finer steps would only chase noise.

use std::collections::BTreeMap;

/// How many INVALID loads in a row end the rise.
const INVALID_IN_A_ROW: usize = 2;

/// Why the rise ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// A load gave no more than the best below it: the peak is passed.
    Flattened,
    /// The greatest load was measured.
    Limit,
    /// Two loads in a row were INVALID.
    Invalid,
}

/// A search for the number of clients with the highest throughput. It is a value: it asks for loads and is told what
/// they gave; who measures, and in which order among configurations, is not its matter.
#[derive(Debug, Clone)]
pub struct PeakSearch {
    first: u32,
    most: u32,
    /// Throughput per load; none where the point was INVALID.
    measured: BTreeMap<u32, Option<f64>>,
}

impl PeakSearch {
    /// A search that begins with `first` clients (at least 1) and never goes beyond `most` (at least `first`).
    pub fn new(first: u32, most: u32) -> Self {
        let first = first.max(1);
        Self { first, most: most.max(first), measured: BTreeMap::new() }
    }

    /// The number of clients to measure next; none when the search is done.
    pub fn next(&self) -> Option<u32> {
        self.rise()
            .err()
            .or_else(|| self.refinements().into_iter().find(|load| !self.measured.contains_key(load)))
    }

    /// Takes what a load gave, in interactions per second. A load that is told again replaces what was known of it,
    /// so that a caller with repetitions tells their mean.
    pub fn record(&mut self, clients: u32, throughput: f64, valid: bool) {
        self.measured.insert(clients, (valid && throughput.is_finite()).then_some(throughput));
    }

    /// The best VALID load so far and its throughput; of equal ones the lowest.
    pub fn peak(&self) -> Option<(u32, f64)> {
        best(self.measured.iter().map(|(clients, throughput)| (*clients, *throughput)))
    }

    /// Whether the peak was really passed: a higher load was VALID and gave no more. Otherwise the true peak may lie
    /// higher: the limit was reached, or nothing above could be believed.
    pub fn passed(&self) -> bool {
        self.peak()
            .is_some_and(|(clients, _)| self.measured.range(clients + 1..).any(|(_, load)| load.is_some()))
    }

    /// Why the rise ended; none while it goes on.
    pub fn end(&self) -> Option<End> {
        self.rise().ok()
    }

    /// The loads of the rise: `first`, doubled until `most`.
    fn ladder(&self) -> impl Iterator<Item = u32> {
        let most = self.most;
        std::iter::successors(Some(self.first), move |load| {
            (*load < most).then(|| load.saturating_mul(2).min(most))
        })
    }

    /// Walks up what was measured: why the rise ended, or else the load that it needs next.
    fn rise(&self) -> Result<End, u32> {
        let mut best: Option<f64> = None;
        let mut invalid = 0;
        for load in self.ladder() {
            match self.measured.get(&load) {
                None => return Err(load),
                Some(None) => invalid += 1,
                // However little more a load gives, the peak may lie above it, and only a higher load can tell.
                Some(Some(throughput)) if best.is_some_and(|best| *throughput <= best) => {
                    return Ok(End::Flattened);
                }
                Some(Some(throughput)) => {
                    best = Some(*throughput);
                    invalid = 0;
                }
            }
            if invalid == INVALID_IN_A_ROW {
                return Ok(End::Invalid);
            }
        }
        Ok(End::Limit)
    }

    /// The loads beside the best of the rise. Below the first load there is no neighbour, so half of it is tried.
    fn refinements(&self) -> Vec<u32> {
        let risen = self.ladder().map_while(|load| Some((load, *self.measured.get(&load)?)));
        let Some((middle, _)) = best(risen) else {
            return Vec::new();
        };
        let neighbour = |load: &u32| self.ladder().any(|step| step == *load);
        let below = self.measured.range(..middle).map(|(load, _)| *load).rfind(neighbour);
        let above = self.measured.range(middle + 1..).map(|(load, _)| *load).find(neighbour);
        let below = below.map_or(middle / 2, |load| between(load, middle));
        let above = above.map(|load| between(middle, load));
        let new = |load: &u32| *load > 0 && *load != middle;
        [Some(below), above].into_iter().flatten().filter(new).collect()
    }
}

fn best(loads: impl Iterator<Item = (u32, Option<f64>)>) -> Option<(u32, f64)> {
    let valid = loads.filter_map(|(clients, throughput)| Some((clients, throughput?)));
    valid.reduce(|best, load| if load.1 > best.1 { load } else { best })
}

/// The geometric middle, rounded.
fn between(low: u32, high: u32) -> u32 {
    (f64::from(low) * f64::from(high)).sqrt().round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Runs a search against a server; gives it back with the loads in their order.
    fn run(first: u32, most: u32, mut server: impl FnMut(u32) -> (f64, bool)) -> (PeakSearch, Vec<u32>) {
        let mut search = PeakSearch::new(first, most);
        let mut loads = Vec::new();
        while let Some(load) = search.next() {
            assert!(loads.len() < 50, "no end: {loads:?}");
            let (throughput, valid) = server(load);
            search.record(load, throughput, valid);
            loads.push(load);
        }
        (search, loads)
    }

    #[test]
    fn rises_then_looks_on_both_sides() {
        let (search, loads) = run(50, 10_000, |load| (f64::from(load.min(350)), true));
        assert_eq!(loads, [50, 100, 200, 400, 800, 283, 566]);
        assert_eq!(search.peak(), Some((400, 350.0)));
        assert_eq!((search.end(), search.passed()), (Some(End::Flattened), true));
    }

    #[test]
    fn a_load_that_gives_only_a_little_more_is_not_yet_passed() {
        let (search, loads) =
            run(400, 10_000, |load| (f64::from(load.min(800)) + f64::from(load == 1600), true));
        assert_eq!(loads[..4], [400, 800, 1600, 3200]);
        assert_eq!((search.peak(), search.passed()), (Some((1600, 801.0)), true));
    }

    #[test]
    fn a_first_load_that_is_too_high_is_halved() {
        let (search, loads) = run(400, 10_000, |load| (1e6 / f64::from(load), true));
        assert_eq!(loads, [400, 800, 200, 566]);
        assert_eq!(search.peak(), Some((200, 5000.0)));
    }

    #[test]
    fn an_invalid_load_never_wins_and_one_alone_does_not_end_the_rise() {
        let (search, loads) = run(10, 10_000, |load| (f64::from(load.min(300)), load != 80));
        assert_eq!(loads, [10, 20, 40, 80, 160, 320, 640, 226, 453]);
        assert_eq!(search.peak(), Some((320, 300.0)));
        let (search, _) = run(10, 10_000, |load| (f64::from(load), load <= 40));
        assert_eq!(search.peak(), Some((40, 40.0)));
    }

    #[test]
    fn two_invalid_loads_end_the_rise_and_prove_nothing_of_the_peak() {
        let (search, loads) = run(10, 10_000, |load| (f64::from(load), load <= 40));
        assert_eq!(loads, [10, 20, 40, 80, 160, 28, 57]);
        assert_eq!((search.end(), search.passed()), (Some(End::Invalid), false));
    }

    #[test]
    fn with_no_valid_load_there_is_no_peak() {
        let (search, loads) = run(10, 10_000, |_| (5.0, false));
        assert_eq!((loads.as_slice(), search.peak(), search.passed()), ([10, 20].as_slice(), None, false));
        let (search, _) = run(10, 20, |_| (f64::NAN, true));
        assert_eq!(search.peak(), None);
    }

    #[test]
    fn a_lone_client_is_a_search_too() {
        let (search, loads) = run(0, 0, |_| (1.0, true));
        assert_eq!(
            (loads.as_slice(), search.peak(), search.passed()),
            ([1].as_slice(), Some((1, 1.0)), false)
        );
    }

    prop_compose! {
        /// First load, greatest load, and a number of clients well between them at which the server saturates.
        fn searches()(first in 1u32..200, most in 5000u32..20_000, knee in 500f64..2000.0) -> (u32, u32, f64) {
            (first, most, knee)
        }
    }

    proptest! {
        #[test]
        fn finds_a_plateau((first, most, knee) in searches(), capacity in 10.0..10_000.0) {
            let (search, loads) = run(first, most, |load| (capacity * (f64::from(load) / knee).min(1.0), true));
            prop_assert_eq!(search.peak().unwrap().1, capacity);
            prop_assert!(search.passed());
            prop_assert!(loads.len() <= f64::from(most / first).log2() as usize + 4);
        }

        #[test]
        fn comes_near_a_peak_before_a_collapse((first, most, knee) in searches(), steepness in 0.2f64..2.0) {
            let server = |load: u32| {
                let relative = f64::from(load) / knee;
                (if relative < 1.0 { relative } else { relative.powf(-steepness) }, true)
            };
            let (search, _) = run(first, most, server);
            let (clients, throughput) = search.peak().unwrap();
            prop_assert!(throughput >= 0.7, "{} at {} of {}", throughput, clients, knee);
            prop_assert!(search.passed());
        }

        #[test]
        fn noise_neither_stops_it_early_nor_keeps_it_going((first, most, knee) in searches(),
                                                           noise in proptest::collection::vec(0.98f64..1.02, 50)) {
            let mut noise = noise.into_iter();
            let server = |load| ((f64::from(load) / knee).min(1.0) * noise.next().unwrap(), true);
            let (search, loads) = run(first, most, server);
            prop_assert!(search.peak().unwrap().1 >= 0.98);
            prop_assert!(loads.len() <= f64::from(most / first).log2() as usize + 4);
        }

        #[test]
        fn a_limit_below_the_peak_is_never_taken_for_it(first in 1u32..200, most in 300u32..5000) {
            let (search, loads) = run(first, most, |load| (f64::from(load), true));
            prop_assert_eq!(search.peak(), Some((most, f64::from(most))));
            prop_assert!(!search.passed());
            prop_assert!(loads.iter().all(|load| (1..=most).contains(load)));
        }

        #[test]
        fn ends_whatever_is_measured_and_asks_nothing_twice(first in 1u32..5000, most in 1u32..100_000,
                                                            given in proptest::collection::vec(
                                                                (0.0f64..100.0, any::<bool>()), 50)) {
            let mut given = given.into_iter();
            let (search, mut loads) = run(first, most, |_| given.next().unwrap());
            prop_assert!(loads.iter().all(|load| (1..=most.max(first)).contains(load)));
            let asked = loads.len();
            loads.sort_unstable();
            loads.dedup();
            prop_assert_eq!(loads.len(), asked);
            prop_assert!(search.end().is_some());
        }
    }
}
