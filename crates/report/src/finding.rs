//! All findings beside the figures: each kind with its severity, words and remedy.
//!
//! Terminal and page show the same ones. [`crate::review`] decides which apply.

use crate::{
    configuration::Rejected,
    number,
    overload_cycle::Requests,
    words::{agreeing, capitalised, enumerate, sentence, several},
};
use results::{CheckId, ConfigurationRecord, PlantedLoss};
use stats::Interval;

/// Severity, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Alarm,
    /// The figures are not what they look like.
    Warning,
    /// Needed for the answer, which would otherwise mislead.
    Caveat,
    Rejected,
    Note,
    Limitation,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub severity: Severity,
    /// A few words: `Demonstration only`.
    pub title: &'static str,
    /// A sentence or two.
    pub text: String,
    /// One sentence; none where nothing helps.
    pub remedy: Option<String>,
}

impl Finding {
    pub fn full_text(&self) -> String {
        self.remedy.iter().fold(self.text.clone(), |text, remedy| format!("{text} {remedy}"))
    }
}

/// Findings of one title as one text: each finding, then each remedy once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Banner {
    pub severity: Severity,
    pub title: &'static str,
    /// Findings of a sentence or two, then remedies.
    pub sentences: Vec<String>,
}

/// Findings that must be read before any figure, by title.
pub(crate) fn banners(findings: &[Finding]) -> Vec<Banner> {
    let mut banners: Vec<(Banner, Vec<&String>)> = Vec::new();
    for Finding { severity, title, text, remedy } in
        findings.iter().filter(|one| one.severity <= Severity::Warning)
    {
        let place = banners.iter().position(|(banner, _)| banner.title == *title).unwrap_or_else(|| {
            banners.push((Banner { severity: *severity, title, sentences: Vec::new() }, Vec::new()));
            banners.len() - 1
        });
        let (banner, remedies) = &mut banners[place];
        if !banner.sentences.contains(text) {
            banner.sentences.push(text.clone());
        }
        if let Some(remedy) = remedy.as_ref().filter(|remedy| !remedies.contains(remedy)) {
            remedies.push(remedy);
        }
    }
    let whole = banners.into_iter().map(|(mut banner, remedies)| {
        banner.sentences.extend(remedies.into_iter().cloned());
        banner
    });
    whole.collect()
}

impl Banner {
    pub fn is_alarm(&self) -> bool {
        self.severity == Severity::Alarm
    }
}

/// Title for a result that was changed after it was written.
pub const DAMAGED: &str = "Damaged or edited: do not trust these figures";

const KILLED: &str = "The run was killed, or it is still running. The report shows what was measured so far.";
const ENDED_EARLY: &str = "The run ended early, and no reason was recorded.";
const SHARED_HOSTS: &str = "The hosts are shares of one machine and have its caches and memory in common.";
const NOT_ELSEWHERE: &str = "Compare configurations with each other, not with figures from elsewhere.";
const LOOPBACK: &str =
    "All traffic went over the loopback interface, without latency, loss or a limit on bandwidth.";
const IDEAL_LINKS: &str = "Links have the testbed's bandwidth, but no latency and no loss.";
const PAGES_ONLY: &str = "Clients fetch pages without their pictures, style sheets and scripts.";
const CLOSED_LOOP: &str =
    "Clients wait for a page before they think, so an overloaded site slows its own load down.";
const CLOSED_AFTER_FIRST: &str = "Clients arrive whatever the site does. Each then waits for a page before its next request, \
                                  so an overloaded site slows its own load down.";
const NOT_PROFILED: &str = "CPU, busy workers and lock waits are sampled by tier.";
const AUDITED_ALIVE: &str = "Acknowledged writes were looked for while the database ran. What a power failure or a killed \
                             server would lose was not tested.";
const NOT_AUDITED: &str = "Nobody checked whether acknowledged writes are in the database.";
const EXTERNAL_SERVERS: &str =
    "Somebody else runs the site, so only its answers are known: not its CPU, its bottleneck or its data.";
const EXTERNAL_NEIGHBOURS: &str = "Other work of the site, its network and this machine is part of the figures. A site on this \
                                  machine shares its cores with the load generator.";
const ACROSS_YEARS: &str = "Ratios, orders, limits and errors are compared. Client counts and interactions per minute mean \
                            nothing across so many years.";
const ONE_MACHINE: &str = "All tiers shared one machine, so nobody can say whose CPU was saturated. The report of the runs has \
                           the CPU of each tier.";

