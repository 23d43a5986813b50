//! What a result says: each configuration's peak, how they compare, and the answer in a sentence.

use crate::{
    Arrived, again, caveats, data_integrity, headline, open_loop,
    overload_cycle::{self, OverloadCycle},
    peak::{Peak, peak},
    ranking::{PairwiseComparison, Ranked, rank},
    words::sentence,
};
use results::{LoadPlan, Point, ResultReader, Verification, once};

/// What is said of what a result does not hold.
const NOT_RECORDED: &str = "not recorded";

/// What a result says.
#[derive(Debug, Clone)]
pub struct Summary {
    /// What was asked: `Auction, bidding mix`.
    pub title: String,
    /// What nobody may miss before reading a figure.
    pub banners: Vec<Banner>,
    /// Which configuration goes how far, in a sentence or two.
    pub answer: String,
    /// What limits them, in a sentence or two; empty where nothing was measured.
    pub reason: String,
    /// What to bear in mind with it, each in a sentence.
    pub caveats: Vec<String>,
    /// Whether data were lost and points failed, if that was looked at.
    pub trust: Option<String>,
    /// What became of the data, if that was looked at.
    pub data: Option<String>,
    /// Each configuration, in the order in which they were named.
    pub summaries: Vec<ConfigurationSummary>,
    /// Each two peaks against each other, the higher one first, the highest ones before the others.
    pub contests: Vec<PairwiseComparison>,
    /// The overload cycles, in the order in which they were made.
    pub overload_cycles: Vec<OverloadCycle>,
    /// The loads whose users arrived, if that is what was measured.
    pub arrived: Option<Arrived>,
}

/// Something that nobody may miss.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Banner {
    /// In a few words: `Demonstration only`.
    pub title: String,
    /// Why, each in a sentence.
    pub reasons: Vec<String>,
}

/// The banner of a result that is not as it was written. Its figures are worth nothing.
pub const DAMAGED: &str = "Damaged or edited: do not trust these figures";

impl Banner {
    /// Whether it says that no figure can be trusted.
    pub fn is_alarm(&self) -> bool {
        self.title == DAMAGED
    }
}

/// What must be said of a result that is not as it was written before any figure of it is shown.
pub fn alarm(result: &ResultReader) -> Option<String> {
    let damages: Vec<String> = result.damages.iter().map(|damage| format!("\n  {damage}")).collect();
    let title = DAMAGED.to_uppercase();
    (!damages.is_empty()).then(|| format!("{title} ({}){}\n", result.folder.display(), damages.concat()))
}

/// How a configuration did.
#[derive(Debug, Clone)]
pub struct ConfigurationSummary {
    /// The configuration's name.
    pub name: String,
    /// Whether it sends the recorded statements, in a word.
    pub work: String,
    /// How verification ended; none if that was not recorded.
    pub verified: Option<Verification>,
    /// How many points were measured.
    pub points: usize,
    /// Its best load; none if no point is VALID.
    pub peak: Option<Peak>,
    /// Peaks with a letter in common cannot be told apart: `a`, `ab`. Empty where there is nothing to compare, or too
    /// few runs to tell.
    pub letters: String,
    /// What the audits of all its points have shown: `sound`, `2 of 9 points unsound`, `not audited`.
    pub audit: String,
    /// Whether its audits found nothing wrong, or did not take place.
    pub sound: bool,
    /// Its INVALID points.
    pub rejected: Vec<Rejected>,
}

/// An INVALID point.
#[derive(Debug, Clone, PartialEq)]
pub struct Rejected {
    /// Emulated clients.
    pub clients: u32,
    /// Which repetition of this load.
    pub repetition: u32,
    /// Interactions per second, not to be believed.
    pub throughput: f64,
    /// The checks that failed, by name.
    pub checks: Vec<String>,
    /// The same with their figures: `errors: 2.1 %, asked for: at most 0.1 %`.
    pub reasons: Vec<String>,
}

impl Summary {
    /// Each configuration, the one with the highest peak first, and those without one last.
    pub(crate) fn best_first(&self) -> Vec<&ConfigurationSummary> {
        let throughput =
            |row: &ConfigurationSummary| row.peak.as_ref().map_or(f64::NEG_INFINITY, |peak| peak.throughput);
        let mut all: Vec<&ConfigurationSummary> = self.summaries.iter().collect();
        all.sort_by(|one, other| throughput(other).total_cmp(&throughput(one)));
        all
    }
}

/// Sums up a result.
pub fn summary(result: &ResultReader) -> Summary {
    let mut summaries: Vec<ConfigurationSummary> =
        names(result).iter().map(|name| row(result, name)).collect();
    let Ranked { letters, contests } = rank(&summaries);
    for (row, letters) in summaries.iter_mut().zip(letters) {
        row.letters = letters;
    }
    let manifest = &result.manifest;
    let overload_cycles = overload_cycle::overload_cycles(result);
    let arrived = open_loop::arrived(result);
    Summary {
        title: format!("{}, {} mix", manifest.application_title, manifest.mix),
        banners: banners(result, &summaries),
        answer: of_sweeps(&overload_cycles, |overload_cycle| &overload_cycle.sentences)
            .or_else(|| arrived.as_ref().map(|arrived| arrived.sentences.join(" ")))
            .unwrap_or_else(|| headline::answer(&summaries, &contests)),
        reason: of_sweeps(&overload_cycles, |overload_cycle| &overload_cycle.remarks).unwrap_or_else(|| {
            match &arrived {
                Some(arrived) => headline::limits(&arrived.limits()),
                None => headline::reason(&summaries),
            }
        }),
        caveats: again(result)
            .into_iter()
            .chain(caveats::caveats(&summaries))
            .chain(gave_up(result))
            .collect(),
        trust: data_integrity::headline(result),
        data: data_integrity::sentences(result),
        summaries,
        contests,
        overload_cycles,
        arrived,
    }
}

