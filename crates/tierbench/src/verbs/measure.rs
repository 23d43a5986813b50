//! `run` and `compare`: points at given loads, or up to the peak; begun anew, or gone on with after an interruption.

use crate::{
    arguments::{CompareOptions, Places, RunOptions, VERIFY_REQUESTS},
    fault::Fault,
    interrupt,
    order::Order,
    output::{remark, say},
    record, registry,
    terminal::Terminal,
};
use lab::{Bench, Chosen, Event, Experiment, LabError, Loads, Patience, SiteHosts};
use results::{AGAIN, Condition, Ending, Folder, LoadPlan, ResultReader, decisive};
use std::path::{Path, PathBuf};
use testbed::{CLIENT, Hosts, Testbed};

pub(crate) fn run(places: &Places, options: &RunOptions) -> Result<(), Fault> {
    begin_or_resume(places, &Order::of_run(options))
}

pub(crate) fn compare(places: &Places, options: &CompareOptions) -> Result<(), Fault> {
    begin_or_resume(places, &Order::of_compare(options))
}

fn begin_or_resume(places: &Places, order: &Order) -> Result<(), Fault> {
    let Some(folder) = order.measure.resume.as_deref() else {
        let folder = order.measure.out.clone();
        let folder = folder.unwrap_or_else(|| default_folder(order.verb, &order.application));
        return measure_and_judge(places, order, &Target::New(&folder));
    };
    // The result itself says what was asked for.
    let read = ResultReader::open(folder)?;
    read.expect_whole()?;
    let words = read.manifest.rerun;
    let order = Order::read(&words).ok_or_else(|| {
        Fault::Usage(format!(
            "{} can't be resumed: `rerun` in its manifest is no command of this tierbench: {}",
            folder.display(),
            words.join(" ")
        ))
    })?;
    measure_and_judge(places, &order, &Target::Begun(folder))
}

fn measure_and_judge(places: &Places, order: &Order, target: &Target<'_>) -> Result<(), Fault> {
    let folder = target.folder().display();
    let way_on = format!("tierbench{} {} --resume {folder}", places.home_words(), order.verb);
    judge(&order.measure.fail_if, &measure(places, order, target, &way_on)?)
}

/// The folder that a result goes to.
pub(crate) enum Target<'a> {
    /// There is none yet.
    New(&'a Path),
    /// It holds the result of a run that ended early, which goes on.
    Begun(&'a Path),
}

impl Target<'_> {
    fn folder(&self) -> &Path {
        match self {
            Self::New(folder) | Self::Begun(folder) => folder,
        }
    }
}

