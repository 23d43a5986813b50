//! Claims about CPU time: in the system rather than in programs, and from a low load to a high one.

use super::{
    evidence::{Evidence, Finding, shown},
    pairs::Expected,
};
use crate::{CpuOverLoads, Experiment, Figure, Load, Measured, Name, Ratio, SystemShare};
use stats::Interval;

impl<'a> Evidence<'a> {
    pub(super) fn system_share(&self, share: &'a SystemShare) -> Vec<Finding> {
        share.of.iter().zip(&share.printed).map(|(name, printed)| self.share(name, printed)).collect()
    }

    fn share(&self, name: &'a Name, printed: &str) -> Finding {
        let here = self.here(name);
        let Some(printed) = self.paper.printed_share(printed) else {
            return Finding::untold("the paper prints no such share");
        };
        let shares =
            |measured: &Measured| -> Result<Vec<f64>, String> { Ok(measured.peak()?.system_shares.clone()) };
        let shares = match self.of(&self.claim.experiment, name, shares) {
            Ok(shares) => shares,
            Err(reason) => return Finding::untold(reason),
        };
        let Some(ratio) = Ratio::of_ratios(&shares) else {
            return Finding::untold(format!(
                "the system's share with {here} is not claimed: that takes three runs on a host that stands for the machine \
                 that the paper measures, and there are {}",
                shares.len()
            ));
        };
        let clause = format!("with {here}, the system takes {} of the CPU time", shown(ratio));
        let names = [format!("{here} in the system"), "all of its CPU time".to_owned()];
        Expected::Printed(printed).of_ratio(names, ratio, &clause)
    }

    pub(super) fn cpu_over_loads(&self, cpu: &'a CpuOverLoads) -> Vec<Finding> {
        let each = |names: &'a [Name], expected: Expected| {
            names.iter().map(move |name| self.over_loads(name, expected))
        };
        each(&cpu.steady, Expected::Same).chain(each(&cpu.rising, Expected::Higher)).collect()
    }

    /// CPU time per interaction at the highest VALID load over that at the lowest.
    fn over_loads(&self, name: &'a Name, expected: Expected) -> Finding {
        let here = self.here(name);
        let loads = match self.measured(&self.claim.experiment, name).map(Measured::loads) {
            Ok([low, .., high]) => [high, low],
            Ok(_) => return Finding::untold(format!("{here} was measured at fewer than two loads")),
            Err(reason) => return Finding::untold(reason),
        };
        let Some(ratio) = self.cpu_of_loads(here, loads) else {
            return Finding::untold(format!(
                "{here}'s CPU time for an interaction is too uncertain: that takes three starts with both loads VALID"
            ));
        };
        let [high, low] = loads.map(|load| load.clients);
        let clause = format!(
            "with {high} clients, {here} takes {} times as much CPU for an interaction as with {low}",
            shown(ratio)
        );
        expected.of_ratio([format!("{here} at {high}"), format!("{here} at {low}")], ratio, &clause)
    }

    fn cpu_of_loads(&self, here: &str, loads: [&Load; 2]) -> Option<Ratio> {
        let workload = self.paper.experiment(&self.claim.experiment).map(Experiment::workload)?;
        match self.seen.starts_of_loads(&workload, here, loads, Figure::CpuPerInteraction) {
            Some((samples, rule)) => Ratio::of_loads(&samples, rule),
            None => {
                let [high, low] = loads.map(|load| Interval::of_mean(&load.cpu_ms));
                Ratio::of_intervals(high?, low?)
            }
        }
    }
}
