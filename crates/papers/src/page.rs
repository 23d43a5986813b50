//! A reproduction as a page: claims with their verdicts, figures in the paper's form, and the conditions of both.

use crate::{
    Arrival, Arrived, Claim, Comparison, Configuration, Experiment, Judgement, Load, Name, Observations,
    Paper, Plot, Users, Verdict, Workload, judge::shown, table,
};
use report::{Study, StudyClaim, StudyFigure, StudyFigures, StudyMachines, StudyPlot, study_html};
use results::{Names, Plan, ResultReader, RunSpec};

#[derive(Debug)]
pub struct Measurement {
    pub workload: Workload,
    pub result: ResultReader,
    /// Address of the result's own report, relative to the page.
    pub report: String,
}

/// A reproduction: measurements for some of a paper's figures.
#[derive(Debug)]
pub struct Reproduction<'a> {
    pub paper: &'a Paper,
    pub experiments: &'a [&'a Experiment],
    pub measurements: Vec<Measurement>,
    /// Each with its reason.
    pub left_out: Vec<String>,
}

impl Reproduction<'_> {
    pub fn judged(&self) -> Vec<(&Claim, Judgement)> {
        let seen = self.seen();
        let claims = self.paper.claims_on(self.experiments);
        claims.map(|claim| (claim, self.paper.judge(claim, &seen))).collect()
    }

    /// The claims as plain text, as in [`crate::claims_table`].
    pub fn text(&self) -> String {
        table::claims_table(self.paper, &self.judged())
    }

    /// The reproduction as one HTML document. `version` is tierbench's.
    pub fn html(&self, version: &str) -> String {
        let (judged, seen) = (self.judged(), self.seen());
        let about = &self.paper.about;
        // Its claims name configurations without the paper's factors, so its figures do too.
        let renamed = |one: &Measurement| one.result.renamed(|name| self.paper.here(name));
        let results: Vec<ResultReader> = self.measurements.iter().map(renamed).collect();
        let figures =
            self.experiments.iter().flat_map(|experiment| self.figures(experiment, &seen, &results));
        study_html(&Study {
            title: about.title.clone(),
            source: format!("{}. {}, {}.", about.authors.join(", "), about.venue, about.year),
            version: version.to_owned(),
            answer: table::count(self.paper, &judged),
            reason: table::missing(self.paper, &judged).unwrap_or_default(),
            claims: judged.iter().map(|(claim, judgement)| row(self.paper, claim, judgement)).collect(),
            figures: figures.collect(),
            facts: facts(self.paper, &self.measurements, &results),
            left_out: self.left_out.clone(),
        })
    }

    fn seen(&self) -> Observations {
        let mut seen = Observations::default();
        for Measurement { workload, result, .. } in &self.measurements {
            seen.extend(Observations::of_result(self.paper, workload, result));
        }
        seen
    }

    /// A figure, if its runs are there, for each block of them; `results` are those of all measurements, renamed.
    fn figures<'r>(
        &self,
        experiment: &Experiment,
        seen: &Observations,
        results: &'r [ResultReader],
    ) -> Vec<StudyFigure<'r>> {
        let workload = experiment.workload();
        let all = self.measurements.iter().zip(results);
        let of_it = all.filter(|(measured, _)| measured.workload == workload);
        let plot = || match experiment.plots {
            Plot::Throughput => StudyPlot::Throughput,
            Plot::Cpu => self.machines(experiment, &workload, seen),
            Plot::Arrivals => self.arrivals(experiment, &workload, seen),
        };
        let figure = |(block, (measured, result)): (usize, (&Measurement, &'r ResultReader))| StudyFigure {
            name: if block == 1 {
                experiment.name.to_string()
            } else {
                format!("{}-{block}", &*experiment.name)
            },
            title: experiment.title.clone(),
            section: experiment.section.clone(),
            result,
            report: measured.report.clone(),
            plot: plot(),
        };
        // A page that is not drawn from a result has all blocks in it.
        let most = if experiment.plots == Plot::Throughput { usize::MAX } else { 1 };
        (1..).zip(of_it).take(most).map(figure).collect()
    }

    /// The figures of a load: those that make sense where clients leave, or where a request times out.
    fn arrivals(&self, experiment: &Experiment, workload: &Workload, seen: &Observations) -> StudyPlot {
        let measured = |configuration: &Configuration| {
            let here = configuration.maps_to.clone();
            let runs = seen.get(workload, &here)?.arrived().and_then(Arrived::highest);
            Some((here, runs))
        };
        let all: Vec<_> = self.paper.configurations_in(experiment).into_iter().filter_map(measured).collect();
        let runs = || all.iter().filter_map(|(_, runs)| runs.as_ref().ok().copied()).flatten();
        let shown: Vec<&Column> =
            COLUMNS.iter().filter(|column| runs().any(|run| (column.1)(run).is_some())).collect();
        let rows = all.iter().map(|(here, runs)| {
            let figures = |runs: &&[Arrival]| {
                shown.iter().map(|column| runs.iter().filter_map(column.1).collect()).collect()
            };
            let without = |reason: &String| format!("{here} {reason}.");
            let runs = runs.as_ref().map(figures).map_err(without);
            StudyFigures { configuration: here.clone(), runs }
        });
        StudyPlot::Arrivals { rows: rows.collect(), columns: shown.iter().map(|column| column.0).collect() }
    }

    fn machines(&self, experiment: &Experiment, workload: &Workload, seen: &Observations) -> StudyPlot {
        let peak = |configuration: &Configuration| Some(seen.get(workload, &configuration.maps_to)?.peak());
        let configurations = self.paper.configurations_in(experiment);
        let peaks: Vec<_> = configurations
            .into_iter()
            .filter_map(|configuration| Some((configuration, peak(configuration)?)))
            .collect();
        let known = peaks.iter().filter_map(|(_, peak)| peak.as_ref().ok());
        if known.clone().count() > 0 && known.clone().all(|peak| peak.machines.is_empty()) {
            return StudyPlot::OneMachine;
        }
        let groups = peaks.into_iter().map(|(configuration, peak)| StudyMachines {
            configuration: configuration.maps_to.clone(),
            machines: match peak {
                Ok(peak) => Ok(shares(configuration, peak)),
                Err(reason) => Err(format!("{} {reason}.", configuration.maps_to)),
            },
        });
        StudyPlot::Machines(groups.collect())
    }
}

