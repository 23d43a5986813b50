//! Merges the outcomes of a load's shards. Counts, sums and histograms add up, so that the result is that of a single
//! process.

use super::{Connections, Ended, InteractionStats, Outcome, SecondCounts, SecondLatencies, Sum, Transitions};
use crate::EngineError;
use hdrhistogram::Histogram;
use std::{collections::BTreeMap, time::Duration};

impl Outcome {
    /// Adds the outcome of another shard of the same load. Only [`Outcome::cpu`] does not add up: each shard has a thread
    /// of its own, and the busiest one shows whether the generator kept up.
    ///
    /// # Errors
    /// The windows of both were not at the same time. Those of arrivals begin at once, and each ends with its own users.
    pub fn add_shard(&mut self, shard: Self) -> Result<(), EngineError> {
        let has_arrivals = !self.visitors.is_empty() || !shard.visitors.is_empty();
        match (self.stretches.as_mut_slice(), shard.stretches.as_slice()) {
            ([own], [other]) if has_arrivals && own.start == other.start => {
                own.end = own.end.max(other.end);
                self.window = own.length();
            }
            (own, other) if own == other => {}
            _ => return Err(EngineError::UnequalWindows),
        }
        // Rounded, because their mean is a fraction that a float only comes close to.
        let requests = |outcome: &Self| (outcome.warm_requests * f64::from(outcome.clients)).round();
        let warm = requests(self) + requests(&shard);
        // Each field is named, so that none is forgotten.
        let Self {
            clients,
            window_start: _,
            warm_requests: _,
            window: _,
            stretches: _,
            ended,
            interactions,
            connections,
            intended,
            sent,
            lateness,
            causes,
            left_out,
            transitions,
            thinking,
            think_times,
            response_times,
            accounted,
            carried_in,
            cut_off,
            timeline,
            latencies,
            writes,
            cpu,
            generators,
            visitors,
        } = shard;
        self.clients += clients;
        self.warm_requests = warm / f64::from(self.clients.max(1));
        if ended == Ended::Stopped {
            self.ended = ended;
        }
        for (own, more) in self.interactions.iter_mut().zip(&interactions) {
            own.add(more);
        }
        self.connections.add(&connections);
        self.intended += intended;
        self.sent += sent;
        add(&mut self.lateness, &lateness);
        for (own, more) in self.causes.iter_mut().zip(causes) {
            *own = own.take().or(more);
        }
        for (site, count) in left_out {
            *self.left_out.entry(site).or_default() += count;
        }
        self.transitions.add_all(&transitions);
        add(&mut self.thinking, &thinking);
        self.think_times.add_all(think_times);
        self.response_times.add_all(response_times);
        self.accounted += accounted;
        self.carried_in += carried_in;
        self.cut_off += cut_off;
        self.add_seconds(&timeline, &latencies);
        for (own, more) in self.writes.iter_mut().zip(writes) {
            own.acknowledged.extend(more.acknowledged);
            own.sent.append(more.sent);
            own.refused += more.refused;
            own.in_doubt += more.in_doubt;
        }
        self.cpu = self.cpu.max(cpu);
        self.generators.extend(generators);
        self.visitors.extend(visitors);
        self.visitors.sort_by_key(|visitor| visitor.number);
        Ok(())
    }

    /// One shard may have waited longer for its last answers than another.
    fn add_seconds(&mut self, timeline: &[SecondCounts], latencies: &[SecondLatencies]) {
        let seconds = self.timeline.len().max(timeline.len());
        self.timeline.resize(seconds, SecondCounts::default());
        self.latencies.resize(seconds, SecondLatencies::default());
        let own = self.timeline.iter_mut().zip(&mut self.latencies);
        for ((counts, times), (more, more_times)) in own.zip(timeline.iter().zip(latencies)) {
            times.add(more_times);
            counts.add(more);
            counts.p95 = times.p95();
        }
    }
}

fn add(sum: &mut Histogram<u64>, more: &Histogram<u64>) {
    sum.add(more).expect("the histograms of a load's shards have the same bounds");
}

impl InteractionStats {
    fn add(&mut self, more: &Self) {
        let Self { by_how, response, service, bytes } = more;
        self.by_how.iter_mut().zip(by_how).for_each(|(own, more)| own.add(more));
        add(&mut self.response, response);
        add(&mut self.service, service);
        self.bytes += bytes;
    }
}

impl Connections {
    fn add(&mut self, more: &Self) {
        let Self { opened, failed, reconnects, races, time } = more;
        self.opened += opened;
        self.failed += failed;
        self.reconnects += reconnects;
        self.races += races;
        add(&mut self.time, time);
    }
}

impl Transitions {
    fn add_all(&mut self, more: &Self) {
        self.counts.iter_mut().zip(&more.counts).for_each(|(own, more)| *own += more);
    }
}

impl Sum {
    fn add_all(&mut self, more: Self) {
        self.count += more.count;
        self.total += more.total;
    }
}

impl SecondCounts {
    /// Adds all but [`SecondCounts::p95`], which does not add up.
    fn add(&mut self, more: &Self) {
        let Self { completed, refused, errors, response_sum, p95: _ } = more;
        self.completed += completed;
        self.refused += refused;
        self.errors += errors;
        self.response_sum += *response_sum;
    }
}

impl SecondLatencies {
    fn add(&mut self, more: &Self) {
        let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
        for (value, count) in self.values.iter().chain(&more.values) {
            *counts.entry(*value).or_default() += count;
        }
        self.values = counts.into_iter().collect();
    }

    /// The 95th percentile; zero without pages.
    pub(crate) fn p95(&self) -> Duration {
        let all: u64 = self.values.iter().map(|(_, count)| u64::from(*count)).sum();
        let needed = (95 * all).div_ceil(100);
        let mut passed = 0;
        let reached = self.values.iter().find(|(_, count)| {
            passed += u64::from(*count);
            passed >= needed
        });
        reached.map_or(Duration::ZERO, |(value, _)| Duration::from_micros((*value).into()))
    }
}
