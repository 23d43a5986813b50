//! Specification of a run: all that a command is to measure, as plain data. A run that is resumed reads it from the manifest.

use crate::{Condition, Loads, change::differences};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// All that a command is asked to measure, with every default named: the same specification measures the same again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunSpec {
    /// The verb that measures it.
    pub verb: Verb,
    /// The application's name.
    pub application: String,
    /// The configurations, before factors and timeouts make variants of them: `php/WsPhp-DB`. Of `drive`: what is driven.
    pub configurations: Vec<String>,
    /// Access to the external site that `drive` drives; null of other verbs.
    pub site: Option<SiteAccess>,
    /// True if the first configuration takes part twice (A/A test).
    pub aa_test: bool,
    /// The factors that make variants of them, in the order in which they were named.
    pub factors: Vec<FactorChoice>,
    /// Seconds after which clients give up a request; null if they never do. Several values make variants.
    pub timeouts_s: Vec<Option<f64>>,
    /// Loads at which each configuration is measured.
    pub loads: Loads,
    /// Repetitions of each listed load, or else of the peak; of a capacity, the most starts that confirm it.
    pub repetitions: u32,
    /// The mix's name.
    pub mix: String,
    /// Seed of everything random.
    pub seed: u64,
    /// Scale of the data, as a multiple of the papers'.
    pub scale: f64,
    /// Distribution of the data: `uniform` or `skewed`.
    pub distribution: String,
    /// Factor on think times, session lengths and keep-alive times; 1 is the real thing.
    pub time_scale: f64,
    /// Mean session length after scaling, in seconds.
    pub session_length_s: f64,
    /// Time during which clients are added and servers warm, in seconds.
    pub ramp_s: f64,
    /// Measured time of each point, in seconds.
    pub window_s: f64,
    /// The time limit of each warm-up in seconds; null for four times what the services expect, and 240 s at least.
    #[serde(default)]
    pub warm_up_s: Option<f64>,
    /// The file with the hosts on which tiers run; none if that is the machine as it is.
    pub testbed: Option<String>,
    /// True if it is measured without verification.
    pub skip_verify: bool,
    /// True if it is only checked that everything runs.
    pub smoke: bool,
    /// True if each configuration is profiled in the end.
    pub profile: bool,
    /// The conditions on which the command fails: `p99 > 500ms`.
    pub conditions: Vec<Condition>,
}

impl RunSpec {
    /// Differences of another specification from this one, each in a line.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        differences(self, other)
    }
}

/// A verb that measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verb {
    /// One configuration.
    Run,
    /// Several configurations, side by side.
    Compare,
    /// A site that somebody else runs.
    Drive,
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Run => "run",
            Self::Compare => "compare",
            Self::Drive => "drive",
        })
    }
}

/// Access to an external site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SiteAccess {
    /// Address of a file's site or of an application: `http://127.0.0.1:8080`; null if what is driven names it.
    pub at: Option<String>,
    /// Address of pages over TLS; null if that is the same.
    pub secure_at: Option<String>,
    /// File of the authorities that are trusted over TLS.
    pub ca: String,
    /// True if compressed answers are asked for.
    pub gzip: bool,
    /// True if HTTP/2 is spoken over TLS.
    #[serde(default)]
    pub http2: bool,
    /// Processes that share the clients.
    pub workers: u32,
}

/// A factor with the values that somebody wants to see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FactorChoice {
    /// The factor's name.
    pub name: String,
    /// Its values, in this order; none stands for all that it can have, where they are listed.
    pub values: Vec<String>,
}

impl FactorChoice {
    /// All values of a factor, where there is one of this name.
    pub fn every(name: &str) -> Self {
        Self { name: name.to_owned(), values: Vec::new() }
    }

    /// This value of a factor.
    pub fn one(name: String, value: String) -> Self {
        Self { name, values: vec![value] }
    }

