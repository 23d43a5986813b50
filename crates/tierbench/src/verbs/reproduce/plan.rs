//! The plan of a reproduction: a `compare` for each workload, where it goes, what is measured already, what is left out
//! and why, and how long the rest takes.

use super::default_folder;
use crate::{
    arguments::{ReproduceOptions, SEED},
    fault::{CommandError, Fault},
    registry,
    run_spec::{self, LoadRequest, RunRequest},
    terminal::expectation,
    verbs::measure::{Destination, Request, variants},
};
use application::Distribution;
use lab::{Forecast, LabError, Timeout, Workspace};
use papers::{Configuration, Experiment, Measurement, Paper, Reach, Reproduction, Run, Users, Workload};
use results::{FactorChoice, LeftRecord, Plan, Point, ResultReader, RunSpec, Verb};
use std::{
    collections::BTreeMap,
    env,
    fmt::Write as _,
    path::{Path, PathBuf},
    time::Duration,
};
use testbed::Testbed;

pub(super) struct Planned<'a> {
    pub paper: &'a Paper,
    pub experiments: Vec<&'a Experiment>,
    pub runs: Vec<PlannedRun>,
    /// The figures that can't be measured here, each with its reason.
    pub left_out: Vec<String>,
    pub testbed: Testbed,
    /// The folder of all results.
    pub folder: PathBuf,
}

pub(super) struct PlannedRun {
    pub workload: Workload,
    /// Its folder's name, and its address on the page.
    pub name: String,
    /// Its place among the blocks of its workload; none where all configurations share starts.
    pub block: Option<usize>,
    pub figures: Vec<String>,
    pub spec: RunSpec,
    pub folder: PathBuf,
    pub state: State,
    forecast: Forecast,
    points: Vec<Point>,
    /// Work that is left, with its share of common starts.
    left: LeftRecord,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    New,
    Begun,
    Complete,
}

/// The stack in whose servers compilers work.
const WITH_COMPILERS: &str = "java/";

/// The scale of the data of a smoke run, which shows only whether everything runs.
const SMOKE_SCALE: f64 = 0.002;
const SMOKE_TIME_SCALE: f64 = 0.02;
const SMOKE_WINDOW: Duration = Duration::from_secs(2);
/// Ramp of a smoke run, unless a load model has its own.
const SMOKE_RAMP: Duration = Duration::from_millis(500);
/// Loads of a smoke run with a mix.
const SMOKE_OF_MIX: [u32; 2] = [4, 8];
/// Load of a smoke run with a load model.
const SMOKE_OF_ARRIVALS: [u32; 1] = [20];

