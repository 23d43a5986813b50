//! What to bear in mind with the answer. What is to be said of several configurations is said once.

use crate::{
    ConfigurationSummary, Peak, PeakStatus, number,
    words::{capitalised, enumerate},
};

/// Whether a caveat is about a peak.
type Concern = fn(&Peak) -> bool;
/// What it says.
type Sentence = fn(&Concerned<'_>) -> String;

/// Each caveat in a sentence.
pub(crate) fn caveats(summaries: &[ConfigurationSummary]) -> Vec<String> {
    let of = |concerned: fn(&Peak) -> bool| -> Vec<(&str, &Peak)> {
        summaries
            .iter()
            .filter_map(|row| Some((row.name.as_str(), row.peak.as_ref()?)))
            .filter(|(_, peak)| concerned(peak))
            .collect()
    };
    let caveats: [(Concern, Sentence); 5] = [
        (|peak| peak.peak_status == PeakStatus::NothingAbove, nothing_above),
        (|peak| peak.peak_status == PeakStatus::InvalidAbove, invalid_above),
        (|peak| peak.peak_status == PeakStatus::Uncertain, uncertain),
        (|peak| !peak.confirmed, unconfirmed),
        (|peak| peak.interval.is_none(), without_interval),
    ];
    let all = of(|_| true).len();
    let caveats = caveats.into_iter().map(|(concerned, sentence)| (of(concerned), sentence));
    let caveats = caveats.filter(|(peaks, _)| !peaks.is_empty());
    caveats.map(|(peaks, sentence)| sentence(&Concerned { all: peaks.len() == all, peaks })).collect()
}

/// The peaks that a caveat is about.
struct Concerned<'a> {
    peaks: Vec<(&'a str, &'a Peak)>,
    /// Whether these are all there are.
    all: bool,
}

impl Concerned<'_> {
    fn names(&self) -> String {
        match self.peaks.as_slice() {
            [_, _, _, ..] if self.all => "all configurations".to_owned(),
            peaks => enumerate(&peaks.iter().map(|(name, _)| *name).collect::<Vec<_>>()),
        }
    }

    /// `the peak of A`, `the peaks of A and B`.
    fn peaks(&self) -> String {
        format!("the {} of {}", self.one_or("peak", "peaks"), self.names())
    }

    fn one_or(&self, one: &'static str, several: &'static str) -> &'static str {
        if self.peaks.len() == 1 { one } else { several }
    }

    /// `it may go higher`.
    fn may_go_higher(&self) -> String {
        format!("{} may go higher", self.one_or("it", "they"))
    }

    /// `800 clients`; where the numbers differ, `their loads`.
    fn clients(&self) -> String {
        let clients = self.peaks[0].1.clients;
        match self.peaks.iter().all(|(_, peak)| peak.clients == clients) {
            true => format!("{} clients", number::count(clients.into())),
            false => "their loads".to_owned(),
        }
    }
}

fn nothing_above(concerned: &Concerned<'_>) -> String {
    let were = concerned.one_or("was", "were");
    format!(
        "{} {were} not passed: no load above {} was measured, so {}.",
        capitalised(&concerned.peaks()),
        concerned.clients(),
        concerned.may_go_higher()
    )
}

fn invalid_above(concerned: &Concerned<'_>) -> String {
    let are = concerned.one_or("is", "are");
    format!(
        "{} {are} not certain: every point above {} is INVALID, so {}.",
        capitalised(&concerned.peaks()),
        concerned.clients(),
        concerned.may_go_higher()
    )
}

fn uncertain(concerned: &Concerned<'_>) -> String {
    let were = concerned.one_or("was", "were");
    format!("That {} {were} passed is not certain: {}.", concerned.peaks(), concerned.may_go_higher())
}

fn unconfirmed(concerned: &Concerned<'_>) -> String {
    let were = concerned.one_or("was", "were");
    let peaks = capitalised(&concerned.peaks());
    format!("{peaks} {were} not measured again: the best of several points is too good by chance.")
}

fn without_interval(concerned: &Concerned<'_>) -> String {
    let have = concerned.one_or("has", "have");
    let peaks = capitalised(&concerned.peaks());
    format!("{peaks} {have} no interval, for the window is too short: a small difference means nothing.")
}
