//! The number of claims that measurements can decide, known before they begin.

use crate::{Claim, Configuration, Curve, Experiment, Name, Paper, Run, Shape, Statement};

/// The claims that runs can decide.
#[derive(Debug, Clone, Default)]
pub struct Reach<'a> {
    /// Claims all parts of which are measured.
    pub decidable: Vec<&'a Claim>,
    /// Claims of which only some parts are measured: these can refute them.
    pub refutable: Vec<&'a Claim>,
    /// Claims that sites with compilers inside are the same. They can be refuted; to confirm that two differ by less than
    /// 5 % takes more than 16 starts.
    pub equivalences: Vec<&'a Claim>,
}

impl Paper {
    /// Reach of runs for these experiments; `has_compilers` tells of a configuration whether a compiler works inside
    /// its servers.
    pub fn reach<'a>(
        &'a self,
        experiments: &'a [&Experiment],
        runs: &[&Run<'_>],
        has_compilers: impl Fn(&Configuration) -> bool,
    ) -> Reach<'a> {
        let mut reach = Reach::default();
        for claim in self.claims_on(experiments).filter(|claim| !self.is_out_of_reach(claim)) {
            let all = claim.configurations();
            let here = all.iter().filter(|name| self.is_measured(claim, name, runs)).count();
            let with_compilers = |name: &&&Name| self.configuration(name).is_some_and(&has_compilers);
            let is_pair_of_compilers = all.iter().filter(with_compilers).count() > 1;
            if here == all.len() && is_equivalence(claim) && is_pair_of_compilers {
                reach.equivalences.push(claim);
            } else if here == all.len() {
                reach.decidable.push(claim);
            } else if here >= least_refuting(claim) {
                reach.refutable.push(claim);
            }
        }
        reach
    }

    fn is_measured(&self, claim: &Claim, name: &Name, runs: &[&Run<'_>]) -> bool {
        let has = |run: &&Run<'_>| run.configurations.iter().any(|one| one.name == *name);
        claim.experiments().filter_map(|experiment| self.experiment(experiment)).all(|experiment| {
            let workload = experiment.workload();
            runs.iter().filter(|run| run.workload == workload).any(has)
        })
    }
}

/// True if a claim says that configurations are the same.
fn is_equivalence(claim: &Claim) -> bool {
    matches!(claim.statement, Statement::NoDifference(_) | Statement::Shape(Shape { curve: Curve::Same, .. }))
}

/// The fewest configurations with which a claim can be refuted.
fn least_refuting(claim: &Claim) -> usize {
    match &claim.statement {
        Statement::Ratio(_) | Statement::Order(_) | Statement::NoDifference(_) => 2,
        Statement::Shape(Shape { curve: Curve::Same, .. }) => 2,
        _ => 1,
    }
}
