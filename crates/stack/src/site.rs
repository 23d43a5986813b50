//! A running configuration: its tiers, data and life cycle.

use crate::{
    BuildProgress, BuildStep, Configuration, SiteError, SiteInputs, Stack,
    certificate::{Certificate, CertificateFault},
    contents, deploy, files,
    store::{self, Store},
    verification_key::SECURE_PORT,
};
use application::{Dataset, Message, Row, Table, Timestamp};
use cache::{Lookup, Snapshot};
use engine::{Connection, SiteAddress, SiteProtocol, Target};
use fs_err as fs;
use profile::ProfiledTier;
use services::{
    Audit, Instance, Peer, ServiceError, records,
    statements::{Trace, Tracer},
    store as data,
};
use std::{
    collections::BTreeSet,
    io,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::PoisonError,
    thread,
    time::{Duration, Instant},
};
use testbed::{Hosts, Scratch, Separation};
use workload::Method;

/// The time for a first right page of servers that are ready.
const FIRST_PAGE: Duration = Duration::from_secs(60);
/// The time for an answer until it is asked for again.
const ANSWER: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(5);

/// The service that stands for the bank where an application takes cards.
const GATEWAY: &str = "payment";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TierStart {
    pub role: String,
    pub service: String,
    /// True if its figures are among the configuration's.
    pub is_measured: bool,
    /// The time until it was ready.
    pub ready: Duration,
}

/// A configuration with its data. Its drop removes everything, including its folder.
pub struct Site<'a> {
    inputs: SiteInputs<'a>,
    folder: PathBuf,
    instances: Vec<Instance>,
    stores: Vec<Store>,
    /// The servers' certificate, if browsers have secure interactions with them.
    certificate: Option<Certificate>,
    /// The protocol that browsers speak to it.
    protocol: SiteProtocol,
    _files: Option<Snapshot>,
    /// Indexes of the unmeasured tiers that the application depends on.
    dependencies: Vec<usize>,
    epoch: Timestamp,
    /// True if connections to the store may be pooled.
    has_pool: bool,
}

