use super::*;
use Purpose::{Confirm, Search};
use proptest::prelude::*;

/// Runs a search against a server; gives it back with the loads in their order.
fn run(search: PeakSearch, server: impl FnMut(Next) -> (f64, bool)) -> (PeakSearch, Vec<(u32, Purpose)>) {
    run_watched(search, server, |_| ())
}

/// The same, and shows the search after each point.
fn run_watched(
    mut search: PeakSearch,
    mut server: impl FnMut(Next) -> (f64, bool),
    mut watch: impl FnMut(&PeakSearch),
) -> (PeakSearch, Vec<(u32, Purpose)>) {
    let mut loads = Vec::new();
    while let Some(next) = search.next() {
        assert!(loads.len() < 200, "no end: {loads:?}");
        let (throughput, valid) = server(next);
        search.record(given(next.clients, next.purpose, throughput, None, valid));
        loads.push((next.clients, next.purpose));
        watch(&search);
    }
    (search, loads)
}

fn given(clients: u32, purpose: Purpose, throughput: f64, half_width: Option<f64>, valid: bool) -> Run {
    Run { clients, purpose, throughput, half_width, valid }
}

/// A server that gives one answer per client up to a capacity.
fn up_to(capacity: u32) -> impl Fn(Next) -> (f64, bool) {
    move |next| (f64::from(next.clients.min(capacity)), true)
}

fn searched(loads: &[(u32, Purpose)]) -> Vec<u32> {
    loads.iter().filter(|(_, purpose)| *purpose == Search).map(|(load, _)| *load).collect()
}

fn confirmed(loads: &[(u32, Purpose)]) -> Vec<u32> {
    loads.iter().filter(|(_, purpose)| *purpose == Confirm).map(|(load, _)| *load).collect()
}

#[test]
fn rises_believes_the_end_at_the_second_look_and_confirms() {
    let (search, loads) = run(PeakSearch::new(50, 10_000, 5), up_to(350));
    assert_eq!(searched(&loads), [50, 100, 200, 400, 800, 800, 566]);
    assert_eq!(confirmed(&loads), [400; 5]);
    let peak = search.peak().unwrap();
    assert_eq!((peak.clients, peak.throughput, peak.runs), (400, 350.0, 5));
    assert_eq!(peak.interval, Some(Interval { mean: 350.0, half_width: 0.0 }));
    assert_eq!((search.end(), search.passed()), (Some(End::Flattened), true));
}

#[test]
fn a_coarse_search_measures_doubled_loads_alone_and_the_best_of_them_again() {
    let coarse = || PeakSearch::new(50, 600, 3).coarse(true);
    let (search, loads) = run(coarse(), up_to(150));
    assert_eq!(searched(&loads), [50, 100, 200, 400, 600], "all of them, whatever they give");
    assert_eq!(confirmed(&loads), [200; 3]);
    assert_eq!(search.peak().map(|peak| (peak.clients, peak.throughput, peak.runs)), Some((200, 150.0, 3)));
    assert!(search.passed(), "two higher loads gave no more");
    assert!(!run(coarse(), up_to(1000)).0.passed(), "nothing is above the best");
    let (search, _) = run(coarse(), |next| (f64::from(next.clients.min(150)), next.clients < 400));
    assert!(!search.passed(), "all that is above is INVALID");
    // Each run at 200 clients is the worse for having been the best.
    let (search, _) = run(coarse(), |next| match (next.clients, next.purpose) {
        (200, Search) => (200.0, true),
        (200, Confirm) => (100.0, true),
        (clients, _) => (f64::from(clients.min(150)), true),
    });
    assert!(search.peak().unwrap().throughput > 140.0 && search.passed());
    let mut accidents = vec![100];
    let (search, loads) = run(coarse(), |next| {
        let accident = accidents.iter().position(|load| *load == next.clients);
        (f64::from(next.clients.min(350)), accident.map(|place| accidents.remove(place)).is_none())
    });
    assert_eq!(searched(&loads), [50, 100, 200, 400, 600, 100], "what was INVALID comes after the others");
    assert_eq!(search.peak().unwrap().throughput, 350.0);
    // One that looked worse than it is.
    let (search, loads) = run(coarse(), |next| {
        let unlucky = next.purpose == Confirm && next.clients == 600;
        (f64::from(next.clients) * if unlucky { 0.5 } else { 1.0 }, true)
    });
    assert_eq!(confirmed(&loads), [600, 600, 600, 400, 400, 400], "a better one is measured again too");
    assert_eq!(search.peak().unwrap().clients, 400);
}

