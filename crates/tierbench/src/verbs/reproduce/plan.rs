//! What a reproduction will run: a `compare` for each workload, where it goes, what is measured already, what is left out
//! and why, and how long the rest takes.

use super::default_folder;
use crate::{
    arguments::ReproduceOptions,
    fault::Fault,
    registry,
    run_spec::RunSpec,
    terminal::expectation,
    verbs::measure::{Destination, Request, with_first_again},
};
use lab::{Forecast, LabError, Left, Workspace};
use papers::{Configuration, Experiment, Measurement, Paper, Reproduction, Run, Users, Workload};
use results::{Point, ResultReader};
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    path::{Path, PathBuf},
};
use testbed::Testbed;
use workload::Length;

/// What a reproduction will run.
pub(super) struct Planned<'a> {
    pub paper: &'a Paper,
    pub experiments: Vec<&'a Experiment>,
    pub runs: Vec<PlannedRun>,
    /// What isn't run, each with its reason.
    pub left_out: Vec<String>,
    pub testbed: Testbed,
    /// Where all of it goes.
    pub folder: PathBuf,
}

/// What is run for a workload.
pub(super) struct PlannedRun {
    pub workload: Workload,
    /// The figures that come from it.
    pub figures: Vec<String>,
    pub spec: RunSpec,
    /// The words that ask for the same.
    words: Vec<String>,
    pub folder: PathBuf,
    pub state: State,
    forecast: Forecast,
    points: Vec<Point>,
    /// What is still to be measured, with its share of what it shares with others.
    left: Left,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    New,
    Begun,
    Complete,
}

