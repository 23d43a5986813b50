//! Load models: loads whose users arrive one after the other, as data of an application. Studies have measured sites so
//! that looked for the first user who gets no answer in time, for what is turned away under stress, or for who is served how
//! unequally.

use crate::workspace::{Workspace, WorkspaceError, names, unknown};
use serde::Deserialize;
use settings::{Document, SettingsError};
use std::time::Duration;
use toml::Spanned;
use workload::{ArrivalLoad, Catalogue, Length, LoadKind};

/// A load model: when users arrive, what they do, and when the load ends.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadModel {
    /// Its name, which is also its file's: `bench1`.
    pub name: String,
    /// A line for people.
    pub title: String,
    pub mix: String,
    /// The loads: how many users arrive, at most or in each stretch of time.
    pub clients: Vec<u32>,
    /// The timeout; never scaled, for no server is faster where think times are scaled.
    pub timeout: Duration,
    /// Between which lengths think times lie, before they are scaled.
    pub think: (Duration, Duration),
    /// The interaction with which each user begins.
    start: String,
    spacing: Spacing,
    again: bool,
    requests: Option<u32>,
    ends_unanswered: bool,
}

/// The spacing of arrivals, before it is scaled.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Spacing {
    /// One comes so long after the one before.
    Every(Duration),
    /// All of them come within this time, evenly.
    Within(Duration),
}

/// The model as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    title: String,
    mix: String,
    start: Spanned<String>,
    clients: Vec<u32>,
    every: Option<Length>,
    within: Option<Length>,
    #[serde(default)]
    again: bool,
    requests: Option<u32>,
    think: Option<(Length, Length)>,
    timeout: Length,
    #[serde(default)]
    ends_unanswered: bool,
}

impl LoadModel {
    /// Reads a load model of the application that has these interactions.
    pub fn parse(document: &Document, catalogue: &Catalogue) -> Result<Self, Box<SettingsError>> {
        let file: File = document.parse()?;
        let refuse = |fault: &str, remedy: &str| Err(document.error(None, fault, Some(remedy.to_owned())));
        if catalogue.by_name(file.start.get_ref()).is_none() {
            let known = catalogue.interactions().iter().map(|interaction| interaction.name.as_str());
            let remedy = settings::did_you_mean(file.start.get_ref(), known);
            let fault = format!("there is no interaction `{}`", file.start.get_ref());
            return Err(document.error(Some(file.start.span()), fault, Some(remedy)));
        }
        let spacing = match (file.every, file.within) {
            (Some(every), None) if !every.0.is_zero() => Spacing::Every(every.0),
            (None, Some(within)) if !within.0.is_zero() => Spacing::Within(within.0),
            _ => {
                return refuse(
                    "it must be said once how users follow one another",
                    "give either `every`, the time between two users, or `within`, the time in which all of them come",
                );
            }
        };
        if file.clients.is_empty() || file.clients.contains(&0) || file.requests == Some(0) {
            return refuse("there is nobody who asks", "give `clients`, and `requests` if at all, above 0");
        }
        if file.again && file.requests.is_none() {
            return refuse(
                "clients keep arriving and never leave, so their number grows without bound",
                "set `requests`, after which a client leaves, or leave `again` out",
            );
        }
        if file.timeout.0.is_zero() {
            return refuse("nobody gets an answer in no time", "give `timeout` above 0");
        }
        if file.timeout > Length::LONGEST {
            return refuse("the timeout is longer than a week", "give `timeout` of 7d at most");
        }
        let think = file.think.map_or((Duration::ZERO, Duration::ZERO), |(least, most)| (least.0, most.0));
        if think.0 > think.1 {
            return refuse(
                "the shortest think time is above the longest",
                "write `think = [\"1s\", \"8s\"]`",
            );
        }
        let File { name, title, mix, clients, again, requests, ends_unanswered, start, .. } = file;
        let start = start.into_inner();
        let timeout = file.timeout.0;
        Ok(Self {
            name,
            title,
            mix,
            clients,
            timeout,
            think,
            start,
            spacing,
            again,
            requests,
            ends_unanswered,
        })
    }

