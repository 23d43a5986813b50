//! `run` and `compare`: points at given loads, or up to the peak; begun, or continued after an interruption.

use crate::{
    arguments::{CompareOptions, MeasureOptions, Places, RunOptions, VERIFY_REQUESTS},
    fault::{CommandError, Fault},
    interrupt,
    live_page::LivePage,
    outcome::{default_folder, judge, show},
    output::note,
    record, registry,
    run_spec::{self, RunRequest},
    terminal::Terminal,
};
use application::Application;
use lab::{
    Event, Experiment, LabError, RunContext, SiteHosts, Timeout, Timing, Variant, Workspace, WorkspaceError,
};
use results::{Ending, Folder, FolderError, Manifest, Names, ResultReader, RunSpec, Verb};
use std::path::Path;
use testbed::{CLIENT, Hosts, Separation, Testbed, TestbedError};
use workload::{Catalogue, Mix};

pub(crate) fn run(places: &Places, options: &RunOptions) -> Result<(), Fault> {
    begin_or_resume(places, &options.measure, options.request(), None).map(drop)
}

pub(crate) fn compare(places: &Places, options: &CompareOptions) -> Result<(), Fault> {
    begin_or_resume(places, &options.measure, options.request(), None).map(drop)
}

/// Measures what is requested, or what an interrupted run has left. `words` call the verb again, if it is not the one that is
/// recorded.
pub(crate) fn begin_or_resume(
    places: &Places,
    options: &MeasureOptions,
    request: RunRequest,
    words: Option<&str>,
) -> Result<Vec<ResultReader>, Fault> {
    let live = options.watch.then(LivePage::listen).transpose()?;
    if let Some(folder) = options.resume.as_deref() {
        let spec = interrupted(folder, &[Verb::Run, Verb::Compare])?;
        return measure_and_judge(places, &spec, Destination::Begun(folder), words, live.as_ref());
    }
    let request = match &options.like {
        Some(folder) => {
            let earlier = ResultReader::open_whole(folder)?.manifest.spec;
            request.like(&earlier, |name| options.given.has(name))?
        }
        None => request,
    };
    let spec = request.spec(&places.workspace()?)?;
    let folder = options.out.clone().unwrap_or_else(|| default_folder(spec.verb, &spec.application));
    measure_and_judge(places, &spec, Destination::New(&folder), words, live.as_ref())
}

/// The specification of a run that ended early, of one of these verbs.
pub(crate) fn interrupted(folder: &Path, verbs: &[Verb]) -> Result<RunSpec, Fault> {
    let spec = ResultReader::open_whole(folder)?.manifest.spec;
    if verbs.contains(&spec.verb) {
        run_spec::expect_numbers(&spec)?;
        return Ok(spec);
    }
    let fault = format!("{} can't be resumed so: `{}` has made it", folder.display(), spec.verb);
    let remedy = format!("call `tierbench {} --resume {}`", spec.verb, folder.display());
    Err(CommandError::input(fault).with_help(remedy).into())
}

fn measure_and_judge(
    places: &Places,
    spec: &RunSpec,
    target: Destination<'_>,
    words: Option<&str>,
    live: Option<&LivePage>,
) -> Result<Vec<ResultReader>, Fault> {
    let folder = target.folder().display();
    let words = words.map_or_else(|| spec.verb.to_string(), ToOwned::to_owned);
    let resume_command = format!("tierbench{} {words} --resume {folder}", places.workspace_words());
    let results = measure(places, &[Request { spec, destination: target }], &resume_command, live)?;
    results.iter().try_for_each(|result| judge(&spec.conditions, result))?;
    Ok(results)
}

/// The folder that a result goes to.
pub(crate) enum Destination<'a> {
    /// There is none yet.
    New(&'a Path),
    /// It holds the result of a run that ended early and continues.
    Begun(&'a Path),
}

impl Destination<'_> {
    pub(crate) fn folder(&self) -> &Path {
        match self {
            Self::New(folder) | Self::Begun(folder) => folder,
        }
    }

    pub(crate) fn open(&self, manifest: Manifest) -> Result<Folder, FolderError> {
        let folder = match self {
            Self::Begun(path) => Folder::resume(path, &manifest)?,
            Self::New(path) => Folder::create(path, manifest)?,
        };
        for repair in folder.repairs() {
            note(format_args!("repaired {repair}"));
        }
        Ok(folder)
    }
}

