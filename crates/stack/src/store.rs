//! The tier with the data: filled once, then restored from the cache.

use crate::{BuildProgress, BuildStep, SiteError, SiteInputs, Tier, contents::Contents, place_of};
use application::{Dataset, Effects, Generator, Kind, Row, Table, Timestamp, Value};
use cache::{Draft, Identity, Lookup, Snapshot, TableRows, fingerprint};
use services::{
    Audit, Instance, Loaded, ServiceError, records,
    statements::Tracer,
    store::{self, Access, Auditor, FirstState, StoreSettings},
};
use std::{
    collections::BTreeSet,
    fmt::Write as _,
    sync::{Mutex, OnceLock, PoisonError},
    time::{Duration, Instant},
};

/// A tier with data: all of them, or some of the tables.
pub(crate) struct Store {
    pub(crate) tier: usize,
    pub(crate) access: Access,
    pub(crate) first: Snapshot,
    pub(crate) loaded: Vec<Loaded>,
    /// True if it speaks SQL; if not, it keeps records.
    pub(crate) is_sql: bool,
    /// Its settings at its last start, if it speaks SQL.
    settings: Option<StoreSettings>,
    pub(crate) tracer: Mutex<Option<Tracer>>,
    /// True if audits look at the contents of loaded rows.
    pub(crate) watches_contents: bool,
    /// The contents of the first state, once it was restored.
    contents: OnceLock<Contents>,
}

