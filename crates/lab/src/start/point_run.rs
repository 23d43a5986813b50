//! A variant of an experiment on servers that are up: what is asked of them while they warm and while points are measured.

use crate::{
    LabError,
    events::{Event, StepKind, event_log::EventLog},
    start::{
        Experiment,
        audit::{self, Audited},
        system::System,
    },
    workspace::Variant,
};
use engine::WriteFates;

/// A variant whose servers are up, in an experiment.
#[derive(Clone, Copy)]
pub(crate) struct PointRun<'r, 's> {
    pub experiment: &'r Experiment<'r>,
    pub variant: &'r Variant,
    pub site: &'r System<'s>,
}

impl Experiment<'_> {
    /// The variant's servers, which are up.
    pub(crate) fn run_of<'r, 's>(&'r self, variant: &'r Variant, site: &'r System<'s>) -> PointRun<'r, 's> {
        PointRun { experiment: self, variant, site }
    }
}

impl PointRun<'_, '_> {
    pub(crate) fn name(&self) -> &str {
        &self.variant.configuration.name
    }

    /// Audits the data after these writes; none where there is no store.
    pub(crate) fn look_into(
        &self,
        writes: &[WriteFates],
        events: &mut EventLog<'_>,
    ) -> Result<Option<Audited>, LabError> {
        let context = self.experiment.context;
        context.check_stop()?;
        events.emit(Event::step(self.name(), StepKind::Auditing));
        let audited = audit::audit(context, self.site, writes).transpose();
        audited.map_err(|fault| context.service_error(self.name(), fault))
    }
}