#[derive(Debug)]
pub(crate) struct Group<'a> {
    /// Names with the clients of their peaks.
    pub(crate) peaks: Vec<(&'a str, u32)>,
    pub(crate) is_all: bool,
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Audits {
    pub(crate) all: usize,
    pub(crate) unsound: usize,
    pub(crate) invariants: usize,
    pub(crate) acknowledged: u64,
    /// Rows that were compared with what clients had sent, loaded rows, and pages that were compared with the model's.
    pub(crate) contents: [u64; 3],
    pub(crate) longest_s: f64,
    pub(crate) of_cycles: bool,
}

/// A finding with the values for its words.
#[derive(Debug)]
pub(crate) enum Kind<'a> {
    // No figure can be trusted.
    Damaged(&'a str),
    // The figures are not what they look like.
    Killed { can_go_on: bool },
    EndedEarly { reason: Option<&'a str>, can_go_on: bool },
    Demonstration(&'a str),
    NotVerified { configuration: &'a str, why: String },
    // Needed for the answer.
    Integrity { audits: Audits, invalid: usize, points: usize },
    SameTwice { configuration: &'a str, ratio: Option<Interval> },
    NothingAbove(Group<'a>),
    InvalidAbove(Group<'a>),
    Uncertain(Group<'a>),
    NotConfirmed(Group<'a>),
    NoInterval(Group<'a>),
    Timeouts { configuration: &'a str, timeout_s: Option<f64>, requests: Requests },
    CycleAudited { faults: Vec<String> },
    Failures { configuration: &'a str, requests: Requests, causes: Vec<(&'a str, u64, &'a str)> },
    // An INVALID point.
    Invalid { configuration: &'a str, point: &'a Rejected },
    // Checks without a fault.
    Audited(Audits),
    PlantedLoss(&'a PlantedLoss),
    LeftOut(Vec<(&'a str, u64)>),
    // Limits of the result.
    SharedMachine { cores: u32, has_testbed: bool },
    SharedHosts,
    Loopback,
    IdealLinks,
    SharedRoles(Vec<(Vec<&'a str>, Vec<&'a str>)>),
    PagesOnly,
    ClosedLoop,
    ClosedAfterFirst,
    WarmRows { least: u64, most: u64 },
    NotJudged { checks: Vec<(&'a str, usize)>, points: usize },
    FewRuns { repetitions: u32, has_intervals: bool },
    MadeUp { starts: u32 },
    TimeScale(f64),
    DataScale(f64),
    SlowChanges { seconds: f64, of_load: bool },
    NotProfiled,
    Durability { was_audited: bool },
    FreeStatements(Vec<&'a ConfigurationRecord>),
    ExternalServers,
    ExternalNeighbours,
    // Faults of single parts of the page.
    UnreadableProfile(&'a str),
    UnreadableSamples(&'a str),
    UnreadableTimes(&'a str),
    SlowProfilers { percent: f64 },
    AcrossYears,
    OneMachineForAll,
}

impl Kind<'_> {
    pub(crate) fn finding(&self) -> Finding {
        let (severity, title, text) = self.words();
        Finding { severity, title, text, remedy: self.remedy() }
    }

    fn words(&self) -> (Severity, &'static str, String) {
        use Severity::{Alarm, Caveat, Limitation, Note, Warning};
        match self {
            Self::Damaged(damage) => (Alarm, DAMAGED, sentence(damage)),
            Self::Killed { .. } => (Warning, "Incomplete result", KILLED.to_owned()),
            Self::EndedEarly { reason, .. } => {
                (Warning, "Incomplete result", reason.map_or_else(|| ENDED_EARLY.to_owned(), sentence))
            }
            Self::Demonstration(reason) => (Warning, "Demonstration only", sentence(reason)),
            Self::NotVerified { configuration, why } => (
                Warning,
                "Not verified",
                format!("{configuration}: {why}. It may do other work than the others."),
            ),
            Self::Integrity { audits, invalid, points } => {
                (Caveat, "Data and points", integrity(audits, *invalid, *points))
            }
            Self::SameTwice { configuration, ratio } => {
                (Caveat, "A/A test", same_twice(configuration, *ratio))
            }
            Self::NothingAbove(group) => (Caveat, "Peak not passed", group.nothing_above()),
            Self::InvalidAbove(group) => (Caveat, "Peak not certain", group.invalid_above()),
            Self::Uncertain(group) => (Caveat, "Peak not certain", group.uncertain()),
            Self::NotConfirmed(group) => (Caveat, "Peak not confirmed", group.not_confirmed()),
            Self::NoInterval(group) => (Caveat, "No interval", group.no_interval()),
            Self::Timeouts { configuration, timeout_s, requests } => {
                (Caveat, "Timeouts", timeouts(configuration, *timeout_s, *requests))
            }
            Self::CycleAudited { faults } => (Caveat, "Data of the overload cycle", cycle_audited(faults)),
            Self::Failures { configuration, requests, causes } => {
                (Caveat, "Errors", failures(configuration, *requests, causes))
            }
            Self::LeftOut(sites) => (Note, "Other sites", left_out(sites)),
            Self::Invalid { configuration, point } => {
                (Severity::Rejected, "INVALID", invalid(configuration, point))
            }
            Self::Audited(audits) => (Note, "Audits", audited(audits)),
            Self::PlantedLoss(loss) => (Note, "Planted loss", planted(loss)),
            Self::SharedMachine { cores, has_testbed } => {
                (Limitation, "Other machines", shared_machine(*cores, *has_testbed))
            }
            Self::SharedHosts => (Limitation, "Other machines", format!("{SHARED_HOSTS} {NOT_ELSEWHERE}")),
            Self::Loopback => (Limitation, "A network", LOOPBACK.to_owned()),
            Self::IdealLinks => (Limitation, "A real network", IDEAL_LINKS.to_owned()),
            Self::SharedRoles(groups) => (Limitation, "A host for each role", shared_roles(groups)),
            Self::PagesOnly => (Limitation, "Embedded resources", PAGES_ONLY.to_owned()),
            Self::ClosedLoop => (Limitation, "Open load", CLOSED_LOOP.to_owned()),
            Self::ClosedAfterFirst => {
                (Limitation, "Open load beyond the first request", CLOSED_AFTER_FIRST.to_owned())
            }
            Self::WarmRows { least, most } => (Limitation, "Exactly equal data", warm_rows(*least, *most)),
            Self::NotJudged { checks, points } => (Limitation, "All checks", not_judged(checks, *points)),
            Self::FewRuns { repetitions, has_intervals } => {
                (Limitation, "How much runs differ", few_runs(*repetitions, *has_intervals))
            }
            Self::MadeUp { starts } => (Caveat, "Further starts", made_up(*starts)),
            Self::TimeScale(factor) => (Limitation, "Real users' pace", time_scale(*factor)),
            Self::DataScale(factor) => (Limitation, "Data of the published size", data_scale(*factor)),
            Self::SlowChanges { seconds, of_load } => {
                (Limitation, "Slow changes", slow_changes(*seconds, *of_load))
            }
            Self::NotProfiled => (Limitation, "CPU time within a tier", NOT_PROFILED.to_owned()),
            Self::Durability { was_audited: true } => (Limitation, "Durability", AUDITED_ALIVE.to_owned()),
            Self::Durability { was_audited: false } => (Limitation, "Durability", NOT_AUDITED.to_owned()),
            Self::FreeStatements(records) => (Limitation, "Equal statements", free_statements(records)),
            Self::ExternalServers => (Limitation, "The site's servers", EXTERNAL_SERVERS.to_owned()),
            Self::ExternalNeighbours => (Limitation, "The site's neighbours", EXTERNAL_NEIGHBOURS.to_owned()),
            Self::UnreadableProfile(error) => {
                (Caveat, "Profile", format!("The profile can't be read: {}", sentence(error)))
            }
            Self::UnreadableSamples(error) => (
                Caveat,
                "Samples",
                format!("The CPU is missing, because samples can't be read: {}", sentence(error)),
            ),
            Self::UnreadableTimes(error) => (
                Caveat,
                "Response times",
                format!("The spectrum is missing, because response times can't be read: {}", sentence(error)),
            ),
            Self::SlowProfilers { percent } => (Caveat, "Slow profilers", slow_profilers(*percent)),
            Self::AcrossYears => (Caveat, "Comparison across years", ACROSS_YEARS.to_owned()),
            Self::OneMachineForAll => (Caveat, "One machine", ONE_MACHINE.to_owned()),
        }
    }

    fn remedy(&self) -> Option<String> {
        let remedy = match self {
            Self::Damaged(_) => "Measure again.",
            Self::Killed { can_go_on: true } | Self::EndedEarly { can_go_on: true, .. } => {
                "Continue it with --resume."
            }
            Self::NotVerified { .. } => "Run tierbench verify.",
            Self::SameTwice { ratio: None, .. } => "Set --repetitions 2 or more.",
            Self::NothingAbove(_) => "Measure more clients.",
            Self::InvalidAbove(_) => {
                "Look up the failed checks under Verdicts, then measure these loads again."
            }
            Self::Uncertain(_) => "Set more --repetitions.",
            Self::NotConfirmed(_) => "Let the search run to its end.",
            Self::NoInterval(_) => "Set a longer --window.",
            // A lower load, or more CPU, would change nothing.
            Self::Invalid { point, .. } if point.all_failed => "Mend what makes requests fail.",
            Self::Invalid { point, .. } => point.checks.iter().find_map(|check| remedy_of(*check))?,
            Self::SharedMachine { has_testbed: false, .. }
            | Self::SharedRoles(_)
            | Self::OneMachineForAll => "A --testbed gives each role a host of its own.",
            Self::FewRuns { .. } => "Set --repetitions 3 or more.",
            Self::TimeScale(_) => "Set --time-scale 1.",
            Self::DataScale(_) => "Set --scale 1.",
            Self::NotProfiled => "--profile shows which part of a program spends the time.",
            Self::SlowProfilers { .. } => "Take the shares as a hint.",
            _ => return None,
        };
        Some(remedy.to_owned())
    }
}

impl Group<'_> {
    fn agreeing(&self, one: &'static str, several: &'static str) -> &'static str {
        agreeing(self.peaks.len(), one, several)
    }

    /// `the peak of A`, `the peaks of A and B`, `the peaks of all configurations`.
    fn subject(&self) -> String {
        let names = match self.peaks.as_slice() {
            [_, _, _, ..] if self.is_all => "all configurations".to_owned(),
            peaks => enumerate(&peaks.iter().map(|(name, _)| *name).collect::<Vec<_>>()),
        };
        format!("the {} of {names}", self.agreeing("peak", "peaks"))
    }

    /// `800 clients`; where the numbers differ, `their loads`.
    fn clients(&self) -> String {
        let clients = self.peaks.first().map_or(0, |(_, clients)| *clients);
        match self.peaks.iter().all(|(_, other)| *other == clients) {
            true => several(clients, "client"),
            false => "their loads".to_owned(),
        }
    }

    fn may_go_higher(&self) -> String {
        format!("so {} may go higher", self.agreeing("it", "they"))
    }

    fn nothing_above(&self) -> String {
        let (peaks, were) = (capitalised(&self.subject()), self.agreeing("was", "were"));
        let (clients, higher) = (self.clients(), self.may_go_higher());
        format!("{peaks} {were} not passed: no load above {clients} was measured, {higher}.")
    }

    fn invalid_above(&self) -> String {
        let (peaks, are) = (capitalised(&self.subject()), self.agreeing("is", "are"));
        let (clients, higher) = (self.clients(), self.may_go_higher());
        format!("{peaks} {are} not certain: every point above {clients} is INVALID, {higher}.")
    }

    fn uncertain(&self) -> String {
        let (peaks, were, higher) = (self.subject(), self.agreeing("was", "were"), self.may_go_higher());
        format!("It is not certain that {peaks} {were} passed, {higher}.")
    }

    fn not_confirmed(&self) -> String {
        let (peaks, were) = (capitalised(&self.subject()), self.agreeing("was", "were"));
        format!("{peaks} {were} not measured again. The best of several points is too high by chance.")
    }

    fn no_interval(&self) -> String {
        let (peaks, have) = (capitalised(&self.subject()), self.agreeing("has", "have"));
        format!(
            "{peaks} {have} no interval, because the window is too short. A small difference means nothing."
        )
    }
}

/// `the point`, `all points`, `2 of 58 points`.
fn of_all(count: usize, all: usize, noun: &str) -> String {
    match (count, all) {
        (1, 1) => format!("the {noun}"),
        (count, all) if count == all => format!("all {noun}s"),
        _ => format!("{count} of {}", several(all, noun)),
    }
}

fn integrity(audits: &Audits, invalid: usize, points: usize) -> String {
    let data = match audits {
        Audits { all: 0, .. } => None,
        Audits { unsound: 0, .. } => Some("No acknowledged write was lost".to_owned()),
        Audits { unsound, all, .. } => {
            Some(format!("{} lost or corrupted data", capitalised(&of_all(*unsound, *all, "point"))))
        }
    };
    let valid = match invalid {
        0 => format!("{} {} VALID", of_all(points, points, "point"), agreeing(points, "is", "are")),
        _ => {
            let (are, count) = (agreeing(invalid, "is", "are"), agreeing(invalid, "does", "do"));
            format!("{} {are} INVALID and {count} not count", of_all(invalid, points, "point"))
        }
    };
    capitalised(&data.into_iter().chain([valid]).collect::<Vec<_>>().join("; ")) + "."
}

fn same_twice(name: &str, ratio: Option<Interval>) -> String {
    let Some(ratio) = ratio else {
        return format!(
            "{name} took part twice, but on fewer than two starts, so how far equals differ is unknown."
        );
    };
    let shown = number::interval(ratio.mean, Some(ratio));
    let differs = ratio.low() > 1.0 || ratio.high() < 1.0;
    let so = match differs {
        true => "These are equals, so a difference of that size means nothing.",
        false => "Equals are equal here.",
    };
    format!("{name} took part twice: one reached {shown} times the throughput of the other. {so}")
}

fn timeouts(name: &str, timeout_s: Option<f64>, requests: Requests) -> String {
    let after =
        timeout_s.map_or_else(String::new, |seconds| format!(" after {} s", number::setting(seconds)));
    let others = match requests.failed - requests.timed_out {
        0 => "no other failed".to_owned(),
        others => format!("{} failed otherwise", number::count(others)),
    };
    format!(
        "{} of {} of {name} timed out{after} ({}); {others}.",
        number::count(requests.timed_out),
        several(requests.all, "request"),
        number::percent(requests.timed_out, requests.all)
    )
}

/// The kinds of errors with their first causes, the most frequent kind first.
fn failures(name: &str, requests: Requests, causes: &[(&str, u64, &str)]) -> String {
    let of = format!("{} of {}", number::count(requests.failed), several(requests.all, "request"));
    match causes {
        [(kind, _, cause)] => format!("{name}: {of} failed: {cause} ({kind})."),
        causes => {
            let cause = |(kind, count, cause): &(&str, u64, &str)| {
                format!("{} with {kind}, first: {cause}", number::count(*count))
            };
            let causes: Vec<String> = causes.iter().map(cause).collect();
            format!("{name}: {of} failed: {}.", causes.join("; "))
        }
    }
}

/// Other sites are named up to this number.
const MOST_NAMED: usize = 5;

fn left_out(sites: &[(&str, u64)]) -> String {
    let all: u64 = sites.iter().map(|(_, count)| count).sum();
    let named =
        sites.iter().take(MOST_NAMED).map(|(site, count)| format!("{site} ({})", number::count(*count)));
    let named = named.collect::<Vec<_>>().join(", ");
    let further = match sites.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        others => format!(", and {}", several(others, "other")),
    };
    let (lead, were) = (agreeing(all as usize, "leads", "lead"), agreeing(all as usize, "was", "were"));
    let references = several(all, "reference");
    format!("{references} of pages {lead} to other sites and {were} not requested: {named}{further}.")
}

fn cycle_audited(faults: &[String]) -> String {
    match faults {
        [] => "No acknowledged write of the whole overload cycle was lost.".to_owned(),
        faults => format!("Data were lost or corrupted: {}.", faults.join("; ")),
    }
}

fn invalid(name: &str, point: &Rejected) -> String {
    format!(
        "{name} at {}, run {} ({}/s, does not count) failed {}.",
        several(point.clients, "client"),
        point.repetition,
        number::figure(point.throughput),
        point.reasons.join("; ")
    )
}

/// The remedy for a failed check; none where the user can do nothing.
fn remedy_of(check: CheckId) -> Option<&'static str> {
    match check {
        CheckId::GeneratorCpu | CheckId::Lateness | CheckId::DroppedSends => {
            Some("Give the load generator a core of its own, or lower the load.")
        }
        CheckId::Errors | CheckId::KeptUp => Some("Lower the load."),
        CheckId::SteadyStateMser5 | CheckId::SteadyStateChange | CheckId::ResponseTimeLaw => {
            Some("Set a longer --ramp and --window.")
        }
        CheckId::VisitedMix | CheckId::Fallbacks => Some("Set a larger --scale."),
        CheckId::Steal | CheckId::OtherProcesses | CheckId::HostsGotCpu => {
            Some("Measure again while nothing else uses the machine.")
        }
        CheckId::HostsUnchanged => Some("Measure again on machines that nobody changes."),
        _ => None,
    }
}

fn audited(audits: &Audits) -> String {
    let whole = if audits.of_cycles { "overload cycle" } else { "point" };
    let outcome = match audits {
        Audits { unsound: 0, acknowledged: 0, .. } => {
            "All of them held; no client had written anything.".to_owned()
        }
        Audits { unsound: 0, acknowledged: 1, .. } => {
            "All of them held: the acknowledged row was there once.".to_owned()
        }
        Audits { unsound: 0, acknowledged, .. } => {
            format!(
                "All of them held: each of {} acknowledged rows was there once.",
                number::count(*acknowledged)
            )
        }
        Audits { unsound, all, .. } => {
            format!("{} lost or corrupted data.", capitalised(&of_all(*unsound, *all, whole)))
        }
    };
    format!(
        "After each {whole} an audit held its writes against {} and the clients' own account, within {:.1} s. {outcome}",
        several(audits.invariants, "invariant"),
        audits.longest_s
    ) + &contents(audits)
}

/// Contents that audits have seen, if they have found nothing wrong.
fn contents(audits: &Audits) -> String {
    let [compared, checked, pages] = audits.contents.map(number::count);
    if audits.unsound > 0 || audits.contents == [0; 3] {
        return String::new();
    }
    format!(
        " They compared {compared} rows with what clients had sent, {checked} loaded rows with their checksums, and {pages} \
         pages with the model's."
    )
}

fn planted(PlantedLoss { table, id, seen_by, changed, .. }: &PlantedLoss) -> String {
    let by = if seen_by.is_empty() { "nothing".to_owned() } else { enumerate(seen_by) };
    let changed = changed.as_ref().map_or(String::new(), |row| {
        format!(" Loaded row {} of {} was changed; its checksum showed it.", row.id, row.table)
    });
    format!("To test the audit, row {id} of {table} was deleted on purpose; it was seen by {by}.{changed}")
}

fn not_judged(checks: &[(&str, usize)], points: usize) -> String {
    let each: Vec<String> =
        checks.iter().map(|(name, count)| format!("{name} ({})", of_all(*count, points, "point"))).collect();
    format!("Not judged, for the reasons that the verdicts give: {}.", enumerate(&each))
}

fn shared_roles(groups: &[(Vec<&str>, Vec<&str>)]) -> String {
    let each: Vec<String> =
        groups.iter().map(|(roles, names)| format!("{} of {}", enumerate(roles), enumerate(names))).collect();
    format!("Roles stand for machines of their own, but shared this one: {}.", each.join("; "))
}

fn shared_machine(cores: u32, has_testbed: bool) -> String {
    let shared = if has_testbed { "memory and caches".to_owned() } else { several(cores, "core") };
    format!(
        "All tiers shared one machine's {shared} with the load generator, so a tier's limit is another one on a machine of \
         its own. {NOT_ELSEWHERE}"
    )
}

fn warm_rows(least: u64, most: u64) -> String {
    let from = if least == most { String::new() } else { format!("{} to ", number::count(least)) };
    let took = several(most, "interaction");
    format!("The rows that warm-up wrote were not removed. Warm-up took {from}{took}.")
}

fn made_up(starts: u32) -> String {
    let starts = several(starts, "further start");
    format!(
        "{starts} made up for INVALID points. Checks that depend on a site's own speed may select its starts."
    )
}

fn few_runs(repetitions: u32, has_intervals: bool) -> String {
    let times = if repetitions <= 1 { "once" } else { "twice" };
    let source = if has_intervals { ", so intervals come from the seconds within a run" } else { "" };
    format!("Each load was measured {times}{source}.")
}

fn time_scale(factor: f64) -> String {
    format!(
        "Think times, sessions and keep-alive times are {} of the real ones, so numbers of clients compare with no other \
         study.",
        number::factor(factor)
    )
}

fn data_scale(factor: f64) -> String {
    let caches = if factor < 1.0 { ", which favours caches" } else { "" };
    format!("The tables hold {} of the published size{caches}.", number::factor(factor))
}

fn slow_changes(seconds: f64, of_load: bool) -> String {
    let what = if of_load { "load" } else { "window" };
    let seconds = number::figure(seconds);
    format!(
        "A {what} of {seconds} s has no nightly job, no slow leak and few long pauses of a garbage collector."
    )
}

fn free_statements(records: &[&ConfigurationRecord]) -> String {
    let each: Vec<String> =
        records.iter().map(|record| format!("{} ({})", record.name, record.statements)).collect();
    format!("Not held to the recorded statements, but to the same pages and rows: {}.", enumerate(&each))
}

fn slow_profilers(percent: f64) -> String {
    format!("Profiling slowed this site by {percent:.1} %, so what profilers slow most looks too large.")
}
