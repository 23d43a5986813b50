//! From what was measured to what a verdict is about.

use super::{Measured, mix_simulation};
use engine::{ErrorKind, GeneratorShare, How, Outcome};
use hdrhistogram::Histogram;
use results::HostUsageFigures;
use stats::{
    Drawn, Figures, GeneratorFigures, HostGenerator, HostUse, MachineState, MachineUse, QuotaUse, Row,
    SecondFigures, SiteFigures, ThinkTimes, UserFigures, Visited,
};
use std::time::Duration;
use workload::{Catalogue, InteractionId, LoadKind, Mix, Stationary, Step};

/// `stationary` is the mix in the long run, for clients who wait for their answers as long as these did.
pub(super) fn figures(measured: &Measured<'_>, kind: &LoadKind, stationary: &Stationary) -> Figures {
    let outcome = measured.outcome;
    Figures {
        clients: outcome.clients,
        window_s: outcome.window.as_secs_f64(),
        stretches: outcome.stretches.len() as u32,
        generator: GeneratorFigures {
            cpu: outcome.cpu_share(),
            lateness_p50_ms: quantile_ms(&outcome.lateness, 0.5),
            lateness_p99_ms: quantile_ms(&outcome.lateness, 0.99),
            intended: outcome.intended,
            sent: outcome.sent,
        },
        generators: outcome.generators.iter().map(|one| generator(one, outcome)).collect(),
        site: site(outcome, kind),
        users: UserFigures {
            think: think_times(outcome, kind.behaviour().think_time),
            client_time_s: outcome.accounted.as_secs_f64(),
            edges_s: outcome.cut_off.as_secs_f64() - outcome.carried_in.as_secs_f64(),
            warm_requests: outcome.warm_requests,
            visited: visited(measured, stationary),
            rows: measured
                .catalogue
                .ids()
                .map(|from| row(measured.catalogue, measured.mix, outcome, from))
                .collect(),
            fallbacks: outcome
                .interactions
                .iter()
                .map(|figures| figures.tally(How::Fallback).requests())
                .sum(),
        },
        host: host(measured),
    }
}

fn generator(share: &GeneratorShare, outcome: &Outcome) -> HostGenerator {
    let window_s = outcome.window.as_secs_f64();
    let figures = GeneratorFigures {
        cpu: if window_s > 0.0 { share.cpu.as_secs_f64() / window_s } else { 0.0 },
        lateness_p50_ms: quantile_ms(&share.lateness, 0.5),
        lateness_p99_ms: quantile_ms(&share.lateness, 0.99),
        intended: share.intended,
        sent: share.sent,
    };
    HostGenerator { host: share.host.clone(), figures }
}

fn site(outcome: &Outcome, kind: &LoadKind) -> SiteFigures {
    let total = outcome.total();
    let seconds = outcome.window_timeline().map(|second| SecondFigures {
        completed: second.completed as f64,
        response_mean_ms: (second.completed > 0)
            .then(|| second.response_sum.as_secs_f64() * 1e3 / second.completed as f64),
    });
    let response = outcome.response();
    SiteFigures {
        response_p50_ms: quantile_ms(&response, 0.5),
        response_p99_ms: quantile_ms(&response, 0.99),
        response_mean_ms: outcome.response_times.mean().as_secs_f64() * 1e3,
        completed: total.completed + total.refused,
        failed: total.errors(),
        looked_for: kind.arrivals().filter(|load| load.ends_unanswered).map_or(0, |_| total.unanswered()),
        keep_alive_races: total.errors_of(ErrorKind::KeepAliveRace),
        of_others: total.errors_of(ErrorKind::OfAnother),
        idle_closed: outcome.connections.reconnects,
        seconds: seconds.collect(),
    }
}

fn quantile_ms(times_us: &Histogram<u64>, quantile: f64) -> f64 {
    times_us.value_at_quantile(quantile) as f64 / 1e3
}

fn think_times(outcome: &Outcome, expected: Duration) -> ThinkTimes {
    let thinking = &outcome.thinking;
    let histogram = thinking.iter_recorded().map(|value| {
        let value_us = value.value_iterated_to();
        let [from_us, to_us] = [thinking.lowest_equivalent(value_us), thinking.next_non_equivalent(value_us)];
        (from_us as f64 / 1e6, to_us as f64 / 1e6, value.count_at_value())
    });
    ThinkTimes {
        count: outcome.think_times.count,
        mean_s: outcome.think_times.mean().as_secs_f64(),
        expected_s: expected.as_secs_f64(),
        histogram: histogram.collect(),
    }
}

fn visited(measured: &Measured<'_>, stationary: &Stationary) -> Vec<Visited> {
    let visits = measured.outcome.visits();
    let all: u64 = visits.iter().sum();
    let window = mix_simulation::Window {
        clients: measured.outcome.clients,
        warm: measured.outcome.warm_requests,
        length: all as f64 / f64::from(measured.outcome.clients.max(1)),
        session: stationary.requests,
    };
    let walks = mix_simulation::walk(measured.mix, measured.catalogue, window);
    let interactions = measured.catalogue.ids().map(|id| Visited {
        name: measured.catalogue.get(id).name.clone(),
        requests: visits[id.index()],
        expected: walks.shares[id.index()],
        known_from: walks.requests,
        inflation: walks.inflation[id.index()],
    });
    interactions.collect()
}

fn row(catalogue: &Catalogue, mix: &Mix, outcome: &Outcome, from: InteractionId) -> Row {
    let steps = mix.steps(from).map(|(probability, step)| Drawn {
        to: match step {
            Step::To(to) => catalogue.get(to).name.clone(),
            Step::Back => "back".to_owned(),
        },
        count: outcome.transitions.count(from, step),
        probability,
    });
    let mut steps: Vec<Drawn> = steps.collect();
    let known: u64 = steps.iter().map(|step| step.count).sum();
    let unknown = outcome.transitions.row_sum(from).saturating_sub(known);
    if unknown > 0 {
        steps.push(Drawn { to: "elsewhere".to_owned(), count: unknown, probability: 0.0 });
    }
    Row { from: catalogue.get(from).name.clone(), steps }
}

fn host(measured: &Measured<'_>) -> HostUse {
    let host = &measured.host;
    HostUse {
        cores: host.cores,
        steal_cores: host.mean.steal_cores,
        in_rounds: !measured.rounds.is_empty(),
        other_processes_cores: host.mean.other_processes_cores,
        quotas: measured.hosts.iter().filter_map(quota).collect(),
        machines: machines(&measured.hosts),
        states: measured.hosts.iter().filter_map(state).collect(),
    }
}

fn state(host: &HostUsageFigures) -> Option<MachineState> {
    host.node.as_ref()?;
    Some(MachineState { host: host.mean.name.clone(), change: host.changed.clone() })
}

/// Processors lost by each host that is a machine of its own.
pub(crate) fn machines(hosts: &[HostUsageFigures]) -> Vec<MachineUse> {
    let machine = |host: &HostUsageFigures| {
        Some(MachineUse {
            host: host.mean.name.clone(),
            cores: host.cpu.filter(|cores| *cores > 0.0)?,
            steal_cores: host.steal_cores?,
            other_processes_cores: host.other_processes_cores?,
        })
    };
    hosts.iter().filter_map(machine).collect()
}

fn quota(host: &HostUsageFigures) -> Option<QuotaUse> {
    Some(QuotaUse {
        host: host.mean.name.clone(),
        cores: host.cpu?,
        runnable_s: host.runnable_s,
        granted_s: host.granted_s,
    })
}