impl<'a> Planned<'a> {
    /// The plan for these figures of a paper.
    pub(super) fn plan(
        workspace: &Workspace,
        paper: &'a Paper,
        experiments: &[&'a Experiment],
        options: &ReproduceOptions,
    ) -> Result<Self, Fault> {
        let testbed = match &options.testbed {
            Some(file) => file.clone(),
            None => {
                from_here(workspace.path().join("testbeds").join(format!("{}.toml", paper.about.testbed)))
            }
        };
        let testbed = Testbed::read(&testbed)?;
        let folder = options.out.clone().unwrap_or_else(|| default_folder(options));
        let runs = paper.runs_for(experiments);
        let planned: Result<Vec<_>, Fault> = runs
            .iter()
            .map(|run| {
                let figures = experiments.iter().filter(|experiment| experiment.workload() == run.workload);
                let figures = figures.map(|experiment| experiment.name.to_string()).collect();
                PlannedRun::plan(workspace, run, figures, options, (&testbed.file, &folder))
            })
            .collect();
        let left_out = left_out(paper, experiments);
        let runs = sharing_starts(planned?)?;
        let plan = Self { paper, experiments: experiments.to_vec(), runs, left_out, testbed, folder };
        plan.expect_block(options.block)?;
        if plan.runs.is_empty() {
            let reasons = plan.left_out.join("\n  ");
            return Err(
                CommandError::input(format!("none of these figures can be run here:\n  {reasons}")).into()
            );
        }
        Ok(plan)
    }

    /// An error if there is no block of this number.
    fn expect_block(&self, block: Option<usize>) -> Result<(), Fault> {
        let known = self.runs.iter().filter_map(|run| run.block).max();
        match block {
            Some(block) if known.is_none_or(|most| block == 0 || block > most) => {
                let fault = format!("these figures have no block {block}");
                let remedy = known.map_or_else(
                    || "leave out --block: they are measured in one".to_owned(),
                    |most| format!("name one from 1 to {most}"),
                );
                Err(CommandError::input(fault).with_help(remedy).into())
            }
            _ => Ok(()),
        }
    }

    /// The runs that are measured together, because they share each start of all servers.
    pub(super) fn groups(&self) -> Vec<Vec<&PlannedRun>> {
        let mut groups: Vec<Vec<&PlannedRun>> = Vec::new();
        for run in &self.runs {
            match groups.iter_mut().find(|group| group[0].shares_starts_with(run)) {
                Some(group) => group.push(run),
                None => groups.push(vec![run]),
            }
        }
        groups
    }

    /// All of it in words, with the time that it takes.
    pub(super) fn text(&self) -> String {
        let about = &self.paper.about;
        let mut text = format!("{} ({}, {})\n", about.title, self.paper.name, about.year);
        let _ = writeln!(text, "testbed: {} ({})", self.testbed.file.display(), self.testbed.title);
        let _ = writeln!(text, "results: {}", self.folder.display());
        let runs = self.paper.runs_for(&self.experiments);
        for group in self.groups() {
            for run in &group {
                let _ = writeln!(text, "\n{}\n  {}\n  {}", run.title(), run.measures(), run.expected());
            }
            let names = |run: &&Run<'_>| group.iter().any(|planned| planned.name == run.name());
            let _ = writeln!(text, "  {}", self.reach(&runs.iter().filter(names).collect::<Vec<_>>()));
            if group.len() > 1 {
                let _ = writeln!(text, "  (these {} share each start of all servers)", group.len());
            }
        }
        if !self.left_out.is_empty() {
            let _ = writeln!(text, "\nleft out:\n  {}", self.left_out.join("\n  "));
        }
        let all = self.left();
        let searches = |run: &PlannedRun| matches!(run.spec.loads.plan, Plan::Peak { .. });
        let expected = match all.points {
            0 => "all is measured".to_owned(),
            _ if self.runs.iter().any(searches) => {
                format!("{}; it depends on how many loads the searches try", expectation(&all))
            }
            _ => expectation(&all),
        };
        let _ = writeln!(text, "\nin all: {expected}. After Ctrl-C, the same command continues.");
        let _ = write!(text, "{}", self.reach(&runs.iter().collect::<Vec<_>>()));
        text
    }

    /// The claims that runs can decide, in a sentence or two.
    fn reach(&self, runs: &[&Run<'_>]) -> String {
        let has_compilers = |configuration: &Configuration| {
            let ending = format!("/{}", configuration.maps_to);
            let all = self.runs.iter().flat_map(|run| &run.spec.configurations);
            all.filter(|name| name.ends_with(&ending)).any(|name| name.starts_with(WITH_COMPILERS))
        };
        let Reach { decidable, refutable, equivalences } =
            self.paper.reach(&self.experiments, runs, has_compilers);
        let all = self.paper.claims_on(&self.experiments).count();
        let mut text = format!(
            "can decide {} of {all} claims, and refute {} more by some of their parts",
            decidable.len(),
            refutable.len()
        );
        if !equivalences.is_empty() {
            let _ = write!(
                text,
                "; {} cannot be confirmed here: that two sites with compilers inside differ by less than 5 % takes more than \
                 16 starts",
                equivalences.len()
            );
        }
        text
    }

    /// Work that is left in all runs.
    fn left(&self) -> LeftRecord {
        self.runs.iter().map(|run| run.left).sum()
    }

    pub(super) fn reproduction(&self) -> Result<Reproduction<'_>, Fault> {
        let there = self.runs.iter().filter(|run| is_result(&run.folder));
        let measurements = there.map(|run| {
            Ok(Measurement {
                workload: run.workload.clone(),
                result: ResultReader::open_whole(&run.folder)?,
                report: format!("{}/report.html", run.name),
            })
        });
        Ok(Reproduction {
            paper: self.paper,
            experiments: &self.experiments,
            measurements: measurements.collect::<Result<_, Fault>>()?,
            left_out: self.left_out.clone(),
        })
    }
}

impl PlannedRun {
    fn plan(
        workspace: &Workspace,
        run: &Run<'_>,
        figures: Vec<String>,
        options: &ReproduceOptions,
        (testbed, folder): (&Path, &Path),
    ) -> Result<Self, Fault> {
        let name = run.name();
        let folder = folder.join(&name);
        let spec = asked(run, options, testbed)?.spec(workspace)?;
        let (state, points) = state(&folder, &spec)?;
        let application = registry::find(&spec.application)?;
        let chosen = workspace.choose(&spec.application, &spec.configurations)?;
        let units = lab::units(application, &run_spec::dataset(&spec)?);
        let variants = variants(&spec, &chosen)?;
        let forecast = Forecast::of(&spec, &variants, units);
        let (workload, left) = (run.workload.clone(), forecast.left(&points, 1)?);
        let block = run.block;
        Ok(Self { workload, name, block, figures, spec, folder, state, forecast, points, left })
    }

