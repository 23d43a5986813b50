//! Exact results of queueing theory for closed loads, which simulated measurements are compared with.
//!
//! A closed load is a fixed number of clients, each of whom thinks, sends a request, and waits for the answer. Only the
//! mean of think times matters (Baskett, Chandy, Muntz and Palacios, *Open, closed, and mixed networks of queues with
//! different classes of customers*, J. ACM 22(2), 1975); service times are negative exponential, and queues are served
//! first come first served. All times are in seconds, throughputs per second.

use statrs::function::gamma::{gamma_lr, ln_gamma};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Means {
    pub throughput: f64,
    pub response_s: f64,
}

/// Several stations in series, each a single server with its own queue, by exact mean value analysis (Reiser and
/// Lavenberg, *Mean-value analysis of closed multichain queuing networks*, J. ACM 27(2), 1980). `demands_s` is the mean
/// service time of each station.
///
/// # Panics
///
/// Panics without clients.
pub fn mean_values(clients: u32, think_s: f64, demands_s: &[f64]) -> Means {
    assert!(clients > 0, "without clients there are no means");
    let mut queues = vec![0.0; demands_s.len()];
    let mut means = Means { throughput: 0.0, response_s: 0.0 };
    for present in 1..=clients {
        // A request finds the queues of a network with one client less.
        let both = demands_s.iter().zip(&queues);
        let times: Vec<f64> = both.map(|(demand, queue)| demand * (1.0 + queue)).collect();
        let response_s = times.iter().sum();
        let throughput = f64::from(present) / (think_s + response_s);
        queues = times.iter().map(|time| throughput * time).collect();
        means = Means { throughput, response_s };
    }
    means
}

/// Clients of one station with equal servers and a common queue, M/M/c//N: as many machines that break and are
/// repaired (Kleinrock, *Queueing Systems*, volume 1, 1975, sections 3.8 and 3.10).
#[derive(Debug, Clone)]
pub struct MachineRepairman {
    think_s: f64,
    servers: u32,
    service_s: f64,
    /// Probability of each number of clients at the station.
    present: Vec<f64>,
    /// The same as seen by an arriving client: by the arrival theorem, the probability with one client less (Lavenberg and
    /// Reiser, *Stationary state probabilities at arrival instants for closed queueing networks with multiple types of
    /// customers*, J. Appl. Prob. 17(4), 1980; Sevcik and Mitrani, J. ACM 28(2), 1981).
    found: Vec<f64>,
}

impl MachineRepairman {
    /// A station with these mean think and service times.
    ///
    /// # Panics
    ///
    /// Panics without clients, servers or service time.
    pub fn new(clients: u32, think_s: f64, servers: u32, service_s: f64) -> Self {
        assert!(clients > 0 && servers > 0 && service_s > 0.0, "there must be clients, servers and service");
        let present = chances(clients, think_s, servers, service_s);
        let found = chances(clients - 1, think_s, servers, service_s);
        Self { think_s, servers, service_s, present, found }
    }

    pub fn means(&self) -> Means {
        let busy =
            (0..).zip(&self.present).map(|(present, chance)| chance * f64::from(self.servers.min(present)));
        let throughput = busy.sum::<f64>() / self.service_s;
        let clients = (self.present.len() - 1) as f64;
        Means { throughput, response_s: clients / throughput - self.think_s }
    }

    /// The distribution function of response times.
    ///
    /// A client who finds a free server is served at once. A client who finds `k - 1` others waiting waits for `k`
    /// departures, an Erlang time of `k` steps, and is then served. The distribution functions `A(k)` of these sums and
    /// `E(k)` of the Erlang times obey `c·A(k - 1) = (c - 1)·A(k) + E(k)` with `c` servers, as their Laplace transforms
    /// show. The downward recursion forgets its start value.
    pub fn response_cdf(&self, seconds: f64) -> f64 {
        if seconds <= 0.0 {
            return 0.0;
        }
        let servers = f64::from(self.servers);
        let departures = servers * seconds / self.service_s;
        let longest_queue = self.found.len().saturating_sub(self.servers as usize);
        let start = longest_queue + (FORGOTTEN_AFTER * servers) as usize;
        let mut departed = gamma_lr((start + 1) as f64, departures);
        let mut answered = 0.0;
        let mut chance = 0.0;
        for waited_for in (0..=start).rev() {
            // At least `waited_for + 1` departures so far: here that is E(k), and `answered` becomes A(k - 1).
            answered = ((servers - 1.0) * answered + departed) / servers;
            departed += poisson(waited_for, departures);
            chance += self.chance_to_wait_for(waited_for) * answered;
        }
        chance.min(1.0)
    }

