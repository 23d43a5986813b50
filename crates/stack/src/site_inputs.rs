//! Inputs of a site, and the settings of its tiers that follow.

use crate::{Configuration, Stack, Tier, certificate::Certificate};
use application::{Application, Dataset, TokenKey};
use cache::Cache;
use services::{AuditRules, RunPaths, TierSettings, TlsFiles};
use std::{
    io,
    net::IpAddr,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};
use testbed::{Hosts, Scratch};

#[derive(Clone)]
pub struct SiteInputs<'a> {
    pub application: &'a dyn Application,
    pub schema: String,
    pub audit: &'a AuditRules,
    pub dataset: Dataset,
    pub cache: Cache,
    /// Signs and checks log-in tokens.
    pub key: TokenKey,
    /// Factor on think times, session lengths and keep-alives.
    pub time_scale: f64,
    pub port: Option<u16>,
    /// The hosts of the tiers by role; none if all run on this machine.
    pub hosts: Option<&'a Hosts>,
    pub stop: &'a AtomicBool,
}

impl SiteInputs<'_> {
    /// The certificate of a configuration's servers, if browsers have secure interactions with it.
    pub(crate) fn certificate(
        &self,
        configuration: &Configuration,
        folder: &Path,
    ) -> io::Result<Option<Certificate>> {
        if !self.application.catalogue().over(configuration.site_protocol()).is_secure() {
            return Ok(None);
        }
        let addresses = addresses(configuration, self.hosts);
        Certificate::make(&folder.join("tls"), &addresses).map(Some)
    }

    /// Paths and inputs common to all tiers of a configuration, in a folder of their own.
    pub(crate) fn run_paths(
        &self,
        stack: &Stack,
        configuration: &Configuration,
        folder: PathBuf,
        (scratch, executable): (&Scratch, &Path),
        tls: Option<TlsFiles>,
    ) -> RunPaths {
        let catalogue = self.application.catalogue().over(configuration.site_protocol());
        let secure = catalogue.interactions().iter().filter(|one| one.secure);
        let mut environment = stack.factors_in_environment(configuration, self.time_scale);
        if let Some(tls) = &tls {
            environment.insert("TIERBENCH_CA_FILE".to_owned(), tls.authority.display().to_string());
        }
        environment.insert("TIERBENCH_TOKEN_KEY".to_owned(), self.key.text().to_owned());
        RunPaths {
            executable: executable.into(),
            site: folder.join("site"),
            folder,
            lock: scratch.lock(),
            application: self.application.name().to_owned(),
            dataset: self.dataset,
            time_scale: self.time_scale,
            environment,
            secure_paths: secure.map(|interaction| interaction.path.clone()).collect(),
            tls,
        }
    }

    /// The settings of the first of these tiers. The last one serves the clients.
    pub(crate) fn settings(
        &self,
        configuration: &Configuration,
        tiers: &[Tier],
        is_prepared: bool,
    ) -> TierSettings {
        let tier = &tiers[0];
        TierSettings {
            role: tier.role.clone(),
            name: tier.name().to_owned(),
            factors: tier.factors.clone(),
            stack_templates: tier.templates.clone(),
            place: place_of(tiers, self.hosts),
            fixed_port: self.port.filter(|_| tiers.len() == 1),
            ready: tier.ready.clone(),
            is_prepared,
            is_trained: configuration.trains(tier),
        }
    }
}

fn addresses(configuration: &Configuration, hosts: Option<&Hosts>) -> Vec<IpAddr> {
    let tiers = &configuration.tiers;
    (0..tiers.len()).map(|index| place_of(&tiers[index..], hosts).address.into()).collect()
}

/// The host of the first of these tiers of a configuration. A tier without a port is reached through a socket, so it runs on the host of
/// the tier that starts after it.
pub fn place_of(tiers: &[Tier], hosts: Option<&Hosts>) -> testbed::HostHandle {
    let tier = tiers.iter().find(|tier| tier.service.listens()).or(tiers.first());
    let host = hosts.zip(tier).map(|(hosts, tier)| hosts.of_role(&tier.role));
    host.map(|host| host.handle.clone()).unwrap_or_default()
}
