//! Checks of the site: its errors, and the fit of its figures to the number of its clients.

use super::{Check, CheckId, Figures, percent};

#[derive(Debug, Clone, PartialEq)]
pub struct SiteFigures {
    /// Median response time in milliseconds.
    pub response_p50_ms: f64,
    /// 99th percentile response time in milliseconds.
    pub response_p99_ms: f64,
    /// Mean response time of all requests in milliseconds, failed ones included.
    pub response_mean_ms: f64,
    /// Interactions that completed, including those refused by a business rule.
    pub completed: u64,
    /// Interactions that failed, including those lost to a keep-alive race.
    pub failed: u64,
    /// Failed interactions that the load looks for: those without an answer, where the first of them ends it.
    pub looked_for: u64,
    /// Interactions posted on a connection at the moment when the server closed it for idleness.
    pub keep_alive_races: u64,
    /// Interactions that were answered with the page of another user, which are among those that failed.
    pub of_others: u64,
    /// Connections that the server closed for idleness before anything was sent on them.
    pub idle_closed: u64,
    /// The whole seconds of the window, in order.
    pub seconds: Vec<SecondFigures>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SecondFigures {
    pub completed: f64,
    /// Mean response time in milliseconds; none without completions.
    pub response_mean_ms: Option<f64>,
}

const ERROR_SHARE: f64 = 0.001;
/// A server may close an idle connection at any time, and the shorter its timeout, the more posts race with that. It is no
/// fault, but each is a lost page and a write in doubt: above one in a hundred, the mix is distorted.
const RACE_SHARE: f64 = 0.01;
const CLIENT_TIME_SHARE: f64 = 0.001;
const RESPONSE_TIME_LAW_SHARE: f64 = 0.01;
const EDGES_SHARE: f64 = 0.1;
const EDGE_DEVIATIONS: f64 = 5.0;
/// Share of the requests due in a window that must be answered in it: else requests pile up.
const KEPT_UP_SHARE: f64 = 0.99;

pub(super) fn completed(site: &SiteFigures) -> Check {
    let figure = format!("{} interactions", site.completed);
    Check::new(CheckId::Completed, site.completed > 0, figure, "at least 1 interaction".into())
}

pub(super) fn errors(site: &SiteFigures) -> Check {
    let unwanted = site.failed.saturating_sub(site.keep_alive_races + site.looked_for);
    let (share, mut figure) = share_of_all(site, unwanted);
    if site.of_others > 0 {
        figure.push_str(&format!(", {} of them pages of other users", site.of_others));
    }
    let besides =
        if site.looked_for > 0 { ", besides those without an answer, which end the load" } else { "" };
    let threshold = format!("at most {}{besides}, none a page of another user", percent(ERROR_SHARE, 1));
    Check::new(CheckId::Errors, share <= ERROR_SHARE && site.of_others == 0, figure, threshold)
}

/// Closing at the moment of a request is rarer than closing before it. A server that hardly ever closes an idle connection,
/// but leaves posts without an answer, has crashed on them; a client can't tell the difference, so they count as errors.
pub(super) fn keep_alive_races(site: &SiteFigures) -> Check {
    let races = site.keep_alive_races;
    let (share, figure) = share_of_all(site, races);
    let most = if races <= site.idle_closed { RACE_SHARE } else { ERROR_SHARE };
    let figure = format!("{figure}; {} idle connections closed", site.idle_closed);
    let [races, errors] = [percent(RACE_SHARE, 0), percent(ERROR_SHARE, 1)];
    let threshold = format!("at most {races}, or {errors} where there are more than idle connections closed");
    Check::new(CheckId::KeepAliveRaces, share <= most, figure, threshold)
}

/// The share of all interactions that `some` are, as number and text.
fn share_of_all(site: &SiteFigures, some: u64) -> (f64, String) {
    let all = site.completed + site.failed;
    let share = if some == 0 { 0.0 } else { some as f64 / all as f64 };
    (share, format!("{} ({some} of {all})", percent(share, 3)))
}

pub(super) fn client_time(figures: &Figures) -> Check {
    let due = f64::from(figures.clients) * figures.window_s;
    let spent = figures.users.client_time_s;
    let passed = (spent - due).abs() <= CLIENT_TIME_SHARE * due;
    let figure = format!("{spent:.2} client-seconds of response and think time");
    let threshold = format!("{due:.2} client-seconds within {}", percent(CLIENT_TIME_SHARE, 1));
    Check::new(CheckId::ClientTime, passed, figure, threshold)
}

/// The interactive response time law, clients = throughput × (response + think time), holds in the long run. In a window,
/// responses begin before it and end in it, and the reverse: of pages that take a second, in stretches of three, a tenth
/// and more. These edges are measured, and with them the law holds in any window (Kim and Whitt, Statistical Analysis with
/// Little's Law, Operations Research 2013). So the check tests consistency, not steadiness.
///
/// Both edges balance but for chance. At both edges of a stretch, a client's differ by about √2 cycles: those of N clients
/// in K stretches by √(2K/N) cycles a window. 5 of these are allowed, as lengths of time have long tails, and a server's
/// pause at an edge. More are pages that take too long to count anywhere.
pub(super) fn response_time_law(figures: &Figures) -> Check {
    let Figures { site, users, window_s, .. } = figures;
    let clients = f64::from(figures.clients);
    let interactions = (site.completed + site.failed) as f64;
    let spent_s =
        interactions * site.response_mean_ms / 1000.0 + users.think.count as f64 * users.think.mean_s;
    let [cycles, edges] = [spent_s, users.edges_s].map(|spent_s| spent_s / window_s);
    let cycles_per_client = interactions / clients;
    let chance = EDGE_DEVIATIONS * (2.0 * f64::from(figures.stretches) / clients).sqrt() / cycles_per_client;
    let most = chance.max(EDGES_SHARE);
    let is_whole = (cycles + edges - clients).abs() <= RESPONSE_TIME_LAW_SHARE * clients;
    let passed = is_whole && edges.abs() <= most * clients;
    let figure = format!("{:.1} clients, {edges:+.1} of them at the window's edges", cycles + edges);
    let shares = [percent(RESPONSE_TIME_LAW_SHARE, 0), percent(most, 0)];
    let threshold = format!("{clients} clients within {}, at most {} at the edges", shares[0], shares[1]);
    Check::new(CheckId::ResponseTimeLaw, passed, figure, threshold)
}

/// At a rate, whether the site answered as often as it was asked. What was under way at the edges of the stretches is left
/// out.
pub(super) fn kept_up(figures: &Figures) -> Check {
    let (done, intended) = (figures.site.completed, figures.generator.intended);
    let edges = f64::from(figures.clients) * f64::from(figures.stretches);
    let passed = done as f64 + edges >= KEPT_UP_SHARE * intended as f64;
    let figure = format!("{done} answers to {intended} requests that were to be made");
    let least = percent(KEPT_UP_SHARE, 0);
    let threshold = format!("at least {least}, but for what is on its way at the edges");
    Check::new(CheckId::KeptUp, passed, figure, threshold)
}