/// A run specification and the folder of its result.
pub(crate) struct Request<'a> {
    pub spec: &'a RunSpec,
    pub destination: Destination<'a>,
}

/// Measures what is asked for, and shows it. There is one request at least; several differ only in their mix, and share each
/// start. After an early end, `resume_command` is the command that continues. A live page shows the first result. The steps are those of `docs/architecture.md`,
/// *From a command to a report*; [`lab::run`] shows the steps of the loop.
pub(crate) fn measure(
    places: &Places,
    requests: &[Request<'_>],
    resume_command: &str,
    live: Option<&LivePage>,
) -> Result<Vec<ResultReader>, Fault> {
    let workspace = places.workspace()?;
    let subject = Subject::read(&workspace, requests)?;
    let mut context = subject.context(places, &workspace)?;
    subject.build(&mut context)?;
    let experiments = subject.experiments(&context, requests);
    let mut folders = open_folders(&workspace, &experiments, requests)?;
    let watched = requests[0].destination.folder();
    if let Some(live) = live {
        live.draw(watched);
        note(format_args!("watch it at http://{}/", live.address()));
    }
    let terminal = Terminal::new(subject.names.clone());
    let outcome = lab::run(&experiments, &mut folders, &mut |event: Event<'_>| {
        terminal.show_live(&event);
        if let (Event::Measured(_), Some(live)) = (&event, live) {
            live.draw(watched);
        }
    });
    terminal.clear();
    let shown = end_and_show(&mut folders, outcome, resume_command);
    if let Some(live) = live {
        live.end(watched);
    }
    shown
}

/// The subject of a measurement, as the workspace has it: an application, variants and mixes.
struct Subject<'r> {
    /// The specification; those of further requests differ only in their mix.
    spec: &'r RunSpec,
    application: &'static dyn Application,
    catalogue: Catalogue,
    variants: Vec<Variant>,
    names: Names,
    mixes: Vec<Mix>,
}

impl<'r> Subject<'r> {
    fn read(workspace: &Workspace, requests: &[Request<'r>]) -> Result<Self, Fault> {
        let spec = requests[0].spec;
        let application = registry::find(&spec.application)?;
        let catalogue = workspace.catalogue(application.name())?;
        let chosen = workspace.choose(application.name(), &spec.configurations)?;
        let variants = variants(spec, &chosen)?;
        expect_fit(spec.testbed.as_deref().map(Path::new), &variants)?;
        if spec.profile {
            profile::availability().map_err(|fault| CommandError::missing(fault.to_string()))?;
        }
        let names = names(&variants, &catalogue);
        let mixes =
            requests.iter().map(|request| workspace.mix_for(&catalogue, &request.spec.mix, &variants));
        let mixes = mixes.collect::<Result<_, _>>()?;
        Ok(Self { spec, application, catalogue, variants, names, mixes })
    }

    fn timing(&self) -> Timing {
        Timing::of(self.spec)
    }

    fn context(&self, places: &Places, workspace: &Workspace) -> Result<RunContext<'static>, Fault> {
        let widest = widest(&self.mixes, &self.catalogue);
        let (dataset, stop) = (run_spec::dataset(self.spec)?, interrupt::flag()?);
        let scale = self.spec.time_scale;
        let mut context = RunContext::read(workspace, self.application, None, dataset, scale, stop)?;
        context.mix = widest.clone();
        context.cache = places.cache_of_data()?;
        run_spec::check(self.spec, &self.timing(), &self.catalogue)?;
        context.expect_room(self.variants.len())?;
        Ok(context)
    }

