//! A profile of all tiers of a site over one window.

use crate::{ProfileError, java::Jvm, perf::Perf};
use results::Stacks;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use testbed::TierMeter;

/// A tier that is looked at.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The service's name.
    pub service: String,
    /// The supervisor that its processes are below.
    pub supervisor: u32,
    /// Where a JVM may leave what was seen.
    pub folder: PathBuf,
    /// Of a JVM: the folder that async-profiler's package was unpacked into.
    pub agent: Option<PathBuf>,
}

/// What was seen of a tier.
#[derive(Debug, Clone)]
pub struct TierSamples {
    /// Who took the samples: `perf` or `async-profiler`.
    pub profiler: &'static str,
    /// The stacks.
    pub stacks: Stacks,
}

/// Profilers at work on all tiers of a site. Dropping it ends them.
#[derive(Debug)]
pub struct Recording {
    perf: Perf,
    /// By tier.
    jvms: Vec<Option<Jvm>>,
    supervisors: Vec<u32>,
}

impl Recording {
    /// Makes everything ready; nothing is looked at yet. `executable` holds supervisors, which share `lock`; `folder` is a
    /// fresh one; `length` is how long the window will be.
    pub fn prepare(
        executable: &Path,
        lock: PathBuf,
        folder: &Path,
        subjects: &[Subject],
        length: Duration,
    ) -> Result<Self, ProfileError> {
        let jvm = |subject: &Subject| {
            let find = |agent: &PathBuf| {
                let processes = TierMeter::of(subject.supervisor).processes();
                Jvm::find(&subject.service, &processes, agent, &subject.folder)
            };
            subject.agent.as_ref().map(find).transpose()
        };
        Ok(Self {
            jvms: subjects.iter().map(jvm).collect::<Result<_, _>>()?,
            supervisors: subjects.iter().map(|subject| subject.supervisor).collect(),
            perf: Perf::start(executable, lock, folder, length)?,
        })
    }

    /// The window begins.
    pub fn open(&mut self) -> Result<(), ProfileError> {
        self.perf.open()?;
        self.jvms.iter().flatten().try_for_each(Jvm::open)
    }

    /// The window ends.
    pub fn close(&mut self) -> Result<(), ProfileError> {
        self.perf.close()?;
        self.jvms.iter().flatten().try_for_each(Jvm::close)
    }

    /// What was seen of each tier, in their order.
    pub fn finish(self) -> Result<Vec<TierSamples>, ProfileError> {
        let native = self.perf.finish(&self.supervisors)?;
        let both = self.jvms.into_iter().zip(native);
        let seen = both.map(|(jvm, stacks)| match jvm {
            Some(jvm) => Ok(TierSamples { profiler: "async-profiler", stacks: jvm.finish()? }),
            None => Ok(TierSamples { profiler: "perf", stacks }),
        });
        seen.collect()
    }
}
