//! The way from a plan to its last point, for one experiment, or for a set of them: they differ in nothing but their mix, and
//! share sites. Where configurations are compared in rounds, each start of all servers serves all experiments, because most of
//! the time goes into starting and warming.

use crate::{
    LabError,
    events::{Event, event_log::EventLog},
    plan::{
        Forecast, Left,
        forecast::Pace,
        schedule::{Schedule, Task, Turn, sharing_next_start},
    },
    start::{
        Experiment,
        rounds::SharedStart,
        system::{Prepare, RealSystem, System},
    },
};
use results::{Folder, Point, Purpose};
use std::{
    cell::RefCell,
    collections::BTreeSet,
    sync::Arc,
    time::{Duration, Instant},
};
use testbed::Scratch;

/// Runs experiments that differ in nothing but their mix, each into the folder of the same index, or goes on with them where
/// folders have points already. There is one at least. Each point is in its folder as soon as it is judged.
pub fn run(
    experiments: &[Experiment<'_>],
    folders: &mut [Folder],
    emit: &mut dyn FnMut(Event<'_>),
) -> Result<(), LabError> {
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

/// The same on systems under test that are brought so.
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
    pace: Pace,
}

/// An experiment with what is done of it.
struct Member<'e> {
    experiment: &'e Experiment<'e>,
    schedule: Schedule,
    forecast: Forecast,
}

impl<'e> Member<'e> {
    fn begin(experiment: &'e Experiment<'e>, points: &[Point]) -> Result<Self, LabError> {
        let forecast = experiment.forecast();
        Ok(Self {
            experiment,
            schedule: forecast.schedule(experiment.is_in_rounds(points), points)?,
            forecast,
        })
    }

    /// Takes a point as soon as it is judged.
    fn take(&mut self, point: &Point, events: &mut EventLog<'_>) -> Result<(), LabError> {
        events.folder().append(point)?;
        events.emit(Event::Measured(point));
        for (configuration, end) in self.schedule.record(point) {
            events.emit(end.event(&configuration));
        }
        Ok(())
    }
}

impl<'e> ExperimentSet<'e> {
    /// Tells what will be measured.
    fn begin(experiments: &'e [Experiment<'e>], events: &mut EventLog<'_>) -> Result<Self, LabError> {
        let mut set = Self { members: Vec::new(), pace: Pace::default() };
        for (index, experiment) in experiments.iter().enumerate() {
            events.concern([index]);
            set.members.push(Member::begin(experiment, events.folder().points())?);
        }
        let left = set.left();
        for (index, (experiment, left)) in experiments.iter().zip(&left).enumerate() {
            set.concern(index, events);
            let plan = experiment.plan(*left, events.folder());
            events.emit(Event::Plan(&plan));
        }
        if left.len() > 1 {
            events.tell(Event::Left(left.into_iter().sum()));
        }
        Ok(set)
    }

    /// What is left of each. Those that are not over share what comes.
    fn left(&self) -> Vec<Left> {
        let is_over = |member: &Member<'_>| member.schedule.is_over();
        let sharing = self.members.iter().filter(|member| !is_over(member)).count();
        let left = |member: &Member<'e>| member.forecast.left_of(&member.schedule, sharing as u32, self.pace);
        self.members.iter().map(left).collect()
    }

    /// From now on, events are about this experiment, whose mix is told where there are others.
    fn concern(&self, index: usize, events: &mut EventLog<'_>) {
        events.concern([index]);
        if self.members.len() > 1 {
            events.tell(Event::Mix(&self.members[index].experiment.mix.name));
        }
    }

    /// Measures all that is left.
    fn run(mut self, prepare: Prepare<'_, 'e>, events: &mut EventLog<'_>) -> Result<(), LabError> {
        if self.next_turns().is_empty() {
            return Ok(());
        }
        let context = self.members[0].experiment.context;
        let mut sites = context.hosts.unthrottled(|| self.prepare_all(prepare, events))?;
        loop {
            let turns = self.next_turns();
            match turns.as_slice() {
                [] => return Ok(()),
                [(index, turn)] if is_alone(turn) => {
                    self.measure_alone(*index, turn, &mut sites, events)?;
                }
                turns => self.measure_in_rounds(turns, &mut sites, events)?,
            }
            self.tell_left(events);
            events.check()?;
        }
    }

    /// Brings the sites of all configurations that may still be measured; by the index of the configuration.
    fn prepare_all(
        &self,
        prepare: Prepare<'_, 'e>,
        events: &mut EventLog<'_>,
    ) -> Result<Vec<Option<Box<System<'e>>>>, LabError> {
        let first = self.members[0].experiment;
        let mut sites = Vec::new();
        for (contender, variant) in first.variants.iter().enumerate() {
            let members = self.members.iter().enumerate();
            let needing: Vec<usize> =
                members.filter(|(_, one)| one.schedule.needs(contender)).map(|(index, _)| index).collect();
            let site = match needing.as_slice() {
                [] => None,
                _ => {
                    events.concern(needing);
                    Some(prepare(first, variant, events)?)
                }
            };
            sites.push(site);
            events.check()?;
        }
        Ok(sites)
    }

    fn next_turns(&mut self) -> Vec<(usize, Turn)> {
        sharing_next_start(self.members.iter_mut().map(|member| &mut member.schedule))
    }

    /// Measures what one experiment wants next of one configuration, while no other servers are up.
    fn measure_alone(
        &mut self,
        index: usize,
        turn: &Turn,
        sites: &mut [Option<Box<System<'_>>>],
        events: &mut EventLog<'_>,
    ) -> Result<(), LabError> {
        self.concern(index, events);
        let member = &mut self.members[index];
        let (experiment, contender) = (member.experiment, turn.contenders[0]);
        let tasks = member.schedule.tasks(turn, |_| None);
        let promised =
            member.forecast.start(contender, 1) + member.forecast.loads_of(&tasks, &member.schedule);
        let began = Instant::now();
        let mut take = |point: &Point, events: &mut EventLog<'_>| member.take(point, events);
        let site = &mut **sites[contender].as_mut().expect("all sites that are needed were prepared");
        experiment.measure(&experiment.variants[contender], site, &tasks, events, &mut take)?;
        self.pace.record(promised, began.elapsed());
        Ok(())
    }

    /// Measures points on one start of the servers of all configurations that they belong to.
    fn measure_in_rounds(
        &mut self,
        turns: &[(usize, Turn)],
        sites: &mut [Option<Box<System<'_>>>],
        events: &mut EventLog<'_>,
    ) -> Result<(), LabError> {
        let began = Instant::now();
        let experiments = turns.iter().map(|(index, _)| (*index, self.members[*index].experiment)).collect();
        let contenders: BTreeSet<usize> =
            turns.iter().flat_map(|(_, turn)| turn.contenders.iter().copied()).collect();
        let mut start = SharedStart::enter(experiments, sites, &contenders, turns[0].1.seed, events)?;
        let tasks_of = |(nth, (index, turn)): (usize, &(usize, Turn))| {
            self.members[*index].schedule.tasks(turn, |contender| start.knee(contender, nth))
        };
        let tasks: Vec<Vec<Task>> = turns.iter().enumerate().map(tasks_of).collect();
        let driven = start.drive(&tasks, events);
        start.leave(events)?;
        let driven = driven?;
        let promised = self.promised(turns, &contenders, &tasks);
        self.pace.record(promised, began.elapsed());
        for (((index, _), tasks), driven) in turns.iter().zip(&tasks).zip(driven) {
            self.concern(*index, events);
            let member = &mut self.members[*index];
            for (task, driven) in tasks.iter().zip(driven) {
                let variant = &member.experiment.variants[task.contender];
                let point = member.experiment.point(variant, task, driven, events)?;
                member.take(&point, events)?;
            }
        }
        Ok(())
    }

    /// How long a start that these turns share was expected to take.
    fn promised(
        &self,
        turns: &[(usize, Turn)],
        contenders: &BTreeSet<usize>,
        tasks: &[Vec<Task>],
    ) -> Duration {
        let mixes = turns.len() as u32;
        let starts = contenders.iter().map(|contender| self.members[0].forecast.start(*contender, mixes));
        let loads = turns.iter().zip(tasks).map(|((index, _), tasks)| {
            let member = &self.members[*index];
            member.forecast.loads_of(tasks, &member.schedule)
        });
        starts.chain(loads).sum()
    }

    /// Writes down how much is left of each, and tells how much that is in all.
    fn tell_left(&self, events: &mut EventLog<'_>) {
        let left = self.left();
        for (index, left) in left.iter().enumerate() {
            events.concern([index]);
            events.write(&Event::Left(*left));
        }
        events.tell(Event::Left(left.into_iter().sum()));
    }
}

/// Whether a turn is measured without rounds: that of one configuration whose peak is not searched.
fn is_alone(turn: &Turn) -> bool {
    turn.contenders.len() == 1 && !matches!(turn.purpose, Purpose::Search | Purpose::Confirm)
}
