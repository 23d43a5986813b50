//! Checks of the users' behaviour against load and mix: think times, transitions, visited mix, warm-up, links found.

use super::{Check, CheckId, percent};
use statrs::distribution::{ChiSquared, ContinuousCDF};

#[derive(Debug, Clone, PartialEq)]
pub struct UserFigures {
    pub think: ThinkTimes,
    /// Response and think times, each clipped to the window, summed over all clients: client-seconds.
    pub client_time_s: f64,
    /// Client-seconds that the edges add to the times that ended in the window: parts inside of times that ended outside,
    /// less parts outside of times that ended inside.
    pub edges_s: f64,
    /// Requests per client before the window.
    pub warm_requests: f64,
    /// Requests by interaction.
    pub visited: Vec<Visited>,
    /// Drawn transitions by the interaction at which they were drawn.
    pub rows: Vec<Row>,
    /// Steps back because no link led to the drawn interaction.
    pub fallbacks: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ThinkTimes {
    pub count: u64,
    /// In seconds.
    pub mean_s: f64,
    /// Mean of the law that they are drawn from, in seconds.
    pub expected_s: f64,
    /// Counts in bins, each from one number of seconds to another; ascending.
    pub histogram: Vec<(f64, f64, u64)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Visited {
    pub name: String,
    /// Requests, however made and ended.
    pub requests: u64,
    /// Expected share of all requests.
    pub expected: f64,
    /// Sample size behind the expected share; infinite if exact.
    pub known_from: f64,
    /// Ratio of the share's variance to that of independent requests.
    pub inflation: f64,
}

/// Transitions drawn at one interaction.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub from: String,
    /// Each step that the mix has there.
    pub steps: Vec<Drawn>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    /// Name of the interaction that it leads to, or `back`.
    pub to: String,
    pub count: u64,
    /// Probability in the mix.
    pub probability: f64,
}

/// Limit of a mean's deviation, in standard errors: one sound point in 16,000 exceeds it.
const THINK_DEVIATIONS: f64 = 4.0;
/// With many think times the smallest rounding becomes significant; this much doesn't matter.
const THINK_SHARE: f64 = 0.01;
/// The Kolmogorov-Smirnov distance, times the root of the number of values, that chance exceeds once in 10,000 times.
const LAW_DISTANCE: f64 = 2.23;
const LAW_SHARE: f64 = 0.01;
const WARM_REQUESTS: f64 = 10.0;
/// Shares that are off by less make the same mix, in the papers' sense.
const VISITED_POINTS: f64 = 0.005;
/// Of the 27 interactions of a sound point, one is further off less than once in 5,000 points.
const VISITED_DEVIATIONS: f64 = 4.5;
const TRANSITIONS_CHANCE: f64 = 1e-4;
/// A step whose share of its row is off by less doesn't matter.
const TRANSITIONS_POINTS: f64 = 0.005;
/// Steps of which fewer are expected are taken together. The usual 5 (Cochran, 1954) is too few where only one sound
/// point in 10,000 may fail: counts have longer tails than chi-square.
const LEAST_EXPECTED: f64 = 10.0;
const FALLBACK_SHARE: f64 = 0.01;
const FALLBACK_DEVIATIONS: f64 = 4.0;

/// The sum of `n` exponential times over their mean follows the gamma law, here by the approximation of Wilson and
/// Hilferty (1931), which is good from the first value on. Cutting off the longest times only narrows it.
pub(super) fn think_mean(think: &ThinkTimes) -> Check {
    let ThinkTimes { count, mean_s, expected_s, .. } = *think;
    let id = CheckId::ThinkTimesMean;
    if count == 0 {
        return Check::not_judged(id, "none ended in the window".into(), "from one think time".into());
    }
    let count = count as f64;
    let bound = |deviations: f64| {
        let root = 1.0 - 1.0 / (9.0 * count) + deviations / (3.0 * count.sqrt());
        root.max(0.0).powi(3)
    };
    let low = expected_s * bound(-THINK_DEVIATIONS).min(1.0 - THINK_SHARE);
    let high = expected_s * bound(THINK_DEVIATIONS).max(1.0 + THINK_SHARE);
    let figure = format!("{mean_s:.3} s of {count}");
    Check::new(id, (low..=high).contains(&mean_s), figure, format!("{low:.3} to {high:.3} s"))
}

pub(super) fn think_law(think: &ThinkTimes) -> Check {
    let id = CheckId::ThinkTimesLaw;
    let count: u64 = think.histogram.iter().map(|(_, _, count)| count).sum();
    if count == 0 || think.expected_s == 0.0 {
        return Check::not_judged(id, "nobody was seen thinking".into(), "from one think time".into());
    }
    let law = |limit_s: f64| 1.0 - (-limit_s / think.expected_s).exp();
    let mut below = 0.0;
    let mut distance: f64 = 0.0;
    for (from_s, to_s, more) in &think.histogram {
        distance = distance.max((below - law(*from_s)).abs());
        below += *more as f64 / count as f64;
        distance = distance.max((below - law(*to_s)).abs());
    }
    let most = (LAW_DISTANCE / (count as f64).sqrt()).max(LAW_SHARE);
    let figure = format!("at most {} from the exponential law", percent(distance, 1));
    let threshold = format!("distribution within {} ({count} think times)", percent(most, 1));
    Check::new(id, distance <= most, figure, threshold)
}

pub(super) fn warm_up(requests: f64) -> Check {
    let figure = format!("{requests:.1} requests per client before the window");
    Check::new(
        CheckId::WarmUp,
        requests >= WARM_REQUESTS,
        figure,
        format!("at least {WARM_REQUESTS} per client"),
    )
}

/// A user's requests depend on one another, so that the usual standard error of a share is widened. Few requests deviate
/// further than by the normal law; Bernstein's inequality allows for that. A user who falls back asks for another
/// interaction than the mix, so shares may be off by as much as there are fallbacks, which have a check of their own.
pub(super) fn visited(users: &UserFigures) -> Check {
    let id = CheckId::VisitedMix;
    let visited = &users.visited;
    let all: u64 = visited.iter().map(|interaction| interaction.requests).sum();
    if all == 0 {
        return Check::not_judged(id, "no requests".into(), "from one request".into());
    }
    let all = all as f64;
    let share = |seen: &Visited| seen.requests as f64 / all;
    let allowed = |seen: &Visited| by_chance(seen, all) + users.fallbacks as f64 / all;
    let excess = |seen: &Visited| (share(seen) - seen.expected).abs() / allowed(seen);
    let Some(worst) = visited.iter().max_by(|a, b| excess(a).total_cmp(&excess(b))) else {
        return Check::not_judged(id, "no interactions".into(), "from one interaction".into());
    };
    let figure = format!(
        "{} is {} of requests, {} are expected",
        worst.name,
        percent(share(worst), 2),
        percent(worst.expected, 2)
    );
    let points = 100.0 * allowed(worst);
    let why = "what chance may make of so few requests, and fallbacks";
    Check::new(id, excess(worst) <= 1.0, figure, format!("within {points:.2} percentage points ({why})"))
}

/// Limit of the deviation of an interaction's share by chance.
fn by_chance(seen: &Visited, all: f64) -> f64 {
    let per_request = seen.inflation.max(1.0) * (1.0 / all + 1.0 / seen.known_from);
    let spread = VISITED_DEVIATIONS * (seen.expected * (1.0 - seen.expected) * per_request).sqrt();
    (spread + VISITED_DEVIATIONS.powi(2) / 3.0 * per_request).max(VISITED_POINTS)
}

/// Pearson's chi-square, over all rows together and of the row that stands out most. Given how often each row was drawn
/// from, the draws depend on nothing. `p` is the chance that either is as far off, at most (Bonferroni).
pub(super) fn transitions(rows: &[Row]) -> Check {
    let id = CheckId::Transitions;
    let off = percent(TRANSITIONS_POINTS, 1);
    let threshold = format!("p at least {TRANSITIONS_CHANCE}, or no step off by {off} of its row");
    if let Some((row, step)) = steps(rows).find(|(_, step)| step.probability <= 0.0 && step.count > 0) {
        let figure =
            format!("{} led to {} {} times, which the mix never does", row.from, step.to, step.count);
        return Check::new(id, false, figure, threshold);
    }
    let squares: Vec<(f64, u32)> = rows.iter().map(chi_square).filter(|(_, degrees)| *degrees > 0).collect();
    let Some(worst) =
        steps(rows).max_by(|a, b| surprise(*a).total_cmp(&surprise(*b))).filter(|_| !squares.is_empty())
    else {
        return Check::not_judged(id, "too few draws".into(), threshold);
    };
    let family = squares.iter().fold((0.0, 0), |sum, row| (sum.0 + row.0, sum.1 + row.1));
    let row = squares.iter().map(|square| chance(*square)).fold(1.0, f64::min) * squares.len() as f64;
    let p = (2.0 * row.min(chance(family))).min(1.0);
    let (row, step) = worst;
    let share = step.count as f64 / drawn(row);
    let figure = format!(
        "p = {p:.5} (chi-square {:.0} of {} degrees of freedom); furthest off: {} to {} {} of {} times, {} are expected",
        family.0,
        family.1,
        row.from,
        step.to,
        percent(share, 1),
        drawn(row),
        percent(step.probability, 1)
    );
    let matters = (share - step.probability).abs() >= TRANSITIONS_POINTS;
    Check::new(id, p >= TRANSITIONS_CHANCE || !matters, figure, threshold)
}

/// The p-value of a chi-square.
fn chance((distance, degrees): (f64, u32)) -> f64 {
    ChiSquared::new(f64::from(degrees)).map_or(1.0, |law| law.sf(distance))
}

fn steps(rows: &[Row]) -> impl Iterator<Item = (&Row, &Drawn)> {
    rows.iter().flat_map(|row| row.steps.iter().map(move |step| (row, step)))
}

fn drawn(row: &Row) -> f64 {
    row.steps.iter().map(|step| step.count).sum::<u64>() as f64
}

/// Deviation of a step's count in standard errors; 0 if few draws are expected.
fn surprise((row, step): (&Row, &Drawn)) -> f64 {
    let expected = drawn(row) * step.probability;
    let variance = expected * (1.0 - step.probability);
    (step.count as f64 - expected).abs() / variance.max(LEAST_EXPECTED).sqrt()
}

/// A row's chi-square and its degrees of freedom. Rare steps are taken together until enough are expected of them.
fn chi_square(row: &Row) -> (f64, u32) {
    let drawn = drawn(row);
    let mut steps: Vec<&Drawn> = row.steps.iter().collect();
    steps.sort_by(|a, b| a.probability.total_cmp(&b.probability));
    let mut groups: Vec<(f64, f64)> = Vec::new();
    for step in steps {
        let (expected, count) = (drawn * step.probability, step.count as f64);
        match groups.last_mut() {
            Some(group) if group.0 < LEAST_EXPECTED => *group = (group.0 + expected, group.1 + count),
            _ => groups.push((expected, count)),
        }
    }
    // The last group has the most likely step, so it is small only where the whole row is.
    if groups.last().is_none_or(|group| group.0 < LEAST_EXPECTED) || groups.len() < 2 {
        return (0.0, 0);
    }
    let distance = groups.iter().map(|(expected, count)| (count - expected).powi(2) / expected).sum();
    (distance, groups.len() as u32 - 1)
}

/// A few happen on a sound site: nothing to buy in a small category. Many mean that users don't follow the mix.
pub(super) fn fallbacks(users: &UserFigures) -> Check {
    let all: u64 = users.visited.iter().map(|interaction| interaction.requests).sum();
    let usual = FALLBACK_SHARE * all as f64;
    let most = usual + FALLBACK_DEVIATIONS * usual.sqrt();
    let share = if all == 0 { 0.0 } else { users.fallbacks as f64 / all as f64 };
    let figure = format!("{} ({} of {all} requests)", percent(share, 2), users.fallbacks);
    let threshold = format!("at most {} and what chance adds: {most:.0}", percent(FALLBACK_SHARE, 0));
    Check::new(CheckId::Fallbacks, users.fallbacks as f64 <= most.floor(), figure, threshold)
}
