//! Arrivals in virtual time, compared with theory.

use crate::shop::{Shop, load};
use engine::{Load, LoadKind, Outcome};
use simulation::{QueueServer, simulate};
use std::time::Duration;
use workload::ArrivalLoad;

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// A limited number of users, who arrive one after the other and never think.
fn arriving(users: u32, every: Duration, window: Duration) -> (Load, ArrivalLoad) {
    let arrivals = ArrivalLoad {
        model: "simulated".into(),
        clients: users,
        users,
        every_s: every.as_secs_f64(),
        start: "Home".into(),
        requests: None,
        think_s: (0.0, 0.0),
        ends_unanswered: false,
        again: false,
    };
    (Load { window, session_length: Duration::from_secs(1_000_000), ..load(users, 0, 0) }, arrivals)
}

fn run((load, arrivals): (Load, ArrivalLoad), server: impl FnOnce(&Shop) -> QueueServer) -> Outcome {
    let shop = Shop::new();
    simulate(&mut server(&shop), &shop.users(), &Load { kind: LoadKind::Arrivals(arrivals), ..load })
}

fn queue(service: Duration) -> impl FnOnce(&Shop) -> QueueServer {
    move |shop| QueueServer::new(&shop.catalogue, 1, service, 7)
}

#[test]
fn response_times_of_arrivals_count_from_the_arrival_during_a_freeze() {
    let (load, arrivals) = arriving(100, ms(100), ms(60_000));
    let single = (load, ArrivalLoad { requests: Some(1), ..arrivals });
    let outcome = run(single, |shop| {
        QueueServer::new(&shop.catalogue, 1, Duration::from_micros(1), 7).frozen(ms(2000), ms(5000))
    });
    assert_eq!((outcome.visitors.len(), outcome.total().completed, outcome.sent), (100, 100, 100));
    for (number, answers) in outcome.by_user().iter().enumerate() {
        let came = ms(100) * number as u32;
        let due = if came >= ms(2000) && came < ms(5000) { ms(5000) - came } else { Duration::ZERO };
        assert_eq!(answers.pages.count, 1);
        assert!(answers.longest >= due && answers.longest < due + ms(1), "{number}: {:?}", answers.longest);
    }
    // Thirty users waited when the server went on, and one more arrived at that instant.
    assert_eq!(outcome.by_concurrency().len(), 32);
    assert!(outcome.window >= ms(9900) && outcome.window < ms(9901), "{:?}", outcome.window);
}

#[test]
fn users_without_think_time_queue_for_each_other() {
    let outcome = run(arriving(21, ms(60_000), ms(21 * 60_000)), queue(ms(20)));
    for (concurrency, answers) in outcome.by_concurrency().iter().enumerate().skip(1) {
        let (mean, due) = (answers.pages.mean().as_secs_f64(), 0.02 * concurrency as f64);
        assert!((mean / due - 1.0).abs() < 0.1, "{concurrency}: {mean} s instead of {due} s");
        // The deviation of a sum of exponential service times grows with the square root of their number.
        let (deviation, due) = (answers.deviation_s().unwrap(), 0.02 * (concurrency as f64).sqrt());
        assert!((deviation / due - 1.0).abs() < 0.15, "{concurrency}: {deviation} s instead of {due} s");
    }
    assert_eq!((outcome.by_concurrency().len(), outcome.window), (22, ms(21 * 60_000)));
    assert_eq!(outcome.by_concurrency()[0].pages.count, 0);
}

#[test]
fn growing_concurrency_ends_with_the_first_timeout() {
    let (load, arrivals) = arriving(1000, ms(2000), ms(2_000_000));
    let timeout = Some(ms(3000));
    let growing = ArrivalLoad { think_s: (1.0, 8.0), ends_unanswered: true, ..arrivals };
    let outcome = run((Load { timeout, ..load }, growing), queue(ms(100)));
    assert_eq!(outcome.total().errors(), 1);
    // Ten pages a second, and cycles of 4.5 s of thinking and 3 s of waiting: 75 users on average, fewer at the first
    // timeout.
    let users = outcome.visitors.len();
    assert!((45..=80).contains(&users), "{users}");
    // The users present when that request was intended; within the three seconds of its timeout, two more may have
    // arrived.
    let concurrency = outcome.first_timeout_at().unwrap() as usize;
    assert!((users - 2..=users).contains(&concurrency), "{concurrency} of {users}");
    assert_eq!(outcome.by_concurrency()[concurrency].failed, 1);
    let length = outcome.window.as_secs_f64();
    assert!((length / (2.0 * users as f64) - 1.0).abs() < 0.05, "{length} s with {users} users");
    let thought = outcome.think_times.mean().as_secs_f64();
    assert!((thought - 4.5).abs() < 0.1, "{thought}");
    let [shortest, longest] = [outcome.thinking.min(), outcome.thinking.max()];
    assert!(shortest >= 999_000 && longest <= 8_010_000, "{shortest} to {longest}");
}

#[test]
fn arrivals_continue_however_slow_the_server_is() {
    // Ten users arrive each second, and two are served.
    let (load, arrivals) = arriving(300, ms(100), ms(60_000));
    let overload =
        (Load { timeout: Some(ms(10_000)), ..load }, ArrivalLoad { requests: Some(1), ..arrivals });
    let outcome = run(overload, queue(ms(500)));
    let (pages, errors) = (outcome.total().completed, outcome.total().errors());
    assert_eq!((pages + errors, outcome.intended, outcome.sent), (300, 300, 300));
    assert!(errors > 200, "{errors}");
    assert!(outcome.by_user()[..10].iter().all(|answers| answers.failed == 0));
    assert!(outcome.by_user()[290..].iter().all(|answers| answers.failed == 1));
    // The last one arrived after 29.9 s and waited for ten.
    assert_eq!(outcome.window, ms(39_900));
}
