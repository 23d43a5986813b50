//! Whatever is told goes to whoever waits and into the result.

use crate::{Event, LabError, Left, Step, StepKind, clock};
use engine::Phase;
use results::{EventKind, EventRecord, Folder, FolderError, LeftRecord};

/// Tells events, and writes them down.
pub(crate) struct EventLog<'a> {
    /// The result.
    pub folder: &'a mut Folder,
    emit: &'a mut dyn FnMut(Event<'_>),
    phase: Option<Phase>,
    /// The configuration and the step that it is at.
    step: Option<(String, StepKind)>,
    fault: Option<FolderError>,
}

impl<'a> EventLog<'a> {
    pub(crate) fn new(folder: &'a mut Folder, emit: &'a mut dyn FnMut(Event<'_>)) -> Self {
        Self { folder, emit, phase: None, step: None, fault: None }
    }

    /// Tells an event. Whether it could be written down is seen by [`EventLog::check`]: what goes on at the moment can't
    /// be left at every word.
    pub(crate) fn emit(&mut self, event: Event<'_>) {
        if let Some(event) = self.record(&event) {
            let written = self.folder.event(&EventRecord { at: clock::rfc3339_ms(), event });
            self.fault = self.fault.take().or(written.err());
        }
        (self.emit)(event);
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
            event => Some(plain(event)),
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

/// An event as it is written.
fn plain(event: &Event<'_>) -> EventKind {
    let owned = |text: &&str| (*text).to_owned();
    match event {
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
    }
}

fn left(left: &Left) -> LeftRecord {
    let (least, most) = left.time;
    LeftRecord { points: left.points, seconds: (least.as_secs_f64(), most.as_secs_f64()) }
}

fn name(phase: Phase) -> &'static str {
    match phase {
        Phase::Ramp => "ramp",
        Phase::Measure => "window",
        Phase::Drain => "drain",
        Phase::Paused => "pause",
    }
}