    /// The quantile of response times (0 to 1, both excluded).
    pub fn response_quantile(&self, quantile: f64) -> f64 {
        let mut high = self.service_s;
        while self.response_cdf(high) < quantile {
            high *= 2.0;
        }
        let mut low = 0.0;
        while high - low > 1e-9 * high {
            let middle = 0.5 * (low + high);
            if self.response_cdf(middle) < quantile { low = middle } else { high = middle }
        }
        high
    }

    /// The probability that an arriving client must wait for this number of departures.
    fn chance_to_wait_for(&self, departures: usize) -> f64 {
        let servers = self.servers as usize;
        match departures {
            0 => self.found.iter().take(servers).sum(),
            more => self.found.get(servers - 1 + more).copied().unwrap_or(0.0),
        }
    }
}

/// Steps for each server after which the start value of the recursion has a weight below `exp(-40)`.
const FORGOTTEN_AFTER: f64 = 40.0;

/// The Poisson probability of a number of events.
fn poisson(events: usize, expected: f64) -> f64 {
    let events = events as f64;
    (events * expected.ln() - expected - ln_gamma(events + 1.0)).exp()
}

/// The probabilities that 0, 1, … clients are at the station. The weights of the birth-death process are logarithms,
/// because factorials overflow.
fn chances(clients: u32, think_s: f64, servers: u32, service_s: f64) -> Vec<f64> {
    let mut logarithms = vec![0.0];
    for present in (1..=clients).rev() {
        let leave = f64::from(present.min(servers)) / service_s;
        let come = f64::from(clients - present + 1) / think_s;
        let above: f64 = logarithms[logarithms.len() - 1];
        logarithms.push(above + (leave / come).ln());
    }
    logarithms.reverse();
    let highest = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logarithms.iter().map(|logarithm| (logarithm - highest).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() <= 1e-9 * one.abs().max(other.abs()).max(1e-9)
    }

    /// Throughput by the normalisation constants of the product form (Gordon and Newell 1967): the weights of all
    /// states with one client less over those with all.
    fn by_all_states(clients: u32, think_s: f64, demands_s: &[f64]) -> f64 {
        fn weights(clients: u32, think_s: f64, demands_s: &[f64]) -> f64 {
            match demands_s {
                [] => (1..=clients).map(|client| think_s / f64::from(client)).product(),
                [demand, rest @ ..] => (0..=clients)
                    .map(|here| demand.powi(here as i32) * weights(clients - here, think_s, rest))
                    .sum(),
            }
        }
        weights(clients - 1, think_s, demands_s) / weights(clients, think_s, demands_s)
    }

    /// The mean response time by the distribution function.
    fn mean_by_cdf(model: &MachineRepairman) -> f64 {
        let (end, steps) = (model.response_quantile(1.0 - 1e-9), 1000);
        let step = end / f64::from(steps);
        // Simpson's rule.
        let weight = |at: u32| if at == 0 || at == steps { 1.0 } else { f64::from(2 + 2 * (at % 2)) };
        let beyond = (0..=steps).map(|at| weight(at) * (1.0 - model.response_cdf(step * f64::from(at))));
        beyond.sum::<f64>() * step / 3.0
    }

    #[test]
    fn a_single_client_never_waits() {
        let model = MachineRepairman::new(1, 7.0, 3, 0.5);
        assert!(near(model.means().throughput, 1.0 / 7.5));
        for seconds in [0.01, 0.5, 3.0] {
            assert!(near(model.response_cdf(seconds), 1.0 - (-seconds / 0.5_f64).exp()), "{seconds}");
        }
        assert!(near(model.response_quantile(0.5), 0.5 * 2.0_f64.ln()));
        assert_eq!(model.response_cdf(0.0), 0.0);
    }

    #[test]
    fn utilisation_is_that_of_erlangs_loss_table() {
        // Ten machines run ten times as long as one repair takes: the repairman is idle for a share of B(10, 10) =
        // 0.2146 of the time, as printed in every table of Erlang's loss formula.
        let model = MachineRepairman::new(10, 10.0, 1, 1.0);
        assert!((1.0 - model.means().throughput - 0.2146).abs() < 5e-5, "{:?}", model.means());
    }

    #[test]
    fn thousands_of_clients_and_no_think_time_are_supported() {
        let saturated = MachineRepairman::new(10_000, 7.0, 2, 0.01);
        assert!(near(saturated.means().throughput, 200.0));
        let (median, mean) = (saturated.response_quantile(0.5), saturated.means().response_s);
        assert!((median / mean - 1.0).abs() < 0.01, "{median} {mean}");
        let idle = MachineRepairman::new(10_000, 7e6, 2, 0.01);
        assert!((idle.means().throughput * 7e6 / 1e4 - 1.0).abs() < 1e-6);
        let busy = MachineRepairman::new(5, 0.0, 2, 1.0);
        assert!(near(busy.means().throughput, 2.0) && near(busy.means().response_s, 2.5));
    }

    proptest! {
        #[test]
        fn mean_value_analysis_agrees_with_the_product_form(
            clients in 1..12_u32,
            think_s in 0.0..20.0_f64,
            demands_s in prop::collection::vec(0.01..3.0_f64, 1..4),
        ) {
            let means = mean_values(clients, think_s, &demands_s);
            prop_assert!(near(means.throughput, by_all_states(clients, think_s, &demands_s)));
            prop_assert!(near(means.throughput * (means.response_s + think_s), f64::from(clients)));
        }

        #[test]
        fn mean_value_analysis_agrees_with_the_machine_repairman(
            clients in 1..300_u32,
            think_s in 0.0..20.0_f64,
            service_s in 0.001..3.0_f64,
        ) {
            let one = mean_values(clients, think_s, &[service_s]);
            let other = MachineRepairman::new(clients, think_s, 1, service_s).means();
            prop_assert!((one.throughput / other.throughput - 1.0).abs() < 1e-9, "{one:?} {other:?}");
        }

        #[test]
        fn the_distribution_of_response_times_has_their_mean(
            clients in 1..60_u32,
            think_s in 0.0..20.0_f64,
            servers in 1..6_u32,
            service_s in 0.05..3.0_f64,
        ) {
            let model = MachineRepairman::new(clients, think_s, servers, service_s);
            let (mean, by_cdf) = (model.means().response_s, mean_by_cdf(&model));
            prop_assert!((by_cdf / mean - 1.0).abs() < 1e-4, "{mean} {by_cdf}");
            let quantiles = [0.1, 0.5, 0.9, 0.99];
            for quantile in quantiles {
                let found = model.response_cdf(model.response_quantile(quantile));
                prop_assert!((found - quantile).abs() < 1e-6, "{found}, not {quantile}");
            }
        }

        #[test]
        fn throughput_grows_with_clients_and_servers_within_its_bounds(
            clients in 1..200_u32,
            think_s in 0.1..20.0_f64,
            servers in 1..6_u32,
            service_s in 0.001..3.0_f64,
        ) {
            let throughput = |clients, servers| {
                MachineRepairman::new(clients, think_s, servers, service_s).means().throughput
            };
            let here = throughput(clients, servers);
            let unhindered = f64::from(clients) / (think_s + service_s);
            let capacity = f64::from(servers) / service_s;
            prop_assert!(here <= unhindered.min(capacity) * (1.0 + 1e-9));
            prop_assert!(here <= throughput(clients + 1, servers) * (1.0 + 1e-9));
            prop_assert!(here <= throughput(clients, servers + 1) * (1.0 + 1e-9));
        }
    }
}
