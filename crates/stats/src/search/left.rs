//! How long a search may still take.

use super::{CONFIRMED_LOADS, Found, INDIFFERENCE, PeakSearch, Purpose, REFINEMENTS, Rise, TRIES};

/// A load that gives less than this share of the best is not taken for the best by mistake.
const OUT_OF_REACH: f64 = 0.8;

impl PeakSearch {
    /// How many points are left at least and at most, if all of them are VALID.
    pub fn left(&self) -> (u32, u32) {
        let Some(next) = self.next() else { return (0, 0) };
        let least = match (next.purpose, self.peak()) {
            (Purpose::Search, None) => self.least_search() + self.confirmations,
            (Purpose::Confirm, None) => self.unconfirmed_runs(next.clients),
            (_, Some(_)) => 1,
        };
        let most = self.most_search() + self.most_confirm();
        (least as u32, most.max(least) as u32)
    }

    /// How often a load is measured again before it counts as confirmed.
    fn unconfirmed_runs(&self, clients: u32) -> usize {
        let invalid = self.loads.get(&clients).map_or(0, |load| load.confirm.invalid);
        let tries = 2 * self.confirmations - invalid;
        self.confirmations.min(tries) - self.confirmed(clients)
    }

    /// Runs that found something and were to confirm it.
    fn confirmed(&self, clients: u32) -> usize {
        self.loads.get(&clients).map_or(0, |load| load.confirm.throughputs.len())
    }

    /// A rise that stops at the next load.
    fn least_search(&self) -> usize {
        match self.rise() {
            _ if self.is_coarse => self.open_on_ladder(),
            Rise::Ended(_) => 1,
            Rise::Needs(_) if self.most == self.first => 1 + self.halvings().min(1),
            Rise::Needs(load) if self.loads.contains_key(&load) || load == self.most => 1,
            Rise::Needs(load) if load == self.first => 1 + self.looks_at(load.saturating_mul(2)),
            Rise::Needs(_) => TRIES,
        }
    }

    /// How many of the doubled loads have brought nothing VALID yet, and may.
    fn open_on_ladder(&self) -> usize {
        self.ladder().filter(|load| matches!(self.found(*load), Found::Open)).count()
    }

    /// So often a load of the rise that gives no more is looked at.
    fn looks_at(&self, load: u32) -> usize {
        if load >= self.most { 1 } else { TRIES }
    }

    /// Every load may be looked at once more: those of the rise before it goes on, others when they look better than what
    /// was confirmed.
    fn most_search(&self) -> usize {
        if self.is_coarse {
            return self.open_on_ladder() * TRIES + self.within_reach();
        }
        let unmeasured = self.ladder().filter(|load| self.is_new(*load)).count();
        let rise = match self.rise() {
            Rise::Needs(_) => unmeasured * TRIES,
            Rise::Ended(_) => 0,
        };
        // What turns round at the second load doesn't rise any further.
        let searched = rise.max(rise.min(2 * TRIES) + self.halvings());
        let refinements = REFINEMENTS - self.refinements().min(REFINEMENTS);
        searched + self.within_reach() + refinements * TRIES
    }

    /// How often the lowest load can be halved, if it may be the best.
    fn halvings(&self) -> usize {
        let lowest = self.loads.keys().next().copied().unwrap_or(self.first);
        let best = self.valid_loads().map(|(_, throughput)| throughput).fold(0.0, f64::max);
        let is_beaten =
            self.valid_loads().next().is_some_and(|(_, throughput)| throughput * (1.0 + INDIFFERENCE) < best);
        if is_beaten || self.peak().is_some() { 0 } else { lowest.ilog2() as usize }
    }

    /// How many more looks the loads may need that were looked at already.
    fn within_reach(&self) -> usize {
        let best = self.valid_loads().map(|(_, throughput)| throughput).fold(0.0, f64::max);
        let looks = |load: &u32| match self.found(*load) {
            Found::Open => TRIES,
            Found::Valid(throughput) => {
                usize::from(throughput > best * OUT_OF_REACH && !self.is_settled(*load))
            }
            Found::Invalid => 0,
        };
        self.loads.keys().map(looks).sum()
    }

    fn most_confirm(&self) -> usize {
        let counts = |load: &&u32| !matches!(self.found(**load), Found::Invalid);
        let done: usize =
            self.loads.keys().filter(counts).map(|load| self.confirmed(*load).min(self.confirmations)).sum();
        (CONFIRMED_LOADS * self.confirmations).saturating_sub(done)
    }
}
