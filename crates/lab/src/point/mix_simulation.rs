//! A window of a mix as chance makes it: how often each interaction is expected in it, and how far its share
//! scatters.
//!
//! A user's request depends on what the same user asked for before, sometimes for a whole session: who browses by
//! region stays there. So shares scatter further than if each request were chosen on its own, and in short windows
//! they still show that all users began together. How far depends on the mix, the warm-up and the window; walking the
//! mix on paper tells, for pages that offer every link and form.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use workload::{Catalogue, InteractionId, Method, Mix, Step};

/// Users that are walked at least, so that what is known of their scatter is, too.
const FEWEST_USERS: f64 = 1000.0;
/// Simulated users for each user of the load: they add an eighth to the standard errors of its shares.
const USERS: f64 = 4.0;
/// Requests that are walked at most: a few milliseconds.
const MOST_REQUESTS: f64 = 300_000.0;
/// Longer windows scatter like this one: sessions, which have nothing to do with one another, are shorter.
const LONGEST: f64 = 500.0;
/// The same walks for all points, so that a verdict doesn't depend on luck.
const SEED: u64 = 5;

#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub clients: u32,
    /// Requests of a user before it.
    pub warm: f64,
    /// Requests of a user in it.
    pub length: f64,
    /// Requests of a session, on average.
    pub session: f64,
}

/// The figures of walks, by the index of [`InteractionId`].
pub(super) struct Walks {
    /// Share of each interaction.
    pub shares: Vec<f64>,
    /// The variance of each share over that of independent requests.
    pub inflation: Vec<f64>,
    /// Sample size behind the figures.
    pub requests: f64,
}

/// Walks a mix through as many windows as it takes.
pub(super) fn walk(mix: &Mix, catalogue: &Catalogue, window: Window) -> Walks {
    let length = window.length.clamp(1.0, LONGEST);
    let users = (USERS * f64::from(window.clients)).max(FEWEST_USERS);
    let users = users.min(MOST_REQUESTS / (window.warm + length)).ceil() as usize;
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let windows: Vec<Vec<f64>> = (0..users)
        .map(|_| {
            let mut user = User::new(mix, catalogue, window.session);
            let mut counts = vec![0.0; catalogue.interactions().len()];
            // In think times; the first one is cut short, because users come at random instants.
            let mut now: f64 = random.random();
            while now < window.warm + length {
                let asked = user.ask(&mut random);
                if now >= window.warm {
                    counts[asked.index()] += 1.0;
                }
                now -= (1.0 - random.random::<f64>()).ln();
            }
            counts
        })
        .collect();
    Walks::of(&windows)
}

impl Walks {
    fn of(windows: &[Vec<f64>]) -> Self {
        let sum = |counts: &[f64]| counts.iter().sum::<f64>();
        let requests: f64 = windows.iter().map(|counts| sum(counts)).sum();
        let interactions = 0..windows.first().map_or(0, Vec::len);
        let total = |at: usize| windows.iter().map(|counts| counts[at]).sum::<f64>();
        let shares: Vec<f64> = interactions.map(|at| total(at) / requests).collect();
        let scatter = |(at, share): (usize, &f64)| {
            let squares: f64 = windows.iter().map(|counts| (counts[at] - share * sum(counts)).powi(2)).sum();
            let alone = requests * share * (1.0 - share);
            if alone > 0.0 { squares / alone } else { 1.0 }
        };
        Self { inflation: shares.iter().enumerate().map(scatter).collect(), shares, requests }
    }
}

/// A user who finds every link and form on every page.
struct User<'a> {
    mix: &'a Mix,
    catalogue: &'a Catalogue,
    /// The chance that a session ends before the next request.
    ends: f64,
    /// Pages that going back leads to, the latest last; empty before the first request.
    history: Vec<InteractionId>,
    /// The answer to a form that the user looks at; none where it is the last page of the history.
    posted: Option<InteractionId>,
}

impl<'a> User<'a> {
    fn new(mix: &'a Mix, catalogue: &'a Catalogue, session: f64) -> Self {
        Self { mix, catalogue, ends: 1.0 / session.max(1.0), history: Vec::new(), posted: None }
    }

    fn ask(&mut self, random: &mut ChaCha8Rng) -> InteractionId {
        let at = self.posted.or(self.history.last().copied());
        let Some(at) = at.filter(|_| random.random::<f64>() >= self.ends) else { return self.start() };
        match self.mix.draw(at, random) {
            Step::To(to) if self.catalogue.get(to).method == Method::Post => {
                self.posted = Some(to);
                to
            }
            Step::To(to) => {
                self.posted = None;
                self.history.push(to);
                to
            }
            Step::Back => self.go_back(),
        }
    }

    fn go_back(&mut self) -> InteractionId {
        if self.posted.take().is_none() {
            self.history.pop();
        }
        self.history.last().copied().unwrap_or_else(|| self.start())
    }

    fn start(&mut self) -> InteractionId {
        self.posted = None;
        self.history = vec![self.catalogue.start];
        self.catalogue.start
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::Auction;
    use std::time::Duration;
    use workload::Stationary;

    #[test]
    fn long_walks_come_to_the_stationary_mix() {
        let auction = Auction::new("bidding");
        let window = Window { clients: 1000, warm: 200.0, length: 1000.0, session: 129.6 };
        let walks = walk(&auction.mix, &auction.catalogue, window);
        let (think, session) = (Duration::from_secs(7), Duration::from_secs(900));
        let exact = Stationary::expected(&auction.mix, &auction.catalogue, think, session, Duration::ZERO);
        for id in auction.catalogue.ids() {
            let (share, inflation) = (exact.share(id), walks.inflation[id.index()]);
            let error = (share * (1.0 - share) * inflation / walks.requests).sqrt();
            let off = (walks.shares[id.index()] - share).abs();
            assert!(
                off <= 4.5 * error + 1e-9,
                "{}: {off} of {share} ± {error}",
                auction.catalogue.get(id).name
            );
        }
    }

    #[test]
    fn users_who_stay_where_they_are_scatter_further() {
        let auction = Auction::new("browsing");
        let inflation = |length| {
            let window = Window { clients: 1000, warm: 10.0, length, session: 129.6 };
            let walks = walk(&auction.mix, &auction.catalogue, window);
            walks.inflation[auction.catalogue.by_name("SearchItemsInRegion").unwrap().index()]
        };
        let (short, long) = (inflation(1.4), inflation(40.0));
        assert!((0.8..1.5).contains(&short) && (5.0..15.0).contains(&long), "{short}, {long}");
    }
}
