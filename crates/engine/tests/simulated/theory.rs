//! The clients in virtual time, compared with exact results of queueing theory.

use crate::shop::{Shop, load};
use engine::{Load, Outcome};
use simulation::exact::{MachineRepairman, Means, mean_values};
use simulation::{QueueServer, simulate};
use std::time::Duration;
use workload::Stationary;

const HOUR: u64 = 3_600_000;
const SERVICE: Duration = Duration::from_millis(50);

fn run(shop: &Shop, load: &Load, mut server: QueueServer) -> Outcome {
    simulate(&mut server, &shop.users(), load)
}

/// Compares throughput and mean response time with theory. Throughput may deviate by `share`, and response times by the
/// same share of a cycle, because clients = throughput × cycle.
fn assert_as_in_theory(outcome: &Outcome, means: Means, think_s: f64, share: f64) {
    let Means { throughput, response_s } = means;
    let found = outcome.throughput();
    let what = outcome.clients;
    assert!((found / throughput - 1.0).abs() < share, "{what} clients: {found}/s, not {throughput}/s");
    let mean = outcome.response_times.mean().as_secs_f64();
    let deviation = (mean - response_s).abs() / (response_s + think_s);
    assert!(deviation < share, "{what} clients: response {mean} s, not {response_s} s");
    assert_eq!(outcome.total().errors(), 0);
}

#[test]
fn one_station_behaves_as_a_machine_repairman() {
    let shop = Shop::new();
    for (clients, servers) in [(5, 1), (20, 1), (40, 1), (60, 4), (100, 4)] {
        let load = load(clients, 1000, 2 * HOUR);
        let outcome = run(&shop, &load, QueueServer::new(&shop.catalogue, servers as usize, SERVICE, 7));
        let exact = MachineRepairman::new(clients, 1.0, servers, 0.05);
        // At 5 clients the window has 34,000 requests, whose mean cycle is known to 0.6 %.
        assert_as_in_theory(&outcome, exact.means(), 1.0, 0.02);
    }
}

#[test]
fn stations_in_series_behave_as_mean_value_analysis_predicts() {
    let shop = Shop::new();
    for clients in [5, 20, 40] {
        for services in [[50, 20, 5], [5, 50, 20], [30, 30, 30]] {
            let load = load(clients, 1000, 2 * HOUR);
            let services = services.map(Duration::from_millis);
            let outcome = run(&shop, &load, QueueServer::in_series(&shop.catalogue, &services, 7));
            let exact = mean_values(clients, 1.0, &services.map(|service| service.as_secs_f64()));
            assert_as_in_theory(&outcome, exact, 1.0, 0.02);
        }
    }
}

#[test]
fn response_times_follow_their_distribution() {
    let shop = Shop::new();
    for (clients, servers) in [(5, 1), (20, 1), (40, 1), (30, 2)] {
        let load = load(clients, 1000, 3 * HOUR);
        let outcome = run(&shop, &load, QueueServer::new(&shop.catalogue, servers as usize, SERVICE, 7));
        let exact = MachineRepairman::new(clients, 1.0, servers, 0.05);
        let response = outcome.response();
        for quantile in [0.05, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999] {
            let found = exact.response_cdf(response.value_at_quantile(quantile) as f64 / 1e6);
            // Consecutive response times are correlated, so that at most a tenth of them are independent.
            let error = (quantile * (1.0 - quantile) / (response.len() as f64 / 10.0)).sqrt();
            let what = format!("{clients} clients, {servers} servers, {quantile}");
            assert!((found - quantile).abs() < 4.0 * error, "{what}: {found}, {error}");
        }
    }
}

#[test]
fn visits_follow_the_stationary_mix_however_slow_the_server_is() {
    let shop = Shop::new();
    for service in [1, 500] {
        let service = Duration::from_millis(service);
        // Sessions of two minutes; waiting may take a good part of them.
        let load = Load {
            session_length: Duration::from_secs(120),
            timeout: Some(Duration::from_secs(600)),
            ..load(40, 1000, 3 * HOUR)
        };
        let outcome = run(&shop, &load, QueueServer::new(&shop.catalogue, 1, service, 7));
        let response = outcome.response_times.mean();
        let expected = Stationary::expected(
            &shop.mix,
            &shop.catalogue,
            Duration::from_secs(1),
            load.session_length,
            response,
        );
        let visits = outcome.visits();
        let all: u64 = visits.iter().sum();
        for id in shop.catalogue.ids() {
            let share = visits[id.index()] as f64 / all as f64;
            assert!((share - expected.share(id)).abs() < 0.004, "{share}, not {}", expected.share(id));
        }
    }
}
