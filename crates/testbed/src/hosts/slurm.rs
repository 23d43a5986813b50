//! Slurm: machines of one allocation, which `srun` reaches from within it.

use super::{Testbed, TestbedError};
use std::{collections::VecDeque, process::Command};

/// The `reach` of a host that is any node of the allocation.
const NODE: &str = "srun";

/// Options of each step: its standard input and output are a pipe, and it may use all that the node has.
const OPTIONS: [&str; 7] = [
    "--nodes=1",
    "--ntasks=1",
    "--overlap",
    "--unbuffered",
    "--mem=0",
    "--cpu-bind=none",
    "--export=HOME,PATH",
];

impl Testbed {
    /// The number of its hosts that are nodes of an allocation.
    pub fn nodes(&self) -> usize {
        self.hosts.iter().filter(|host| host.reach == [NODE]).count()
    }

    /// The words that reach each host. The nodes of the allocation are dealt out in the order of the hosts' names; the one
    /// that this runs on is the laboratory's.
    pub(super) fn words(&self) -> Result<Vec<Vec<String>>, TestbedError> {
        let mut nodes = match self.nodes() {
            0 => VecDeque::new(),
            wanted => Allocation::find()?.nodes(wanted)?,
        };
        let words = |reach: &Vec<String>| match reach.as_slice() {
            [word] if word == NODE => nodes.pop_front().unwrap_or_default(),
            _ => reach.clone(),
        };
        Ok(self.hosts.iter().map(|host| &host.reach).map(words).collect())
    }
}

/// The allocation of nodes in which this process runs.
struct Allocation {
    job: String,
    list: String,
    own: String,
}

impl Allocation {
    fn find() -> Result<Self, TestbedError> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let found = variable("SLURM_JOB_ID").zip(variable("SLURM_JOB_NODELIST"));
        let (job, list) = found.ok_or(TestbedError::NoAllocation)?;
        Ok(Self { job, list, own: variable("SLURMD_NODENAME").unwrap_or_default() })
    }

    /// The words that reach so many nodes. Refuses nodes that other jobs may share.
    fn nodes(&self, wanted: usize) -> Result<VecDeque<Vec<String>>, TestbedError> {
        let facts = scontrol(&["show", "job", &self.job, "--oneliner"])?;
        if !is_exclusive(&facts) {
            return Err(TestbedError::SharedNodes(self.job.clone()));
        }
        let names = scontrol(&["show", "hostnames", &self.list])?;
        let others: Vec<&str> = names.split_whitespace().filter(|name| *name != self.own).collect();
        if others.len() < wanted {
            let job = self.job.clone();
            return Err(TestbedError::TooFewNodes { job, nodes: others.len(), wanted });
        }
        Ok(others.into_iter().map(|node| self.words(node)).collect())
    }

    fn words(&self, node: &str) -> Vec<String> {
        let to = [NODE.to_owned(), format!("--jobid={}", self.job), format!("--nodelist={node}")];
        to.into_iter().chain(OPTIONS.map(str::to_owned)).collect()
    }
}

/// True if a job has its nodes for itself, by what `scontrol` tells of it.
fn is_exclusive(facts: &str) -> bool {
    facts.split_whitespace().any(|fact| fact == "OverSubscribe=NO")
}

fn scontrol(words: &[&str]) -> Result<String, TestbedError> {
    let failed = |fault: String| TestbedError::NoScontrol { command: words.join(" "), fault };
    let output = Command::new("scontrol").args(words).output().map_err(|fault| failed(fault.to_string()))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_nodes_that_no_other_job_may_share_are_taken() {
        assert!(is_exclusive("JobId=7 JobName=x OverSubscribe=NO Contiguous=0\n"));
        assert!(!is_exclusive("JobId=7 JobName=x OverSubscribe=OK Contiguous=0\n"));
        assert!(!is_exclusive("JobId=7 JobName=OverSubscribe=NOT\n"));
    }

    #[test]
    fn a_node_is_reached_by_a_step_of_the_job() {
        let job = Allocation { job: "7".to_owned(), list: "n[1-3]".to_owned(), own: "n1".to_owned() };
        let words = job.words("n2").join(" ");
        assert!(words.starts_with("srun --jobid=7 --nodelist=n2 --nodes=1 --ntasks=1 --overlap"), "{words}");
    }
}
