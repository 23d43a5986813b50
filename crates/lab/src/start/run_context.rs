//! The context that all sites of a command share; it builds and verifies sites.

use crate::{
    error::LabError,
    plan::units,
    start::{SiteHosts, server_faults},
    workspace::{Records, TIMEOUT, Variant, Workspace, WorkspaceError},
};
use application::{Application, Dataset, TokenKey};
use cache::Cache;
use results::{EventKind, VariantId};
use services::{AuditRules, ServiceError};
use stack::{BuildProgress, Site, SiteError, SiteInputs};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use testbed::Scratch;
use verify::{Depth, Phase, SpotCheck, StatementRecord, Subject, Verified, VerifyError};
use workload::{Catalogue, InteractionId, Mix, Users};

/// The application, its data, and the resources of the laboratory.
pub struct RunContext<'a> {
    pub application: &'a dyn Application,
    pub catalogue: Catalogue,
    /// The mix of users while a stack is verified.
    pub mix: Mix,
    /// The application's schemas, by the databases that it can be kept in.
    pub schemas: BTreeMap<String, String>,
    pub audit: AuditRules,
    pub records: Records,
    /// Seed and scale of the data, and the epoch of the first loading.
    pub dataset: Dataset,
    /// Signs and checks log-in tokens.
    pub key: TokenKey,
    /// Factor on all lengths of time that services know of their clients.
    pub time_scale: f64,
    /// Interactions to which a verification is narrowed; empty for all.
    pub only: BTreeSet<InteractionId>,
    /// True if a difference in one interaction is followed by a look at all others.
    pub surveys: bool,
    /// The time limit for shrinking a failing sequence of requests.
    pub shrink_time: Duration,
    /// The folder in which loaded data are kept for later commands; none if they go with this one.
    pub cache: Option<PathBuf>,
    pub hosts: SiteHosts,
    pub executable: PathBuf,
    /// Set from outside to stop everything.
    pub stop: Arc<AtomicBool>,
    /// The folders of the stacks that are built.
    built: Mutex<BTreeSet<PathBuf>>,
}

/// The default time limit for shrinking a failing sequence. Each trial needs a fresh start, which takes a second or two.
pub const SHRINK_TIME: Duration = Duration::from_secs(120);

/// The default scale of the data in a verification: enough rows for a search to find some in most categories, and few enough to
/// read each of them in seconds.
pub const VERIFICATION_SCALE: f64 = 0.0025;

/// Bytes that the services of a configuration write beside the data: system tables, logs, and both again as snapshot.
const BYTES_PER_SITE: f64 = 600e6;
/// Bytes of the data and their snapshot for each unit that the data are made from.
const BYTES_OF_A_UNIT: f64 = 1200.0;

impl<'a> RunContext<'a> {
    /// Reads an application and one of its mixes, or its usual one, from the workspace. Setting `stop` ends everything.
    pub fn read(
        workspace: &Workspace,
        application: &'a dyn Application,
        mix: Option<&str>,
        dataset: Dataset,
        time_scale: f64,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, WorkspaceError> {
        let catalogue = workspace.catalogue_of(application)?;
        Ok(Self {
            application,
            mix: workspace.mix(&catalogue, mix.unwrap_or(&catalogue.mix))?,
            schemas: workspace.schemas(&catalogue)?,
            catalogue,
            audit: workspace.audit_rules(application)?,
            records: workspace.records(application.name())?,
            dataset,
            key: TokenKey::random()?,
            time_scale,
            only: BTreeSet::new(),
            surveys: false,
            shrink_time: SHRINK_TIME,
            cache: None,
            hosts: SiteHosts::default(),
            executable: std::env::current_exe()?,
            stop,
            built: Mutex::default(),
        })
    }

    /// The temporary folder for so many sites, if the disk can hold them.
    pub fn scratch(&self, sites: usize) -> Result<Scratch, LabError> {
        self.expect_room(sites)?;
        let place = std::env::temp_dir();
        Scratch::create(&self.executable).map_err(|fault| LabError::Scratch { place, fault })
    }

    /// An error unless the disk of temporary files can hold so many sites.
    pub fn expect_room(&self, sites: usize) -> Result<(), LabError> {
        let place = std::env::temp_dir();
        let failed = |fault| LabError::Scratch { place: place.clone(), fault };
        let free = testbed::free_bytes(&place).map_err(failed)?;
        let data = BYTES_OF_A_UNIT * units(self.application, &self.dataset) as f64;
        let needed = (sites as f64 * (BYTES_PER_SITE + data)) as u64;
        if free >= needed {
            return Ok(());
        }
        let share = (free as f64 / sites as f64 - BYTES_PER_SITE) / data;
        // Two figures that are surely small enough.
        let fits =
            format!("{:.1e}", self.dataset.scale * share.clamp(0.0, 1.0) * 0.95).parse().unwrap_or(0.0);
        Err(LabError::NoSpace { place, free: free >> 20, needed: needed >> 20, fits })
    }

    /// Builds a configuration and brings its data. Nothing runs yet.
    pub fn site(
        &self,
        variant: &Variant,
        scratch: &Scratch,
        port: Option<u16>,
        emit: &mut dyn FnMut(EventKind),
    ) -> Result<Site<'_>, LabError> {
        let content = SiteInputs { port, ..self.content(variant, scratch) };
        self.site_with(content, variant, scratch, emit)
    }

