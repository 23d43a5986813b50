//! A failing sequence of requests in a file, to be read, kept and replayed.

use application::{Dataset, Step};
use settings::{Document, SettingsError};
use std::{fmt, ops::Range};

/// A sequence of requests with its dataset. Dates are relative to the start, as always.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedSequence {
    pub application: String,
    pub configuration: String,
    pub seed: u64,
    pub scale: f64,
    pub steps: Vec<Step>,
}

const ABOUT: &str = "\
# Requests, one a line, which `tierbench verify APPLICATION CONFIGURATION --replay FILE` sends to a fresh site and to the
# model. {token:17} stands for a good log-in token of user 17, {token:17:expired} and {token:17:forged} for bad ones.
";

impl SavedSequence {
    /// Requests for a dataset.
    pub fn new(application: &str, configuration: &str, dataset: &Dataset, steps: Vec<Step>) -> Self {
        Self {
            application: application.to_owned(),
            configuration: configuration.to_owned(),
            seed: dataset.seed,
            scale: dataset.scale,
            steps,
        }
    }

    /// Reads a file, which errors call `name`.
    pub fn parse(name: &str, text: &str) -> Result<Self, Box<SettingsError>> {
        let document = Document::new(name, text);
        let head = Head { document: &document, text };
        let mut steps = Vec::new();
        for (place, line) in lines(text) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let step = line.parse().map_err(|fault: application::StepError| {
                let remedy = "write it as `POST /auction/StoreBid itemId=12&token={token:17}&bid=1.00`";
                document.error(Some(place), fault.to_string(), Some(remedy.to_owned()))
            })?;
            steps.push(step);
        }
        if steps.is_empty() {
            let remedy = "write one request a line, such as `GET /auction/ViewItem itemId=1`";
            return Err(document.error(None, "there is no request in this file", Some(remedy.to_owned())));
        }
        Ok(Self {
            application: head.read("application", "auction", |value| Some(value.to_owned()))?,
            configuration: head.read("configuration", "WsPhp-DB", |value| Some(value.to_owned()))?,
            seed: head.read("seed", "1", |value| value.parse().ok())?,
            scale: head.read("scale", "0.01", |value| {
                value.parse().ok().filter(|scale: &f64| *scale > 0.0 && scale.is_finite())
            })?,
            steps,
        })
    }
}

impl fmt::Display for SavedSequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { application, configuration, seed, scale, steps } = self;
        write!(f, "{ABOUT}# application: {application}\n# configuration: {configuration}\n")?;
        write!(f, "# seed: {seed}\n# scale: {scale}\n")?;
        steps.iter().try_for_each(|step| writeln!(f, "{step}"))
    }
}

/// The header lines: `# seed: 1`.
struct Head<'a> {
    document: &'a Document,
    text: &'a str,
}

impl Head<'_> {
    fn read<T>(
        &self,
        key: &str,
        example: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, Box<SettingsError>> {
        let value = |line: &'_ str| -> Option<String> {
            let rest = line.strip_prefix('#')?.trim_start().strip_prefix(key)?.trim_start();
            Some(rest.strip_prefix(':')?.trim().to_owned())
        };
        let remedy = || Some(format!("write `# {key}: {example}`"));
        let found = lines(self.text).find_map(|(place, line)| Some((place, value(line)?)));
        let Some((place, value)) = found else {
            return Err(self.document.error(None, format!("the file doesn't say its {key}"), remedy()));
        };
        read(&value)
            .ok_or_else(|| self.document.error(Some(place), format!("`{value}` is no {key}"), remedy()))
    }
}

/// Lines of a text with their places, without line ends.
fn lines(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |whole| {
        let line = whole.trim_end();
        let place = start..start + line.len();
        start += whole.len();
        (place, line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use application::Timestamp;

    const DATASET: Dataset = Dataset::new(7, 0.01, Timestamp(0));

    fn recording() -> SavedSequence {
        let steps = vec![
            Step::get("/auction/index.html", &[]),
            Step::post("/auction/StoreBid", &[("token", "{token:17}"), ("note", "a b\n{c}")]),
        ];
        SavedSequence::new("auction", "WsPhp-DB,engine=MyISAM", &DATASET, steps)
    }

    #[test]
    fn recordings_round_trip() {
        let text = recording().to_string();
        assert_eq!(SavedSequence::parse("a.steps", &text).unwrap(), recording());
        let edited = format!("\n# mine\n{}\n\n", text.replace('\n', "\r\n"));
        assert_eq!(SavedSequence::parse("a.steps", &edited).unwrap(), recording());
    }

    #[test]
    fn errors_name_the_line_and_a_remedy() {
        let text = recording().to_string();
        let cases = [
            ("GET /auction/index.html", "get /auction", "a.steps:7:1", "single blanks", "write it as"),
            ("{token:17}&note", "{tokn:17}&note", "a.steps:8:1", "`{tokn:17}` is no token", "write it as"),
            ("# seed: 7", "# seed: x", "a.steps:5:1", "`x` is no seed", "write `# seed: 1`"),
            ("# scale: 0.01", "# scale: -1", "a.steps:6:1", "`-1` is no scale", "write `# scale: 0.01`"),
            ("# seed: 7", "# sead: 7", "", "doesn't say its seed", "write `# seed: 1`"),
        ];
        for (from, to, place, fault, remedy) in cases {
            let error = SavedSequence::parse("a.steps", &text.replace(from, to)).unwrap_err();
            let mut shown = String::new();
            let handler =
                miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::none()).with_width(200);
            handler.render_report(&mut shown, error.as_ref()).unwrap();
            for text in [place, fault, remedy] {
                assert!(shown.contains(text), "{to}: no `{text}` in\n{shown}");
            }
        }
        let error = SavedSequence::parse("a.steps", "# seed: 1\n").unwrap_err();
        assert!(error.to_string().contains("no request"), "{error}");
    }
}
