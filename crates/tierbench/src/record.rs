//! The manifest of a result, written before the run begins.

use crate::{arguments::VERSION, fault::Fault, host};
use lab::{Experiment, Variant, Workspace, WorkspaceError, proof::unproven};
use results::{ConfigurationRecord, Host, HostRecord, MachineRecord, Manifest, RunSpec, TestbedRecord};
use std::iter;
use testbed::{HostFacts, Hosts};
use workload::Catalogue;

/// The words of this command. What is no UTF-8 has U+FFFD in its place. The program's folder is left out, as it says nothing to
/// those who read a published result.
pub(crate) fn words() -> Vec<String> {
    let arguments = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    iter::once(env!("CARGO_PKG_NAME").to_owned()).chain(arguments).collect()
}

pub(crate) fn manifest(
    workspace: &Workspace,
    experiment: &Experiment<'_>,
    expected_s: f64,
) -> Result<Manifest, Fault> {
    let Experiment { context, variants, spec, .. } = experiment;
    let catalogue = &context.catalogue;
    let describe = |variant: &Variant| {
        let hosts = context.hosts.of(&variant.configuration.name);
        let record = lab::describe(variant, workspace, catalogue, hosts)?;
        Ok::<_, Fault>(ConfigurationRecord {
            unproven: without_proof(variant, workspace, &catalogue.name)?,
            ..record
        })
    };
    Ok(Manifest {
        schema_version: results::SCHEMA_VERSION,
        tierbench: VERSION.to_owned(),
        command: words(),
        spec: spec.clone(),
        application_title: catalogue.title.clone(),
        started: lab::rfc3339(),
        load_model: load_model(workspace, spec, catalogue)?,
        expected_s,
        resumed: Vec::new(),
        demonstration: demonstration(spec),
        configurations: variants.iter().map(describe).collect::<Result<_, _>>()?,
        host: host(),
        testbed: context.hosts.any().map(testbed),
        planted_loss: None,
        ending: None,
    })
}

/// The values of a variant's factors that no proof has. The stack of another commit has no proofs here.
fn without_proof(
    variant: &Variant,
    workspace: &Workspace,
    application: &str,
) -> Result<Vec<String>, WorkspaceError> {
    let id = variant.configuration.id();
    if id.committed().is_some() {
        return Ok(Vec::new());
    }
    let all = unproven(workspace, application, &variant.stack.name)?;
    let own = all.iter().find(|(name, _)| *name == id.configuration);
    Ok(own.map_or(Vec::new(), |(_, unproven)| unproven.of(&id.overrides)))
}

/// The title of the load model by which users arrive, if they do.
fn load_model(
    workspace: &Workspace,
    spec: &RunSpec,
    catalogue: &Catalogue,
) -> Result<Option<String>, WorkspaceError> {
    let model = spec.loads.arrivals().map(|load| workspace.load_model(catalogue, &load.model));
    Ok(model.transpose()?.map(|model| model.title))
}

pub(crate) fn testbed(hosts: &Hosts) -> TestbedRecord {
    let testbed = hosts.testbed();
    let each = testbed.hosts.iter().zip(hosts.up()).map(|(host, up)| HostRecord {
        name: host.name.clone(),
        roles: host.roles.clone(),
        cores: match up.handle.cores.is_empty() {
            // The laboratory's own machine.
            true => (0..HostFacts::read().cores).collect(),
            false => up.handle.cores.clone(),
        },
        cpu: host.cpu,
        memory_bytes: host.memory_bytes,
        link_bits_per_s: host.link_bits,
        machine: up.handle.facts().map(machine),
    });
    TestbedRecord { title: testbed.title.clone(), separation: testbed.separation, hosts: each.collect() }
}

fn machine((facts, node): (&HostFacts, &str)) -> MachineRecord {
    let HostFacts { system, kernel, cpu, memory_bytes, .. } = facts.clone();
    MachineRecord { node_name: node.to_owned(), system, kernel, cpu, memory_bytes }
}

pub(crate) fn host() -> Host {
    let HostFacts { system, kernel, cpu, cores, memory_bytes } = HostFacts::read();
    Host { system, kernel, cpu, cores, memory_bytes, settings: host::settings() }
}

/// The shortest window, in seconds, whose throughput gets an interval from 30 batches of two seconds.
const FULL_WINDOW_S: f64 = 60.0;
/// Fewer repetitions can't show variance between runs.
const FULL_REPETITIONS: u32 = 3;

/// The reasons why figures are only a demonstration.
fn demonstration(spec: &RunSpec) -> Vec<String> {
    let RunSpec { scale, time_scale, .. } = *spec;
    let think_time_s = spec.loads.think_time_s();
    let reasons = [
        spec.smoke.then(|| "It is a smoke run, which only shows whether everything runs.".to_owned()),
        (scale < 1.0).then(|| format!("The data are {scale} of the size in the papers.")),
        (time_scale != 1.0).then(|| {
            format!(
                "Think times, sessions and keep-alive times are {time_scale} of the real ones (think time \
                 {think_time_s:.3} s)."
            )
        }),
        short(spec),
        (spec.repetitions < FULL_REPETITIONS).then(|| {
            "Each load was measured too seldom to show how figures differ from run to run.".to_owned()
        }),
    ];
    reasons.into_iter().flatten().collect()
}

/// The reason for a short window, unless a load model sets it.
fn short(spec: &RunSpec) -> Option<String> {
    let counted = match spec.loads.arrivals() {
        Some(load) if !load.again => return None,
        Some(_) => "Clients come for",
        None => "Each point counts",
    };
    let window_s = spec.window_s;
    (window_s < FULL_WINDOW_S).then(|| format!("{counted} only {window_s} s."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_spec::tests::spec;

    #[test]
    fn a_short_time_limit_is_reported_only_if_requested() {
        let reasons = |words: &str| {
            let spec = spec(&format!("tierbench run comments WsPhp-DB --repetitions 3 {words}"));
            demonstration(&spec)
        };
        assert_eq!(reasons("--clients 5 --window 20s"), ["Each point counts only 20 s."]);
        assert_eq!(reasons("--arrivals bench3 --window 20s"), ["Clients come for only 20 s."]);
        for words in ["--arrivals bench4", "--arrivals bench2", "--arrivals bench3", "--clients 5"] {
            assert_eq!(reasons(words), Vec::<String>::new(), "{words}");
        }
    }
}
