//! Mixes in files, and their validation.

use crate::{Catalogue, Class, InteractionId, Mix, Stationary, Step, mix::OWN};
use serde::Deserialize;
use settings::{Document, SettingsError, did_you_mean};
use std::{collections::BTreeMap, ops::Range};
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MixFile {
    name: String,
    title: String,
    #[serde(default)]
    read_write: Option<Spanned<f64>>,
    #[serde(default)]
    browse: Option<Spanned<f64>>,
    #[serde(default)]
    shares: BTreeMap<Spanned<String>, Spanned<f64>>,
    transitions: BTreeMap<Spanned<String>, RowEntry>,
}

/// A row as written: its steps, by name or `back`, with their probabilities.
pub(crate) type RowEntry = BTreeMap<Spanned<String>, Spanned<f64>>;

/// The rounding tolerance of a row's sum.
const ROW_SUM_TOLERANCE: f64 = 1e-9;

/// The tolerance of a mix's declared read-write share.
const READ_WRITE_TOLERANCE: f64 = 0.005;

/// The tolerance of the declared shares of interactions, or of browsing, in endless sessions. Specifications print
/// hundredths of a percent.
const SHARE_TOLERANCE: f64 = 0.0002;

/// The name of the back state in a mix's rows.
const BACK: &str = "back";

impl Mix {
    /// Reads a mix: a Markov chain over the application's interactions. Names must be known, probabilities from 0 to 1 with
    /// rows that sum to 1. Every reachable interaction needs a row, and no other may have one. The stationary shares must
    /// be those that the file declares.
    pub fn parse(document: &Document, catalogue: &Catalogue) -> Result<Self, Box<SettingsError>> {
        let file: MixFile = document.parse()?;
        let source = Source { document, catalogue };
        let mix = Self {
            rows: source.rows(&file.transitions)?,
            name: file.name,
            title: file.title,
            is_memoryless: false,
        };
        if let Some(declared) = &file.read_write {
            source.expect_read_write(&mix, declared)?;
        }
        source.expect_shares(&mix, file.browse.as_ref(), &file.shares)?;
        Ok(mix)
    }

    /// The rows of a document, by the rules of [`Mix::parse`].
    pub(crate) fn of_rows(
        rows: &BTreeMap<Spanned<String>, RowEntry>,
        document: &Document,
        catalogue: &Catalogue,
    ) -> Result<Self, Box<SettingsError>> {
        let rows = Source { document, catalogue }.rows(rows)?;
        Ok(Self { name: OWN.to_owned(), title: catalogue.title.clone(), rows, is_memoryless: false })
    }

    /// True for each interaction that can be reached from `start`. Going back reaches nothing new.
    pub(crate) fn reached_from(&self, start: InteractionId) -> Vec<bool> {
        let mut reached = vec![false; self.rows.len()];
        let mut open = vec![start];
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut reached[id.index()], true) {
                open.extend(self.steps(id).filter_map(|(share, step)| match step {
                    Step::To(to) if share > 0.0 => Some(to),
                    _ => None,
                }));
            }
        }
        reached
    }
}

/// The document of a mix, for error messages.
struct Source<'a> {
    document: &'a Document,
    catalogue: &'a Catalogue,
}

