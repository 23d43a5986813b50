//! The loop from a plan to its last point, for one experiment or for a set of them that differ only in their mix and share sites.
//! With configurations that are compared in rounds, each start of all servers serves all experiments, because starting and warming
//! take most of the time.

use crate::{
    error::LabError,
    events::{Event, EventLog},
    plan::{Forecast, Schedule, SlowdownFactor, Task, Turn, sharing_next_start},
    start::{
        Experiment,
        load_run::{Driven, use_in_rounds},
        rounds::in_words,
        shared_start::SharedStart,
        system::{Prepare, RealSystem, System},
    },
};
use results::{EventKind, Folder, LeftRecord, Point};
use stack::Sampling;
use std::{
    cell::RefCell,
    collections::BTreeSet,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};
use testbed::{CpuCount, Scratch};

/// Runs experiments that differ only in their mix, each into the folder of the same index; resumes them where folders have points
/// already. There is one at least. Each point is in its folder as soon as it is judged.
///
/// # Errors
/// A variant can't be built, verified or run, a result can't be written, or somebody stopped it.
pub fn run(
    experiments: &[Experiment<'_>],
    folders: &mut [Folder],
    emit: &mut dyn FnMut(Event<'_>),
) -> Result<(), LabError> {
    tell_foreign_use(&experiments[0], emit);
    let sites = experiments[0].variants.len();
    let shared: RefCell<Option<Arc<Scratch>>> = RefCell::default();
    run_on(experiments, folders, emit, &|experiment, variant, events| {
        let scratch = match &mut *shared.borrow_mut() {
            Some(scratch) => Arc::clone(scratch),
            none => Arc::clone(none.insert(Arc::new(experiment.context.scratch(sites)?))),
        };
        let site = experiment.prepare(variant, &scratch, events)?;
        Ok(Box::new(RealSystem::new(site, scratch)))
    })
}

/// The time for which the machine is looked at before the first start.
const LOOK: Duration = Duration::from_secs(2);

/// Says before anything is built or started if others use so much of the machine that windows will not count.
fn tell_foreign_use(experiment: &Experiment<'_>, emit: &mut dyn FnMut(Event<'_>)) {
    if experiment.timing.is_smoke {
        return;
    }
    let (mut sampling, count) = (Sampling::of_machine(), CpuCount::begin());
    sampling.open_window(Duration::ZERO);
    thread::sleep(LOOK);
    sampling.close_window(LOOK);
    let foreign = sampling.last_stretch().map(|(host, hosts)| use_in_rounds(&host, &hosts));
    if let Some(foreign) = foreign.filter(|foreign| !foreign.is_undisturbed()) {
        let configuration = experiment.variants[0].configuration.name.clone();
        emit(Event::Kind(&EventKind::Remark { configuration, text: in_words(&foreign, &count) }));
    }
}

/// Runs experiments on systems under test that `prepare` returns.
pub(crate) fn run_on<'e>(
    experiments: &'e [Experiment<'e>],
    folders: &mut [Folder],
    emit: &mut dyn FnMut(Event<'_>),
    prepare: Prepare<'_, 'e>,
) -> Result<(), LabError> {
    let mut events = EventLog::new(folders, emit);
    let result = ExperimentSet::begin(experiments, &mut events).and_then(|set| set.run(prepare, &mut events));
    // Once somebody has asked for the end, whatever fails fails because of it.
    experiments[0].context.check_stop().and(result)
}

/// Experiments that share sites, in the order of their results.
struct ExperimentSet<'e> {
    members: Vec<Member<'e>>,
    slowdown: SlowdownFactor,
    /// The index of the mix that was emitted last.
    mix: Option<usize>,
}

struct Member<'e> {
    experiment: &'e Experiment<'e>,
    schedule: Schedule,
    forecast: Forecast,
}

