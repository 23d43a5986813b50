//! A profiled point: profilers look at a site's tiers while the window lasts. The point counts for nothing else.

use crate::{error::LabError, start::RunContext, workspace::Variant};
use engine::Phase;
use fs_err as fs;
use profile::{ProfileError, Recording, TierSamples};
use results::{Profile, Stacks, TierProfile};
use services::ServiceError;
use stack::Site;
use std::{path::PathBuf, sync::mpsc::Receiver, time::Duration};
use testbed::Scratch;

impl Variant {
    /// An error if what looks into a JVM of one of the tiers is missing. Its stack must be built.
    pub fn expect_profilers(&self) -> Result<(), LabError> {
        let name = &self.configuration.name;
        self.configuration.tiers.iter().try_for_each(|tier| {
            let Some(agent) = tier.service.agent(&tier.factors, &self.stack.place) else { return Ok(()) };
            let unknown =
                |fault: ServiceError| LabError::Site { configuration: name.clone(), fault: fault.into() };
            let found = profile::find_library(&tier.service.name, &agent.map_err(unknown)?);
            found.map(drop).map_err(|fault| failed(name, fault))
        })
    }
}

/// Profilers at work on a site.
pub(crate) struct Profiling {
    recording: Recording,
    configuration: String,
    folder: PathBuf,
}

impl Profiling {
    /// Attaches profilers to a site that runs. They record nothing yet. `window` is the time for which they will.
    pub(crate) fn attach(
        context: &RunContext<'_>,
        variant: &Variant,
        site: &Site<'_>,
        scratch: &Scratch,
        window: Duration,
    ) -> Result<Self, LabError> {
        let configuration = variant.configuration.name.clone();
        let subjects = site.subjects().map_err(|fault| context.service_error(&configuration, fault))?;
        let folder = scratch.path().join("profile");
        let made = fs::create_dir_all(&folder).map_err(ProfileError::from);
        let recording = made.and_then(|()| {
            Recording::prepare(&context.executable, scratch.lock(), &folder, &subjects, window)
        });
        let recording = recording.map_err(|fault| failed(&configuration, fault))?;
        Ok(Self { recording, configuration, folder })
    }

    /// Records from the begin of the window to its end.
    pub(crate) fn follow(mut self, phases: &Receiver<Phase>) -> Result<Self, LabError> {
        let mut phase = Phase::Ramp;
        for news in phases {
            let turned = match news {
                _ if news == phase => Ok(()),
                Phase::Ramp | Phase::Paused => Ok(()),
                Phase::Measure => self.recording.open(),
                Phase::Drain => self.recording.close(),
            };
            phase = news;
            turned.map_err(|fault| failed(&self.configuration, fault))?;
        }
        Ok(self)
    }

    pub(crate) fn finish(self, variant: &Variant) -> Result<(Profile, Vec<Stacks>), LabError> {
        let finished = self.recording.finish();
        // A later point has one of its own.
        let _ = fs::remove_dir_all(&self.folder);
        let seen = finished.map_err(|fault| failed(&self.configuration, fault))?;
        let tiers = variant.configuration.tiers.iter().zip(&seen);
        let tiers = tiers.map(|(tier, seen)| tier_profile(variant, tier, seen)).collect();
        Ok((Profile { tiers }, seen.into_iter().map(|seen| seen.stacks).collect()))
    }
}

fn tier_profile(variant: &Variant, tier: &stack::Tier, seen: &TierSamples) -> TierProfile {
    let components = variant.stack.components(tier);
    TierProfile {
        role: tier.role.clone(),
        service: tier.service.name.clone(),
        profiler: seen.profiler.to_owned(),
        file: format!("{}-{}.folded", tier.role, tier.service.name),
        samples: seen.stacks.samples(),
        shares: seen.stacks.shares(&components),
        components,
    }
}

fn failed(configuration: &str, fault: ProfileError) -> LabError {
    LabError::Profile { configuration: configuration.to_owned(), fault }
}