#[test]
fn the_peak_is_known_from_confirming_runs_alone() {
    let server = |next: Next| match next.purpose {
        Search => (f64::from(next.clients.min(400)), true),
        Confirm => (390.0, true),
    };
    let (search, _) = run(PeakSearch::new(50, 10_000, 3), server);
    assert_eq!(search.peak().unwrap().throughput, 390.0);
}

#[test]
fn a_first_load_that_is_too_high_is_halved_until_less_comes() {
    let (search, loads) = run(PeakSearch::new(400, 10_000, 3), up_to(150));
    assert_eq!(searched(&loads)[..5], [400, 800, 800, 200, 100]);
    assert_eq!(search.peak().unwrap().throughput, 150.0);
}

#[test]
fn a_sharp_peak_is_looked_for_where_the_lines_on_both_sides_meet() {
    let collapse = |next: Next| {
        let load = f64::from(next.clients) / 300.0;
        (if load < 1.0 { load } else { load.powi(-2) }, true)
    };
    let (search, loads) = run(PeakSearch::new(50, 10_000, 3), collapse);
    let peak = search.peak().unwrap();
    assert!(peak.throughput > 0.95 && search.passed(), "{peak:?} {loads:?}");
}

#[test]
fn an_invalid_point_is_measured_once_more() {
    let mut accidents = vec![100, 400];
    let server = |next: Next| {
        let accident = accidents.iter().position(|load| *load == next.clients);
        (f64::from(next.clients.min(350)), accident.map(|place| accidents.remove(place)).is_none())
    };
    let (search, loads) = run(PeakSearch::new(50, 10_000, 3), server);
    assert_eq!(searched(&loads)[..7], [50, 100, 100, 200, 400, 400, 800]);
    assert!(search.passed());
}

#[test]
fn an_invalid_load_alone_does_not_end_the_rise() {
    let (search, loads) =
        run(PeakSearch::new(10, 10_000, 3), |next| (f64::from(next.clients.min(300)), next.clients != 80));
    assert_eq!(searched(&loads)[..7], [10, 20, 40, 80, 80, 160, 320]);
    assert_eq!((search.peak().unwrap().throughput, search.passed()), (300.0, true));
}

#[test]
fn where_overload_is_invalid_the_peak_is_passed_below_it() {
    let (search, loads) =
        run(PeakSearch::new(100, 10_000, 3), |next| (f64::from(next.clients.min(300)), next.clients < 730));
    assert_eq!(searched(&loads)[..8], [100, 200, 400, 800, 800, 1600, 1600, 283]);
    assert_eq!((search.peak().unwrap().throughput, search.passed()), (300.0, true), "{loads:?}");
}

#[test]
fn where_all_above_is_invalid_nothing_is_proven() {
    let (search, loads) =
        run(PeakSearch::new(10, 10_000, 3), |next| (f64::from(next.clients), next.clients <= 40));
    assert_eq!(search.peak().unwrap().clients, 40, "{loads:?}");
    assert_eq!((search.end(), search.passed()), (Some(End::Invalid), false));
}

#[test]
fn with_no_valid_load_there_is_no_peak() {
    let (search, loads) = run(PeakSearch::new(10, 10_000, 3), |_| (5.0, false));
    assert_eq!(searched(&loads), [10, 10, 20, 20]);
    assert_eq!((search.peak(), search.passed()), (None, false));
    let (search, _) = run(PeakSearch::new(10, 20, 3), |_| (f64::NAN, true));
    assert_eq!(search.peak(), None);
}

