//! The shortest sequence of requests that reproduces a difference.

use crate::{
    Difference, Failure, Halt, Subject, VerifyError,
    difference::tells_server_fault,
    lockstep::{Lockstep, Sent},
    numbering::{Remembered, numbers},
    progress::ProgressReporter,
    saved_sequence::SavedSequence,
    shrink::{TrialResult, shrink},
    tables,
};
use application::Step;
use services::ServiceError;
use stack::{Site, SiteError};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    io,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

/// Reduces the first difference of a verification to a short sequence in a file.
pub(crate) fn failure(
    subject: &Subject<'_>,
    site: &mut Site<'_>,
    sent: Sent,
    first: Difference,
    progress: &mut ProgressReporter<'_>,
) -> Result<Failure, VerifyError> {
    let has_failed = tells_server_fault(&first.text);
    let died = if has_failed { died_late(site) } else { site.check_alive().err() };
    // Later starts have logs of their own.
    let logs = if has_failed { site.logs() } else { Vec::new() };
    // Saved at once, because shrinking takes long and may be interrupted.
    save(subject, site, &sent.steps).ok();
    let found = shortest(subject, site, (&sent, &first), progress)?;
    if let (None, Some(fault)) = (&found, died) {
        return Err(fault.into());
    }
    let (after, again) = (sent.steps.len(), found.is_some());
    let (steps, difference) = found.unwrap_or((sent.steps, first));
    let saved = save(subject, site, &steps);
    let replay = format!("{} --replay {}", subject.command, subject.failure.display());
    Ok(Failure { survey: None, after, steps, difference, again, saved, replay, logs })
}

/// A supervisor tells of the end of its program when all processes have gone, some time after the first answer that
/// shows it.
const LATE: Duration = Duration::from_secs(2);

fn died_late(site: &Site<'_>) -> Option<ServiceError> {
    let started = Instant::now();
    loop {
        match site.check_alive() {
            Ok(()) if started.elapsed() < LATE => thread::sleep(Duration::from_millis(20)),
            checked => return checked.err(),
        }
    }
}

fn save(subject: &Subject<'_>, site: &Site<'_>, steps: &[Step]) -> io::Result<PathBuf> {
    let application = subject.application.name();
    let recording = SavedSequence::new(application, subject.configuration, &site.dataset(), steps.to_vec());
    settings::replace(subject.failure, recording.to_string().as_bytes())?;
    Ok(subject.failure.to_owned())
}

/// The shortest sequence that is found in time, with its difference; none if not even the whole one reproduces any.
fn shortest(
    subject: &Subject<'_>,
    site: &mut Site<'_>,
    (sent, difference): (&Sent, &Difference),
    progress: &mut ProgressReporter<'_>,
) -> Result<Option<(Vec<Step>, Difference)>, VerifyError> {
    progress.begin(format!(
        "looking for the shortest sequence of the {} requests that differs",
        sent.steps.len()
    ));
    let started = Instant::now();
    let steps_of = |(sent, difference): (Sent, Difference)| (sent.steps, difference);
    let found = shortest_by(Begin::Refreshed, (subject, started), site, (sent, difference), progress)?;
    if let Some((found, _)) = found {
        // State of earlier trials in the processes may contribute to it.
        if let Some(again) = trial(subject, site, &found.all(), Begin::Started)? {
            return Ok(Some(steps_of(again)));
        }
    }
    let found = shortest_by(Begin::Started, (subject, started), site, (sent, difference), progress)?;
    Ok(found.map(steps_of))
}

/// The way a trial resets the site.
#[derive(Clone, Copy)]
enum Begin {
    /// In the cheapest way: the processes keep running with their state.
    Refreshed,
    /// With new processes.
    Started,
}

impl Begin {
    fn bring(self, site: &mut Site<'_>) -> Result<(), SiteError> {
        match self {
            Self::Refreshed => site.refresh(),
            Self::Started => site.start_fresh(),
        }
    }
}

