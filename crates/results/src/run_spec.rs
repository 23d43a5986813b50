//! What was asked for: all that a command is to measure, as plain data. A run that is resumed reads it from the manifest.

use crate::{Condition, Objective};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// All that a command is asked to measure, with every default named: the same specification measures the same again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunSpec {
    /// The verb: `run`, `compare` or `drive`.
    pub verb: String,
    /// The application's name.
    pub application: String,
    /// The configurations, before factors and timeouts make variants of them: `php/WsPhp-DB`. Of `drive`: what is driven.
    pub configurations: Vec<String>,
    /// Whether the first one takes part twice (A/A test).
    pub again: bool,
    /// The factors that make variants of them, in the order in which they were named.
    pub factors: Vec<FactorChoice>,
    /// How long clients wait for an answer, in seconds; null if they never give up. Several values make variants. Empty where
    /// a load model has its own.
    pub timeouts_s: Vec<Option<f64>>,
    /// At which loads it is measured.
    pub loads: LoadPlan,
    /// How often each listed load, or else the peak, is measured; of a capacity, on how many starts it is confirmed at most.
    pub repetitions: u32,
    /// The mix's name.
    pub mix: String,
    /// Seed of everything random.
    pub seed: u64,
    /// Scale of the data, as a multiple of the papers'.
    pub scale: f64,
    /// How the data are spread: `uniform` or `skewed`.
    pub distribution: String,
    /// Factor on think times, session lengths and keep-alive times; 1 is the real thing.
    pub time_scale: f64,
    /// Mean think time after scaling, in seconds; of a load model, the longest one. 0 if clients do not think.
    pub think_time_s: f64,
    /// Time during which clients are added and servers warm, in seconds.
    pub ramp_s: f64,
    /// Measured time of each point, in seconds.
    pub window_s: f64,
    /// The file with the hosts on which tiers run; none if that is the machine as it is.
    pub testbed: Option<String>,
    /// Whether it is measured without verifying.
    pub skip_verify: bool,
    /// Whether it is only checked if everything runs.
    pub smoke: bool,
    /// Whether each configuration is profiled in the end.
    pub profile: bool,
    /// The conditions on which the command fails: `p99 > 500ms`.
    pub conditions: Vec<Condition>,
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

    /// Whether all values are meant.
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

/// At which loads a configuration is measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LoadPlan {
    /// At these numbers of clients.
    Listed(Vec<u32>),
    /// Up to the peak.
    Search {
        /// The number of clients that it never exceeds.
        most: u32,
        /// Whether it was looked after four starts, six, and nine whether all is told, and no further ones were made then.
        looks: bool,
    },
    /// Up to the most clients with which an objective is met.
    Capacity {
        /// The objective: `p90 <= 1s, errors <= 0.1%`.
        objective: Objective,
        /// The number of clients that it never exceeds.
        most: u32,
    },
    /// At these numbers of clients, one after the other on the same running servers.
    OverloadCycle(Vec<u32>),
    /// Users who arrive by a load model.
    Arrivals {
        /// The model's name: `bench1`.
        model: String,
        /// What it is, in a line.
        title: String,
        /// Its loads: how many users come, at most or in each stretch of time.
        clients: Vec<u32>,
    },
}

impl LoadPlan {
    /// The highest load that may be measured.
    pub fn most_clients(&self) -> u32 {
        match self {
            Self::Listed(clients) | Self::OverloadCycle(clients) | Self::Arrivals { clients, .. } => {
                clients.iter().max().copied().unwrap_or_default()
            }
            Self::Search { most, .. } | Self::Capacity { most, .. } => *most,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Folder, ResultReader,
        fixture::{manifest, run_spec},
    };
    use proptest::prelude::*;

    /// A specification with these loads and little that is as usual.
    fn unusual(loads: LoadPlan) -> RunSpec {
        RunSpec {
            again: true,
            factors: vec![
                "engine=InnoDB,MyISAM".parse::<FactorChoice>().unwrap(),
                FactorChoice::every("protocol"),
            ],
            timeouts_s: vec![Some(0.25), None],
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
        for loads in [
            LoadPlan::Listed(vec![100, 200]),
            LoadPlan::Search { most: 4000, looks: true },
            LoadPlan::Search { most: 9, looks: false },
            LoadPlan::Capacity { objective, most: 300 },
            LoadPlan::OverloadCycle(vec![50, 200, 50]),
            LoadPlan::Arrivals { model: "bench1".into(), title: "Users come".into(), clients: vec![4000] },
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
        let text = serde_json::to_string(&unusual(LoadPlan::Capacity { objective, most: 5 })).unwrap();
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
            let [think_time_s, ramp_s, window_s] = times;
            let timeouts_s = vec![timeout];
            let spec = RunSpec {
                seed, scale, time_scale, think_time_s, ramp_s, window_s, timeouts_s, ..run_spec()
            };
            let text = serde_json::to_string(&spec).unwrap();
            prop_assert_eq!(serde_json::from_str::<RunSpec>(&text).unwrap(), spec);
        }
    }
}
