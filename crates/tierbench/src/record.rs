//! What a result records of the run before it begins: enough to run it again.

use crate::{arguments::VERSION, host, run_spec::RunSpec};
use lab::{Experiment, Loads, Timing, Variant, Workspace};
use results::{Host, HostRecord, Manifest, TestbedRecord};
use std::{io, time::Duration};
use testbed::{HostFacts, Hosts};

/// The manifest of a specification, for an experiment with variants of these configurations.
pub(crate) fn manifest(
    spec: &RunSpec,
    workspace: &Workspace,
    configurations: &[Variant],
    experiment: &Experiment<'_>,
    expected_s: f64,
) -> io::Result<Manifest> {
    let Experiment { context, variants, timing, .. } = experiment;
    let catalogue = &context.catalogue;
    let describe = |variant: &Variant| lab::describe(variant, workspace, &catalogue.name);
    let names = configurations.iter().map(|one| format!("{}/{}", one.stack.name, one.configuration.name));
    let data = &spec.measure.data;
    Ok(Manifest {
        schema_version: results::SCHEMA_VERSION,
        tierbench: VERSION.to_owned(),
        command: std::env::args().collect(),
        rerun: spec.to_command_line(&names.collect::<Vec<_>>(), timing),
        verb: spec.verb.to_owned(),
        application: catalogue.name.clone(),
        application_title: catalogue.title.clone(),
        mix: spec.mix().unwrap_or_default(),
        started: lab::rfc3339(),
        seed: data.seed,
        scale: data.scale,
        shape: data.distribution.to_string(),
        time_scale: timing.time_scale,
        think_time_s: timing.think_time.as_secs_f64(),
        session_length_s: timing.session_length.as_secs_f64(),
        ramp_s: timing.ramp.as_secs_f64(),
        window_s: timing.window.as_secs_f64(),
        loads: spec.load_plan(),
        repetitions: spec.repetitions(),
        conditions: spec.measure.fail_if.iter().map(ToString::to_string).collect(),
        expected_s,
        resumed: Vec::new(),
        demonstration: demonstration(spec, timing),
        configurations: variants.iter().map(describe).collect::<io::Result<_>>()?,
        host: host(),
        testbed: context.hosts.any().map(testbed),
        planted_loss: None,
        ending: None,
    })
}

fn testbed(hosts: &Hosts) -> TestbedRecord {
    let testbed = hosts.testbed();
    let each = testbed.hosts.iter().zip(hosts.up()).map(|(host, up)| HostRecord {
        name: host.name.clone(),
        roles: host.roles.clone(),
        cores: up.handle.cores.clone(),
        cpu: host.cpu,
        memory_bytes: host.memory_bytes,
        link_bits_per_s: host.link_bits,
    });
    TestbedRecord { title: testbed.title.clone(), separation: testbed.separation, hosts: each.collect() }
}

pub(crate) fn host() -> Host {
    let HostFacts { system, kernel, cpu, cores, memory_bytes } = HostFacts::read();
    Host { system, kernel, cpu, cores, memory_bytes, settings: host::settings() }
}

/// The shortest window whose throughput gets an interval from 30 batches of two seconds.
const FULL_WINDOW: Duration = Duration::from_secs(60);
/// Fewer repetitions can't show what differs from run to run.
const FULL_REPETITIONS: u32 = 3;

/// Why the figures are only a demonstration.
fn demonstration(spec: &RunSpec, timing: &Timing) -> Vec<String> {
    let scale = spec.measure.data.scale;
    let reasons = [
        spec.measure.smoke.then(|| "It is a smoke run, which only shows whether everything runs.".to_owned()),
        (scale < 1.0).then(|| format!("The data are {scale} of the size in the papers.")),
        (timing.time_scale != 1.0).then(|| {
            format!(
                "Think times, sessions and keep-alive times are {} of the real ones (think time {:.3} s).",
                timing.time_scale,
                timing.think_time.as_secs_f64()
            )
        }),
        short(spec, timing),
        (spec.repetitions() < FULL_REPETITIONS).then(|| {
            "Each load was measured too seldom to show how figures differ from run to run.".to_owned()
        }),
    ];
    reasons.into_iter().flatten().collect()
}

/// That it was short, where that was asked for.
fn short(spec: &RunSpec, timing: &Timing) -> Option<String> {
    let counted = match &spec.loads {
        Loads::Arrivals(model) if !model.lasts_as_asked() => return None,
        Loads::Arrivals(_) => "Clients come for",
        Loads::List(_) | Loads::OverloadCycle(_) | Loads::PeakSearch { .. } | Loads::Capacity { .. } => {
            "Each point counts"
        }
    };
    let seconds = timing.window.as_secs_f64();
    (timing.window < FULL_WINDOW).then(|| format!("{counted} only {seconds} s."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn a_short_time_limit_is_reported_only_if_requested() {
        let workspace = Workspace::find(Some(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))).unwrap();
        let catalogue = workspace.catalogue("comments").unwrap();
        let reasons = |words: &str| {
            let words = format!("tierbench run comments WsPhp-DB --repetitions 3 {words}");
            let words: Vec<String> = words.split(' ').map(ToOwned::to_owned).collect();
            let spec = RunSpec::read(&words).unwrap().with_model(&workspace, &catalogue).unwrap();
            demonstration(&spec, &spec.timing(&catalogue))
        };
        assert_eq!(reasons("--clients 5 --window 20s"), ["Each point counts only 20 s."]);
        assert_eq!(reasons("--arrivals bench3 --window 20s"), ["Clients come for only 20 s."]);
        for words in ["--arrivals bench4", "--arrivals bench2", "--arrivals bench3", "--clients 5"] {
            assert_eq!(reasons(words), Vec::<String>::new(), "{words}");
        }
    }
}