    /// A site for verification, with data of at most [`VERIFICATION_SCALE`]. Its time is not scaled: a server that closes idle
    /// connections early may close one that a slow host is about to use again.
    pub fn small_site(
        &self,
        variant: &Variant,
        scratch: &Scratch,
        emit: &mut dyn FnMut(EventKind),
    ) -> Result<Site<'_>, LabError> {
        let scale = self.dataset.scale.min(VERIFICATION_SCALE);
        let content = SiteInputs {
            dataset: Dataset { scale, ..self.dataset },
            time_scale: 1.0,
            ..self.content(variant, scratch)
        };
        self.site_with(content, variant, scratch, emit)
    }

    fn site_with<'s>(
        &self,
        content: SiteInputs<'s>,
        variant: &Variant,
        scratch: &Scratch,
        emit: &mut dyn FnMut(EventKind),
    ) -> Result<Site<'s>, LabError> {
        let configuration = variant.configuration.name.as_str();
        self.check_stop()?;
        self.build(variant, emit)?;
        let mut tell = |news: BuildProgress<'_>| match news {
            BuildProgress::Step(step, detail) => {
                emit(EventKind::progress(configuration, step.to_string(), detail));
            }
            BuildProgress::Remark(text) => {
                emit(EventKind::Remark { configuration: configuration.to_owned(), text: text.to_owned() });
            }
        };
        Site::build(&variant.stack, &variant.configuration, content, scratch, &self.executable, &mut tell)
            .map_err(|fault| self.site_error(variant, fault))
    }

    fn content(&self, variant: &Variant, scratch: &Scratch) -> SiteInputs<'_> {
        let spare = scratch.path().join("snapshots");
        SiteInputs {
            application: self.application,
            schema: self.schema(variant),
            audit: &self.audit,
            dataset: self.dataset,
            cache: Cache::new(self.cache.clone().unwrap_or_else(|| spare.clone()), spare),
            key: self.key.clone(),
            time_scale: self.time_scale,
            port: None,
            hosts: self.hosts.of(&variant.configuration.name),
            stop: &self.stop,
        }
    }

    /// Checks everything that comes before the first server of each configuration starts, without a start. Skips what only a
    /// built stack shows.
    pub fn rehearse(&self, all: &[Variant]) -> Result<(), LabError> {
        let place = std::env::temp_dir();
        let scratch =
            Scratch::create(&self.executable).map_err(|fault| LabError::Scratch { place, fault })?;
        // A service is the same in many configurations, and some programs take a second to tell their versions. Each host has
        // its own.
        let (mut deployed, mut asked) = (BTreeSet::new(), BTreeSet::new());
        for variant in all {
            self.check_stop()?;
            variant.stack.expect_builders().map_err(|fault| self.site_error(variant, fault.into()))?;
            let hosts = self.hosts.of(&variant.configuration.name);
            variant.expect_tiers_fit(hosts, |tier| {
                hosts.is_some()
                    || asked.insert((tier.service.home.clone(), tier.role.clone(), tier.factors.clone()))
            })?;
            let content = self.content(variant, &scratch);
            let deploys = deployed.insert(&variant.stack.place);
            let (stack, configuration) = (&variant.stack, &variant.configuration);
            Site::rehearse(stack, configuration, &content, (&scratch, &self.executable), deploys)
                .map_err(|fault| self.site_error(variant, fault))?;
        }
        Ok(())
    }

    /// The application's schema for a configuration's store; empty where it has none.
    fn schema(&self, variant: &Variant) -> String {
        let store = variant.configuration.tiers.iter().find(|tier| tier.service.store().is_some());
        store.and_then(|tier| self.schemas.get(&tier.service.name)).cloned().unwrap_or_default()
    }

    /// Builds the stack of a configuration once in a command.
    pub fn build(&self, variant: &Variant, emit: &mut dyn FnMut(EventKind)) -> Result<(), LabError> {
        emit(EventKind::step(&variant.configuration.name, "building"));
        let place = &variant.stack.place;
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        if !built.contains(place) {
            // Ctrl-C at a terminal reaches the build's programs too, which may fail of it first.
            let failed = |fault| self.check_stop().err().unwrap_or(LabError::Build(fault));
            stack::build(&variant.stack, &self.executable, &self.stop).map_err(failed)?;
            built.insert(place.clone());
        }
        Ok(())
    }

    /// Starts a site fresh, compares it with the model and its statements with a record, and stops it. If it differs, saves a
    /// short sequence of requests that shows it in the current folder.
    pub fn verify(
        &self,
        variant: &Variant,
        site: &mut Site<'_>,
        depth: Depth,
        record: Option<&StatementRecord>,
        emit: &mut dyn FnMut(EventKind),
    ) -> Result<Verified, LabError> {
        self.hold_against_model(variant, site, record, emit, &mut |subject, site, tell| {
            verify::verify(subject, site, depth, tell)
        })
    }

    /// Starts a site fresh, sends it and the model a sequence of requests, and stops it.
    pub fn replay(
        &self,
        variant: &Variant,
        site: &mut Site<'_>,
        steps: &[application::Step],
        emit: &mut dyn FnMut(EventKind),
    ) -> Result<Verified, LabError> {
        self.hold_against_model(variant, site, None, emit, &mut |subject, site, tell| {
            tell(Phase::begun("replaying"));
            verify::replay(subject, site, steps)
        })
    }

    fn hold_against_model(
        &self,
        variant: &Variant,
        site: &mut Site<'_>,
        record: Option<&StatementRecord>,
        emit: &mut dyn FnMut(EventKind),
        hold: Hold<'_>,
    ) -> Result<Verified, LabError> {
        let configuration = variant.configuration.name.as_str();
        self.check_stop()?;
        let mut tell = |Phase { name, detail }: Phase<'_>| {
            emit(EventKind::progress(configuration, format!("verifying: {name}"), detail));
        };
        tell(Phase::begun("starting"));
        site.start_fresh().map_err(|fault| self.site_error(variant, fault))?;
        let proof = self.with_subject(variant, record, |subject| hold(subject, site, &mut tell));
        let logs = match &proof {
            Err(VerifyError::Failed(failure)) => failure.logs.clone(),
            Err(fault) if verify::tells_server_fault(&fault.to_string()) => site.logs(),
            _ => Vec::new(),
        };
        if !logs.is_empty() {
            let kept = format!("failure-{configuration}.log");
            server_faults::keep(&logs, Path::new(&kept))
                .map_err(|fault| self.site_error(variant, fault.into()))?;
            emit(server_faults::remark(configuration, &logs, &kept));
        }
        let alive = site.check_alive().map_err(|fault| self.site_error(variant, fault.into()));
        site.stop();
        match proof {
            Ok(proof) => alive.map(|()| proof),
            // A server that crashed on a request is reported by that request.
            Err(fault @ VerifyError::Failed(_)) => {
                self.check_hosts()?;
                Err(self.unverified(variant, fault))
            }
            Err(fault) => Err(alive.err().unwrap_or_else(|| self.unverified(variant, fault))),
        }
    }

    /// Calls `act` with a variant as the subject of a verification.
    fn with_subject<T>(
        &self,
        variant: &Variant,
        record: Option<&StatementRecord>,
        act: impl FnOnce(&Subject<'_>) -> T,
    ) -> T {
        let configuration = variant.configuration.name.as_str();
        let failure = format!("failure-{configuration}.steps");
        let command =
            format!("tierbench verify {} {}", self.application.name(), words(variant.configuration.id()));
        act(&Subject {
            application: self.application,
            catalogue: &self.catalogue_of(variant),
            scope: self.scope(variant),
            surveys: self.surveys,
            mix: &self.mix,
            key: self.key.clone(),
            seed: self.dataset.seed,
            configuration,
            record,
            failure: Path::new(&failure),
            timeout: self.shrink_time,
            command: &command,
            stop: &self.stop,
        })
    }

    /// Compares a sample of the pages of a running site, whose data were just restored, with the model's.
    pub(crate) fn spot_check(
        &self,
        variant: &Variant,
        site: &Site<'_>,
        most: Duration,
    ) -> Result<SpotCheck, LabError> {
        let checked = self.with_subject(variant, None, |subject| verify::spot_check(subject, site, most));
        let alive = site.check_alive().map_err(|fault| self.site_error(variant, fault.into()));
        checked.map_err(|fault| alive.err().unwrap_or_else(|| self.unverified(variant, fault)))
    }

    fn scope(&self, variant: &Variant) -> BTreeSet<InteractionId> {
        let has = |id: &InteractionId| {
            variant.has(&self.catalogue.get(*id).name) && (self.only.is_empty() || self.only.contains(id))
        };
        self.catalogue.ids().filter(has).collect()
    }

    fn unverified(&self, variant: &Variant, fault: VerifyError) -> LabError {
        match fault {
            VerifyError::Interrupted => LabError::Interrupted,
            VerifyError::Site(fault) => self.site_error(variant, fault),
            fault => LabError::Unverified { configuration: variant.configuration.name.clone(), fault },
        }
    }

    /// The catalogue as browsers of a variant's site have it.
    pub fn catalogue_of(&self, variant: &Variant) -> Cow<'_, Catalogue> {
        self.catalogue.over(variant.configuration.site_protocol())
    }

    /// Calls `act` with the users of a mix at a variant's site, who have the accounts of the dataset.
    pub(crate) fn with_users<T>(
        &self,
        variant: &Variant,
        mix: &Mix,
        dataset: &Dataset,
        act: impl FnOnce(&Users<'_>) -> T,
    ) -> T {
        let account = |number| self.application.account(number);
        let accounts = self.application.accounts(dataset);
        let habits = self.application.habits(dataset);
        let catalogue = &self.catalogue_of(variant);
        act(&Users { catalogue, mix, accounts, account: &account, habits: habits.as_ref() })
    }

    /// An error if somebody interrupted the command.
    pub fn check_stop(&self) -> Result<(), LabError> {
        if self.stop.load(Ordering::Relaxed) { Err(LabError::Interrupted) } else { Ok(()) }
    }

    /// An error if somebody interrupted the command, or a host was lost: then nothing else that fails matters.
    pub fn check_hosts(&self) -> Result<(), LabError> {
        self.check_stop()?;
        Ok(self.hosts.expect_there()?)
    }

    /// The error of a failing site; [`LabError::Interrupted`] if somebody interrupted the command.
    pub fn site_error(&self, variant: &Variant, fault: SiteError) -> LabError {
        let configuration = variant.configuration.name.clone();
        self.check_hosts().err().unwrap_or(LabError::Site { configuration, fault })
    }

    pub(crate) fn service_error(&self, configuration: &str, fault: ServiceError) -> LabError {
        let configuration = configuration.to_owned();
        self.check_hosts().err().unwrap_or(LabError::Site { configuration, fault: fault.into() })
    }
}

/// Compares a site that has been started fresh with the model.
type Hold<'a> = &'a mut dyn FnMut(
    &Subject<'_>,
    &mut Site<'_>,
    &mut dyn FnMut(Phase<'_>),
) -> Result<Verified, VerifyError>;

/// The arguments of a command that name a variant. The timeout of clients changes nothing in a verification.
fn words(id: VariantId) -> String {
    let VariantId { configuration, overrides, .. } = id.without(TIMEOUT);
    let factors = overrides.iter().map(|(name, value)| format!(" --factor {name}={value}"));
    configuration + &factors.collect::<String>()
}