    /// The model with another longest think time, if its users think.
    #[must_use]
    pub fn thinking_up_to(mut self, longest: Duration) -> Self {
        if !self.think.1.is_zero() {
            self.think = (self.think.0.min(longest), longest);
        }
        self
    }

    /// The length of its longest load at most; of a model whose users come again and again, the time for which they come.
    pub fn window(&self, asked: Duration, time_scale: f64) -> Duration {
        let loads = self.loads(time_scale, asked).into_iter();
        let lengths = loads.map(|load| load.window(asked, Some(self.timeout)));
        if self.again { asked } else { lengths.max().unwrap_or(asked) }
    }

    /// The time between two users, of one of the model's loads.
    fn every(&self, clients: u32, time_scale: f64) -> Duration {
        match self.spacing {
            Spacing::Every(every) => every.mul_f64(time_scale),
            Spacing::Within(within) => within.mul_f64(time_scale) / clients,
        }
    }

    fn users(&self, clients: u32, time_scale: f64, window: Duration) -> u32 {
        if !self.again {
            return clients;
        }
        let users = window.as_secs_f64() / self.every(clients, time_scale).as_secs_f64();
        // A time between two users that isn't a whole number of nanoseconds makes nobody come more.
        (users - 1e-3).ceil().max(1.0) as u32
    }

    /// Its loads, with all times scaled. `window` is how long users come who come again and again.
    pub fn loads(&self, time_scale: f64, window: Duration) -> Vec<LoadKind> {
        self.clients.iter().map(|clients| self.load(*clients, time_scale, window)).collect()
    }

    fn load(&self, clients: u32, time_scale: f64, window: Duration) -> LoadKind {
        let scaled = |length: Duration| length.mul_f64(time_scale).as_secs_f64();
        LoadKind::Arrivals(ArrivalLoad {
            model: self.name.clone(),
            clients,
            users: self.users(clients, time_scale, window),
            every_s: self.every(clients, time_scale).as_secs_f64(),
            start: self.start.clone(),
            requests: self.requests,
            think_s: (scaled(self.think.0), scaled(self.think.1)),
            ends_unanswered: self.ends_unanswered,
            again: self.again,
        })
    }
}

impl Workspace {
    /// The names of an application's load models.
    pub fn load_models(&self, application: &str) -> Result<Vec<String>, WorkspaceError> {
        let folder = self.path().join("apps").join(application).join("loads");
        let files = if folder.is_dir() { names(&folder)? } else { Vec::new() };
        Ok(files.iter().filter_map(|file| file.strip_suffix(".toml")).map(ToOwned::to_owned).collect())
    }