    /// True if both are still to be measured, and differ in nothing but a mix, so that configurations can be compared in
    /// rounds on the same starts.
    fn shares_starts_with(&self, other: &Self) -> bool {
        let is_left = |run: &Self| run.state != State::Complete;
        is_left(self)
            && is_left(other)
            && RunSpec { mix: other.spec.mix.clone(), ..self.spec.clone() } == other.spec
            && lab::compares_in_rounds(&self.forecast.loads, self.forecast.configurations.len(), &[])
    }

    /// A line about the runs.
    fn measures(&self) -> String {
        let RunSpec { verb, application, configurations, loads, scale, .. } = &self.spec;
        let listed: Vec<String> = loads.clients().iter().map(u32::to_string).collect();
        let loads = match (&loads.plan, loads.arrivals()) {
            (Plan::Listed, Some(load)) => format!("{} with {} clients", load.model, listed.join(", ")),
            (Plan::Listed, None) => format!("{} clients", listed.join(", ")),
            (Plan::Peak { .. }, _) => {
                format!("each up to its peak, at most {} clients", loads.max_clients())
            }
            (Plan::Capacity { objective }, _) => {
                format!("the most clients with whom {objective}, up to {}", loads.max_clients())
            }
        };
        format!("{verb} {application} {}: {loads}, data of scale {scale}", configurations.join(" "))
    }

    pub(super) fn request(&self) -> Request<'_> {
        let destination = match self.state {
            State::New => Destination::New(&self.folder),
            State::Begun | State::Complete => Destination::Begun(&self.folder),
        };
        Request { spec: &self.spec, destination }
    }

    /// `auction, bidding mix (fig11, fig12)`, `auction, bidding mix, block 2 (fig11, fig12)`
    pub(super) fn title(&self) -> String {
        let block = self.block.map_or_else(String::new, |block| format!(", block {block}"));
        format!("{}{block} ({})", self.workload, self.figures.join(", "))
    }

    fn expected(&self) -> String {
        let how = match self.state {
            State::Complete => return format!("measured already, in {}", self.folder.display()),
            State::Begun => "continues: ",
            State::New => "",
        };
        format!("{how}{}, to {}", expectation(&self.left), self.folder.display())
    }
}

/// The runs with common starts shared out among them.
fn sharing_starts(mut runs: Vec<PlannedRun>) -> Result<Vec<PlannedRun>, LabError> {
    let is_shared =
        |run: &PlannedRun, other: &PlannedRun| other.left.points > 0 && run.shares_starts_with(other);
    let sharing = |run: &PlannedRun| runs.iter().filter(|other| is_shared(run, other)).count();
    let lefts = runs.iter().map(|run| run.forecast.left(&run.points, sharing(run) as u32));
    let lefts = lefts.collect::<Result<Vec<LeftRecord>, _>>()?;
    runs.iter_mut().zip(lefts).for_each(|(run, left)| run.left = left);
    Ok(runs)
}

