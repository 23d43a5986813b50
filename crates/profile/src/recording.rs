//! A profile of all tiers of a site over one window.

use crate::{ProfileError, java::Jvm, perf::Perf};
use results::Stacks;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use testbed::TierMeter;

#[derive(Debug, Clone)]
pub struct ProfiledTier {
    pub service: String,
    /// Process id of its supervisor.
    pub supervisor: u32,
    /// Folder that a JVM may write its profile into.
    pub folder: PathBuf,
    /// For a JVM: the folder of async-profiler's package.
    pub agent: Option<PathBuf>,
}

#[derive(Debug, Clone)]
pub struct TierSamples {
    /// `perf` or `async-profiler`.
    pub profiler: &'static str,
    pub stacks: Stacks,
}

/// The profilers of all tiers of a site. Dropping it ends them.
#[derive(Debug)]
pub struct Recording {
    perf: Perf,
    jvms: Vec<Option<Jvm>>,
    supervisors: Vec<u32>,
}

impl Recording {
    /// Starts the profilers in pause. `executable` is the laboratory's, for supervisors, which share `lock`; `folder`
    /// is a fresh one; `length` is the length of the window.
    pub fn prepare(
        executable: &Path,
        lock: PathBuf,
        folder: &Path,
        subjects: &[ProfiledTier],
        length: Duration,
    ) -> Result<Self, ProfileError> {
        let jvm = |subject: &ProfiledTier| {
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

    pub fn open(&mut self) -> Result<(), ProfileError> {
        self.perf.open()?;
        self.jvms.iter().flatten().try_for_each(Jvm::open)
    }

    pub fn close(&mut self) -> Result<(), ProfileError> {
        self.perf.close()?;
        self.jvms.iter().flatten().try_for_each(Jvm::close)
    }

    /// The samples of each tier, in order.
    pub fn finish(self) -> Result<Vec<TierSamples>, ProfileError> {
        let native = self.perf.finish(&self.supervisors)?;
        let both = self.jvms.into_iter().zip(native);
        let samples = both.map(|(jvm, stacks)| match jvm {
            Some(jvm) => Ok(TierSamples { profiler: "async-profiler", stacks: jvm.finish()? }),
            None => Ok(TierSamples { profiler: "perf", stacks }),
        });
        samples.collect()
    }
}
