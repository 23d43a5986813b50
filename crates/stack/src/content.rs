//! What is put on a site, and what that means for its tiers.

use crate::{Configuration, Stack, Tier, certificate::Certificate};
use application::{Application, Dataset, TokenKey};
use cache::Cache;
use services::{AuditRules, Context, Setting, TlsFiles};
use std::{
    io,
    net::IpAddr,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};
use testbed::{Hosts, Scratch};

/// What is put on a site.
#[derive(Clone)]
pub struct Content<'a> {
    /// The application.
    pub application: &'a dyn Application,
    /// The application's schema in the store's SQL.
    pub schema: String,
    /// What must always be true of the rows.
    pub audit: &'a AuditRules,
    /// Which rows, and when they are fresh.
    pub dataset: Dataset,
    /// Where loaded data are kept.
    pub cache: Cache,
    /// Signs and checks log-in tokens.
    pub key: TokenKey,
    /// Factor on all lengths of time that users and keep-alives know.
    pub time_scale: f64,
    /// The port of the tier that clients talk to, if a person chose one.
    pub port: Option<u16>,
    /// The hosts that tiers run on, by their roles; none if all run on this machine as it is.
    pub hosts: Option<&'a Hosts>,
    /// Set from outside to stop the making of the site.
    pub stop: &'a AtomicBool,
}

impl Content<'_> {
    /// With what the servers of a configuration prove who they are, where the application has secure interactions.
    pub(crate) fn certificate(
        &self,
        configuration: &Configuration,
        folder: &Path,
    ) -> io::Result<Option<Certificate>> {
        if !self.application.catalogue().is_secure() {
            return Ok(None);
        }
        let addresses = addresses(configuration, self.hosts);
        Certificate::make(&folder.join("tls"), &addresses).map(Some)
    }

    /// What all tiers of a configuration share, in a folder of their own.
    pub(crate) fn context(
        &self,
        stack: &Stack,
        configuration: &Configuration,
        folder: PathBuf,
        (scratch, executable): (&Scratch, &Path),
        tls: Option<TlsFiles>,
    ) -> Context {
        let secure = self.application.catalogue().interactions().iter().filter(|one| one.secure);
        let mut environment = stack.factors_in_environment(configuration, self.time_scale);
        if let Some(tls) = &tls {
            environment.insert("TIERBENCH_CA_FILE".to_owned(), tls.authority.display().to_string());
        }
        environment.insert("TIERBENCH_TOKEN_KEY".to_owned(), self.key.text().to_owned());
        Context {
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

    /// What the first of these tiers asks of its service. The last one is the one that clients talk to.
    pub(crate) fn setting(&self, tiers: &[Tier], is_prepared: bool) -> Setting {
        let tier = &tiers[0];
        Setting {
            role: tier.role.clone(),
            name: tier.name().to_owned(),
            factors: tier.factors.clone(),
            stack_templates: tier.templates.clone(),
            place: place_of(tiers, self.hosts),
            fixed_port: self.port.filter(|_| tiers.len() == 1),
            is_prepared,
        }
    }
}

/// Where the tiers of a configuration listen.
fn addresses(configuration: &Configuration, hosts: Option<&Hosts>) -> Vec<IpAddr> {
    let tiers = &configuration.tiers;
    (0..tiers.len()).map(|index| place_of(&tiers[index..], hosts).address.into()).collect()
}

/// Where the first of these tiers runs. Whoever listens on no port is reached through a socket, so it runs where the
/// tier runs that starts after it.
fn place_of(tiers: &[Tier], hosts: Option<&Hosts>) -> testbed::HostHandle {
    let tier = tiers.iter().find(|tier| tier.service.listens()).or(tiers.first());
    let host = hosts.zip(tier).map(|(hosts, tier)| hosts.of_role(&tier.role));
    host.map(|host| host.handle.clone()).unwrap_or_default()
}