impl Source<'_> {
    /// All rows of reachable interactions.
    fn rows(
        &self,
        written: &BTreeMap<Spanned<String>, RowEntry>,
    ) -> Result<Vec<Vec<(f64, Step)>>, Box<SettingsError>> {
        let mut rows = vec![Vec::new(); self.catalogue.interactions().len()];
        let mut places = vec![None; rows.len()];
        for (from, row) in written {
            let id = self.interaction(from, None)?;
            rows[id.index()] = self.row(from, row)?;
            places[id.index()] = Some(from.span());
        }
        let mix = Mix { name: String::new(), title: String::new(), rows, is_memoryless: false };
        self.expect_all_reached(&mix, &places)?;
        Ok(mix.rows)
    }

    /// The interaction with a name. `other` is an alternative for the error's help.
    fn interaction(
        &self,
        name: &Spanned<String>,
        other: Option<&str>,
    ) -> Result<InteractionId, Box<SettingsError>> {
        let known = self.catalogue.interactions().iter().map(|interaction| interaction.name.as_str());
        self.catalogue.by_name(name.get_ref()).ok_or_else(|| {
            let fault = format!("`{}` is no interaction of {}", name.get_ref(), self.catalogue.name);
            let remedy = did_you_mean(name.get_ref(), known.chain(other));
            self.document.error(Some(name.span()), fault, Some(remedy))
        })
    }

    fn step(&self, name: &Spanned<String>) -> Result<Step, Box<SettingsError>> {
        if name.get_ref() == BACK { Ok(Step::Back) } else { self.interaction(name, Some(BACK)).map(Step::To) }
    }

    /// The steps of a row with their cumulated probabilities.
    fn row(&self, from: &Spanned<String>, row: &RowEntry) -> Result<Vec<(f64, Step)>, Box<SettingsError>> {
        let mut steps = Vec::new();
        let mut sum = 0.0;
        for (to, probability) in row {
            let step = self.step(to)?;
            let share = *probability.get_ref();
            if !(0.0..=1.0).contains(&share) {
                let fault = format!("{share} is no probability");
                let remedy = Some("write a number from 0 to 1".to_owned());
                return Err(self.document.error(Some(probability.span()), fault, remedy));
            }
            sum += share;
            steps.push((sum, step));
        }
        if (sum - 1.0).abs() > ROW_SUM_TOLERANCE {
            let fault = format!("the row `{}` sums to {sum}, not to 1", from.get_ref());
            let remedy = Some(format!("change its probabilities by {:+.6} in all", 1.0 - sum));
            return Err(self.document.error(Some(from.span()), fault, remedy));
        }
        Ok(steps)
    }

    /// Refuses a mix with reachable interactions without a row, or unreachable rows. `places` are the rows' positions.
    fn expect_all_reached(
        &self,
        mix: &Mix,
        places: &[Option<Range<usize>>],
    ) -> Result<(), Box<SettingsError>> {
        let reached = mix.reached_from(self.catalogue.start);
        for id in self.catalogue.ids() {
            let name = &self.catalogue.get(id).name;
            match (reached[id.index()], &places[id.index()]) {
                (true, None) => {
                    let fault = format!("`{name}` is reached but has no row");
                    let remedy = Some(format!("add [transitions.{name}]"));
                    return Err(self.document.error(None, fault, remedy));
                }
                (false, Some(place)) => {
                    let fault = format!("`{name}` has a row but nothing leads there");
                    let remedy = Some("give a reachable row a step to it, or delete the row".to_owned());
                    return Err(self.document.error(Some(place.clone()), fault, remedy));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Refuses a mix whose interactions don't have the declared shares in endless sessions.
    fn expect_shares(
        &self,
        mix: &Mix,
        browse: Option<&Spanned<f64>>,
        shares: &BTreeMap<Spanned<String>, Spanned<f64>>,
    ) -> Result<(), Box<SettingsError>> {
        let endless = Stationary::endless(mix, self.catalogue);
        let is_browsing = |id: &InteractionId| self.catalogue.get(*id).class == Class::Browse;
        let browsing: f64 = self.catalogue.ids().filter(is_browsing).map(|id| endless.share(id)).sum();
        let named = shares.iter().map(|(name, declared)| {
            self.interaction(name, None).map(|id| (name.get_ref().as_str(), declared, endless.share(id)))
        });
        let all = browse.map(|declared| Ok(("browsing", declared, browsing))).into_iter().chain(named);
        for share in all {
            let (what, declared, actual) = share?;
            if (actual - declared.get_ref()).abs() > SHARE_TOLERANCE {
                let fault = format!(
                    "{} declares {:.2} % {what}, but in endless sessions it is {:.2} %",
                    mix.name,
                    declared.get_ref() * 100.0,
                    actual * 100.0
                );
                let remedy = format!("change its transitions, or declare {actual:.4}");
                return Err(self.document.error(Some(declared.span()), fault, Some(remedy)));
            }
        }
        Ok(())
    }

    /// Refuses a mix whose read-write share differs from the declared one.
    fn expect_read_write(&self, mix: &Mix, declared: &Spanned<f64>) -> Result<(), Box<SettingsError>> {
        if !(0.0..=1.0).contains(declared.get_ref()) {
            let fault =
                format!("`read_write = {}` is no share: it must be between 0 and 1", declared.get_ref());
            let remedy =
                "write the part of all interactions that change data, such as 0.15 for 15 %".to_owned();
            return Err(self.document.error(Some(declared.span()), fault, Some(remedy)));
        }
        let actual = Stationary::of(mix, self.catalogue).read_write;
        let wrong = actual - declared.get_ref();
        if wrong.abs() <= READ_WRITE_TOLERANCE {
            return Ok(());
        }
        let fault = format!(
            "{} declares {:.2} % read-write interactions, but of all that its users send {:.2} % are",
            mix.name,
            declared.get_ref() * 100.0,
            actual * 100.0
        );
        let lead = if wrong > 0.0 { "fewer" } else { "more" };
        let remedy =
            format!("let {lead} of its transitions lead to writes, or declare `read_write = {actual:.3}`");
        Err(self.document.error(Some(declared.span()), fault, Some(remedy)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn catalogue() -> Catalogue {
        let entry = |name: &str| {
            let effect = if name == WRITER { "'write'\nwrites = 'rows'" } else { "'read'" };
            format!(
                "[[interaction]]\nname = '{name}'\npath = '{name}'\nmethod = 'GET'\nclass = 'browse'\n\
                 effect = {effect}\nprotocol = 'html'\n"
            )
        };
        let head = "name = 'x'\ntitle = 'x'\nprefix = '/x'\nthink_time = '7s'\nsession_length = '15m'\nmix = 'usual'\nstart = 'A'\n";
        let text = [head, &entry("A"), &entry("B"), &entry("C")].concat();
        Catalogue::parse(&Document::new("app.toml", text)).unwrap()
    }

    const WRITER: &str = "C";

    fn parse(transitions: &str) -> Result<Mix, Box<SettingsError>> {
        let text = format!("name = 'm'\ntitle = 'm'\n{transitions}");
        Mix::parse(&Document::new("m.toml", text), &catalogue())
    }

    #[test]
    fn draws_follow_the_row() {
        let mix = parse("[transitions.A]\nB = 1.0\n[transitions.B]\nA = 0.3\nback = 0.7\n").unwrap();
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let back = (0..100_000).filter(|_| mix.draw(InteractionId(1), &mut random) == Step::Back).count();
        assert!((69_000..71_000).contains(&back), "{back}");
    }

    #[test]
    fn refuses_a_mix_that_is_no_markov_chain() {
        for (transitions, fault) in [
            ("[transitions.A]\nB = 0.9\n[transitions.B]\nback = 1.0\n", "sums to 0.9"),
            ("[transitions.A]\nB = 1.5\n[transitions.B]\nback = 1.0\n", "no probability"),
            ("[transitions.A]\nBe = 1.0\n", "no interaction"),
            ("[transitions.A]\nB = 1.0\n", "has no row"),
            ("[transitions.A]\nA = 1.0\n[transitions.C]\nA = 1.0\n", "nothing leads there"),
        ] {
            let error = parse(transitions).unwrap_err();
            assert!(error.to_string().contains(fault), "{error}");
        }
    }

    const HALF_WRITES: &str = "[transitions.A]\nC = 1.0\n[transitions.C]\nA = 1.0\n";

    #[test]
    fn refuses_a_wrong_read_write_share() {
        // A session starts with A, so that a little less than half are C: about 0.4981.
        for declared in [0.4975, 0.5, 0.503] {
            parse(&format!("read_write = {declared}\n{HALF_WRITES}")).unwrap();
        }
        let remedy = |error: &SettingsError| miette::Diagnostic::help(error).unwrap().to_string();
        for declared in ["1.5", "-0.1", "nan", "15"] {
            let error = parse(&format!("read_write = {declared}\n{HALF_WRITES}"));
            let Err(error) = error else { panic!("{declared} is accepted as a share") };
            assert!(error.to_string().contains("is no share: it must be between 0 and 1"), "{error}");
            assert!(remedy(&error).contains("0.15 for 15 %"), "{}", remedy(&error));
        }
        for (declared, lead) in [("0.49", "let fewer"), ("0.51", "let more")] {
            let error = parse(&format!("read_write = {declared}\n{HALF_WRITES}")).unwrap_err();
            assert!(error.to_string().contains("send 49.81 % are"), "{error}");
            assert!(remedy(&error).starts_with(lead), "{}", remedy(&error));
            assert!(remedy(&error).ends_with("`read_write = 0.498`"), "{}", remedy(&error));
            let shown = format!("{:?}", miette::Report::new(*error));
            assert!(shown.contains("m.toml:3:"), "{shown}");
        }
    }

    #[test]
    fn refuses_wrong_shares_of_interactions() {
        let thirds =
            "[transitions.A]\nB = 0.5\nC = 0.5\n[transitions.B]\nC = 1.0\n[transitions.C]\nA = 1.0\n";
        parse(&format!("browse = 1.0\n[shares]\nA = 0.4\nB = 0.2\nC = 0.4\n{thirds}")).unwrap();
        for (declared, fault) in [
            ("browse = 0.9", "declares 90.00 % browsing, but in endless sessions it is 100.00 %"),
            ("[shares]\nB = 0.2003", "declares 20.03 % B, but in endless sessions it is 20.00 %"),
            ("[shares]\nD = 0.2", "no interaction"),
        ] {
            let error = parse(&format!("{declared}\n{thirds}")).unwrap_err();
            assert!(error.to_string().contains(fault), "{error}");
        }
    }

    #[test]
    fn an_evened_mix_has_equal_probabilities() {
        let mix = parse("[transitions.A]\nB = 0.0\nA = 0.2\nC = 0.7\nback = 0.1\n[transitions.C]\nA = 1.0\n")
            .unwrap();
        let steps: Vec<_> = mix
            .evened()
            .steps(InteractionId(0))
            .map(|(share, step)| ((share * 300.0).round(), step))
            .collect();
        let to = |id| Step::To(InteractionId(id));
        assert_eq!(steps, [(100.0, to(0)), (100.0, to(2)), (100.0, Step::Back)]);
    }
}