#[test]
fn a_peak_with_fewer_than_three_valid_confirmations_is_none_and_the_next_best_is_tried() {
    let server = |next: Next| {
        let valid = next.purpose == Search || next.clients != 400;
        (f64::from(next.clients.min(350)), valid)
    };
    let (search, loads) = run(PeakSearch::new(50, 10_000, 5), server);
    assert_eq!(confirmed(&loads)[..10], [400; 10], "at most twice as many tries as confirmations");
    assert_eq!(search.peak().map(|peak| (peak.clients, peak.runs)), Some((566, 5)), "{loads:?}");
}

#[test]
fn a_neighbour_that_looks_better_than_what_was_confirmed_is_confirmed_as_well() {
    // What was found at 400 was luck, and 200 gives as much.
    let server = |next: Next| match (next.clients, next.purpose) {
        (400, Search) => (230.0, true),
        (load, _) => (f64::from(load.min(210)), true),
    };
    let (search, loads) = run(PeakSearch::new(50, 10_000, 3), server);
    assert_eq!(confirmed(&loads)[..3], [400; 3], "{loads:?}");
    assert_eq!(search.peak().unwrap().throughput, 210.0);
    assert!(search.passed());
}

#[test]
fn one_run_above_is_no_proof() {
    let mut search = PeakSearch::new(50, 10_000, 3);
    for (clients, throughput) in [(50, 50.0), (100, 100.0), (200, 20.0)] {
        search.record(given(clients, Search, throughput, None, true));
    }
    (0..3).for_each(|_| search.record(given(100, Confirm, 100.0, None, true)));
    assert!(!search.passed());
    search.record(given(200, Search, 20.0, None, true));
    assert!(search.passed());
}

#[test]
fn at_the_greatest_load_the_way_there_tells_whether_the_peak_is_passed() {
    let passed = |gain: f64| {
        let mut search = PeakSearch::new(100, 400, 3);
        for (clients, throughput) in [(100, 60.0), (200, 100.0), (400, 100.0 * (1.0 + gain))] {
            search.record(given(clients, Search, throughput, None, true));
        }
        search.record(given(200, Search, 100.5, None, true));
        (0..3).for_each(|_| search.record(given(400, Confirm, 100.0 * (1.0 + gain), None, true)));
        search.passed()
    };
    assert!(passed(0.05) && !passed(0.12));
}

#[test]
fn no_witness_is_asked_that_shows_a_rise() {
    // From 200 to 400 it still doubles, so that more runs would tell nothing new.
    let (search, loads) = run(PeakSearch::new(100, 400, 3), up_to(u32::MAX));
    assert_eq!((confirmed(&loads), search.passed()), (vec![400; 3], false));
    // Here it hardly rises, but runs scatter, and one below is worth its while.
    let mut odd = false;
    let scattered = |next: Next| {
        odd = !odd;
        (f64::from(next.clients).powf(0.1) * if odd { 100.0 } else { 102.0 }, true)
    };
    let (_, loads) = run(PeakSearch::new(200, 400, 3), scattered);
    assert!(confirmed(&loads).contains(&200), "{loads:?}");
}

#[test]
fn scatter_forbids_certainty() {
    let passed = |scatter: f64| {
        let mut search = PeakSearch::new(100, 10_000, 3);
        (0..2).for_each(|_| search.record(given(200, Search, 100.0, None, true)));
        for deviation in [-scatter, 0.0, scatter] {
            search.record(given(100, Confirm, 100.0 + deviation, None, true));
        }
        search.passed()
    };
    assert!(passed(1.0) && !passed(3.0));
}