/// The request of a `compare` that measures a run as its paper or a short reproduction says.
fn asked(run: &Run<'_>, options: &ReproduceOptions, testbed: &Path) -> Result<RunRequest, Fault> {
    let Workload { application, users, scale, quick } = &run.workload;
    let (mix, arrivals, longest, capacity) = match users {
        Users::Mix(mix) => (Some(mix), None, None, None),
        Users::Load { model, think_time } => (None, Some(model.to_string()), *think_time, None),
        Users::Capacity(capacity) => (Some(&capacity.mix), None, Some(capacity.think_time), Some(capacity)),
    };
    let protocol = if options.quick { &run.application.quick } else { &run.application.full };
    let search = protocol.search.as_ref().filter(|_| users.have_a_mix());
    let quick = Some(quick).filter(|_| options.quick);
    let thinks = |search: &&papers::Search| !search.think_time.0.is_zero();
    let clients = match search {
        Some(search) => search.clients.clone(),
        None => quick.map(|quick| quick.clients.clone()).unwrap_or_default(),
    };
    let is_patient = search.is_some_and(|search| search.patient);
    let think_time = longest.or(search.filter(thinks).map(|search| search.think_time));
    let asked = RunRequest {
        verb: Verb::Compare,
        application: application.clone(),
        configurations: run
            .configurations
            .iter()
            .map(|configuration| configuration.maps_to.clone())
            .collect(),
        aa_test: search.is_some(),
        loads: LoadRequest {
            clients,
            arrivals,
            objective: capacity.map(|capacity| capacity.objective.clone()),
            max_clients: capacity.map(|capacity| capacity.most).or(search.and_then(|search| search.most)),
            no_think: search.is_some_and(|search| !thinks(&search)),
            ..LoadRequest::default()
        },
        factors: factors(&run.configurations)?,
        timeouts: vec![if is_patient { Timeout(None) } else { Timeout::default() }],
        mix: mix.map(ToString::to_string),
        think_time: think_time.map(|length| length.0),
        time_scale: quick.and_then(|quick| quick.time_scale).unwrap_or(protocol.time_scale),
        scale: protocol.scale * scale,
        seed: SEED,
        distribution: Distribution::default(),
        ramp: capacity.map(|capacity| capacity.ramp).or(search.map(|search| search.ramp)).map(|ramp| ramp.0),
        window: protocol.window.0,
        warm_up: None,
        repetitions: Some(quick.and_then(|quick| quick.repetitions).unwrap_or(protocol.repetitions)),
        testbed: Some(testbed.to_owned()),
        skip_verify: false,
        smoke: false,
        profile: false,
        conditions: Vec::new(),
    };
    Ok(if options.smoke { smoke_of(asked) } else { asked })
}

/// A smoke run: little data, short times and few loads.
fn smoke_of(asked: RunRequest) -> RunRequest {
    let is_load = asked.loads.arrivals.is_some();
    let clients = if is_load { SMOKE_OF_ARRIVALS.to_vec() } else { SMOKE_OF_MIX.to_vec() };
    RunRequest {
        aa_test: false,
        loads: LoadRequest { clients, arrivals: asked.loads.arrivals, ..LoadRequest::default() },
        think_time: None,
        time_scale: SMOKE_TIME_SCALE,
        scale: SMOKE_SCALE,
        ramp: (!is_load).then_some(SMOKE_RAMP),
        window: SMOKE_WINDOW,
        repetitions: Some(1),
        skip_verify: true,
        smoke: true,
        ..asked
    }
}

/// The factors of configurations that are compared: one command gives all of them the same.
fn factors(configurations: &[&Configuration]) -> Result<Vec<FactorChoice>, Fault> {
    let mut all: BTreeMap<&String, &String> = BTreeMap::new();
    for configuration in configurations {
        for (name, value) in &configuration.set {
            let known = *all.entry(name).or_insert(value);
            if known != value {
                return Err(CommandError::input(format!(
                    "the configurations of one figure must have the same factors, but {name} is {known} and, for {}, \
                     {value}",
                    &*configuration.name
                ))
                .into());
            }
        }
    }
    Ok(all.into_iter().map(|(name, value)| FactorChoice::one(name.clone(), value.clone())).collect())
}