    /// Builds the stacks, and then enters the hosts of a testbed: hosts cannot reach what builds fetch. Machines of their own
    /// come first, because builds are not theirs, and a missing package there shows at once.
    fn build(&self, context: &mut RunContext<'_>) -> Result<(), Fault> {
        self.names.common().into_iter().for_each(note);
        let file = self.spec.testbed.as_deref().map(Path::new);
        let machines = machines(file)?;
        if let Some(file) = machines {
            if self.spec.profile {
                let fault = CommandError::input("profiles are taken on this machine only".to_owned());
                return Err(fault.with_help("leave --profile out, or take a testbed of this machine").into());
            }
            context.hosts = hosts_for(file, self.spec, &self.variants)?;
            expect_fit_there(context, &self.variants)?;
        }
        build_all(context, &self.variants, &self.names)?;
        if self.spec.profile {
            self.variants.iter().try_for_each(Variant::expect_profilers)?;
        }
        if let Some(file) = file.filter(|_| machines.is_none()) {
            context.hosts = hosts_for(file, self.spec, &self.variants)?;
        }
        Ok(())
    }

    fn experiments<'e>(
        &'e self,
        context: &'e RunContext<'e>,
        requests: &[Request<'_>],
    ) -> Vec<Experiment<'e>> {
        let experiment = |(request, mix): (&Request<'_>, &Mix)| Experiment {
            context,
            mix: mix.clone(),
            variants: &self.variants,
            spec: request.spec.clone(),
            timing: self.timing(),
            verify_requests: VERIFY_REQUESTS,
        };
        requests.iter().zip(&self.mixes).map(experiment).collect()
    }
}

/// The names of variants, with the marks of partial stacks.
fn names(variants: &[Variant], catalogue: &Catalogue) -> Names {
    let name = |variant: &Variant| variant.configuration.name.clone();
    let partial: Vec<_> =
        variants.iter().filter_map(|one| Some((name(one), one.partial(catalogue)?))).collect();
    Names::of(variants.iter().map(|one| one.configuration.name.as_str()))
        .marked(partial.iter().map(|(name, partial)| (name.as_str(), partial)))
}

/// Creates or reopens the folder of each request.
fn open_folders(
    workspace: &Workspace,
    experiments: &[Experiment<'_>],
    requests: &[Request<'_>],
) -> Result<Vec<Folder>, Fault> {
    let open = |(request, experiment): (&Request<'_>, &Experiment<'_>)| {
        let expected = experiment.forecast().left(&[], requests.len() as u32)?;
        let manifest = record::manifest(workspace, experiment, expected.seconds)?;
        Ok(request.destination.open(manifest)?)
    };
    requests.iter().zip(experiments).map(open).collect()
}

/// Writes the end of each result, and shows them all, also those of a run that ended early: what was measured is shown even if a
/// full disk allows neither ending nor report.
fn end_and_show(
    folders: &mut [Folder],
    outcome: Result<(), LabError>,
    resume_command: &str,
) -> Result<Vec<ResultReader>, Fault> {
    let reason = outcome.as_ref().err().map(ToString::to_string);
    let ending = Ending { at: lab::rfc3339(), complete: reason.is_none(), reason };
    let ended: Vec<_> = folders.iter_mut().map(|folder| folder.end(ending.clone())).collect();
    let shown: Vec<_> = folders.iter().map(show).collect();
    outcome.map_err(|error| with_resume_command(error, resume_command))?;
    ended.into_iter().collect::<Result<(), _>>()?;
    shown.into_iter().collect()
}

/// The mix that reaches most interactions. Stacks are verified with it, for all mixes.
fn widest<'m>(mixes: &'m [Mix], catalogue: &Catalogue) -> &'m Mix {
    let reached = |mix: &&Mix| catalogue.ids().filter(|id| mix.steps(*id).next().is_some()).count();
    mixes.iter().max_by_key(reached).expect("there is a mix")
}

/// The variants of the configurations, by factors and timeouts.
pub(crate) fn variants(spec: &RunSpec, configurations: &[Variant]) -> Result<Vec<Variant>, WorkspaceError> {
    let variants = lab::vary(configurations, &spec.factors)?;
    let variants = match (spec.loads.arrivals(), Timeout::of(spec).as_slice()) {
        (Some(_), [timeout]) => with_timeout(variants, *timeout),
        (_, timeouts) => lab::vary_timeout(&variants, timeouts),
    };
    Ok(if spec.aa_test { with_first_again(variants) } else { variants })
}

/// Configurations with the timeout of a load model, which makes no variant of them.
fn with_timeout(mut variants: Vec<Variant>, timeout: Timeout) -> Vec<Variant> {
    variants.iter_mut().for_each(|one| one.timeout = timeout);
    variants
}