/// What was measured: the points of curves, the steps of overload cycles, or loads whose users arrived.
pub(crate) fn measured(result: &ResultReader) -> &[Point] {
    match result.manifest.loads {
        LoadPlan::Arrivals { .. } => &result.arrived,
        LoadPlan::OverloadCycle(_) => &result.swept,
        _ => &result.points,
    }
}

/// The points of a configuration, from the lowest load up, in the order in which they were measured.
pub(crate) fn points_of<'a>(points: &'a [Point], name: &str) -> Vec<&'a Point> {
    let mut points: Vec<&Point> = points.iter().filter(|point| point.configuration == name).collect();
    points.sort_by_key(|point| (point.clients, point.repetition, point.sequence));
    points
}

/// What is said of all overload cycles; none where there are none.
fn of_sweeps(overload_cycles: &[OverloadCycle], said: fn(&OverloadCycle) -> &Vec<String>) -> Option<String> {
    let sentences: Vec<&str> = overload_cycles.iter().flat_map(said).map(String::as_str).collect();
    (!overload_cycles.is_empty()).then(|| sentences.join(" "))
}

/// What clients gave up, of each configuration in a sentence.
fn gave_up(result: &ResultReader) -> Vec<String> {
    let of = |name: &&str| -> Vec<&Point> {
        result.points.iter().filter(|point| point.configuration == **name).collect()
    };
    names(result).iter().filter_map(|name| overload_cycle::gave_up(&of(name))).collect()
}

/// All configurations, named in the manifest or not.
pub(crate) fn names(result: &ResultReader) -> Vec<&str> {
    let named = result.manifest.configurations.iter().map(|configuration| configuration.name.as_str());
    let mut names = Vec::new();
    for name in named.chain(measured(result).iter().map(|point| point.configuration.as_str())) {
        if !names.contains(&name) && once(name).is_none() {
            names.push(name);
        }
    }
    names
}

fn row(result: &ResultReader, name: &str) -> ConfigurationSummary {
    let points: Vec<&Point> = measured(result).iter().filter(|point| point.configuration == name).collect();
    let record = result.manifest.configurations.iter().find(|configuration| configuration.name == name);
    let is_curve = !matches!(result.manifest.loads, LoadPlan::Arrivals { .. } | LoadPlan::OverloadCycle(_));
    let (audit, sound) = audit(&points);
    ConfigurationSummary {
        name: name.to_owned(),
        work: record.map_or_else(|| NOT_RECORDED.to_owned(), |record| record.work.to_string()),
        verified: record.map(|record| record.verified),
        points: points.len(),
        peak: is_curve.then(|| peak(&points, &result.manifest)).flatten(),
        letters: String::new(),
        audit,
        sound,
        rejected: points.iter().filter(|point| !point.verdict.valid).map(|point| rejected(point)).collect(),
    }
}

/// What audits have shown, in words, and whether they found nothing wrong.
fn audit(points: &[&Point]) -> (String, bool) {
    let audits: Vec<bool> =
        points.iter().filter_map(|point| Some(point.audit.as_ref()?.faults().is_empty())).collect();
    let unsound = audits.iter().filter(|sound| !**sound).count();
    match (audits.len(), unsound) {
        (0, _) => ("not audited".to_owned(), true),
        (_, 0) => ("sound".to_owned(), true),
        (all, unsound) => (format!("{unsound} of {all} unsound"), false),
    }
}

fn rejected(point: &Point) -> Rejected {
    let failing = || point.verdict.checks.iter().filter(|check| !check.passed);
    let reasons =
        failing().map(|check| format!("{}: {}, asked for: {}", check.id, check.figure, check.threshold));
    Rejected {
        clients: point.clients,
        repetition: point.repetition,
        throughput: point.throughput,
        checks: failing().map(|check| check.id.name().to_owned()).collect(),
        reasons: reasons.collect(),
    }
}

fn banners(result: &ResultReader, summaries: &[ConfigurationSummary]) -> Vec<Banner> {
    let manifest = &result.manifest;
    let damages = result.damages.iter().map(|damage| sentence(&damage.to_string()));
    let unfinished = match &manifest.ending {
        None => {
            vec!["It was killed, or it is still running: what is shown is what it had measured.".to_owned()]
        }
        Some(ending) if !ending.complete => {
            vec![
                ending
                    .reason
                    .as_deref()
                    .map_or_else(|| "It ended early; why was not recorded.".to_owned(), sentence),
            ]
        }
        Some(_) => Vec::new(),
    };
    let skip_verify = summaries.iter().filter(|row| !row.verified.is_some_and(Verification::is_settled));
    let skip_verify = skip_verify.map(|row| {
        let ended = row.verified.map_or_else(|| NOT_RECORDED.to_owned(), |verified| verified.to_string());
        format!("{}: {ended}. Nobody has shown that it does the same work as the others.", row.name)
    });
    let banners = [
        (DAMAGED, damages.collect()),
        ("Incomplete result", unfinished),
        ("Demonstration only", manifest.demonstration.clone()),
        ("Not verified", skip_verify.collect()),
    ];
    let banners = banners.into_iter().filter(|(_, reasons)| !reasons.is_empty());
    banners.map(|(title, reasons)| Banner { title: title.to_owned(), reasons }).collect()
}
