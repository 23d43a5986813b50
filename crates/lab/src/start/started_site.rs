//! A configuration whose servers are up and warm.

use crate::{
    plan::Task,
    start::{load_run::LoadRun, system::System, warm_state::WarmState},
    workspace::Variant,
};
use engine::WriteFates;

/// A configuration whose servers are up and warm.
pub(crate) struct StartedSite<'e, 's> {
    pub index: usize,
    pub variant: &'e Variant,
    pub site: &'e mut System<'s>,
    pub warmed: WarmState,
    /// The fates of all writes so far.
    pub writes: Vec<WriteFates>,
}

impl<'e, 's> StartedSite<'e, 's> {
    pub(crate) fn new(
        index: usize,
        variant: &'e Variant,
        site: &'e mut System<'s>,
        warmed: WarmState,
    ) -> Self {
        let writes = warmed.in_doubt_writes.clone();
        Self { index, variant, site, warmed, writes }
    }

    pub(crate) fn name(&self) -> &str {
        &self.variant.configuration.name
    }

    /// Takes in the writes of a load, and adds those before it to the load.
    pub(crate) fn add_writes(&mut self, run: &mut LoadRun) {
        run.outcome.add_earlier_writes(std::mem::take(&mut self.writes));
        self.writes.clone_from(&run.outcome.writes);
    }
}

pub(crate) fn site_of<'e, 's, 'l>(sites: &'l [StartedSite<'e, 's>], task: &Task) -> &'l StartedSite<'e, 's> {
    sites.iter().find(|started| started.index == task.configuration).expect("each task has its site")
}