/// Adds the first variant a second time, under another name (an A/A test).
fn with_first_again(mut variants: Vec<Variant>) -> Vec<Variant> {
    let mut again = variants[0].clone();
    again.configuration.name = again.configuration.id().again().to_string();
    variants.push(again);
    variants
}

/// Builds the stacks and then enters the hosts of a testbed, if one is named: hosts cannot reach what builds fetch.
pub(crate) fn go_to(
    testbed: Option<&Path>,
    verb: &str,
    context: &mut RunContext<'_>,
    variants: &[Variant],
) -> Result<(), Fault> {
    let Some(file) = testbed else { return Ok(()) };
    if machines(testbed)?.is_some() {
        context.hosts = SiteHosts::shared(bring_up(file, verb)?);
        expect_fit_there(context, variants)?;
        return Ok(build_all(context, variants, &Names::default())?);
    }
    build_all(context, variants, &Names::default())?;
    let hosts = bring_up(file, verb)?;
    hosts.of_role(CLIENT).handle.enter_namespace()?;
    context.hosts = SiteHosts::shared(hosts);
    Ok(())
}

/// The file of a testbed, if its hosts are machines of their own.
fn machines(testbed: Option<&Path>) -> Result<Option<&Path>, Fault> {
    let Some(file) = testbed else { return Ok(None) };
    Ok((Testbed::read(file)?.separation == Separation::Machines).then_some(file))
}

/// An error if a program that one of the variants needs is missing here. Machines of their own are asked once they are reached.
pub(crate) fn expect_fit(testbed: Option<&Path>, variants: &[Variant]) -> Result<(), Fault> {
    match machines(testbed)? {
        Some(_) => Ok(()),
        None => Ok(variants.iter().try_for_each(|variant| variant.expect_fit(None))?),
    }
}

fn expect_fit_there(context: &RunContext<'_>, variants: &[Variant]) -> Result<(), LabError> {
    variants.iter().try_for_each(|variant| variant.expect_fit(context.hosts.of(&variant.configuration.name)))
}

/// The hosts of a testbed: one set for each site, if all sites will be up at once.
fn hosts_for(file: &Path, spec: &RunSpec, variants: &[Variant]) -> Result<SiteHosts, Fault> {
    let verb = &spec.verb.to_string();
    if !lab::compares_in_rounds(&spec.loads, variants.len(), &[]) {
        return Ok(SiteHosts::shared(bring_up(file, verb)?));
    }
    let each = variants.iter().map(|one| Ok((one.configuration.name.clone(), bring_up(file, verb)?)));
    Ok(SiteHosts::one_each(each.collect::<Result<Vec<_>, Fault>>()?))
}

fn bring_up(file: &Path, verb: &str) -> Result<Hosts, Fault> {
    Ok(Hosts::bring_up(Testbed::read(file)?, &std::env::current_exe()?, verb)?)
}

/// Builds the stacks before anything is recorded, because the result records the versions of what a build brings.
fn build_all(context: &RunContext<'_>, variants: &[Variant], names: &Names) -> Result<(), LabError> {
    let terminal = Terminal::new(names.clone());
    let built = variants.iter().try_for_each(|one| context.build(one, &mut |event| terminal.show(&event)));
    terminal.clear();
    built
}

/// An early end with the command that continues, unless the fault is in what is measured.
pub(crate) fn with_resume_command(error: LabError, resume_command: &str) -> Fault {
    match error {
        // Resuming what is complete, changed or damaged would be refused again.
        LabError::Folder(fault)
            if !matches!(fault, FolderError::Full { can_resume: true, .. } | FolderError::Io(_)) =>
        {
            LabError::Folder(fault).into()
        }
        LabError::Interrupted
        | LabError::Died { .. }
        | LabError::Engine { .. }
        // A lost host.
        | LabError::Testbed(TestbedError::Io(_))
        | LabError::HeldUp { .. }
        | LabError::Profile { .. }
        | LabError::Folder(_)
        | LabError::NoSpace { .. }
        | LabError::Scratch { .. } => Fault::Resumable { error, command: resume_command.to_owned() },
        error => error.into(),
    }
}