/// Snapshot in the cache of the data of the first of these tiers, or the draft of a new one.
pub(crate) fn look(
    inputs: &SiteInputs<'_>,
    tiers: &[Tier],
    tell: &mut dyn FnMut(BuildProgress<'_>),
) -> Result<Lookup, SiteError> {
    let mut remark = |text: &str| tell(BuildProgress::Remark(text));
    Ok(inputs.cache.lookup(&identity(inputs, tiers)?, &store::now, inputs.stop, &mut remark)?)
}

/// Longer than the idle time after which pools test a connection before they lend it: HikariCP after half a second.
const UNTIL_POOLS_DOUBT: Duration = Duration::from_secs(1);

impl Store {
    /// Brings the data of the first of these tiers, which need not run: from the cache, or else by loading them into it.
    pub(crate) fn fill(
        tiers: (usize, &[Tier]),
        instance: &mut Instance,
        inputs: &SiteInputs<'_>,
        place: Lookup,
        tell: &mut dyn FnMut(BuildProgress<'_>),
    ) -> Result<Self, SiteError> {
        let (tier, tiers) = tiers;
        let declared = &tiers[0];
        let access = Access::new(instance, inputs.application.name())?;
        let first = match place {
            Lookup::Hit(snapshot) => {
                tell(BuildProgress::Step(&BuildStep::TakingData(inputs.dataset.scale), None));
                snapshot
            }
            Lookup::Miss(draft) => {
                let tables = match keeps_records(declared) {
                    true => load_records(instance, inputs, tell)?,
                    false => load(instance, &access, inputs, tell)?,
                };
                keep(instance, inputs, tiers, draft, tables, tell)?
            }
        };
        let loaded = loaded(&first, inputs);
        let is_sql = !keeps_records(declared);
        Ok(Self {
            tier,
            access,
            first,
            loaded,
            is_sql,
            settings: None,
            tracer: Mutex::new(None),
            watches_contents: false,
            contents: OnceLock::new(),
        })
    }

    pub(crate) fn keeps(&self, table: &Table) -> bool {
        self.loaded.iter().any(|loaded| loaded.table.name == table.name)
    }

    pub(crate) fn has_dates(&self) -> bool {
        let columns = self.loaded.iter().flat_map(|loaded| loaded.table.columns);
        columns.into_iter().any(|column| column.kind == Kind::Time)
    }

    pub(crate) fn rows(
        &self,
        instance: &Instance,
        inputs: &SiteInputs<'_>,
        table: &Table,
    ) -> Result<Vec<Row>, ServiceError> {
        match self.is_sql {
            true => store::rows(instance, &self.access, table),
            false => records::rows(instance, inputs.application, table),
        }
    }

    pub(crate) fn delete_row(
        &self,
        instance: &Instance,
        inputs: &SiteInputs<'_>,
        table: &Table,
        id: u64,
    ) -> Result<bool, ServiceError> {
        match self.is_sql {
            true => store::delete_row(instance, &self.access, table, id),
            false => records::delete_row(instance, inputs.application, table, id),
        }
    }

    /// The current contents of its tables, all read once.
    fn holds(&self, instance: &Instance, inputs: &SiteInputs<'_>) -> Result<Vec<Loaded>, ServiceError> {
        match self.is_sql {
            true => {
                store::read_all(instance, &self.access)?;
                store::loaded(instance, &self.access, inputs.application)
            }
            false => held_records(instance, inputs),
        }
    }

    pub(crate) fn audit<'a>(
        &self,
        instance: &'a Instance,
        inputs: &SiteInputs<'_>,
        full: bool,
        dataset: &Dataset,
    ) -> Result<(Audit, Auditor<'a>), ServiceError> {
        let (mut audit, auditor) = audit(instance, &self.access, inputs, (&self.loaded, full), &mut |_| ())?;
        let began = Instant::now();
        if let Some(before) = &self.settings {
            let now = StoreSettings::read(instance, &self.access)?;
            audit.findings.push(now.finding(before, began));
        }
        if let Some(first) = self.contents.get() {
            audit.contents = first.audit(instance, &self.access, inputs, (&self.loaded, dataset))?;
        }
        audit.seconds += began.elapsed().as_secs_f64();
        Ok((audit, auditor))
    }

    /// Restores the data and starts the tier; returns the new epoch.
    pub(crate) fn restore(
        &mut self,
        instance: &mut Instance,
        inputs: &SiteInputs<'_>,
    ) -> Result<Timestamp, ServiceError> {
        let first = FirstState { data: &self.first.data(), epoch: self.first.history() };
        let epoch = store::restore(instance, &self.access, inputs.application, first)?;
        self.settings = self.is_sql.then(|| StoreSettings::read(instance, &self.access)).transpose()?;
        if self.is_sql && self.watches_contents && self.contents.get().is_none() {
            let dataset = Dataset { epoch, ..inputs.dataset };
            let tables = (self.loaded.as_slice(), &dataset);
            let contents = Contents::of_first_state(&self.first, instance, &self.access, inputs, tables)?;
            // Whoever was faster has found the same.
            let _ = self.contents.set(contents);
        }
        Ok(epoch)
    }

    /// Changes a number of a row that no interaction changes; none where there is none, or no SQL.
    pub(crate) fn change_row(
        &self,
        instance: &Instance,
        inputs: &SiteInputs<'_>,
        table: &Table,
        id: u64,
    ) -> Option<Result<bool, ServiceError>> {
        let effects = Effects::of(inputs.application);
        let columns = effects.fixed(table.name).iter().filter(|column| **column > 0);
        let number = columns.map(|column| &table.columns[*column]).find(|one| one.kind == Kind::Integer)?;
        self.is_sql.then(|| store::change_row(instance, &self.access, (table, number), id))
    }

    /// The rows of a table with these ids, as far as they are there.
    pub(crate) fn rows_by_id(
        &self,
        instance: &Instance,
        inputs: &SiteInputs<'_>,
        table: &Table,
        ids: &[u64],
    ) -> Result<Vec<Row>, ServiceError> {
        match self.is_sql {
            true => store::rows_by_id(instance, &self.access, table, ids),
            false => {
                let mut rows = records::rows(instance, inputs.application, table)?;
                let wanted: BTreeSet<u64> = ids.iter().copied().collect();
                rows.retain(|row| wanted.contains(&id(row)));
                Ok(rows)
            }
        }
    }

    /// The same while other tiers run, reading all data once. Returns the number of rows. Pools test their
    /// connections afterwards.
    pub(crate) fn restore_running(
        &mut self,
        instance: &mut Instance,
        inputs: &SiteInputs<'_>,
        has_pool: bool,
    ) -> Result<(Timestamp, u64), ServiceError> {
        let begin = Instant::now();
        store::kill_store(instance);
        let epoch = self.restore(instance, inputs)?;
        let now = self.holds(instance, inputs)?;
        self.expect_first_state(instance, &now)?;
        if has_pool {
            std::thread::sleep(UNTIL_POOLS_DOUBT.saturating_sub(begin.elapsed()));
        }
        Ok((epoch, now.iter().map(|held| held.rows).sum()))
    }

    fn expect_first_state(&self, instance: &Instance, now: &[Loaded]) -> Result<(), ServiceError> {
        let is_other =
            |(now, first): &(&Loaded, &Loaded)| (now.rows, now.largest) != (first.rows, first.largest);
        let Some((now, first)) = now.iter().zip(&self.loaded).find(is_other) else { return Ok(()) };
        Err(ServiceError::Store {
            service: instance.service().name.clone(),
            fault: format!(
                "its data were restored, but {} holds {} rows up to id {} where {} up to {} were loaded; somebody \
                 else writes to it, or the copy in the cache is damaged: `--cache` names another",
                now.table.name, now.rows, now.largest, first.rows, first.largest
            ),
        })
    }

    pub(crate) fn end_trace(&mut self) {
        *self.tracer.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// The first column of each table is its primary key.
pub(crate) fn id(row: &[Value]) -> u64 {
    match row.first() {
        Some(Value::Integer(id)) => id.unsigned_abs(),
        _ => 0,
    }
}

fn keeps_records(tier: &Tier) -> bool {
    tier.service.store().is_some_and(|kind| kind.keeper().is_some())
}

/// Loads the records of a store. Rules may concern other stores too, so they are checked when all are there.
fn load_records(
    instance: &mut Instance,
    inputs: &SiteInputs<'_>,
    tell: &mut dyn FnMut(BuildProgress<'_>),
) -> Result<Vec<Loaded>, SiteError> {
    let service = instance.service().name.clone();
    tell(BuildProgress::Step(&BuildStep::LoadingRecords { service, scale: inputs.dataset.scale }, None));
    records::load(instance, inputs.application, &inputs.dataset)?;
    Ok(held_records(instance, inputs)?)
}

/// The current contents of the tables of a store of records.
fn held_records(instance: &Instance, inputs: &SiteInputs<'_>) -> Result<Vec<Loaded>, ServiceError> {
    let SiteInputs { application, .. } = inputs;
    let keeper = instance.service().store().and_then(services::StoreKind::keeper);
    let is_kept =
        |table: &&'static Table| application.records().map(|records| records.keeper(table)) == keeper;
    let tables = application.tables().iter().filter(is_kept);
    tables.map(|table| Ok(records::loaded(table, &records::rows(instance, *application, table)?))).collect()
}

fn load(
    instance: &mut Instance,
    access: &Access,
    inputs: &SiteInputs<'_>,
    tell: &mut dyn FnMut(BuildProgress<'_>),
) -> Result<Vec<Loaded>, SiteError> {
    let SiteInputs { application, schema, dataset, stop, .. } = inputs;
    tell(BuildProgress::Step(&BuildStep::StartingDatabase, None));
    instance.start()?;
    let step = BuildStep::LoadingData(dataset.scale);
    tell(BuildProgress::Step(&step, None));
    let order = store::LoadOrder { application: *application, dataset, schema, stop };
    store::load(instance, access, order, &mut |loading| {
        tell(BuildProgress::Step(&step, Some(&loading.to_string())));
    })?;
    let tables = store::loaded(instance, access, *application)?;
    let mut step = slowly(BuildStep::AuditingData, tell);
    let (audit, _) = audit(instance, access, inputs, (&tables, true), &mut step)?;
    match audit.violated().next() {
        Some(finding) => Err(SiteError::Data(finding.clone())),
        None => Ok(tables),
    }
}

fn audit<'a>(
    instance: &'a Instance,
    access: &Access,
    inputs: &SiteInputs<'_>,
    (loaded, full): (&[Loaded], bool),
    step: &mut dyn FnMut(&str),
) -> Result<(Audit, Auditor<'a>), ServiceError> {
    let SiteInputs { audit: rules, stop, .. } = *inputs;
    store::audit(instance, access, store::AuditOrder { rules, loaded, full, stop }, step)
}

fn keep(
    instance: &mut Instance,
    inputs: &SiteInputs<'_>,
    tiers: &[Tier],
    draft: Draft,
    loaded: Vec<Loaded>,
    tell: &mut dyn FnMut(BuildProgress<'_>),
) -> Result<Snapshot, SiteError> {
    tell(BuildProgress::Step(&BuildStep::KeepingData, None));
    let data = store::shut_down(instance)?;
    let of = |Loaded { table, rows, largest }| TableRows { name: table.name.to_owned(), rows, largest };
    let loaded = cache::Loaded {
        data: &data,
        identity: &identity(inputs, tiers)?,
        history: inputs.dataset.history,
        tables: loaded.into_iter().map(of).collect(),
        now: store::now(),
    };
    Ok(draft.keep(&loaded, &mut |text| tell(BuildProgress::Remark(text)))?)
}

/// A snapshot's tables, as the application names them.
fn loaded(snapshot: &Snapshot, inputs: &SiteInputs<'_>) -> Vec<Loaded> {
    let tables = inputs.application.tables().iter();
    let held = tables.filter_map(|table| {
        let TableRows { rows, largest, .. } =
            snapshot.tables().iter().find(|held| held.name == table.name)?;
        Some(Loaded { table, rows: *rows, largest: *largest })
    });
    held.collect()
}

fn identity(inputs: &SiteInputs<'_>, tiers: &[Tier]) -> Result<Identity, SiteError> {
    let (tier, place) = (&tiers[0], place_of(tiers, inputs.hosts));
    let SiteInputs { application, dataset, .. } = inputs;
    let unlimited = application.tables().iter().map(|table| (table.name.to_owned(), 0)).collect();
    let invariants = inputs.audit.invariants.iter().map(|query| query.text(&unlimited));
    let mut settings = tier.service.configuration()?;
    for template in &tier.templates {
        settings.push(settings::read_text(template)?);
    }
    Ok(Identity {
        application: application.name().to_owned(),
        distribution: dataset.distribution.to_string(),
        scale: dataset.scale,
        seed: dataset.seed,
        generator: sample(inputs),
        schema: fingerprint([&inputs.schema]),
        invariants: fingerprint(invariants),
        service: tier.service.name.clone(),
        // Data of an unknown version would be taken for those of any other.
        version: tier.service.availability_on(&place, &tier.factors).map_err(ServiceError::from)?,
        settings: fingerprint(settings),
        factors: tier.service.factors.of_data(&tier.factors),
    })
}

/// A scale with few enough rows to make in an instant, and enough to show almost any change of the generator.
const SAMPLE_SCALE: f64 = 0.001;
const SAMPLE_EPOCH: Timestamp = Timestamp(1_800_000_000);

/// Fingerprint of a small dataset's rows, in place of a version number of the generator.
fn sample(inputs: &SiteInputs<'_>) -> String {
    let Dataset { seed, distribution, .. } = inputs.dataset;
    let dataset = Dataset { distribution, ..Dataset::new(seed, SAMPLE_SCALE, SAMPLE_EPOCH) };
    let generator: Box<dyn Generator> = inputs.application.generator(&dataset);
    let texts = inputs.application.tables().iter().map(|table| {
        let mut text = table.name.to_owned();
        table.columns.iter().for_each(|column| push(&mut text, column.name));
        generator.rows(table, 0..generator.units(table), &mut |row| {
            row.iter().for_each(|value| push(&mut text, value));
        });
        text
    });
    let mut texts: Vec<String> = texts.collect();
    if let Some(records) = inputs.application.records() {
        // Properties that rows don't have.
        records.mailboxes(&dataset, &mut |_, messages| {
            texts.extend(messages.iter().map(|message| fingerprint([&message.source])));
        });
    }
    fingerprint(texts)
}

fn push(text: &mut String, part: impl std::fmt::Display) {
    write!(text, "\0{part}").expect("writing to a string can't fail");
}

/// The least time between two reports of a step's progress.
const STEP_REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// Limits the reports of a step to its beginning and one per second.
fn slowly<'a>(step: BuildStep, tell: &'a mut dyn FnMut(BuildProgress<'_>)) -> impl FnMut(&str) + 'a {
    tell(BuildProgress::Step(&step, None));
    let mut told = Instant::now();
    move |part| {
        if told.elapsed() > STEP_REPORT_INTERVAL {
            tell(BuildProgress::Step(&step, Some(part)));
            told = Instant::now();
        }
    }
}
