//! `run` and `compare`: points at given loads, or up to the peak.

use crate::{
    arguments::{CompareOptions, MeasureOptions, Places, RunOptions, VERIFY_REQUESTS},
    fault::Fault,
    interrupt,
    output::say,
    registry,
    terminal::Terminal,
};
use lab::{Bench, Chosen, Event, Experiment, Loads, Timing};
use results::{Ending, Folder, Host, LoadPlan, Manifest, ResultReader};
use std::{path::PathBuf, time::Duration};
use testbed::HostFacts;
use workload::Catalogue;

/// What `run` and `compare` have in common once their words are read.
struct Order<'a> {
    verb: &'static str,
    application: &'a str,
    words: &'a [String],
    loads: Loads,
    measure: &'a MeasureOptions,
}

pub(crate) fn run(places: &Places, options: &RunOptions) -> Result<(), Fault> {
    let order = Order {
        verb: "run",
        application: &options.application,
        words: std::slice::from_ref(&options.configuration),
        loads: Loads::These(options.clients.clone()),
        measure: &options.measure,
    };
    measure(places, &order)
}

pub(crate) fn compare(places: &Places, options: &CompareOptions) -> Result<(), Fault> {
    let loads = if options.clients.is_empty() {
        Loads::ToThePeak(options.first, options.most)
    } else {
        Loads::These(options.clients.clone())
    };
    let order = Order {
        verb: "compare",
        application: &options.application,
        words: &options.configurations,
        loads,
        measure: &options.measure,
    };
    measure(places, &order)
}