#[test]
fn runs_that_happen_to_agree_are_not_believed_more_than_their_intervals() {
    let passed = |half_width: f64| {
        let mut search = PeakSearch::new(100, 10_000, 3);
        (0..2).for_each(|_| search.record(given(200, Search, 100.0, None, true)));
        (0..3).for_each(|_| search.record(given(100, Confirm, 100.0, Some(half_width), true)));
        search.passed()
    };
    assert!(passed(1.0) && !passed(6.0));
}

#[test]
fn a_lone_client_is_a_search_too() {
    let (search, loads) = run(PeakSearch::new(0, 0, 0), |_| (1.0, true));
    assert_eq!(loads, [(1, Search), (1, Confirm), (1, Confirm), (1, Confirm)]);
    assert_eq!((search.peak().unwrap().clients, search.passed()), (1, false));
}

prop_compose! {
    /// First load, greatest load, and a number of clients well between them at which the server saturates.
    fn searches()(first in 1u32..200, most in 5000u32..20_000, knee in 500f64..2000.0) -> (u32, u32, f64) {
        (first, most, knee)
    }
}

proptest! {
    #[test]
    fn a_plateau_is_found_within_the_points_that_are_left((first, most, knee) in searches(), confirmations in 1u32..10,
                                                          scatter in proptest::collection::vec(0.97f64..1.03, 200)) {
        let mut scatter = scatter.into_iter();
        let server = |next: Next| ((f64::from(next.clients) / knee).min(1.0) * scatter.next().unwrap(), true);
        let mut left = vec![PeakSearch::new(first, most, confirmations).left()];
        let (search, loads) = run_watched(PeakSearch::new(first, most, confirmations), server, |search| left.push(search.left()));
        prop_assert!((search.peak().unwrap().throughput - 1.0).abs() < 0.06);
        for ((least, at_most), really) in left.iter().zip((0..=loads.len() as u32).rev()) {
            prop_assert!((*least..=*at_most).contains(&really), "{least} to {at_most}, really {really}: {loads:?}");
        }
        let widths: Vec<u32> = left.iter().map(|(least, most)| most - least).collect();
        prop_assert!(widths[loads.len() / 2] <= widths[0] && widths[loads.len()] == 0, "{widths:?}");
    }

    #[test]
    fn a_limit_below_the_peak_is_never_taken_for_it(first in 1u32..200, most in 300u32..5000) {
        let (search, loads) = run(PeakSearch::new(first, most, 3), up_to(u32::MAX));
        prop_assert!(f64::from(search.peak().unwrap().clients) * 1.02 >= f64::from(most));
        prop_assert!(!search.passed());
        prop_assert!(loads.iter().all(|(load, _)| (1..=most).contains(load)));
    }

    #[test]
    fn ends_whatever_is_measured(first in 1u32..5000, most in 1u32..100_000,
                                 given in proptest::collection::vec((0.0f64..100.0, any::<bool>()), 200)) {
        let mut given = given.into_iter();
        let (search, loads) = run(PeakSearch::new(first, most, 3), |_| given.next().unwrap());
        prop_assert!(loads.iter().all(|(load, _)| (1..=most.max(first)).contains(load)));
        prop_assert!(search.end().is_some());
    }

    #[test]
    fn the_order_of_runs_at_a_load_does_not_matter((first, most, knee) in searches(),
                                                   scatter in proptest::collection::vec(0.97f64..1.03, 100)) {
        let mut scatter = scatter.into_iter();
        let mut points = Vec::new();
        let server = |next: Next| {
            let throughput = (f64::from(next.clients) / knee).min(1.0) * scatter.next().unwrap();
            points.push((next, throughput));
            (throughput, true)
        };
        let (search, _) = run(PeakSearch::new(first, most, 5), server);
        let mut again = PeakSearch::new(first, most, 5);
        for (next, throughput) in points.into_iter().rev() {
            again.record(given(next.clients, next.purpose, throughput, None, true));
        }
        prop_assert_eq!((search.peak(), search.passed(), search.end()), (again.peak(), again.passed(), again.end()));
        prop_assert_eq!(again.next(), None);
    }
}
