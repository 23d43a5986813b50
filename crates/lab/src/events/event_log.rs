//! The log of events: each goes to the terminal and into the results that it concerns.

use crate::{
    error::LabError,
    events::{Event, clock},
};
use engine::{Load, Phase, Progress};
use results::{EventKind, EventRecord, Folder, FolderError, Point};
use std::sync::mpsc::Sender;

/// Emits events, and writes them down.
pub(crate) struct EventLog<'a> {
    folders: &'a mut [Folder],
    /// The indexes of the results that events concern now: several, where experiments share what is done.
    concerned: Vec<usize>,
    emit: &'a mut dyn FnMut(Event<'_>),
    phase: Option<Phase>,
    /// The configuration and the step that was written last.
    step: Option<(String, String)>,
    fault: Option<FolderError>,
}

/// Takes events in: the log, or who brings them to it from another thread.
pub(crate) trait Events {
    fn emit(&mut self, event: EventKind);

    fn step(&mut self, configuration: &str, step: &str) {
        self.emit(EventKind::step(configuration, step));
    }
}

impl Events for EventLog<'_> {
    fn emit(&mut self, event: EventKind) {
        EventLog::emit(self, event);
    }
}

impl Events for Sender<EventKind> {
    fn emit(&mut self, event: EventKind) {
        // The lab thread hears as long as anybody speaks.
        let _ = self.send(event);
    }
}

impl<'a> EventLog<'a> {
    /// A log that concerns all of these results, of which there is one at least.
    pub(crate) fn new(folders: &'a mut [Folder], emit: &'a mut dyn FnMut(Event<'_>)) -> Self {
        let concerned = (0..folders.len()).collect();
        Self { folders, concerned, emit, phase: None, step: None, fault: None }
    }

    /// From now on, events concern the results with these indexes.
    pub(crate) fn concern(&mut self, results: impl IntoIterator<Item = usize>) {
        self.concerned = results.into_iter().collect();
    }

    /// The first result that is concerned.
    pub(crate) fn folder(&mut self) -> &mut Folder {
        &mut self.folders[self.concerned[0]]
    }

    /// The results that are concerned.
    pub(crate) fn folders(&mut self) -> impl Iterator<Item = &mut Folder> {
        let Self { folders, concerned, .. } = self;
        let all = folders.iter_mut().enumerate();
        all.filter(|(index, _)| concerned.contains(index)).map(|(_, folder)| folder)
    }

    /// Emits an event and writes it down. [`EventLog::check`] reports later if that failed: an experiment can't stop
    /// at each event.
    pub(crate) fn emit(&mut self, event: EventKind) {
        self.tell(Event::Kind(&event));
        self.write(event);
    }

    pub(crate) fn step(&mut self, configuration: &str, step: impl Into<String>) {
        self.emit(EventKind::step(configuration, step));
    }

    /// Emits a point that was appended to its result.
    pub(crate) fn measured(&mut self, point: &Point) {
        self.tell(Event::Measured(point));
        self.write(EventKind::Measured {
            sequence: point.sequence,
            configuration: point.configuration.clone(),
            clients: point.clients,
            throughput: point.throughput,
            valid: point.verdict.valid,
        });
    }

    /// Emits the progress of a load, and writes down each new phase.
    pub(crate) fn driving(&mut self, configuration: &str, load: &Load, progress: &Progress) {
        self.tell(Event::driving(configuration, load, progress));
        if self.phase.replace(progress.phase) != Some(progress.phase) {
            self.write(EventKind::Phase {
                configuration: configuration.to_owned(),
                clients: load.kind.behaviour().clients,
                phase: name(progress.phase).to_owned(),
                at_s: progress.elapsed.as_secs_f64(),
            });
        }
    }

    /// Emits an event that no result keeps.
    pub(crate) fn tell(&mut self, event: Event<'_>) {
        (self.emit)(event);
    }

    /// Writes down an event; not one that only shows the progress of a step.
    pub(crate) fn write(&mut self, event: EventKind) {
        if let EventKind::Step { configuration, step, detail } = &event {
            let step = (configuration.clone(), step.clone());
            if detail.is_some() && self.step.as_ref() == Some(&step) {
                return;
            }
            self.step = Some(step);
        }
        let record = EventRecord { at: clock::rfc3339_ms(), event };
        let written: Result<(), FolderError> = self.folders().try_for_each(|folder| folder.event(&record));
        self.fault = self.fault.take().or(written.err());
    }

    /// An error if an event could not be written down.
    pub(crate) fn check(&mut self) -> Result<(), LabError> {
        self.fault.take().map_or(Ok(()), |fault| Err(fault.into()))
    }
}

fn name(phase: Phase) -> &'static str {
    match phase {
        Phase::Ramp => "ramp",
        Phase::Measure => "window",
        Phase::Drain => "drain",
        Phase::Paused => "pause",
    }
}