fn measure(places: &Places, order: &Order<'_>) -> Result<(), Fault> {
    let house = places.house()?;
    let application = registry::find(order.application)?;
    let MeasureOptions { mix, data, time_scale, factors, .. } = order.measure;
    let chosen = house.choose(application.name(), order.words)?;
    let chosen = match order.verb {
        "run" => vec![lab::vary_one(&chosen[0], &factors.choices)?],
        _ => lab::vary(&chosen, &factors.choices)?,
    };
    chosen.iter().try_for_each(Chosen::expect_fit)?;
    let mut bench = Bench::read(&house, application, mix, data.scenario(), *time_scale, interrupt::flag()?)?;
    bench.cache = places.cache()?;
    let timing = timing(&bench.catalogue, order.measure);
    let path = order.measure.out.clone().unwrap_or_else(|| default_folder(order));
    let mut folder = Folder::create(&path, manifest(order, &bench.catalogue, &timing, &chosen))?;
    let experiment = Experiment {
        bench,
        chosen: &chosen,
        timing,
        loads: order.loads.clone(),
        repetitions: order.measure.repetitions,
        verify_requests: (!order.measure.unverified).then_some(VERIFY_REQUESTS),
    };
    let terminal = Terminal::new();
    let outcome = lab::run(&experiment, &mut folder, &mut |event: Event<'_>| terminal.show(&event));
    terminal.quiet();
    let reason = outcome.as_ref().err().map(ToString::to_string);
    let ended = folder.end(Ending { at: lab::rfc3339(), complete: reason.is_none(), reason });
    // What was measured is shown even if a full disk allows neither ending nor report.
    let shown = show(&folder);
    outcome?;
    ended?;
    refuse_without_valid_points(&shown?)
}

/// Prints the table and writes the report.
fn show(folder: &Folder) -> Result<ResultReader, Fault> {
    let result = ResultReader::open(folder.path())?;
    if !result.points.is_empty() {
        say(report::terminal_table(&report::summary(&result)))?;
    }
    let page = folder.write("report.html", report::html(&result).as_bytes())?;
    say(format_args!("report: {}", page.display()))?;
    Ok(result)
}

fn refuse_without_valid_points(result: &ResultReader) -> Result<(), Fault> {
    let names = result.manifest.configurations.iter().map(|configuration| configuration.name.as_str());
    let has_valid =
        |name: &str| result.points.iter().any(|point| point.configuration == name && point.verdict.valid);
    let without: Vec<&str> = names.filter(|name| !has_valid(name)).collect();
    if without.is_empty() { Ok(()) } else { Err(Fault::NoValidPoint(without.join(", "))) }
}

/// All lengths of time that users know are scaled alike.
fn timing(catalogue: &Catalogue, options: &MeasureOptions) -> Timing {
    let scaled = |length: Duration| length.mul_f64(options.time_scale);
    let think_time = scaled(options.think_time.unwrap_or(catalogue.think_time).0);
    Timing {
        think_time,
        session_length: scaled(catalogue.session_length.0),
        ramp: options.ramp.map_or_else(|| default_ramp(think_time), |length| length.0),
        window: options.window.0,
        time_scale: options.time_scale,
    }
}

/// Ten think times, in whole seconds, so that the window's seconds are whole too.
fn default_ramp(think_time: Duration) -> Duration {
    Duration::from_secs((think_time * 10).as_secs_f64().ceil() as u64)
}

fn default_folder(order: &Order<'_>) -> PathBuf {
    let time = lab::rfc3339().trim_end_matches('Z').replace(':', "-");
    PathBuf::from("results").join(format!("{time}-{}-{}", order.verb, order.application))
}

fn manifest(order: &Order<'_>, catalogue: &Catalogue, timing: &Timing, chosen: &[Chosen]) -> Manifest {
    let host = HostFacts::read();
    Manifest {
        schema_version: results::SCHEMA_VERSION,
        tierbench: env!("CARGO_PKG_VERSION").to_owned(),
        command: std::env::args().collect(),
        rerun: std::env::args().collect(),
        verb: order.verb.to_owned(),
        application: catalogue.name.clone(),
        application_title: catalogue.title.clone(),
        mix: order.measure.mix.clone(),
        started: lab::rfc3339(),
        seed: order.measure.data.seed,
        scale: order.measure.data.scale,
        shape: order.measure.data.shape.to_string(),
        time_scale: timing.time_scale,
        think_time_s: timing.think_time.as_secs_f64(),
        session_length_s: timing.session_length.as_secs_f64(),
        ramp_s: timing.ramp.as_secs_f64(),
        window_s: timing.window.as_secs_f64(),
        loads: match &order.loads {
            Loads::These(list) => LoadPlan::Listed(list.clone()),
            Loads::ToThePeak(first, most) => LoadPlan::Search { first: *first, most: *most },
        },
        repetitions: order.measure.repetitions,
        conditions: Vec::new(),
        expected_s: 0.0,
        resumed: Vec::new(),
        demonstration: demonstration(order.measure, timing),
        configurations: chosen.iter().map(lab::describe).collect(),
        host: Host {
            system: host.system,
            kernel: host.kernel,
            cpu: host.cpu,
            cores: host.cores,
            memory_bytes: host.memory_bytes,
            settings: [].into(),
        },
        planted_loss: None,
        ending: None,
    }
}

/// The shortest window whose throughput gets an interval from 30 batches of two seconds.
const FULL_WINDOW: Duration = Duration::from_secs(60);
/// Fewer repetitions can't show what differs from run to run.
const FULL_REPETITIONS: u32 = 3;

/// Why the figures are only a demonstration.
fn demonstration(options: &MeasureOptions, timing: &Timing) -> Vec<String> {
    let scale = options.data.scale;
    let reasons = [
        (scale < 1.0).then(|| format!("The data are {scale} of the size in the papers.")),
        (timing.time_scale != 1.0).then(|| {
            format!(
                "Think times, sessions and keep-alive times are {} of the real ones (think time {:.3} s).",
                timing.time_scale,
                timing.think_time.as_secs_f64()
            )
        }),
        (timing.window < FULL_WINDOW)
            .then(|| format!("Each point counts only {} s.", timing.window.as_secs_f64())),
        (options.repetitions < FULL_REPETITIONS).then(|| {
            "Each load was measured too seldom to show how figures differ from run to run.".to_owned()
        }),
    ];
    reasons.into_iter().flatten().collect()
}