    pub fn load_model(&self, catalogue: &Catalogue, name: &str) -> Result<LoadModel, WorkspaceError> {
        let known = self.load_models(&catalogue.name)?;
        if !known.iter().any(|model| model == name) {
            return Err(unknown("load model", name, &known));
        }
        let document = self.read(&catalogue.name, &format!("loads/{name}.toml"))?;
        self.expect_mix(&document, catalogue)?;
        Ok(LoadModel::parse(&document, catalogue)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, path::Path};

    fn comments() -> Catalogue {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../apps/comments/app.toml");
        Catalogue::parse(&Document::new("app.toml", fs::read_to_string(path).unwrap())).unwrap()
    }

    fn shipped(name: &str) -> LoadModel {
        let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../apps/comments/loads");
        let text = fs::read_to_string(home.join(format!("{name}.toml"))).unwrap();
        let model = LoadModel::parse(&Document::new(name, text), &comments()).unwrap();
        assert_eq!(model.name, name);
        model
    }

    const MINUTE: Duration = Duration::from_secs(60);

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    fn load(model: &LoadModel, clients: u32, time_scale: f64) -> ArrivalLoad {
        model.load(clients, time_scale, MINUTE).arrivals().unwrap().clone()
    }

    #[test]
    fn the_benchmarks_are_as_the_paper_has_them() {
        let load = |name: &str, clients| load(&shipped(name), clients, 1.0);
        let first = load("bench1", shipped("bench1").clients[0]);
        assert_eq!((first.every_s, shipped("bench1").timeout), (2.0, seconds(3.0)));
        assert!(first.ends_unanswered && first.requests.is_none());
        assert_eq!(first.think_s, (1.0, 8.0));
        let second = load("bench2", 21);
        assert_eq!((second.every_s, second.users, second.think_s), (10.0, 21, (0.0, 0.0)));
        assert_eq!(shipped("bench2").window(MINUTE, 1.0), seconds(210.0));
        let third = shipped("bench3");
        assert_eq!(third.clients, [14, 16, 17, 20, 22, 30]);
        let third = load("bench3", 20);
        assert_eq!((third.users, third.every_s), (1200, 0.05));
        assert_eq!(load("bench3", 14).users, 840);
        let fourth = load("bench4", 100);
        assert_eq!((fourth.users, fourth.every_s), (100, 0.1));
        assert_eq!((third.requests, fourth.requests), (Some(1), Some(1)));
    }

    #[test]
    fn think_times_are_scaled_and_timeouts_are_not() {
        let model = shipped("bench1").thinking_up_to(seconds(5.0));
        let scaled = load(&model, 50, 0.1);
        assert_eq!((scaled.every_s, scaled.think_s), (0.2, (0.1, 0.5)));
        assert_eq!(model.timeout, seconds(3.0));
        assert_eq!(model.load(50, 0.1, MINUTE).window(MINUTE, Some(model.timeout)), seconds(10.0));
        let hurried = load(&shipped("bench3"), 20, 0.1);
        assert_eq!(hurried.users, 12_000, "hurried users come more often");
    }

    #[test]
    fn a_load_is_expected_to_end_before_its_time_limit() {
        let expected = |name: &str, scale| {
            let loads = shipped(name).loads(scale, MINUTE);
            let windows = loads.iter().map(|load| load.expected_window(MINUTE).as_secs_f64());
            windows.sum::<f64>() / loads.len() as f64
        };
        assert_eq!(expected("bench1", 0.005), 20.0, "half of 4000 clients, one every 10 ms");
        assert_eq!(expected("bench2", 0.1), 21.0);
        assert!((60.0..60.1).contains(&expected("bench3", 1.0)), "nobody's timeout");
        assert_eq!(expected("bench4", 1.0), 10.1);
    }

    #[test]
    fn what_contradicts_itself_is_refused_with_a_remedy() {
        let text = |more: &str| {
            format!("name = 'x'\ntitle = 'x'\nmix = 'reading'\nstart = 'Form'\ntimeout = '3s'\n{more}")
        };
        for (more, said) in [
            ("clients = [1]", "how users follow one another"),
            ("clients = [1]\nevery = '1s'\nwithin = '1s'", "how users follow one another"),
            ("clients = []\nevery = '1s'", "nobody who asks"),
            ("clients = [1]\nwithin = '1s'\nagain = true", "grows without bound"),
            ("clients = [1]\nevery = '1s'\nthink = ['2s', '1s']", "shortest think time"),
            ("clients = [1]\nevry = '1s'", "unknown field"),
        ] {
            let fault = LoadModel::parse(&Document::new("x", text(more)), &comments()).unwrap_err();
            assert!(fault.to_string().contains(said), "{more}: {fault}");
        }
        let endless = text("clients = [1]\nevery = '1s'").replace("'3s'", "'8d'");
        let fault = LoadModel::parse(&Document::new("x", endless), &comments()).unwrap_err();
        assert!(fault.to_string().contains("longer than a week"), "{fault}");
    }
}