impl<'a> Site<'a> {
    /// Deploys a configuration, prepares its tiers and brings its data: from the cache, or else by loading them into
    /// it. Nothing runs yet. `tell` hears of each step before it begins.
    pub fn build(
        stack: &Stack,
        configuration: &Configuration,
        inputs: SiteInputs<'a>,
        scratch: &Scratch,
        executable: &Path,
        tell: &mut dyn FnMut(BuildProgress<'_>),
    ) -> Result<Self, SiteError> {
        let folder = new_folder(scratch.path(), configuration.plain_name())?;
        let epoch = inputs.dataset.epoch;
        let has_pool = configuration.has_pool();
        let certificate = inputs.certificate(configuration, &folder)?;
        let tiers = configuration.tiers.iter().enumerate();
        let dependencies = tiers.filter(|(_, tier)| !tier.is_measured).map(|(index, _)| index).collect();
        let mut built = Self {
            inputs,
            folder: folder.clone(),
            instances: Vec::new(),
            stores: Vec::new(),
            certificate,
            protocol: configuration.site_protocol(),
            _files: None,
            dependencies,
            epoch,
            has_pool,
        };
        let inputs = &built.inputs;
        let site = folder.join("site");
        tell(BuildProgress::Step(&BuildStep::Deploying, None));
        deploy(stack, &inputs.application.static_files(), &site, inputs.stop)?;
        let tls = built.certificate.as_ref().map(|certificate| certificate.files.clone());
        testbed::share_tree(&site)?;
        built.certificate.iter().try_for_each(Certificate::share)?;
        let kept = files::bring(inputs, &site, scratch, tell)?;
        let mut run = inputs.run_paths(stack, configuration, folder, (scratch, executable), tls);
        built._files = kept;
        for (index, tier) in configuration.tiers.iter().enumerate() {
            tell(BuildProgress::Step(&BuildStep::Preparing(tier.name().to_owned()), None));
            let place = match tier.service.store() {
                Some(_) => Some(store::look(&built.inputs, &configuration.tiers[index..], tell)?),
                None => None,
            };
            let is_prepared = !matches!(place, Some(Lookup::Hit(_)));
            let settings = built.inputs.settings(configuration, &configuration.tiers[index..], is_prepared);
            let peers: Vec<Peer> = built.instances.iter().map(Instance::peer).collect();
            let instance = Instance::prepare(&tier.service, &settings, &peers, &run)?;
            run.environment.extend(instance.offered()?);
            built.instances.push(instance);
            if let Some(place) = place {
                let instance = &mut built.instances[index];
                let tiers = (index, &configuration.tiers[index..]);
                let store = Store::fill(tiers, instance, &built.inputs, place, tell)?;
                run.environment.extend(store.access.environment());
                built.stores.push(store);
            }
        }
        Ok(built)
    }

    /// Goes through everything before the first server's start, so that faults show now. Runs nothing and leaves
    /// nothing behind. Deployed files are checked if `deploys` is set and the stack is built.
    pub fn rehearse(
        stack: &Stack,
        configuration: &Configuration,
        inputs: &SiteInputs<'_>,
        (scratch, executable): (&Scratch, &Path),
        deploys: bool,
    ) -> Result<(), SiteError> {
        let folder = new_folder(scratch.path(), configuration.plain_name())?;
        let tls = inputs.certificate(configuration, &folder)?.map(|certificate| certificate.files);
        let mut run = inputs.run_paths(stack, configuration, folder.clone(), (scratch, executable), tls);
        // Products of a build don't exist before it.
        if deploys && stack.deployed_files().is_ok() {
            deploy(stack, &inputs.application.static_files(), &run.site, inputs.stop)?;
        }
        let mut instances: Vec<Instance> = Vec::new();
        for (index, tier) in configuration.tiers.iter().enumerate() {
            let settings = inputs.settings(configuration, &configuration.tiers[index..], false);
            let peers: Vec<Peer> = instances.iter().map(Instance::peer).collect();
            let instance = Instance::prepare(&tier.service, &settings, &peers, &run)?;
            instance.rehearse()?;
            run.environment.extend(instance.offered()?);
            instances.push(instance);
        }
        remove_there(&instances, &folder, scratch.path())?;
        Ok(fs::remove_dir_all(folder)?)
    }

    fn sql_store(&self) -> Option<&Store> {
        self.stores.iter().find(|store| store.is_sql)
    }

    /// Audits all stores. The value that comes with the audit locks out writers where the store can; elsewhere all
    /// begun work is finished before.
    fn audit_stores(&self, full: bool) -> Option<Result<(Audit, Option<data::Auditor<'_>>), ServiceError>> {
        if let Some(store) = self.sql_store() {
            let audit = store.audit(&self.instances[store.tier], &self.inputs, full, &self.dataset());
            return Some(audit.map(|(audit, keeps_writers_out)| (audit, Some(keeps_writers_out))));
        }
        (!self.stores.is_empty()).then(|| Ok((self.audit_records()?, None)))
    }

    fn audit_records(&self) -> Result<Audit, ServiceError> {
        let start = Instant::now();
        for store in &self.stores {
            records::wait_until_quiet(&self.instances[store.tier])?;
        }
        let Some(records) = self.inputs.application.records() else { return Ok(Audit::default()) };
        let (mut tables, mut holdings, mut contents) = (Vec::new(), Vec::new(), Vec::new());
        for table in self.inputs.application.tables() {
            let Some(store) = self.store_of(table) else { continue };
            let rows = store.rows(&self.instances[store.tier], &self.inputs, table)?;
            let loaded = store.loaded.iter().find(|loaded| loaded.table.name == table.name);
            holdings.extend(loaded.map(|loaded| records::holding(loaded, &rows, records)));
            let watched = loaded.filter(|_| store.watches_contents);
            let dataset = self.dataset();
            contents
                .extend(watched.map(|loaded| contents::of_records(&self.inputs, &dataset, loaded, &rows)));
            tables.push(rows);
        }
        let findings = records::findings(records, &tables);
        Ok(Audit { findings, holdings, contents, seconds: start.elapsed().as_secs_f64() })
    }

    fn store_of(&self, table: &Table) -> Option<&Store> {
        self.stores.iter().find(|store| store.keeps(table))
    }

    /// Audits the data of a configuration with a store: all rows, or without `full` those newer than the loaded ones.
    pub fn audit(&self, full: bool) -> Option<Result<Audit, ServiceError>> {
        Some(self.audit_stores(full)?.map(|(audit, _)| audit))
    }

    /// From the next start on, audits compare the contents of loaded rows with what was loaded.
    pub fn watch_contents(&mut self) {
        self.stores.iter_mut().for_each(|store| store.watches_contents = true);
    }

    /// The rows of a table with these ids, as far as they are there; none without a store.
    pub fn rows_by_id(&self, table: &str, ids: &[u64]) -> Option<Result<Vec<Row>, ServiceError>> {
        let table = self.inputs.application.tables().iter().find(|known| known.name == table)?;
        let store = self.store_of(table)?;
        Some(store.rows_by_id(&self.instances[store.tier], &self.inputs, table, ids))
    }

    /// Audits all rows, and passes the audit to `look` before anybody can write again.
    pub fn audit_closely<T>(
        &self,
        look: impl FnOnce(Audit) -> Result<T, ServiceError>,
    ) -> Option<Result<T, ServiceError>> {
        Some(self.audit_stores(true)?.and_then(|(audit, _keeps_writers_out)| look(audit)))
    }

    /// Deletes a row directly in the store, to show that an audit sees it. Returns whether it existed.
    pub fn lose_row(&self, table: &str, id: u64) -> Option<Result<bool, ServiceError>> {
        let table = self.inputs.application.tables().iter().find(|known| known.name == table)?;
        let store = self.store_of(table)?;
        Some(store.delete_row(&self.instances[store.tier], &self.inputs, table, id))
    }

    /// Changes a loaded row directly in the store, in a column that no interaction changes. Returns whether it existed; none where
    /// there is no such column, or no SQL.
    pub fn change_row(&self, table: &str, id: u64) -> Option<Result<bool, ServiceError>> {
        let table = self.inputs.application.tables().iter().find(|known| known.name == table)?;
        let store = self.store_of(table)?;
        store.change_row(&self.instances[store.tier], &self.inputs, table, id)
    }

    /// Stops all tiers, restores the data, and starts all tiers again.
    pub fn start_fresh(&mut self) -> Result<(), SiteError> {
        self.stop();
        self.train()?;
        self.start_first(self.instances.len())
    }

    /// Restores the data and starts the first tiers, as many as said.
    fn start_first(&mut self, tiers: usize) -> Result<(), SiteError> {
        for tier in 0..tiers {
            match self.stores.iter_mut().find(|store| store.tier == tier) {
                Some(store) => self.epoch = store.restore(&mut self.instances[tier], &self.inputs)?,
                None => self.instances[tier].start()?,
            }
        }
        Ok(())
    }

    /// Runs once each tier that is to be trained, above those that start before it. What a run writes into the data is
    /// undone by the start that follows.
    fn train(&mut self) -> Result<(), SiteError> {
        while let Some(tier) = self.instances.iter().position(Instance::is_untrained) {
            self.start_first(tier)?;
            self.instances[tier].train()?;
            self.stop();
        }
        Ok(())
    }

    /// Restores the data while the tiers go on running, and reads them all once, so that neither earlier writes nor
    /// caches of them make a difference. Returns the number of rows; none without a store. Breaks the tiers'
    /// connections to the store.
    pub fn restore_data(&mut self) -> Option<Result<u64, ServiceError>> {
        if self.stores.is_empty() {
            return None;
        }
        self.stores.iter_mut().for_each(Store::end_trace);
        // A dependency remembers nothing of earlier requests.
        for tier in &self.dependencies {
            let instance = &mut self.instances[*tier];
            instance.kill();
            if let Err(fault) = instance.start() {
                return Some(Err(fault));
            }
        }
        let mut all = 0;
        for store in &mut self.stores {
            match store.restore_running(&mut self.instances[store.tier], &self.inputs, self.has_pool) {
                Ok((epoch, rows)) => (self.epoch, all) = (epoch, all + rows),
                Err(fault) => return Some(Err(fault)),
            }
        }
        Some(Ok(all))
    }

    /// Brings a running site back to its first state in the cheapest way: restores the data below its tiers, or
    /// restarts all where there are no data, where a tier has ended, or where somebody still writes.
    pub fn refresh(&mut self) -> Result<(), SiteError> {
        if self.check_alive().is_ok()
            && let Some(Ok(_)) = self.restore_data()
        {
            return Ok(());
        }
        self.start_fresh()
    }

    /// Switches the trace of the stack's statements, where the configuration has a store. Stopping the site ends it
    /// too.
    pub fn trace_statements(&self, on: bool) -> Option<Result<(), ServiceError>> {
        let store = self.sql_store()?;
        let instance = &self.instances[store.tier];
        let traced =
            if on { Tracer::start(instance).map(Some) } else { Tracer::stop(instance).map(|()| None) };
        let mut tracer = store.tracer.lock().unwrap_or_else(PoisonError::into_inner);
        Some(traced.map(|traced| *tracer = traced))
    }

    /// The stack's statements since the last call, where the configuration has a store.
    pub fn take_statements(&self) -> Option<Result<Trace, ServiceError>> {
        let store = self.sql_store()?;
        let mut tracer = store.tracer.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = tracer.as_mut().map(|tracer| tracer.take().map_err(ServiceError::from));
        Some(taken.unwrap_or_else(|| {
            Err(ServiceError::Store {
                service: self.instances[store.tier].service().name.clone(),
                fault: "its statements are not traced; begin with trace_statements".to_owned(),
            })
        }))
    }

    /// Stops all tiers, the client-facing ones first. The store is killed, since it starts again from the first
    /// state.
    pub fn stop(&mut self) {
        self.stores.iter_mut().for_each(Store::end_trace);
        for (tier, instance) in self.instances.iter_mut().enumerate().rev() {
            if self.stores.iter().any(|store| store.tier == tier) {
                data::kill_store(instance);
            } else {
                instance.stop();
            }
        }
    }

    pub fn entry(&self) -> SocketAddr {
        let entry = self.instances.last().and_then(Instance::entry);
        entry.expect("a stack's manifest is refused unless the last tier of each configuration has a port")
    }

    pub fn target(&self) -> Target {
        self.address().target().expect("the authority's certificate was made by this laboratory")
    }

    /// Addresses at which clients find it.
    pub fn address(&self) -> SiteAddress {
        let secure = self.instances.last().and_then(|instance| instance.address(SECURE_PORT));
        let authority = self.certificate.as_ref().map(|certificate| certificate.authority.to_vec());
        SiteAddress { plain: self.entry(), secure: secure.zip(authority), protocol: self.protocol }
    }

    /// The file of the authority that has signed its certificate, if browsers have secure interactions with it.
    pub fn authority(&self) -> Option<&Path> {
        self.certificate.as_ref().map(|certificate| certificate.files.authority.as_path())
    }

    /// The current dataset: restoring moves its epoch.
    pub fn dataset(&self) -> Dataset {
        let dataset = self.inputs.dataset;
        // Cached copies may be of different days.
        let dated = self.stores.iter().find(|store| store.has_dates());
        let history = dated.map_or(dataset.history, |store| store.first.history());
        Dataset { epoch: self.epoch, history, ..dataset }
    }

    /// An error if a tier has ended unasked.
    pub fn check_alive(&self) -> Result<(), ServiceError> {
        self.instances.iter().try_for_each(Instance::check_alive)
    }

    /// Parameters of the tiers' profilers, in start order; the site must run.
    pub fn subjects(&self) -> Result<Vec<ProfiledTier>, ServiceError> {
        self.instances.iter().filter_map(Instance::subject).collect()
    }

    /// The hosts of its tiers; none if all run on this machine.
    pub fn hosts(&self) -> Option<&Hosts> {
        self.inputs.hosts
    }

    /// The cores that tiers and laboratory may use; none if all.
    pub fn cores(&self) -> Option<BTreeSet<u32>> {
        let hosts = self.inputs.hosts.filter(|hosts| hosts.testbed().separation != Separation::Machines)?;
        Some(hosts.up().iter().flat_map(|host| host.handle.cores.iter().copied()).collect())
    }

    pub(crate) fn is_measured(&self, tier: usize) -> bool {
        !self.dependencies.contains(&tier)
    }

    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// The rows of a table, where the configuration has a store.
    pub fn rows(&self, table: &Table) -> Option<Result<Vec<Row>, ServiceError>> {
        let store = self.store_of(table)?;
        Some(store.rows(&self.instances[store.tier], &self.inputs, table))
    }

    /// All messages in mailboxes, as they are on the wire; none without mailboxes.
    pub fn messages(&self) -> Option<Result<Vec<Message>, ServiceError>> {
        self.stores.iter().find_map(|store| records::messages(&self.instances[store.tier]))
    }

    pub fn has_stores(&self) -> bool {
        !self.stores.is_empty()
    }

    /// Secrets, which none of its answers may show: passwords and keys of its tiers, the private key of its certificate,
    /// and the path of its folder.
    pub fn secrets(&self) -> io::Result<Vec<Vec<u8>>> {
        let of_stores = self.stores.iter().flat_map(|store| store.access.environment());
        let passwords = of_stores.filter(|(name, _)| name.ends_with("_PASSWORD")).map(|(_, value)| value);
        let of_tiers = self.instances.iter().flat_map(Instance::secrets);
        let mut all: BTreeSet<Vec<u8>> = passwords
            .chain(of_tiers)
            .chain([self.folder.display().to_string()])
            .map(String::into_bytes)
            .collect();
        if let Some(certificate) = &self.certificate {
            all.extend(certificate.private_key()?);
        }
        Ok(all.into_iter().collect())
    }

    /// Ends all stores for good while the other tiers go on. Returns whether there are any.
    pub fn lose_stores(&mut self) -> bool {
        self.stores.iter_mut().for_each(Store::end_trace);
        for store in &self.stores {
            data::kill_store(&mut self.instances[store.tier]);
        }
        !self.stores.is_empty()
    }

    /// The log of the payment gateway from this byte on; none where the application takes no cards.
    pub fn gateway_log(&self, from: u64) -> Option<Result<Vec<u8>, ServiceError>> {
        let gateway = &self.instances[self.gateway()?];
        Some(gateway.output_from(from).map_err(ServiceError::from))
    }

    /// Puts a stranger in the payment gateway's place until the next start: the same program at the same address, with a
    /// certificate that the site must refuse. Returns false where there is none, or on a machine of its own.
    pub fn mimic_gateway(&mut self, fault: CertificateFault) -> Result<bool, SiteError> {
        let gateway = self.gateway().filter(|at| self.instances[*at].place().elsewhere().is_none());
        let Some((gateway, right)) = gateway.zip(self.certificate.as_ref()) else { return Ok(false) };
        let instance = &mut self.instances[gateway];
        let folder = self.folder.join("stranger");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let certificate = right.faulty(&folder, fault)?;
        certificate.share()?;
        instance.kill();
        instance.start_with_tls(&certificate.files)?;
        Ok(true)
    }

    fn gateway(&self) -> Option<usize> {
        let mut dependencies = self.dependencies.iter().copied();
        dependencies.find(|at| self.instances[*at].service().name == GATEWAY)
    }

    /// The last start of each tier that runs, in the order in which they started.
    pub fn tiers_started(&self) -> Vec<TierStart> {
        let running =
            self.instances.iter().enumerate().filter(|(_, instance)| instance.supervisor().is_some());
        let start = |(index, instance): (usize, &Instance)| TierStart {
            role: instance.role().to_owned(),
            service: instance.service().name.clone(),
            is_measured: self.is_measured(index),
            ready: instance.ready_after(),
        };
        running.map(start).collect()
    }

    /// Asks for a page until it is right; the time of that. None if it stays wrong.
    pub fn first_page(&self, path: &str) -> Option<Duration> {
        let (begun, target) = (Instant::now(), self.target());
        let is_secure = self.inputs.application.catalogue().over(self.protocol).is_secure_at(path);
        while begun.elapsed() < FIRST_PAGE && self.check_alive().is_ok() {
            let mut connection = Connection::open(&target, ANSWER);
            let page = connection.as_mut().map(|one| one.request(is_secure, Method::Get, path, ""));
            if page.is_ok_and(|page| page.is_ok_and(|page| page.status == 200 && !page.body.is_empty())) {
                return Some(begun.elapsed());
            }
            thread::sleep(POLL);
        }
        None
    }

    /// The logs of all tiers with their names in a result's folder.
    pub fn logs(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let of = |tier: &Instance| {
            let folder = PathBuf::from(format!("{}-{}", tier.role(), tier.name()));
            tier.logs().into_iter().map(move |(name, text)| (folder.join(name), text)).collect::<Vec<_>>()
        };
        self.instances.iter().flat_map(of).collect()
    }
}

impl Drop for Site<'_> {
    fn drop(&mut self) {
        self.stop();
        // The run's whole folder goes in the end; this makes room for other sites.
        if let Some(scratch) = self.folder.parent() {
            let _ = remove_there(&self.instances, &self.folder, scratch);
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Removes the folder of a site from the machines on which it has tiers.
fn remove_there(instances: &[Instance], folder: &Path, scratch: &Path) -> io::Result<()> {
    let mut places = instances.iter().map(Instance::place).filter(|place| place.elsewhere().is_some());
    places.try_for_each(|place| place.remove(&place.path_of(folder, scratch)))
}

/// Makes a folder for one of several sites that may have the same name. Its path is short, for the sockets in it, and
/// plain, because configuration files don't all quote it.
fn new_folder(within: &Path, name: &str) -> io::Result<PathBuf> {
    let mut folder = within.join(name);
    let mut number = 1;
    loop {
        match fs::create_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            made => return made.map(|()| folder),
        }
        folder = within.join(format!("{name}.{number}"));
    }
}