/// The same with one way to reset the site.
fn shortest_by(
    begin: Begin,
    (subject, started): (&Subject<'_>, Instant),
    site: &mut Site<'_>,
    (sent, difference): (&Sent, &Difference),
    progress: &mut ProgressReporter<'_>,
) -> Result<Option<(Sent, Difference)>, VerifyError> {
    let Some(mut last) = first_that_fails((subject, started), site, (sent, difference), begin)? else {
        return Ok(None);
    };
    let whole = last.0.all();
    let (mut trials, mut shown) = (0, whole.len());
    shrink(whole, &[&about_the_same, &writes], |steps| {
        trials += 1;
        progress.within(|| format!("{shown} requests left after {trials} trials"));
        if started.elapsed() > subject.timeout {
            return Ok(TrialResult::Enough);
        }
        let Some(found) = trial(subject, site, steps, begin)? else {
            return Ok(TrialResult::Passes);
        };
        last = found;
        shown = last.0.steps.len();
        Ok::<_, VerifyError>(TrialResult::Fails(shown))
    })?;
    Ok(Some(last))
}

/// A failing sequence: the last request with few relevant ones, then with more and more, and finally all, because
/// replaying everything may take long.
fn first_that_fails(
    (subject, started): (&Subject<'_>, Instant),
    site: &mut Site<'_>,
    (sent, difference): (&Sent, &Difference),
    begin: Begin,
) -> Result<Option<(Sent, Difference)>, VerifyError> {
    let mut candidates = vec![most_relevant(sent, &difference.text, 0)];
    candidates.extend(of_one_kind(sent, &difference.text));
    candidates.extend(RELEVANT.into_iter().map(|count| most_relevant(sent, &difference.text, count)));
    candidates.push(all_changing(sent));
    for places in candidates {
        let steps = sent.remembered(with_what_it_takes(sent, places));
        if steps.len() >= sent.steps.len() {
            continue;
        }
        if started.elapsed() > subject.timeout {
            break;
        }
        if let Some(found) = trial(subject, site, &steps, begin)? {
            return Ok(Some(found));
        }
    }
    trial(subject, site, &sent.all(), begin)
}

/// Replays requests on a reset site. Returns those sent until a difference was found, and the difference.
fn trial(
    subject: &Subject<'_>,
    site: &mut Site<'_>,
    steps: &[Remembered],
    begin: Begin,
) -> Result<Option<(Sent, Difference)>, VerifyError> {
    begin.bring(site)?;
    let mut lockstep = Lockstep::new(subject, site)?;
    match lockstep.send_again(steps).and_then(|()| tables::expect_equal(&lockstep)) {
        Ok(_) => Ok(None),
        Err(Halt::Difference(difference)) => Ok(Some((lockstep.into_sent(), difference))),
        Err(Halt::Fault(fault)) => Err(fault),
    }
}

/// The numbers of requests before the last one that are tried first. Many faults need none: a read shows them.
const RELEVANT: [usize; 5] = [1, 4, 9, 30, 120];
/// A value is rare if it occurs in at most one of this many requests.
const RARE: usize = 20;

/// The last request and the most relevant ones: those that change data, and those that share a value with the last
/// one or with the difference. Of equals, the latest.
fn most_relevant(Sent { steps, changing, .. }: &Sent, difference: &str, count: usize) -> Vec<usize> {
    let Some((last, before)) = steps.split_last() else { return Vec::new() };
    let words: HashSet<&str> = difference.split(|c: char| !c.is_alphanumeric()).collect();
    let mut often: HashMap<&str, usize> = HashMap::new();
    steps.iter().flat_map(values).for_each(|value| *often.entry(value).or_default() += 1);
    let of_last: HashSet<&str> = values(last).collect();
    let worth = |value: &str| match often.get(value) {
        Some(times) if times * RARE <= steps.len().max(RARE) => 6,
        Some(times) if times * 2 <= steps.len() => 2,
        _ => 0,
    };
    let score = |(at, step): (usize, &Step)| {
        let relevant = values(step).filter(|value| of_last.contains(value) || words.contains(value));
        let does = if changing.contains(&at) { 10 } else { usize::from(step.method == "POST") };
        relevant.map(worth).sum::<usize>() + does
    };
    let mut ranked: Vec<(usize, usize)> = before.iter().enumerate().map(score).zip(0..).collect();
    ranked.sort_unstable_by(|one, other| other.cmp(one));
    let mut kept: Vec<usize> = ranked.into_iter().take(count).map(|(_, at)| at).collect();
    kept.sort_unstable();
    kept.push(before.len());
    kept
}

/// For each interaction, those of its requests that changed data and share a value with the last one or with the
/// difference, and the last request; fewest first. Many pages show what one interaction has written.
fn of_one_kind(Sent { steps, changing, .. }: &Sent, difference: &str) -> Vec<Vec<usize>> {
    let Some((last, before)) = steps.split_last() else { return Vec::new() };
    let words: HashSet<&str> = difference.split(|c: char| !c.is_alphanumeric()).collect();
    let of_last: HashSet<&str> = values(last).collect();
    let is_relevant =
        |step: &Step| values(step).any(|value| of_last.contains(value) || words.contains(value));
    let mut kinds: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for place in changing.iter().copied().filter(|place| before.get(*place).is_some_and(is_relevant)) {
        kinds.entry(&steps[place].path).or_default().push(place);
    }
    let mut kinds: Vec<Vec<usize>> = kinds.into_values().collect();
    kinds.iter_mut().for_each(|places| places.push(before.len()));
    kinds.sort_by_key(Vec::len);
    kinds
}

/// All requests that changed data, and the last one.
fn all_changing(Sent { steps, changing, .. }: &Sent) -> Vec<usize> {
    let last = steps.len().checked_sub(1);
    changing.iter().copied().filter(|place| Some(*place) != last).chain(last).collect()
}

/// Requests together with those that made the rows they refer to, recursively.
fn with_what_it_takes(sent: &Sent, places: Vec<usize>) -> BTreeSet<usize> {
    let mut makers: HashMap<u64, Vec<usize>> = HashMap::new();
    sent.made.iter().for_each(|(place, id)| makers.entry(*id).or_default().push(*place));
    let (mut taken, mut open) = (BTreeSet::new(), places);
    while let Some(place) = open.pop() {
        if taken.insert(place) {
            let asked = numbers(&sent.steps[place]).filter_map(|number| makers.get(&number)).flatten();
            open.extend(asked.filter(|maker| **maker < place));
        }
    }
    taken
}

/// The values of a step's parameters, each once.
fn values(step: &Step) -> impl Iterator<Item = &str> {
    let values = step.parameters.split('&').filter_map(|pair| Some(pair.split_once('=')?.1));
    values.filter(|value| !value.is_empty()).collect::<BTreeSet<_>>().into_iter()
}

/// Many faults concern one row: the requests that share a relevant parameter with the last one.
fn about_the_same(steps: &[Remembered]) -> Vec<Remembered> {
    let Some(last) = steps.last() else { return Vec::new() };
    let shares = |one: &Remembered, pair: &str| one.step.parameters.split('&').any(|other| other == pair);
    let is_relevant = |pair: &&str| steps.iter().filter(|one| shares(one, pair)).count() <= steps.len() / 2;
    let relevant: BTreeSet<&str> = last.step.parameters.split('&').filter(is_relevant).collect();
    let is_kept = |one: &Remembered| one == last || relevant.iter().any(|pair| shares(one, pair));
    steps.iter().filter(|one| is_kept(one)).cloned().collect()
}

/// Reads rarely matter: the posted requests, and the last one.
fn writes(steps: &[Remembered]) -> Vec<Remembered> {
    let Some((last, before)) = steps.split_last() else { return Vec::new() };
    before.iter().filter(|one| one.step.method == "POST").chain([last]).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(lines: &[&str]) -> Vec<Step> {
        lines.iter().map(|line| line.parse().unwrap()).collect()
    }

    #[test]
    fn guesses_keep_relevant_steps_and_the_last() {
        let all = steps(&[
            "POST /shop/Buy item=7&qty=1",
            "GET /shop/Item item=8",
            "POST /shop/Buy item=8&qty=1",
            "GET /shop/index.html",
            "POST /shop/Buy item=9&qty=1",
            "GET /shop/Item item=7&qty=1",
        ]);
        let sent = Sent { steps: all, changing: [0, 2].into(), made: BTreeMap::new() };
        assert_eq!(most_relevant(&sent, "", 0), [5]);
        assert_eq!(most_relevant(&sent, "", 1), [0, 5]);
        assert_eq!(of_one_kind(&sent, ""), [[0, 2, 5]], "qty=1 is in both");
        assert_eq!(all_changing(&sent), [0, 2, 5]);
        assert_eq!(most_relevant(&sent, "row 8 of items differs", 2), [0, 2, 5]);
        assert_eq!(about_the_same(&sent.all()), sent.remembered([0, 5]));
        assert_eq!(writes(&sent.all()), sent.remembered([0, 2, 4, 5]));
        for guess in [about_the_same, writes] {
            assert_eq!(guess(&[]), []);
        }
        assert!(most_relevant(&Sent::default(), "", 3).is_empty());
        assert!(all_changing(&Sent::default()).is_empty());
    }

    #[test]
    fn requests_include_those_that_made_their_rows() {
        let steps = steps(&[
            "POST /shop/Register name=Ada",
            "POST /shop/Register name=Bo",
            "POST /shop/Sell token={token:101}&what=hat",
            "POST /shop/Sell token={token:102}&what=cap",
            "GET /shop/Item item=52",
        ]);
        let made = BTreeMap::from([(0, 101), (1, 102), (2, 51), (3, 52)]);
        let sent = Sent { steps, changing: made.keys().copied().collect(), made };
        assert_eq!(with_what_it_takes(&sent, vec![4]), [1, 3, 4].into());
        assert_eq!(with_what_it_takes(&sent, vec![0]), [0].into());
    }
}