/// How a smoke run is measured: it shows only whether everything runs.
const SMOKE: &str = "--repetitions 1 --scale 0.002 --time-scale 0.02 --window 2s --smoke --skip-verify";
/// The loads of a smoke run of a mix.
const SMOKE_OF_MIX: &str = "--clients 4,8 --ramp 500ms";
/// The one of a load model.
const SMOKE_OF_ARRIVALS: &str = "--clients 20";
/// The option in front of a mix.
const MIX: &str = "--mix";
/// Users who wait for an answer as long as it takes.
const PATIENT: &str = "--timeout none";

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
            None => workspace.path().join("testbeds").join(format!("{}.toml", paper.about.testbed)),
        };
        let testbed = Testbed::read(&testbed)?;
        let folder = options.results.clone().unwrap_or_else(|| default_folder(options));
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
        if plan.runs.is_empty() {
            return Err(Fault::Usage(format!(
                "none of these figures can be run here:\n  {}",
                plan.left_out.join("\n  ")
            )));
        }
        Ok(plan)
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
        for group in self.groups() {
            for run in &group {
                let _ = writeln!(text, "\n{}\n  {}\n  {}", run.title(), run.words.join(" "), run.expected());
            }
            if group.len() > 1 {
                let _ = writeln!(text, "  (these {} share each start of all servers)", group.len());
            }
        }
        if !self.left_out.is_empty() {
            let _ = writeln!(text, "\nleft out:\n  {}", self.left_out.join("\n  "));
        }
        let all = self.left();
        let expected = match all.points {
            (_, 0) => "all is measured".to_owned(),
            (least, most) if least == most => expectation(&all),
            _ => format!("{}; it depends on how many loads the searches try", expectation(&all)),
        };
        let _ = write!(text, "\nin all: {expected}. After Ctrl-C, the same command continues.");
        text
    }

    /// What is left of all runs together.
    fn left(&self) -> Left {
        self.runs.iter().map(|run| run.left).sum()
    }

    /// What was measured so far.
    pub(super) fn reproduction(&self) -> Result<Reproduction<'_>, Fault> {
        let there = self.runs.iter().filter(|run| is_result(&run.folder));
        let measurements = there.map(|run| {
            Ok(Measurement {
                workload: run.workload.clone(),
                result: ResultReader::open(&run.folder)?,
                report: format!("{}/report.html", run.workload.name()),
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
        let Workload { application, users, .. } = &run.workload;
        let folder = folder.join(run.workload.name());
        let configurations: Vec<String> =
            run.configurations.iter().map(|configuration| configuration.here.clone()).collect();
        let chosen = workspace.choose(application, &configurations)?;
        let mut words: Vec<String> = ["tierbench", "compare", application].map(str::to_owned).to_vec();
        words.extend(chosen.iter().map(|one| format!("{}/{}", one.stack.name, one.configuration.name)));
        words.extend(match users {
            Users::Mix(mix) => [MIX.to_owned(), mix.to_string()],
            Users::Load { model, .. } => ["--arrivals".to_owned(), model.to_string()],
        });
        words.extend(how(run, options));
        words.extend(factors(&run.configurations)?);
        words.extend(["--testbed".to_owned(), testbed.display().to_string()]);
        let wrong =
            || Fault::Usage(format!("this version of tierbench does not understand: {}", words.join(" ")));
        let spec = RunSpec::read(&words).ok_or_else(wrong)?;
        let catalogue = workspace.catalogue(application)?;
        let full = spec.with_model(workspace, &catalogue)?;
        let timing = full.timing(&catalogue);
        let names: Vec<String> = words[3..3 + chosen.len()].to_vec();
        let (state, points) = state(&folder, &full.to_command_line(&names, &timing))?;
        let variants = lab::vary(&chosen, &spec.measure.factors.choices)?;
        let variants = lab::vary_timeout(&variants, &spec.measure.timeout);
        let variants = if spec.again { with_first_again(variants) } else { variants };
        let data = &spec.measure.data;
        let forecast = Forecast {
            configurations: variants
                .iter()
                .map(|one| (one.configuration.name.clone(), one.warm_up()))
                .collect(),
            loads: full.loads,
            repetitions: spec.repetitions(),
            timing,
            seed: data.seed,
            units: lab::units(registry::find(application)?, &data.dataset()),
        };
        let (workload, left) = (run.workload.clone(), forecast.left(&points, 1)?);
        Ok(Self { workload, figures, spec, words, folder, state, forecast, points, left })
    }

    /// Whether both are still to be measured, and differ in nothing but a mix, so that configurations can be compared in
    /// rounds on the same starts.
    fn shares_starts_with(&self, other: &Self) -> bool {
        let is_left = |run: &Self| run.state != State::Complete;
        is_left(self)
            && is_left(other)
            && self.words_but_mix().is_some_and(|words| other.words_but_mix() == Some(words))
            && lab::compares_in_rounds(&self.forecast.loads, self.forecast.configurations.len(), &[])
    }

    /// What asks for the same with whatever mix; none without a mix.
    fn words_but_mix(&self) -> Option<Vec<&String>> {
        let at = self.words.iter().position(|word| word == MIX)?;
        Some(self.words[..at].iter().chain(&self.words[at + 2..]).collect())
    }

    pub(super) fn request(&self) -> Request<'_> {
        let destination = match self.state {
            State::New => Destination::New(&self.folder),
            State::Begun | State::Complete => Destination::Begun(&self.folder),
        };
        Request { spec: &self.spec, destination }
    }

    /// `auction, bidding mix (fig11, fig12)`
    pub(super) fn title(&self) -> String {
        format!("{} ({})", self.workload, self.figures.join(", "))
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

/// The same runs, each of which expects its share of what it shares with others.
fn sharing_starts(mut runs: Vec<PlannedRun>) -> Result<Vec<PlannedRun>, LabError> {
    let sharing = |run: &PlannedRun| runs.iter().filter(|other| run.shares_starts_with(other)).count().max(1);
    let lefts = runs.iter().map(|run| run.forecast.left(&run.points, sharing(run) as u32));
    let lefts = lefts.collect::<Result<Vec<Left>, _>>()?;
    runs.iter_mut().zip(lefts).for_each(|(run, left)| run.left = left);
    Ok(runs)
}

/// How a run is measured, as options of `compare`.
fn how(run: &Run<'_>, options: &ReproduceOptions) -> Vec<String> {
    let Workload { users, scale, quick, .. } = &run.workload;
    let is_load = matches!(users, Users::Load { .. });
    let protocol = if options.quick { &run.application.quick } else { &run.application.full };
    let search = protocol.search.as_ref().filter(|_| !is_load);
    let timeout = search.filter(|search| search.patient).map(|_| PATIENT).unwrap_or_default();
    if options.smoke {
        let loads = if is_load { SMOKE_OF_ARRIVALS } else { SMOKE_OF_MIX };
        return [SMOKE, loads, timeout]
            .iter()
            .flat_map(|words| words.split_whitespace())
            .map(str::to_owned)
            .collect();
    }
    let quick = Some(quick).filter(|_| options.quick);
    let time_scale = quick.and_then(|quick| quick.time_scale).unwrap_or(protocol.time_scale);
    let repetitions = quick.and_then(|quick| quick.repetitions).unwrap_or(protocol.repetitions);
    let seconds = |length: &Length| format!("{}s", length.0.as_secs_f64());
    let mut words = vec![
        ("--scale", (protocol.scale * scale).to_string()),
        ("--time-scale", time_scale.to_string()),
        ("--window", seconds(&protocol.window)),
        ("--repetitions", repetitions.to_string()),
    ];
    match users {
        Users::Load { think_time, .. } => {
            let clients = quick.map(|quick| quick.clients.as_slice()).unwrap_or_default();
            let clients: Vec<String> = clients.iter().map(u32::to_string).collect();
            words.extend(think_time.iter().map(|length| ("--think-time", seconds(length))));
            words.extend((!clients.is_empty()).then(|| ("--clients", clients.join(","))));
        }
        Users::Mix(_) => words.extend(search.iter().flat_map(|search| {
            let thinks = !search.think_time.0.is_zero();
            [
                thinks.then(|| ("--think-time", seconds(&search.think_time))),
                Some(("--ramp", seconds(&search.ramp))),
                search.most.map(|most| ("--most", most.to_string())),
                search.clients.map(|clients| ("--clients", clients.to_string())),
            ]
            .into_iter()
            .flatten()
        })),
    }
    let stress = search.filter(|search| search.think_time.0.is_zero()).map(|_| "--stress".to_owned());
    words
        .into_iter()
        .flat_map(|(flag, value)| [flag.to_owned(), value])
        .chain(timeout.split_whitespace().map(str::to_owned))
        .chain(stress)
        .chain(search.map(|_| "--again".to_owned()))
        .collect()
}

/// The factors of configurations that are compared: one command gives all of them the same.
fn factors(configurations: &[&Configuration]) -> Result<Vec<String>, Fault> {
    let mut all: BTreeMap<&String, &String> = BTreeMap::new();
    for configuration in configurations {
        for (name, value) in &configuration.factors {
            let known = *all.entry(name).or_insert(value);
            if known != value {
                return Err(Fault::Usage(format!(
                    "the configurations of one figure must have the same factors, but {name} is {known} and, for {}, \
                     {value}",
                    &*configuration.name
                )));
            }
        }
    }
    Ok(all.iter().flat_map(|(name, value)| ["--factor".to_owned(), format!("{name}={value}")]).collect())
}

fn is_result(folder: &Path) -> bool {
    folder.join("manifest.json").is_file()
}

/// How far the run in a folder is, with its points; an error if it is another run than these words ask for.
fn state(folder: &Path, asked: &[String]) -> Result<(State, Vec<Point>), Fault> {
    if !is_result(folder) {
        return Ok((State::New, Vec::new()));
    }
    let result = ResultReader::open(folder)?;
    let there = &result.manifest.rerun;
    if there != asked {
        return Err(Fault::Usage(format!(
            "{} holds another measurement:\n  {}\nbut what is to be measured is:\n  {}\n(name another folder with \
             --results, or ask for the same again)",
            folder.display(),
            there.join(" "),
            asked.join(" ")
        )));
    }
    let complete = result.manifest.ending.as_ref().is_some_and(|ending| ending.complete);
    let points = result.points.into_iter().chain(result.arrived).collect();
    Ok((if complete { State::Complete } else { State::Begun }, points))
}

/// What these figures show that can't be run here, each with its reason.
fn left_out(paper: &Paper, experiments: &[&Experiment]) -> Vec<String> {
    let names = |concerned: &dyn Fn(&Experiment) -> bool| {
        let figures = experiments.iter().filter(|experiment| concerned(experiment));
        figures.map(|experiment| &*experiment.name).collect::<Vec<_>>().join(", ")
    };
    let applications = paper.about.applications.iter().filter_map(|application| {
        let figures = names(&|experiment| experiment.application == application.name);
        Some(format!("{figures}: {}", application.later.as_ref().filter(|_| !figures.is_empty())?))
    });
    let mixes = experiments.iter().filter_map(|experiment| {
        Some(format!("{}, {}: {}", &*experiment.name, experiment.users, experiment.later.as_ref()?))
    });
    let configurations = paper.configurations.iter().filter_map(|configuration| {
        let shows = |experiment: &Experiment| {
            paper.configurations_in(experiment).iter().any(|one| one.name == configuration.name)
                && configuration.missing_with(&experiment.application).is_some()
        };
        let figures = names(&shows);
        let reason = configuration.later.as_ref().filter(|_| !figures.is_empty())?;
        Some(format!("{} of {figures}: {reason}", &*configuration.name))
    });
    applications.chain(mixes).chain(configurations).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        arguments::{Arguments, Verb},
        verbs::reproduce::{find_figures, find_paper, paper_for},
    };
    use clap::Parser;
    use std::time::Duration;

    fn workspace() -> Workspace {
        Workspace::find(Some(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))).unwrap()
    }

    fn options(words: &str) -> ReproduceOptions {
        let words = format!("tierbench reproduce {words}");
        match Arguments::try_parse_from(words.split_whitespace()).unwrap().verb {
            Verb::Reproduce(options) => options,
            verb => panic!("{verb:?}"),
        }
    }

    /// What is made of the plan for these words.
    fn planned<T>(words: &str, look: impl FnOnce(Planned<'_>) -> T) -> Result<T, Fault> {
        let (workspace, options) = (workspace(), options(words));
        let paper = paper_for(&workspace, &options)?;
        let experiments = find_figures(&paper, &options.figures)?;
        Ok(look(Planned::plan(&workspace, &paper, &experiments, &options)?))
    }

    #[test]
    fn all_figures_of_a_mix_come_from_one_compare() {
        let folder = tempfile::tempdir().unwrap();
        let words =
            format!("middleware-2003 fig11 fig12 fig14 --quick --results {}", folder.path().display());
        planned(&words, |plan| {
            let titles: Vec<String> = plan.runs.iter().map(PlannedRun::title).collect();
            assert_eq!(titles, ["auction, bidding mix (fig11, fig12)", "auction, browsing mix (fig14)"]);
            let bidding = plan.runs[0].words.join(" ");
            for part in [
                "tierbench compare auction php/WsPhp-DB java/WsServlet-DB java/WsServlet-DB-sync java/Ws-Servlet-DB \
                 java/Ws-Servlet-DB-sync java/Ws-Servlet-EJB-DB --mix bidding",
                "--scale 0.25 --time-scale 0.05 --window 15s --repetitions 3 --think-time 7s",
                "--most 3200 --timeout none --again",
                "--factor engine=MyISAM",
                "testbeds/four-machines.toml",
            ] {
                assert!(bidding.contains(part), "{part}\n{bidding}");
            }
            let configurations = plan.runs[0].forecast.configurations.iter();
            let again = configurations.filter(|(name, _)| name.ends_with(",again")).count();
            assert_eq!(again, 1, "points of an interrupted comparison belong to a schedule with all configurations");
            assert!(plan.runs.iter().all(|run| run.state == State::New && run.folder.starts_with(folder.path())));
            assert!(plan.left_out.is_empty(), "what only the bookstore lacks: {:?}", plan.left_out);
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
        let words = "middleware-2003 fig5 fig7 fig11 fig14 --quick --results nowhere";
        planned(words, |plan| {
            let bookstore = ["bookstore, shopping mix", "bookstore, browsing mix"];
            assert_eq!(titles(&plan), [bookstore, auction]);
            assert!(plan.text().contains("these 2 share each start"), "{}", plan.text());
        })
        .unwrap();
        let expected = |figures: &str| {
            let words = format!("middleware-2003 {figures} --quick --results nowhere");
            planned(&words, |plan| plan.left().expected_s()).unwrap()
        };
        let (both, apart) = (expected("fig11 fig14"), expected("fig11") + expected("fig14"));
        assert!(both < 0.95 * apart, "{both} s, {apart} s");
        planned("apache-2002 --quick --results nowhere", |plan| {
            assert!(plan.groups().iter().all(|group| group.len() == 1), "loads have no start in common");
        })
        .unwrap();
        planned("middleware-2003 fig11 fig14 --quick --results nowhere", |mut plan| {
            plan.runs[0].state = State::Complete;
            assert_eq!(titles(&plan), auction.map(|title| vec![title.to_owned()]), "one is measured already");
        })
        .unwrap();
    }

    #[test]
    fn arrivals_are_one_compare_with_their_own_scale_and_times() {
        planned("apache-2002 --quick --results nowhere", |plan| {
            let folders: Vec<String> = plan.runs.iter().map(|run| run.folder.display().to_string()).collect();
            assert_eq!(
                folders,
                ["bench2", "bench3", "bench4"].map(|name| format!("nowhere/comments-{name}"))
            );
            let text = plan.text();
            for part in [
                "bench1-8s, bench1 with think times up to 8s: `--quick` leaves it out",
                "perl/WsPerlCgi-DB perl/WsPerlFcgid-DB",
                "--arrivals bench2 --scale 3.9 --time-scale",
                "--clients 14,30",
                "testbeds/one-machine.toml",
            ] {
                assert!(text.contains(part), "{part}\n{text}");
            }
            assert!(plan.left().expected_s() < 3600.0, "{text}");
        })
        .unwrap();
        planned("apache-2002 bench1-8s --results nowhere", |plan| {
            let words = plan.runs[0].words.join(" ");
            let expected =
                "tierbench compare comments perl/WsPerlFcgid-DB perl/WsModPerl-DB php/WsPhp-DB java/WsServlet-DB-shared \
                 --arrivals bench1 --scale 1.47 --time-scale 1";
            assert!(words.starts_with(expected) && words.contains("--think-time 8s"), "{words}");
        })
        .unwrap();
        planned("apache-2002 bench3 --results nowhere", |plan| {
            let words = plan.runs[0].words.join(" ");
            assert!(words.contains("--time-scale 1 --window 60s") && !words.contains("--clients"), "{words}");
            assert_eq!(plan.left().points, (72, 72), "six loads of four configurations, three times");
        })
        .unwrap();
        planned("apache-2002 bench1-8s --smoke --results nowhere", |plan| {
            let words = plan.runs[0].words.join(" ");
            assert!(words.contains("--smoke --skip-verify --clients 20"), "{words}");
        })
        .unwrap();
    }

    #[test]
    fn quick_takes_hours_and_full_takes_days() {
        let all = "middleware-2003 fig11 fig12 fig13 fig14 --results nowhere";
        let hours = |words: &str| planned(words, |plan| plan.left().expected_s() / 3600.0).unwrap();
        let quick = hours(&format!("{all} --quick"));
        let full = hours(all);
        assert!((0.5..3.5).contains(&quick) && full > 24.0, "{quick} h, {full} h");
        let points = planned(&format!("{all} --quick"), |plan| {
            plan.runs.iter().map(|run| run.spec.measure.window.0 + run.spec.measure.ramp.unwrap().0).max()
        });
        assert!(points.unwrap().unwrap() <= Duration::from_secs(60));
    }

    #[test]
    fn a_missing_configuration_is_named_and_the_others_are_run() {
        planned("middleware-2003 --quick --results nowhere", |plan| {
            assert_eq!(plan.runs.len(), 5, "each mix is a run");
            let [left_out] = plan.left_out.as_slice() else { panic!("{:?}", plan.left_out) };
            let named = ["Ws-Servlet-EJB-DB of fig5, ", "no beans serve the bookstore yet"];
            assert!(
                named.iter().all(|text| left_out.contains(text)) && !left_out.contains("fig11"),
                "{left_out}"
            );
        })
        .unwrap();
    }

    #[test]
    fn what_takes_too_long_is_left_out_of_quick_runs_and_named() {
        let left_out = |words: &str| {
            planned(&format!("oopsla-2002 {words} --results nowhere"), |plan| {
                let runs =
                    plan.runs.iter().map(|run| run.words.join(" ").contains("tomee")).collect::<Vec<_>>();
                (runs, plan.left_out.join("\n").contains("SB JBoss of fig6, fig7"))
            })
            .unwrap()
        };
        assert_eq!(left_out("--quick"), (vec![false, false], true));
        assert_eq!(left_out(""), (vec![true, true], false));
        assert_eq!(left_out("--smoke"), (vec![true, true], false));
    }

    #[test]
    fn a_protocol_with_one_load_measures_that_without_thinking() {
        planned("icws-2008 fig3 --quick --results nowhere", |plan| {
            let words = plan.runs[0].words.join(" ");
            assert!(words.contains("--clients 100 --timeout none --stress --again"), "{words}");
            assert!(!words.contains("--most") && !words.contains("--think-time"), "{words}");
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
        paper.configurations[1].factors.insert("engine".into(), "InnoDB".into());
        let all: Vec<&Configuration> = paper.configurations.iter().collect();
        assert!(factors(&all[..1]).is_ok());
        let fault = factors(&all[..2]).unwrap_err().to_string();
        assert!(fault.contains("engine is MyISAM and, for WsServlet-DB, InnoDB"), "{fault}");
    }
}
