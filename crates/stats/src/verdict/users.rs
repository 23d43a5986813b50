//! Whether the users did what the load and the mix ask for: think by their law, choose by their mix, visit what the
//! mix comes to, warm up long enough, and find their way.

use super::{Check, CheckId, Figures, percent};
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// What the emulated users did.
#[derive(Debug, Clone, PartialEq)]
pub struct UserFigures {
    /// The think times that were drawn.
    pub think: ThinkTimes,
    /// All response and think times, each clipped to the window, summed over all clients: client-seconds.
    pub client_time_s: f64,
    /// What the window's edges add to the response and think times that ended in it, in client-seconds: the parts in it of
    /// those that ended outside it, less the parts outside it of those that ended in it.
    pub edges_s: f64,
    /// Requests per client before the window.
    pub warm_requests: f64,
    /// What was asked for, by interaction.
    pub visited: Vec<Visited>,
    /// What was drawn from the mix, by the interaction at which it was drawn.
    pub rows: Vec<Row>,
    /// Requests of users who went back because nothing led to where they wanted.
    pub fallbacks: u64,
}

/// The think times that clients drew.
#[derive(Debug, Clone, PartialEq)]
pub struct ThinkTimes {
    /// How many.
    pub count: u64,
    /// Their mean in seconds.
    pub mean_s: f64,
    /// The mean of the law that they are drawn from, in seconds.
    pub expected_s: f64,
    /// How many there were from so many seconds up to so many; ascending.
    pub histogram: Vec<(f64, f64, u64)>,
}

/// How often an interaction was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Visited {
    /// The interaction's name.
    pub name: String,
    /// Requests, however made and ended.
    pub requests: u64,
    /// Its share of all requests that is expected.
    pub expected: f64,
    /// From how many requests of a model the expected share is known; infinite where it is computed exactly.
    pub known_from: f64,
    /// How many times greater the variance of its share is than if each request were chosen on its own.
    pub inflation: f64,
}

/// What was drawn at one interaction.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The interaction's name.
    pub from: String,
    /// Each step that the mix knows there.
    pub steps: Vec<Drawn>,
}

/// How often a step was drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    /// The name of the interaction that it leads to, or `back`.
    pub to: String,
    /// How often.
    pub count: u64,
    /// Its probability in the mix.
    pub probability: f64,
}

/// Standard errors that a mean may be off: one sound point in 16,000 is.
const THINK_DEVIATIONS: f64 = 4.0;
/// With many think times the smallest rounding becomes significant; this much doesn't matter.
const THINK_SHARE: f64 = 0.01;
/// The Kolmogorov-Smirnov distance, times the root of the number of values, that chance exceeds once in 10,000 times.
const LAW_DISTANCE: f64 = 2.23;
const LAW_SHARE: f64 = 0.01;
const WARM_REQUESTS: f64 = 10.0;
/// In the papers' sense, a mix that is off by less is the same mix.
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

pub(super) fn checks(figures: &Figures) -> Vec<Check> {
    let users = &figures.users;
    vec![
        think_mean(&users.think),
        think_law(&users.think),
        warm_up(users.warm_requests),
        visited(users),
        transitions(&users.rows),
        fallbacks(users),
    ]
}

/// The sum of `n` exponential times over their mean follows the gamma law, here by the approximation of Wilson and
/// Hilferty (1931), which is good from the first value on. Cutting off the longest times only narrows it.
fn think_mean(think: &ThinkTimes) -> Check {
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

fn think_law(think: &ThinkTimes) -> Check {
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

fn warm_up(requests: f64) -> Check {
    let figure = format!("{requests:.1} requests per client before the window");
    Check::new(
        CheckId::WarmUp,
        requests >= WARM_REQUESTS,
        figure,
        format!("at least {WARM_REQUESTS} per client"),
    )
}

/// What one user asks for depends on what the same user asked for before, so that the usual standard error of a share
/// is widened. Few requests deviate further than by the normal law; Bernstein's inequality allows for that. A user who
/// falls back asks for something else than the mix says, so that shares may be off by as much as there are fallbacks, which
/// have a check of their own.
fn visited(users: &UserFigures) -> Check {
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

/// How far chance may take the share of an interaction from what is expected.
fn by_chance(seen: &Visited, all: f64) -> f64 {
    let per_request = seen.inflation.max(1.0) * (1.0 / all + 1.0 / seen.known_from);
    let spread = VISITED_DEVIATIONS * (seen.expected * (1.0 - seen.expected) * per_request).sqrt();
    (spread + VISITED_DEVIATIONS.powi(2) / 3.0 * per_request).max(VISITED_POINTS)
}

/// Pearson's chi-square, over all rows together and of the row that stands out most. Given how often each row was drawn
/// from, the draws depend on nothing. `p` is the chance that either is as far off, at most (Bonferroni).
fn transitions(rows: &[Row]) -> Check {
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

/// How likely a chi-square is to be so great by chance.
fn chance((distance, degrees): (f64, u32)) -> f64 {
    ChiSquared::new(f64::from(degrees)).map_or(1.0, |law| law.sf(distance))
}

fn steps(rows: &[Row]) -> impl Iterator<Item = (&Row, &Drawn)> {
    rows.iter().flat_map(|row| row.steps.iter().map(move |step| (row, step)))
}

fn drawn(row: &Row) -> f64 {
    row.steps.iter().map(|step| step.count).sum::<u64>() as f64
}

/// How many standard errors a step's count is off; few expected draws are none to be surprised by.
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

/// A few happen on a sound site: nothing to buy in a small category. Where there are many, users don't do what the mix
/// asks for.
fn fallbacks(users: &UserFigures) -> Check {
    let all: u64 = users.visited.iter().map(|interaction| interaction.requests).sum();
    let usual = FALLBACK_SHARE * all as f64;
    let most = usual + FALLBACK_DEVIATIONS * usual.sqrt();
    let share = if all == 0 { 0.0 } else { users.fallbacks as f64 / all as f64 };
    let figure = format!("{} ({} of {all} requests)", percent(share, 2), users.fallbacks);
    let threshold = format!("at most {} and what chance adds: {most:.0}", percent(FALLBACK_SHARE, 0));
    Check::new(CheckId::Fallbacks, users.fallbacks as f64 <= most.floor(), figure, threshold)
}