fn is_result(folder: &Path) -> bool {
    folder.join("manifest.json").is_file()
}

/// The state of the run in a folder, with its points; an error if the folder holds another run.
fn state(folder: &Path, asked: &RunSpec) -> Result<(State, Vec<Point>), Fault> {
    if !is_result(folder) {
        return Ok((State::New, Vec::new()));
    }
    let result = ResultReader::open(folder)?;
    let differences = result.manifest.spec.differences(asked);
    if !differences.is_empty() {
        let fault =
            format!("{} holds another measurement:\n  {}", folder.display(), differences.join("\n  "));
        let remedy = "name another folder with --out, or ask for the same again";
        return Err(CommandError::input(fault).with_help(remedy).into());
    }
    result.expect_whole()?;
    let complete = result.manifest.ending.as_ref().is_some_and(|ending| ending.complete);
    let points = result.points.into_iter().chain(result.arrivals).collect();
    Ok((if complete { State::Complete } else { State::Begun }, points))
}

/// A path as it is from the current folder, if it lies in it. A run in another clone is then the same measurement.
fn from_here(path: PathBuf) -> PathBuf {
    let here = env::current_dir().unwrap_or_default();
    path.strip_prefix(here).map(Path::to_owned).unwrap_or(path)
}

/// The curves of these figures that can't be measured here, each with its reason.
fn left_out(paper: &Paper, experiments: &[&Experiment]) -> Vec<String> {
    let names = |concerned: &dyn Fn(&Experiment) -> bool| {
        let figures = experiments.iter().filter(|experiment| concerned(experiment));
        figures.map(|experiment| &*experiment.name).collect::<Vec<_>>().join(", ")
    };
    let applications = paper.about.applications.iter().filter_map(|application| {
        let figures = names(&|experiment| experiment.application == application.name);
        Some(format!("{figures}: {}", application.not_yet.as_ref().filter(|_| !figures.is_empty())?))
    });
    let mixes = experiments.iter().filter_map(|experiment| {
        Some(format!("{}, {}: {}", &*experiment.name, experiment.users, experiment.not_yet.as_ref()?))
    });
    let configurations = paper.configurations.iter().filter_map(|configuration| {
        let shows = |experiment: &Experiment| {
            paper.configurations_in(experiment).iter().any(|one| one.name == configuration.name)
                && configuration.missing_with(&experiment.application).is_some()
        };
        let figures = names(&shows);
        let reason = configuration.not_yet.as_ref().filter(|_| !figures.is_empty())?;
        Some(format!("{} of {figures}: {reason}", &*configuration.name))
    });
    applications.chain(mixes).chain(configurations).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        arguments::{Arguments, Verb as Command},
        run_spec::tests::workspace,
        verbs::reproduce::{find_figures, find_paper, paper_for},
    };
    use clap::Parser;
    use results::{Folder, Loads, Manifest, Separation, Series};

    fn options(words: &str) -> ReproduceOptions {
        let words = format!("tierbench reproduce {words}");
        match Arguments::try_parse_from(words.split_whitespace()).unwrap().verb {
            Command::Reproduce(options) => options,
            verb => panic!("{verb:?}"),
        }
    }

    /// Applies `act` to the plan of this command line.
    fn planned<T>(words: &str, look: impl FnOnce(Planned<'_>) -> T) -> Result<T, Fault> {
        let (workspace, options) = (workspace(), options(words));
        let paper = paper_for(&workspace, &options)?;
        let experiments = find_figures(&paper, &options.figures)?;
        Ok(look(Planned::plan(&workspace, &paper, &experiments, &options)?))
    }

    #[test]
    fn a_path_in_the_current_folder_is_the_same_in_another_clone() {
        let own = env::current_dir().unwrap().join("testbeds/one-machine.toml");
        assert_eq!(from_here(own), Path::new("testbeds/one-machine.toml"));
        let other = PathBuf::from("/elsewhere/testbeds/one-machine.toml");
        assert_eq!(from_here(other.clone()), other);
    }

    /// Else its tiers share a host with others, and nobody can say which of them was busy.
    #[test]
    fn each_machine_of_a_configuration_is_a_host_of_the_papers_testbed() {
        let folder = workspace().path().to_owned();
        for paper in Paper::read_all(&folder.join("papers")).unwrap() {
            let file = folder.join("testbeds").join(format!("{}.toml", paper.about.testbed));
            let testbed = Testbed::read(&file).unwrap();
            if testbed.separation != Separation::Namespaces {
                continue;
            }
            for configuration in &paper.configurations {
                for machine in &configuration.machines {
                    let host = testbed.host_of(machine);
                    let plays = host.roles.iter().any(|role| *role == **machine);
                    assert!(plays, "{}: {} runs {machine} on {}", paper.name, configuration.name, host.name);
                }
            }
        }
    }

    #[test]
    fn all_figures_of_a_mix_come_from_one_compare() {
        let folder = tempfile::tempdir().unwrap();
        let words = format!("middleware-2003 fig11 fig12 fig14 --quick --out {}", folder.path().display());
        planned(&words, |plan| {
            let titles: Vec<String> = plan.runs.iter().map(PlannedRun::title).collect();
            assert_eq!(titles, ["auction, bidding mix (fig11, fig12)", "auction, browsing mix (fig14)"]);
            let bidding = &plan.runs[0].spec;
            let names = [
                "php/WsPhp-DB",
                "java/WsServlet-DB",
                "java/WsServlet-DB-sync",
                "java/Ws-Servlet-DB",
                "java/Ws-Servlet-DB-sync",
                "java/Ws-Servlet-EJB-DB",
            ];
            assert_eq!((bidding.verb, bidding.application.as_str()), (Verb::Compare, "auction"));
            assert_eq!(bidding.configurations, names);
            let think_time = Duration::from_millis(350);
            assert_eq!(bidding.loads, Loads::closed(&[280, 560], think_time));
            assert!(bidding.factors.contains(&"engine=MyISAM".parse().unwrap()), "{:?}", bidding.factors);
            assert_eq!((bidding.mix.as_str(), bidding.time_scale), ("bidding", 0.05));
            assert_eq!(bidding.timeouts_s, [None]);
            assert_eq!((bidding.window_s, bidding.repetitions, bidding.scale), (12.0, 3, 0.25));
            assert!(bidding.testbed.as_ref().unwrap().ends_with("testbeds/five-machines.toml"));
            assert!(bidding.aa_test && plan.runs[0].measures().starts_with("compare auction php/WsPhp-DB"));
            let configurations = plan.runs[0].forecast.configurations.iter();
            let again = configurations.filter(|(name, _)| name.ends_with(",again")).count();
            assert_eq!(
                again, 1,
                "points of an interrupted comparison belong to a schedule with all configurations"
            );
            assert!(
                plan.runs.iter().all(|run| run.state == State::New && run.folder.starts_with(folder.path()))
            );
            assert_eq!(plan.left_out, Vec::<String>::new());
            let text = plan.text();
            assert!(text.contains("can decide ") && text.contains("takes more than 16 starts"), "{text}");
        })
        .unwrap();
    }

    #[test]
    fn runs_that_differ_in_their_mix_alone_share_starts_and_their_time() {
        let titles = |plan: &Planned<'_>| -> Vec<Vec<String>> {
            plan.groups()
                .iter()
                .map(|group| group.iter().map(|run| run.workload.to_string()).collect())
                .collect()
        };
        let auction = ["auction, bidding mix", "auction, browsing mix"];
        let words = "middleware-2003 fig5 fig7 fig11 fig14 --quick --out nowhere";
        planned(words, |plan| {
            let bookstore = ["bookstore, shopping mix", "bookstore, browsing mix"];
            assert_eq!(titles(&plan), [bookstore, auction]);
            assert!(plan.text().contains("these 2 share each start"), "{}", plan.text());
        })
        .unwrap();
        let expected = |figures: &str| {
            let words = format!("middleware-2003 {figures} --quick --out nowhere");
            planned(&words, |plan| plan.left().seconds).unwrap()
        };
        let (both, apart) = (expected("fig11 fig14"), expected("fig11") + expected("fig14"));
        assert!(both < 0.95 * apart, "{both} s, {apart} s");
        planned("apache-2002 --quick --out nowhere", |plan| {
            assert!(plan.groups().iter().all(|group| group.len() == 1), "loads have no start in common");
        })
        .unwrap();
        planned("middleware-2003 fig11 fig14 --quick --out nowhere", |mut plan| {
            plan.runs[0].state = State::Complete;
            assert_eq!(titles(&plan), auction.map(|title| vec![title.to_owned()]), "one is measured already");
        })
        .unwrap();
    }

    #[test]
    fn arrivals_are_one_compare_with_their_own_scale_and_times() {
        planned("apache-2002 --quick --out nowhere", |plan| {
            let folders: Vec<String> = plan.runs.iter().map(|run| run.folder.display().to_string()).collect();
            assert_eq!(
                folders,
                ["reading-capacity-4.5s", "bench2", "bench3", "bench4"]
                    .map(|name| format!("nowhere/comments-{name}"))
            );
            let text = plan.text();
            for part in [
                "bench1-5s, bench1 with think times up to 5s: `--quick` leaves it out",
                "the most clients with whom p99 <= 3s, up to 16000",
                "perl/WsPerlCgi-DB perl/WsPerlFcgid-DB",
                "bench2 with 21 clients",
                "data of scale 3.9",
                "bench3 with 14, 30 clients",
                "testbeds/one-machine.toml",
            ] {
                assert!(text.contains(part), "{part}\n{text}");
            }
            assert!(plan.left().seconds < 2.0 * 3600.0, "{text}");
        })
        .unwrap();
        planned("apache-2002 bench1-8s --out nowhere", |plan| {
            let spec = &plan.runs[0].spec;
            let names =
                ["perl/WsPerlFcgid-DB", "perl/WsModPerl-DB", "php/WsPhp-DB", "java/WsServlet-DB-shared"];
            assert_eq!((spec.application.as_str(), spec.time_scale), ("comments", 1.0));
            assert_eq!(spec.configurations, names);
            let load = spec.loads.arrivals().unwrap();
            assert_eq!((load.model.as_str(), load.think_s.1), ("bench1", 8.0));
            assert!(spec.scale.to_string().starts_with("1.47"), "{}", spec.scale);
        })
        .unwrap();
        planned("apache-2002 bench3 --out nowhere", |plan| {
            let RunSpec { loads, time_scale, window_s, .. } = &plan.runs[0].spec;
            assert_eq!((loads.series(), loads.kinds.len()), (Series::Arrivals, 6));
            assert_eq!((*time_scale, *window_s), (1.0, 60.0));
            assert_eq!(plan.left().points, 72, "six loads of four configurations, three times");
        })
        .unwrap();
        planned("apache-2002 bench1-8s --smoke --out nowhere", |plan| {
            let spec = &plan.runs[0].spec;
            assert!(spec.loads.clients() == [20] && spec.skip_verify && spec.smoke, "{spec:?}");
        })
        .unwrap();
    }

    #[test]
    fn quick_takes_hours_and_full_takes_days() {
        let all = "middleware-2003 fig11 fig12 fig13 fig14 --out nowhere";
        let hours = |words: &str| planned(words, |plan| plan.left().seconds / 3600.0).unwrap();
        let quick = hours(&format!("{all} --quick"));
        let full = hours(all);
        assert!((0.5..3.5).contains(&quick) && full > 24.0, "{quick} h, {full} h");
        planned(&format!("{all} --quick"), |plan| {
            assert!(plan.runs.iter().all(|run| run.spec.ramp_s + run.spec.window_s <= 60.0));
        })
        .unwrap();
    }

    #[test]
    fn each_mix_is_a_run_and_nothing_is_left_out_if_all_are_here() {
        planned("middleware-2003 --out nowhere", |plan| {
            assert_eq!((plan.runs.len(), plan.left_out.len()), (5, 0), "{:?}", plan.left_out);
        })
        .unwrap();
    }

    #[test]
    fn a_missing_configuration_is_named_and_the_others_are_run() {
        planned("icws-2008 fig1 --quick --out nowhere", |plan| {
            assert_eq!(plan.left_out, ["Axis2 C of fig1: Axis2 C is in no registry of packages"]);
            let words = plan.runs[0].measures();
            assert!(words.contains("Axis2-Java") && !words.contains("Axis2-C"), "{words}");
        })
        .unwrap();
    }

    #[test]
    fn a_damaged_result_is_refused_before_anything_is_measured() {
        let place = tempfile::tempdir().unwrap();
        let words = format!("middleware-2003 fig11 --quick --out {}", place.path().display());
        let released = workspace().path().join("crates/results/tests/released/0.1.0/result");
        let known = ResultReader::open(&released).unwrap().manifest;
        let (folder, spec) =
            planned(&words, |plan| (plan.runs[0].folder.clone(), plan.runs[0].spec.clone())).unwrap();
        drop(Folder::create(&folder, Manifest { spec, ending: None, ..known }).unwrap());
        planned(&words, |plan| assert!(plan.reproduction().is_ok())).unwrap();
        std::fs::remove_file(folder.join("SHA256SUMS")).unwrap();
        let refused = planned(&words, |_| ()).unwrap_err().to_string();
        assert!(refused.contains("SHA256SUMS: is missing"), "{refused}");
    }

    #[test]
    fn a_quick_reproduction_in_blocks_has_a_result_for_each() {
        let blocks = |words: &str| {
            planned(&format!("oopsla-2002 {words} --out nowhere"), |plan| {
                let runs = plan.runs.iter().map(|run| (run.block, run.spec.configurations.len()));
                (runs.collect::<Vec<_>>(), plan.groups().len())
            })
        };
        let (first, second) = ((Some(1), 7), (Some(2), 8));
        assert_eq!(blocks("--quick").unwrap(), (vec![first, second, first, second], 2));
        assert_eq!(blocks("--smoke").unwrap().0.len(), 2);
        planned("oopsla-2002 --quick --out nowhere", |plan| {
            let text = plan.text();
            for part in
                ["auction, browsing mix, block 2 (", "nowhere/auction-browsing-2", "these 2 share each start"]
            {
                assert!(text.contains(part), "{part}\n{text}");
            }
        })
        .unwrap();
        let refused = |words: &str| blocks(words).unwrap_err().to_string();
        assert_eq!(refused("--quick --block 3"), "these figures have no block 3");
        assert!(planned("icws-2008 --quick --block 1 --out nowhere", |_| ()).is_err());
    }

    #[test]
    fn a_protocol_with_one_load_measures_that_without_thinking() {
        planned("icws-2008 fig3 --quick --out nowhere", |plan| {
            let spec = &plan.runs[0].spec;
            assert_eq!(spec.loads, Loads::closed(&[100], Duration::ZERO));
            assert!(spec.timeouts_s == [None] && spec.aa_test, "{spec:?}");
        })
        .unwrap();
    }

    #[test]
    fn an_unknown_paper_or_figure_is_refused_with_the_known_ones() {
        let remedy = |fault: Fault| match fault {
            Fault::Workspace(lab::WorkspaceError::Unknown { kind, remedy, .. }) => {
                format!("{kind}: {remedy}")
            }
            fault => panic!("{fault}"),
        };
        let figure = remedy(planned("middleware-2003 fig1x", |_| ()).unwrap_err());
        assert!(figure.starts_with("figure: ") && figure.contains("fig5, fig6") && figure.contains("fig14"));
        let paper = remedy(find_paper(&workspace(), "nowhere").unwrap_err());
        assert!(paper.starts_with("paper: ") && paper.contains("middleware-2003"), "{paper}");
    }

    #[test]
    fn configurations_with_different_factors_are_refused() {
        let workspace = workspace();
        let mut paper = find_paper(&workspace, "middleware-2003").unwrap();
        paper.configurations[1].set.insert("engine".into(), "InnoDB".into());
        let all: Vec<&Configuration> = paper.configurations.iter().collect();
        assert!(factors(&all[..1]).is_ok());
        let fault = factors(&all[..2]).unwrap_err().to_string();
        assert!(fault.contains("engine is MyISAM and, for WsServlet-DB, InnoDB"), "{fault}");
    }
}