/// Measures all that an order asks for, and shows it. Of an early end, `way_on` is the command that goes on.
pub(crate) fn measure(
    places: &Places,
    order: &Order,
    target: &Target<'_>,
    way_on: &str,
) -> Result<ResultReader, Fault> {
    let house = places.house()?;
    let application = registry::find(&order.application)?;
    let order = &order.with_model(&house, &house.catalogue(application.name())?)?;
    let data = &order.measure.data;
    let configurations = house.choose(application.name(), &order.words)?;
    let chosen = lab::vary(&configurations, &order.measure.factors.choices)?;
    let chosen = match &order.loads {
        Loads::Arrivals(model) => with_patience(chosen, Patience(Some(model.patience))),
        _ => lab::vary_patience(&chosen, &order.measure.patience),
    };
    let chosen = if order.again { with_first_again(chosen) } else { chosen };
    chosen.iter().try_for_each(Chosen::expect_fit)?;
    if order.measure.profile {
        profile::fitness().map_err(|fault| Fault::Unfit(fault.to_string()))?;
    }
    let (mix, time_scale) = (order.measure.mix.as_deref(), order.measure.time_scale);
    let mut bench = Bench::read(&house, application, mix, data.scenario(), time_scale, interrupt::flag()?)?;
    bench.cache = places.cache()?;
    let timing = order.timing(&bench.catalogue);
    order.check(&timing, &bench.catalogue)?;
    bench.expect_room(chosen.len())?;
    build_all(&bench, &chosen)?;
    if order.measure.profile {
        chosen.iter().try_for_each(Chosen::expect_profilers)?;
    }
    // Whatever the builds fetch is out of a host's reach.
    if let Some(file) = &order.measure.testbed {
        bench.hosts = hosts_for(file, order, &chosen)?;
    }
    let hosts = bench.hosts.any();
    let manifest =
        record::manifest(order, &house, &bench.catalogue, &timing, hosts, (&configurations, &chosen))?;
    let mut folder = match target {
        Target::Begun(path) => Folder::resume(path, &manifest)?,
        Target::New(path) => Folder::create(path, manifest)?,
    };
    for repair in folder.repairs() {
        remark(format_args!("mended {repair}"));
    }
    let experiment = Experiment {
        bench,
        chosen: &chosen,
        timing,
        loads: order.loads.clone(),
        repetitions: order.repetitions(),
        verify_requests: (!order.measure.unverified).then_some(VERIFY_REQUESTS),
        profiles: order.measure.profile,
    };
    let terminal = Terminal::new();
    let outcome = lab::run(&experiment, &mut folder, &mut |event: Event<'_>| terminal.show(&event));
    terminal.quiet();
    let reason = outcome.as_ref().err().map(ToString::to_string);
    let ended = folder.end(Ending { at: lab::rfc3339(), complete: reason.is_none(), reason });
    // What was measured is shown even if a full disk allows neither ending nor report.
    let shown = show(&folder);
    outcome.map_err(|error| with_way_on(error, way_on))?;
    ended?;
    shown
}

/// Configurations whose users are as patient as a load model has them: that is the model's affair, and makes no variant.
fn with_patience(mut chosen: Vec<Chosen>, patience: Patience) -> Vec<Chosen> {
    chosen.iter_mut().for_each(|one| one.patience = patience);
    chosen
}

/// The first once more, under a name of its own.
fn with_first_again(mut chosen: Vec<Chosen>) -> Vec<Chosen> {
    let mut again = chosen[0].clone();
    again.configuration.name.push_str(AGAIN);
    chosen.push(again);
    chosen
}

/// Builds the stacks and then goes to the hosts of a testbed, if one is named: whatever builds fetch is out of a host's
/// reach.
pub(crate) fn go_to(
    testbed: Option<&Path>,
    verb: &str,
    bench: &mut Bench<'_>,
    chosen: &[Chosen],
) -> Result<(), Fault> {
    let Some(file) = testbed else { return Ok(()) };
    build_all(bench, chosen)?;
    let hosts = bring_up(file, verb)?;
    hosts.of_role(CLIENT).place.visit()?;
    bench.hosts = SiteHosts::shared(hosts);
    Ok(())
}

/// The hosts of a testbed: for each site, where all will be up at once.
fn hosts_for(file: &Path, order: &Order, chosen: &[Chosen]) -> Result<SiteHosts, Fault> {
    if !lab::compares_in_rounds(&order.loads, chosen.len(), &[]) {
        return Ok(SiteHosts::shared(bring_up(file, order.verb)?));
    }
    let each = chosen.iter().map(|one| Ok((one.configuration.name.clone(), bring_up(file, order.verb)?)));
    Ok(SiteHosts::one_each(each.collect::<Result<Vec<_>, Fault>>()?))
}

fn bring_up(file: &Path, verb: &str) -> Result<Hosts, Fault> {
    Ok(Hosts::bring_up(Testbed::read(file)?, &std::env::current_exe()?, verb)?)
}

/// Builds the stacks before anything is recorded: the versions of what they bring themselves are.
fn build_all(bench: &Bench<'_>, chosen: &[Chosen]) -> Result<(), LabError> {
    let terminal = Terminal::new();
    let built = chosen.iter().try_for_each(|one| bench.build(one, &mut |event| terminal.show(&event)));
    terminal.quiet();
    built
}

/// Prints the table and writes the report.
pub(crate) fn show(folder: &Folder) -> Result<ResultReader, Fault> {
    let result = ResultReader::open(folder.path())?;
    if !(result.points.is_empty() && result.swept.is_empty() && result.arrived.is_empty()) {
        say(report::terminal_table(&report::summary(&result)))?;
    }
    let page = folder.write("report.html", report::html(&result).as_bytes())?;
    say(format_args!("report: {}", page.display()))?;
    Ok(result)
}

/// An early end with the command that goes on, unless what must be mended first is what is measured.
fn with_way_on(error: LabError, way_on: &str) -> Fault {
    match error {
        LabError::Interrupted
        | LabError::Died { .. }
        | LabError::Engine { .. }
        | LabError::HeldUp { .. }
        | LabError::Profile { .. }
        | LabError::Folder(_)
        | LabError::NoSpace { .. }
        | LabError::Scratch { .. } => Fault::Resumable { error, command: way_on.to_owned() },
        error => error.into(),
    }
}

/// Refuses figures that nobody may believe, and those that somebody does not want.
pub(crate) fn judge(conditions: &[Condition], result: &ResultReader) -> Result<(), Fault> {
    let decisive = decisive(&result.manifest, &result.points);
    let names = result.manifest.configurations.iter().map(|configuration| configuration.name.as_str());
    let apart = |name: &str| {
        let mut apart = result.swept.iter().chain(&result.arrived);
        apart.any(|point| point.configuration == name && point.verdict.valid)
    };
    let decides = |name: &str| decisive.iter().any(|load| load[0].configuration == name) || apart(name);
    let undecided: Vec<&str> = names.filter(|name| !decides(name)).collect();
    if !undecided.is_empty() {
        let what = match result.manifest.loads {
            LoadPlan::Listed(_) => "VALID point",
            LoadPlan::Sweep(_) => "VALID step",
            LoadPlan::Arrivals { .. } => "VALID load",
            LoadPlan::Search { .. } => "VALID peak",
        };
        return Err(Fault::NotValid { what, configurations: undecided.join(", ") });
    }
    let met = conditions.iter().flat_map(|condition| {
        let breaches = condition.breaches(&decisive).into_iter();
        breaches.map(move |breach| format!("\n  {breach}, and --fail-if says {condition}"))
    });
    let met: String = met.collect();
    if met.is_empty() { Ok(()) } else { Err(Fault::Condition(met)) }
}

/// Where a result goes of which nobody says so.
pub(crate) fn default_folder(verb: &str, of: &str) -> PathBuf {
    let time = lab::rfc3339().trim_end_matches('Z').replace(':', "-");
    PathBuf::from("results").join(format!("{time}-{verb}-{of}"))
}