/// A figure of a run, with its unit; none where it makes no sense.
type Column = (&'static str, fn(&Arrival) -> Option<f64>);

/// Columns of runs. The mean response time is left out where clients arrive: it is that of no particular concurrency.
const COLUMNS: [Column; 6] = [
    ("Clients served", |run| run.clients),
    ("kB/s", |run| Some(run.traffic / 1e3)),
    ("Mean response, ms", |run| run.clients.is_none().then_some(run.response_ms)),
    ("Deviation, ms", |run| run.deviation_ms),
    ("p90/p10 of waiting", |run| run.p90_over_p10),
    ("Failed requests", |run| run.p90_over_p10.map(|_| run.failed as f64)),
];

/// Utilisation of a configuration's machines, in the order in which a request passes them.
fn shares(configuration: &Configuration, peak: &Load) -> Vec<(String, f64)> {
    let share = |machine: &Name| Some((machine.to_string(), *peak.machines.get(&**machine)?));
    configuration.machines.iter().filter_map(share).collect()
}

fn row(paper: &Paper, claim: &Claim, judgement: &Judgement) -> StudyClaim {
    let ratio = |one: &Comparison| {
        format!("{} over {}: {}, {}", one.of, one.over, shown(one.ratio), one.verdict.label())
    };
    let several = judgement.ratios.len() > 1;
    StudyClaim {
        claim: claim.claim.clone(),
        paper_reason: claim.reason.clone(),
        section: claim.section.clone(),
        figure: claim.experiment.to_string(),
        kind: claim.statement.kind().to_owned(),
        printed: table::printed(paper, claim),
        here: table::here(&judgement.ratios),
        verdict: judgement.verdict.label(),
        holds: match judgement.verdict {
            Verdict::Holds => Some(true),
            Verdict::NoLongerHolds => Some(false),
            Verdict::CannotBeTold => None,
        },
        reason: judgement.reason.clone(),
        ratios: if several { judgement.ratios.iter().map(ratio).collect() } else { Vec::new() },
    }
}

fn facts(paper: &Paper, measurements: &[Measurement], results: &[ResultReader]) -> Vec<(String, String)> {
    let Some(first) = measurements.first() else { return Vec::new() };
    let again = |(measurement, result): (&Measurement, &ResultReader)| {
        let finding = report::again(result)?;
        Some((format!("A/A test, {}", measurement.workload.users), finding.full_text()))
    };
    let mut facts: Vec<(String, String)> = measurements.iter().zip(results).filter_map(again).collect();
    // Equal conditions are stated once.
    for measurement in measurements {
        let common = Names::of(measurement.result.configurations()).common();
        let factors = common.map(|common| ("Factors".to_owned(), common));
        for (what, how) in load_facts(measurement).into_iter().chain(factors) {
            match facts.iter_mut().find(|(_, known)| *known == how) {
                Some((known, _)) if *known == what => {}
                _ => facts.push((what, how)),
            }
        }
    }
    let manifest = &first.result.manifest;
    let cores = if manifest.host.cores == 1 { "core" } else { "cores" };
    facts.push(("Machine".into(), format!("{}, {} {cores}", manifest.host.cpu, manifest.host.cores)));
    facts.extend(manifest.testbed.as_ref().map(|testbed| ("Testbed".into(), testbed.title.clone())));
    let machines = paper.about.machines.iter().map(|machine| {
        let roles: Vec<&str> = machine.roles.iter().map(|role| &**role).collect();
        format!("{}: {}", roles.join(", "), machine.processor)
    });
    facts.push(("In the paper".into(), machines.collect::<Vec<_>>().join("; ")));
    facts.push(("Begun".into(), manifest.started.clone()));
    facts
}

fn load_facts(Measurement { workload, result, .. }: &Measurement) -> Vec<(String, String)> {
    let spec = &result.manifest.spec;
    let RunSpec { scale, seed, time_scale, ramp_s, window_s, repetitions, .. } = spec;
    let think_time_s = spec.loads.think_time_s();
    if let Users::Capacity(capacity) = &workload.users {
        let how = format!(
            "data of scale {scale}, seed {seed}; loads around the most clients that meet {}, at most {}, and the two on \
             either side of them on {repetitions} starts of the servers",
            capacity.objective, capacity.most
        );
        return vec![(workload.users.to_string(), how)];
    }
    if let Users::Load { .. } = workload.users {
        let clients: Vec<String> = spec.loads.clients().iter().map(u32::to_string).collect();
        let how = format!(
            "data of scale {scale}, seed {seed}; users' times are {time_scale} of the real ones, their timeout is not scaled; \
             loads of {}, each measured {}, on servers that were started and warmed for it",
            clients.join(", "),
            often(*repetitions)
        );
        return vec![(workload.users.to_string(), how)];
    }
    let facts = [
        ("Data", format!("{scale} of the size in the paper, seed {seed}")),
        (
            "Users",
            format!(
                "think {think_time_s:.3} s on average; all their times are {time_scale} of the real ones"
            ),
        ),
        (
            "Each point",
            format!(
                "from the same data, with warmed servers: {ramp_s} s ramp, then a window of {window_s} s"
            ),
        ),
        ("Loads", loads(spec)),
    ];
    facts.into_iter().map(|(what, how)| (what.to_owned(), how)).collect()
}

fn loads(spec: &RunSpec) -> String {
    let repetitions = spec.repetitions;
    match &spec.loads.plan {
        Plan::Peak { .. } => {
            let most = spec.loads.max_clients();
            let others =
                if repetitions == 1 { "another".to_owned() } else { format!("{repetitions} others") };
            format!(
                "around the knee, at most {most} clients, on one start of the servers; the best load on {others}"
            )
        }
        _ => format!("the listed ones, each measured {}", often(repetitions)),
    }
}

/// `once`, `3 times`.
fn often(repetitions: u32) -> String {
    if repetitions == 1 { "once".to_owned() } else { format!("{repetitions} times") }
}