    /// True if all values are meant.
    pub fn is_every(&self) -> bool {
        self.values.is_empty()
    }
}

/// `NAME=VALUE[,VALUE…]`
impl FromStr for FactorChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, values)) if !name.is_empty() && !values.is_empty() => {
                Ok(Self { name: name.to_owned(), values: values.split(',').map(ToOwned::to_owned).collect() })
            }
            _ => Err("it must be like engine=MyISAM or engine=InnoDB,MyISAM".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Folder, Objective, ResultReader,
        fixture::{manifest, run_spec},
    };
    use proptest::prelude::*;
    use stats::StoppingRule;
    use std::time::Duration;
    use workload::{LoadKind, Spacing};

    /// A specification with these loads and little that is as usual.
    fn unusual(loads: Loads) -> RunSpec {
        RunSpec {
            aa_test: true,
            factors: vec![
                "engine=InnoDB,MyISAM".parse::<FactorChoice>().unwrap(),
                FactorChoice::every("protocol"),
            ],
            timeouts_s: vec![Some(0.25), None],
            warm_up_s: Some(12.5),
            loads,
            testbed: Some("testbeds/four-machines.toml".into()),
            skip_verify: true,
            smoke: true,
            profile: true,
            conditions: ["p99>500ms", "errors > 0"].map(|text| text.parse::<Condition>().unwrap()).into(),
            ..run_spec()
        }
    }

    #[test]
    fn a_specification_in_a_manifest_is_read_as_it_was_written() {
        let objective: Objective = "p90<=1s, errors <= 0.1%".parse().unwrap();
        let (think, none) = (Duration::from_secs_f64(0.35), Duration::ZERO);
        let rate = LoadKind::Rate { per_s: 500.0, spacing: Spacing::Even, connections: 100 };
        for loads in [
            Loads::closed(&[100, 200], think),
            Loads::closed(&[8], none),
            Loads::listed(vec![rate]),
            Loads::peak(4000, think, StoppingRule::Sequential),
            Loads::peak(9, none, StoppingRule::Fixed),
            Loads::capacity(300, think, objective),
            Loads::overload_cycle(&[50, 200, 50], think),
        ] {
            let place = tempfile::tempdir().unwrap();
            let mut written = manifest();
            written.spec = unusual(loads);
            let spec = written.spec.clone();
            drop(Folder::create(place.path(), written).unwrap());
            assert_eq!(ResultReader::open(place.path()).unwrap().manifest.spec, spec);
        }
    }

    #[test]
    fn conditions_and_objectives_that_nobody_can_read_are_no_specification() {
        let objective = "p90 <= 1s".parse().unwrap();
        let text = serde_json::to_string(&unusual(Loads::capacity(5, Duration::ZERO, objective))).unwrap();
        assert!(serde_json::from_str::<RunSpec>(&text).is_ok());
        for (known, unknown) in [("p90 <= 1s", "p91 <= 1s"), ("p99>500ms", "p98>500ms")] {
            let fault = serde_json::from_str::<RunSpec>(&text.replace(known, unknown)).unwrap_err();
            assert!(fault.to_string().contains("there is no figure"), "{fault}");
        }
    }

    proptest! {
        #[test]
        fn numbers_of_a_specification_stay_exact(
            seed in any::<u64>(),
            scale in 1e-6..1e4_f64,
            time_scale in 0.001..1000.0_f64,
            times in prop::array::uniform3(0.0..604_800.0_f64),
            timeout in prop::option::of(1e-3..1e5_f64),
        ) {
            let [session_length_s, ramp_s, window_s] = times;
            let timeouts_s = vec![timeout];
            let spec = RunSpec {
                seed, scale, time_scale, session_length_s, ramp_s, window_s, timeouts_s, ..run_spec()
            };
            let text = serde_json::to_string(&spec).unwrap();
            prop_assert_eq!(serde_json::from_str::<RunSpec>(&text).unwrap(), spec);
        }
    }
}
