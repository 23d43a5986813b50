//! A fault, and what `verify` says of it.

use crate::sandbox::{Ended, Sandbox, turn};
use std::{fmt, fs, process::Command, time::Instant};

/// One fault that is put into a site.
pub(crate) struct Injection {
    pub(crate) name: String,
    /// Description of the fault, for people.
    pub(crate) says: String,
    /// Edits in the workspace: file, the text that is there once, and what takes its place.
    pub(crate) edits: Vec<[String; 3]>,
    pub(crate) application: String,
    pub(crate) configuration: String,
    /// Each `NAME=VALUE`.
    pub(crate) factors: Vec<String>,
    /// Its detector.
    pub(crate) detection: Detection,
}

/// The detector of a fault.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detection {
    /// `verify`, at these depths, the cheapest first.
    Verification(&'static [&'static [&'static str]]),
    /// The audit of a point at a greater scale than that of verifications.
    Measurement,
}

/// Outcome of an injection.
pub(crate) enum Outcome {
    Caught(Catch),
    Missed {
        seconds: f64,
    },
    /// The site didn't run, so that nothing is known.
    Broken(String),
}

/// Report of a fault that was caught.
pub(crate) struct Catch {
    /// The place of the depth that has caught it among those of its detection.
    depth: usize,
    pub(crate) phase: String,
    /// Requests sent before.
    pub(crate) after: Option<usize>,
    /// Requests of the shortest sequence that shows it.
    pub(crate) shortest: Option<usize>,
    pub(crate) seconds: f64,
    /// Output of `verify`.
    pub(crate) printed: String,
}

const SCALE: [&str; 2] = ["--scale", "0.002"];
/// A point at four times the scale of a verification, whose pages and rows are looked at in the end.
const POINT: &[&str] =
    &["--clients", "40", "--window", "3s", "--ramp", "1s", "--repetitions", "1", "--time-scale", "0.02"];
const MEASURED_SCALE: &[&str] = &["--scale", "0.01"];
/// Options of a verification that takes long with a store, and half a second without one.
const FULL: &[&str] = &["--requests", "300", "--steps", "1200"];

/// All faults that models can be served with: those of the auction, and the bookstore's that the auction can't have.
pub(crate) fn of_the_reference() -> Vec<Injection> {
    let is_its_own = |fault: &Injection| fault.name.starts_with("bank.") || fault.name == "protocol.sealed";
    of_model("auction").into_iter().chain(of_model("bookstore").into_iter().filter(is_its_own)).collect()
}

fn of_model(application: &str) -> Vec<Injection> {
    let mut list = Command::new(env!("CARGO_BIN_EXE_tierbench"));
    let printed = list.args(["reference", application]).args(SCALE).output().unwrap();
    assert!(printed.status.success(), "{}", String::from_utf8_lossy(&printed.stderr));
    let printed = String::from_utf8(printed.stdout).unwrap();
    let fault = |line: &str| {
        let (name, says) = line.split_once('\t').expect("a name and what is wrong");
        Injection {
            name: name.to_owned(),
            says: says.to_owned(),
            edits: Vec::new(),
            application: application.to_owned(),
            configuration: "Model".to_owned(),
            factors: vec![format!("fault={name}")],
            detection: Detection::Verification(&[FULL]),
        }
    };
    printed.lines().map(fault).collect()
}

/// The sites of the faults that were caught without a fault, each of them once at each depth that has caught one. What no
/// depth has caught needs none.
pub(crate) fn controls(injected: &[(&Injection, Outcome)]) -> Vec<Injection> {
    let mut controls: Vec<Injection> = Vec::new();
    for (injection, outcome) in injected {
        let Outcome::Caught(catch) = outcome else { continue };
        let control = injection.control(catch.depth);
        if !controls.iter().any(|known| known.name == control.name) {
            controls.push(control);
        }
    }
    controls
}

impl Injection {
    /// The same site without the fault, detected by nothing but the depth at this place.
    fn control(&self, depth: usize) -> Self {
        let factors: Vec<String> =
            self.factors.iter().filter(|factor| !factor.starts_with("fault=")).cloned().collect();
        let mut name = [std::slice::from_ref(&self.configuration), &factors].concat().join(",");
        let detection = match self.detection {
            Detection::Verification(depths) => {
                name = format!("{name} {}", depths[depth].join(" "));
                Detection::Verification(&depths[depth..=depth])
            }
            Detection::Measurement => {
                name.push_str(", measured");
                Detection::Measurement
            }
        };
        Self {
            name: format!("without a fault: {} {name}", self.application),
            says: "nothing is wrong".to_owned(),
            edits: Vec::new(),
            application: self.application.clone(),
            configuration: self.configuration.clone(),
            factors,
            detection,
        }
    }

    /// Puts the fault into a site of its own, and verifies or measures that.
    pub(crate) fn inject(&self) -> Outcome {
        let _turn = turn();
        let started = Instant::now();
        let sandbox = Sandbox::new();
        self.edits.iter().for_each(|[file, from, to]| sandbox.edit(file, from, to));
        let with_factors = |mut command: Command| {
            for factor in &self.factors {
                command.args(["--factor", factor]);
            }
            sandbox.finish(command)
        };
        let depths = match self.detection {
            Detection::Verification(depths) => depths,
            Detection::Measurement => {
                let mut command =
                    sandbox.command(&["run", &self.application, &self.configuration, "--smoke"]);
                command.args(POINT).args(MEASURED_SCALE).arg("--out").arg(sandbox.result());
                return of_point(&sandbox, &with_factors(command), started);
            }
        };
        for (depth, words) in depths.iter().enumerate() {
            let mut command = sandbox.command(&["verify", &self.application, &self.configuration]);
            command.args(SCALE).args(*words);
            let ended = with_factors(command);
            match ended.code() {
                Some(0) => {}
                Some(3) => {
                    let seconds = started.elapsed().as_secs_f64();
                    return Outcome::Caught(caught(&sandbox, &ended, depth, seconds));
                }
                _ => return Outcome::Broken(format!("{}{}", ended.output, ended.error)),
            }
        }
        Outcome::Missed { seconds: started.elapsed().as_secs_f64() }
    }
}

/// True if the audit of the only point has found something. A busy machine may make it INVALID for other reasons.
fn of_point(sandbox: &Sandbox, ended: &Ended, started: Instant) -> Outcome {
    let seconds = started.elapsed().as_secs_f64();
    let is_measured = matches!(ended.code(), Some(0 | 7)) && sandbox.result().join("points.jsonl").exists();
    let points = if is_measured { sandbox.points() } else { Vec::new() };
    let Some(audit) = points.first().and_then(|point| point.audit.as_ref()) else {
        return Outcome::Broken(format!("{}{}", ended.output, ended.error));
    };
    match audit.faults().is_empty() {
        true => Outcome::Missed { seconds },
        false => Outcome::Caught(Catch {
            depth: 0,
            phase: "audit of a point".to_owned(),
            after: None,
            shortest: None,
            seconds,
            printed: audit.faults().join("\n"),
        }),
    }
}

fn caught(sandbox: &Sandbox, ended: &Ended, depth: usize, seconds: f64) -> Catch {
    let printed = &ended.output;
    Catch {
        depth,
        phase: phase(ended),
        after: number_after(printed, "seen after "),
        shortest: saved_steps(sandbox),
        seconds,
        printed: printed.clone(),
    }
}

/// Phase that saw the fault: the last one begun before a short sequence was looked for, or the one that looks at all that has
/// happened.
fn phase(ended: &Ended) -> String {
    for (phase, words) in [("statements", "other statements than are recorded"), ("audit", "the data break")]
    {
        if ended.output.contains(words) {
            return phase.to_owned();
        }
    }
    let printed = ended.error.lines().filter_map(|line| line.split_once(": verifying: "));
    let phases = printed.map(|(_, phase)| phase.split(':').next().unwrap_or(phase));
    let mut phases = phases.filter(|phase| !phase.starts_with("looking for"));
    phases.next_back().unwrap_or("start").to_owned()
}

fn number_after(text: &str, words: &str) -> Option<usize> {
    let (_, rest) = text.split_once(words)?;
    rest.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok()
}

/// The length of the sequence that the command has left behind.
fn saved_steps(sandbox: &Sandbox) -> Option<usize> {
    let files = fs::read_dir(sandbox.path()).unwrap().flatten().map(|entry| entry.path());
    let saved =
        files.into_iter().find(|path| path.extension().is_some_and(|extension| extension == "steps"))?;
    let steps = fs::read_to_string(saved).unwrap();
    Some(steps.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).count())
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Caught(Catch { phase, after, shortest, seconds, .. }) => {
                let number =
                    |number: &Option<usize>| number.map_or("-".to_owned(), |number| number.to_string());
                write!(f, "{phase:<28} {:>8} {:>8} {seconds:>7.1}", number(after), number(shortest))
            }
            Self::Missed { seconds } => write!(f, "{:<28} {:>8} {:>8} {seconds:>7.1}", "MISSED", "", ""),
            Self::Broken(printed) => write!(f, "BROKEN\n{printed}"),
        }
    }
}