impl<'e> ExperimentSet<'e> {
    fn begin(experiments: &'e [Experiment<'e>], events: &mut EventLog<'_>) -> Result<Self, LabError> {
        let mut set = Self { members: Vec::new(), slowdown: SlowdownFactor::default(), mix: None };
        for (index, experiment) in experiments.iter().enumerate() {
            events.concern([index]);
            let schedule = experiment.schedule(events.folder().points())?;
            set.members.push(Member { experiment, schedule, forecast: experiment.forecast() });
        }
        let left = set.left();
        for (index, (experiment, left)) in experiments.iter().zip(&left).enumerate() {
            set.concern(index, events);
            let plan = experiment.plan(*left, events.folder());
            events.emit(plan);
        }
        if left.len() > 1 {
            events.tell(Event::Kind(&EventKind::Left(left.into_iter().sum())));
        }
        Ok(set)
    }

    /// Measures what is left: prepares all sites, and then, start by start, drives the loads that schedules ask for and judges
    /// their points.
    fn run(mut self, prepare: Prepare<'_, 'e>, events: &mut EventLog<'_>) -> Result<(), LabError> {
        let mut turns = self.next_turns();
        if turns.is_empty() {
            return Ok(());
        }
        let mut sites = self.prepare_sites(prepare, events)?;
        while !turns.is_empty() {
            let began = Instant::now();
            let mut start = self.start_servers(&turns, &mut sites, events)?;
            let tasks = self.tasks(&turns, &start);
            let driven = start.drive(&tasks, events);
            let driven = start.stop(events).and(driven)?;
            self.slowdown.record(self.expected_time(&turns, &tasks), began.elapsed());
            self.judge(&turns, &tasks, driven, events)?;
            self.tell_left(events);
            events.check()?;
            turns = self.next_turns();
        }
        Ok(())
    }

    /// The experiments whose schedules share the next start, each with its turn.
    fn next_turns(&mut self) -> Vec<(usize, Turn)> {
        sharing_next_start(self.members.iter_mut().map(|member| &mut member.schedule))
    }

    /// Verifies all configurations that may still be measured, and brings their data. Returns their sites by the index of the
    /// configuration.
    fn prepare_sites(
        &self,
        prepare: Prepare<'_, 'e>,
        events: &mut EventLog<'_>,
    ) -> Result<Vec<Option<Box<System<'e>>>>, LabError> {
        let first = self.members[0].experiment;
        first.context.hosts.all_unthrottled(|| {
            let mut sites = Vec::new();
            for (configuration, variant) in first.variants.iter().enumerate() {
                let needs = |(index, member): (usize, &Member<'_>)| {
                    member.schedule.needs(configuration).then_some(index)
                };
                let needing: Vec<usize> = self.members.iter().enumerate().filter_map(needs).collect();
                let is_needed = !needing.is_empty();
                events.concern(needing);
                sites.push(is_needed.then(|| prepare(first, variant, events)).transpose()?);
                events.check()?;
            }
            Ok(sites)
        })
    }

    /// Starts and warms the servers of all configurations whose turn it is.
    fn start_servers<'r, 's>(
        &mut self,
        turns: &[(usize, Turn)],
        sites: &'r mut [Option<Box<System<'s>>>],
        events: &mut EventLog<'_>,
    ) -> Result<SharedStart<'r, 's>, LabError>
    where
        'e: 'r,
    {
        if let [(index, _)] = turns {
            self.concern(*index, events);
        }
        let experiments = turns.iter().map(|(index, _)| (*index, self.members[*index].experiment)).collect();
        SharedStart::begin(experiments, sites, &configurations(turns), turns[0].1.seed, events)
    }

    /// The tasks of each turn, as far as a search needs it by the knees that the warm-up has shown.
    fn tasks(&mut self, turns: &[(usize, Turn)], start: &SharedStart<'_, '_>) -> Vec<Vec<Task>> {
        let of_turn = |(nth, (index, turn)): (usize, &(usize, Turn))| {
            self.members[*index].schedule.tasks(turn, |configuration| start.knee(configuration, nth))
        };
        turns.iter().enumerate().map(of_turn).collect()
    }

    /// Judges loads, appends their points to the results, and records them in the schedules.
    fn judge(
        &mut self,
        turns: &[(usize, Turn)],
        tasks: &[Vec<Task>],
        driven: Vec<Vec<Driven>>,
        events: &mut EventLog<'_>,
    ) -> Result<(), LabError> {
        for (((index, _), tasks), driven) in turns.iter().zip(tasks).zip(driven) {
            self.concern(*index, events);
            let member = &mut self.members[*index];
            for (task, driven) in tasks.iter().zip(driven) {
                let variant = &member.experiment.variants[task.configuration];
                let point: Point = member.experiment.judge(variant, task, driven, events)?;
                events.folder().append(&point)?;
                events.measured(&point);
                for (configuration, end) in member.schedule.record(&point) {
                    events.emit(end.event(configuration));
                }
            }
        }
        Ok(())
    }

    /// The expected time of a start with its loads.
    fn expected_time(&self, turns: &[(usize, Turn)], tasks: &[Vec<Task>]) -> Duration {
        let (mixes, forecast) = (turns.len() as u32, &self.members[0].forecast);
        let of_one = |configuration| {
            let loads = turns.iter().zip(tasks).map(|((index, _), tasks)| {
                let member = &self.members[*index];
                let own = tasks.iter().filter(|task| task.configuration == configuration);
                member.forecast.loads_of(own, &member.schedule)
            });
            let start = forecast.start(configuration, mixes, self.members[0].schedule.is_in_rounds())
                + loads.sum::<Duration>();
            start + forecast.comparing(start)
        };
        configurations(turns).into_iter().map(of_one).sum()
    }

    /// The rest of each. Those that are not over share the following starts.
    fn left(&self) -> Vec<LeftRecord> {
        let is_over = |member: &Member<'_>| member.schedule.is_over();
        let sharing = self.members.iter().filter(|member| !is_over(member)).count() as u32;
        let left = |member: &Member<'_>| member.forecast.left_of(&member.schedule, sharing, self.slowdown);
        self.members.iter().map(left).collect()
    }

    /// Writes down the rest of each, and emits their sum.
    fn tell_left(&self, events: &mut EventLog<'_>) {
        let left = self.left();
        for (index, left) in left.iter().enumerate() {
            events.concern([index]);
            events.write(EventKind::Left(*left));
        }
        events.tell(Event::Kind(&EventKind::Left(left.into_iter().sum())));
    }

    /// From now on, events concern this experiment. Emits its mix where there are others.
    fn concern(&mut self, index: usize, events: &mut EventLog<'_>) {
        events.concern([index]);
        if self.members.len() > 1 && self.mix.replace(index) != Some(index) {
            events.tell(Event::Mix(&self.members[index].experiment.mix.name));
        }
    }
}

/// The configurations of turns that share a start.
fn configurations(turns: &[(usize, Turn)]) -> BTreeSet<usize> {
    turns.iter().flat_map(|(_, turn)| turn.configurations.iter().copied()).collect()
}
