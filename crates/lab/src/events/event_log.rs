//! Whatever is told goes to whoever waits and into the result.

use crate::{
    LabError,
    events::{Event, Step, StepKind, clock},
    plan::Left,
};
use engine::Phase;
use results::{EventKind, EventRecord, Folder, FolderError, LeftRecord};

/// Tells events, and writes them down.
pub(crate) struct EventLog<'a> {
    /// The results.
    folders: &'a mut [Folder],
    /// The indexes of those that it is about at the moment: several, where experiments share what is done.
    concerned: Vec<usize>,
    emit: &'a mut dyn FnMut(Event<'_>),
    phase: Option<Phase>,
    /// The configuration and the step that it is at.
    step: Option<(String, StepKind)>,
    fault: Option<FolderError>,
}

impl<'a> EventLog<'a> {
    /// A log that is about all of these results, of which there is one at least.
    pub(crate) fn new(folders: &'a mut [Folder], emit: &'a mut dyn FnMut(Event<'_>)) -> Self {
        let concerned = (0..folders.len()).collect();
        Self { folders, concerned, emit, phase: None, step: None, fault: None }
    }

    /// From now on, it is about the results with these indexes.
    pub(crate) fn concern(&mut self, results: impl IntoIterator<Item = usize>) {
        self.concerned = results.into_iter().collect();
    }

    /// The result that it is about; the first of them, if there are several.
    pub(crate) fn folder(&mut self) -> &mut Folder {
        &mut self.folders[self.concerned[0]]
    }

    /// The results that it is about.
    pub(crate) fn folders(&mut self) -> impl Iterator<Item = &mut Folder> {
        let Self { folders, concerned, .. } = self;
        let all = folders.iter_mut().enumerate();
        all.filter(|(index, _)| concerned.contains(index)).map(|(_, folder)| folder)
    }

    /// Tells an event. Whether it could be written down is seen by [`EventLog::check`]: what goes on at the moment can't
    /// be left at every word.
    pub(crate) fn emit(&mut self, event: Event<'_>) {
        self.write(&event);
        self.tell(event);
    }

    /// Tells an event that no result holds.
    pub(crate) fn tell(&mut self, event: Event<'_>) {
        (self.emit)(event);
    }

    /// Writes down an event that nobody waits for.
    pub(crate) fn write(&mut self, event: &Event<'_>) {
        let Some(event) = self.record(event) else { return };
        let record = EventRecord { at: clock::rfc3339_ms(), event };
        let written: Result<(), FolderError> = self.folders().try_for_each(|folder| folder.event(&record));
        self.fault = self.fault.take().or(written.err());
    }

    /// An error if something could not be written down.
    pub(crate) fn check(&mut self) -> Result<(), LabError> {
        self.fault.take().map_or(Ok(()), |fault| Err(fault.into()))
    }

    /// What is written of an event; nothing of news on how a step or a load goes, which come many times a second.
    fn record(&mut self, event: &Event<'_>) -> Option<EventKind> {
        match event {
            Event::Step { configuration, step } if !self.is_new(configuration, step) => None,
            Event::Driving { progress, .. } if self.phase.replace(progress.phase) == Some(progress.phase) => {
                None
            }
            event => plain(event),
        }
    }

    /// Whether a step is another one, not only how far the last one is.
    fn is_new(&mut self, configuration: &str, step: &Step) -> bool {
        let continues = |(of, kind): &(String, StepKind)| of == configuration && step.continues(kind);
        let is_new = !self.step.as_ref().is_some_and(continues);
        if is_new {
            self.step = Some((configuration.to_owned(), step.kind.clone()));
        }
        is_new
    }
}

/// An event as it is written; none if a result says it already.
fn plain(event: &Event<'_>) -> Option<EventKind> {
    let owned = |text: &&str| (*text).to_owned();
    Some(match event {
        Event::Mix(_) => return None,
        Event::Plan(plan) => EventKind::Plan {
            configurations: plan.configurations.clone(),
            done: plan.done,
            left: left(&plan.left),
        },
        Event::Step { configuration, step } => {
            EventKind::Step { configuration: owned(configuration), step: step.to_string() }
        }
        Event::Remark { configuration, text } => {
            EventKind::Remark { configuration: owned(configuration), text: owned(text) }
        }
        Event::Verified { configuration, proof } => EventKind::Verified {
            configuration: owned(configuration),
            interactions: proof.interactions as u64,
            documents: proof.documents as u64,
        },
        Event::WarmedUp { configuration, warm_up } => {
            EventKind::WarmedUp { configuration: owned(configuration), warm_up: **warm_up }
        }
        Event::Driving { configuration, clients, progress, .. } => EventKind::Phase {
            configuration: owned(configuration),
            clients: *clients,
            phase: name(progress.phase).to_owned(),
            at_s: progress.elapsed.as_secs_f64(),
        },
        Event::Measured(point) => EventKind::Measured {
            sequence: point.sequence,
            configuration: point.configuration.clone(),
            clients: point.clients,
            throughput: point.throughput,
            valid: point.verdict.valid,
        },
        Event::Left(still) => EventKind::Left(left(still)),
        Event::Passed { configuration, peak, passed } => EventKind::Passed {
            configuration: owned(configuration),
            clients: peak.map(|peak| peak.clients),
            throughput: peak.map(|peak| peak.throughput),
            passed: *passed,
        },
        Event::Capacity { configuration, capacity } => EventKind::Capacity {
            configuration: owned(configuration),
            answer: capacity.to_string(),
            clients: capacity.clients(),
        },
    })
}

fn left(left: &Left) -> LeftRecord {
    LeftRecord { points: left.points, seconds: left.time.as_secs_f64() }
}

fn name(phase: Phase) -> &'static str {
    match phase {
        Phase::Ramp => "ramp",
        Phase::Measure => "window",
        Phase::Drain => "drain",
        Phase::Paused => "pause",
    }
}
