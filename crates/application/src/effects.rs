//! Effects of interactions on rows, as the model shows them on a small dataset: the columns that stay as they are once a
//! row exists, and the parameters that land in columns of the row that a page acknowledges.
//!
//! Nothing declares either. The application's script takes every branch of the rules, and a random sequence interacts
//! with few rows, so that whatever may change does change.

use crate::{Application, Dataset, Model, Money, Parameters, Request, Step, Timestamp, TokenKey, Value};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, LazyLock, Mutex, PoisonError},
};
use workload::{InteractionId, Page};

const DATASET: Dataset = Dataset::new(1, 0.0025, Timestamp(1_800_000_000));
const SEED: u64 = 1;
/// The length of the random sequence, and the number of its parts, after each of which rows are looked at.
const STEPS: usize = 4000;
const PARTS: usize = 8;
/// The number of writes of many clients.
const WRITES: usize = 200;
/// The least number of different values by which a parameter is known to land in a column.
const LEAST_VALUES: usize = 4;

/// The effects of an application's interactions on its rows.
#[derive(Debug)]
pub struct Effects {
    /// By table, the indexes of the columns that no interaction changes.
    fixed: BTreeMap<&'static str, Vec<usize>>,
    /// By interaction.
    landings: Vec<Vec<Landing>>,
}

/// A parameter that lands in a column of the row whose id the page acknowledges, or of that id in another table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Landing {
    pub parameter: String,
    pub table: &'static str,
    pub column: usize,
    form: LandingForm,
}

/// The form of a value in a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LandingForm {
    Text,
    Whole,
    Money,
    /// The user of a log-in token.
    User,
    Sealed,
}

impl LandingForm {
    const ALL: [Self; 5] = [Self::Text, Self::Whole, Self::Money, Self::User, Self::Sealed];

    fn read(self, name: &str, text: &str, key: &TokenKey) -> Option<Value> {
        match self {
            Self::Text => Some(Value::Text(text.to_owned())),
            Self::Whole => text.parse().ok().map(Value::Integer),
            Self::Money => text.parse::<Money>().ok().map(Value::Money),
            Self::User => key.claim(text).map(|(user, _)| Value::Integer(user)),
            Self::Sealed => key.open(name, text).map(Value::Integer),
        }
    }
}

impl Landing {
    /// The value that these parameters put into the column; none if they lack the parameter, which may be optional.
    pub fn value(&self, parameters: &Parameters, key: &TokenKey) -> Option<Value> {
        let text = parameters.one(&self.parameter).filter(|text| !text.is_empty())?;
        self.form.read(&self.parameter, text, key)
    }
}

impl Effects {
    /// The effects of an application's interactions. They are found once in a process.
    pub fn of(application: &dyn Application) -> Arc<Self> {
        static KNOWN: LazyLock<Mutex<BTreeMap<&str, Arc<Effects>>>> = LazyLock::new(Mutex::default);
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(application.name()).or_insert_with(|| Arc::new(Self::observe(application))))
    }

    /// The indexes of the columns of a table that no interaction changes once a row exists.
    pub fn fixed(&self, table: &str) -> &[usize] {
        self.fixed.get(table).map_or(&[], Vec::as_slice)
    }

    pub fn landings(&self, interaction: InteractionId) -> &[Landing] {
        &self.landings[interaction.index()]
    }

    fn observe(application: &dyn Application) -> Self {
        let mut observer = Observer::new(application);
        observer.play_script();
        observer.play_contention();
        let fixed = observer.fixed();
        let landings = application.catalogue().ids().map(|id| observer.landings(id, &fixed)).collect();
        Self { fixed, landings }
    }
}

/// The rows of a table by id.
type Rows = BTreeMap<i64, Vec<Value>>;

/// The rows of a model at an instant, by table.
type Snapshot = BTreeMap<&'static str, Rows>;

/// A write with the rows of the id that its page acknowledged, by table.
struct Observed {
    interaction: InteractionId,
    parameters: Parameters,
    rows: BTreeMap<&'static str, Vec<Value>>,
}

/// Changes of a model's rows by interactions.
struct Observer<'a> {
    application: &'a dyn Application,
    key: TokenKey,
    now: Timestamp,
    /// The columns that were changed, by table.
    changed: BTreeMap<&'static str, BTreeSet<usize>>,
    writes: Vec<Observed>,
}

impl<'a> Observer<'a> {
    fn new(application: &'a dyn Application) -> Self {
        let key = TokenKey::new("effects");
        Self { application, key, now: DATASET.epoch, changed: BTreeMap::new(), writes: Vec::new() }
    }

    /// Takes every branch of the rules, and then a random sequence.
    fn play_script(&mut self) {
        let mut model = self.application.model(&DATASET, self.key.clone());
        let script = self.application.branches(&DATASET, &self.key).into_iter().map(|branch| branch.step);
        let script: Vec<Step> = script.collect();
        self.play(model.as_mut(), &mut |at, _, _| script.get(at).cloned());
        let mut random = ChaCha8Rng::seed_from_u64(SEED);
        for _ in 0..PARTS {
            self.play(model.as_mut(), &mut |at, model, now| {
                (at < STEPS / PARTS).then(|| model.fuzz(&mut random, now))
            });
        }
    }

    /// Plays writes as many clients send them.
    fn play_contention(&mut self) {
        let mut model = self.application.model(&DATASET, self.key.clone());
        let mut steps = self.application.preparation(&DATASET);
        steps.extend(self.application.contention(&DATASET, WRITES).into_iter().map(|write| write.step));
        self.play(model.as_mut(), &mut |at, _, _| steps.get(at).cloned());
    }

    /// Plays steps until there are no more, and notes what they have changed and written.
    fn play(
        &mut self,
        model: &mut dyn Model,
        next: &mut dyn FnMut(usize, &dyn Model, Timestamp) -> Option<Step>,
    ) {
        let before = self.snapshot(model);
        let mut acknowledged: Vec<(InteractionId, Parameters, i64)> = Vec::new();
        let mut at = 0;
        while let Some(step) = next(at, &*model, self.now) {
            acknowledged.extend(self.take(model, &step));
            at += 1;
            // Rows of different instants differ in their dates.
            self.now = self.now + 1;
        }
        let after = self.snapshot(model);
        for (table, rows) in &after {
            let changed = self.changed.entry(*table).or_default();
            for (id, row) in rows {
                let Some(earlier) = before[table].get(id) else { continue };
                let columns = row.iter().zip(earlier).enumerate();
                changed.extend(columns.filter(|(_, (now, then))| now != then).map(|(column, _)| column));
            }
        }
        let observed = acknowledged.into_iter().map(|(interaction, parameters, id)| {
            let new = after.iter().filter(|(table, _)| !before[*table].contains_key(&id));
            let rows = new.filter_map(|(table, rows)| Some((*table, rows.get(&id)?.clone())));
            Observed { interaction, parameters, rows: rows.collect() }
        });
        // A row that was deleted again shows nothing.
        self.writes.extend(observed.filter(|write| !write.rows.is_empty()));
    }

    /// Asks the model for a page. Returns the parameters and the acknowledged id of a write.
    fn take(&self, model: &mut dyn Model, step: &Step) -> Option<(InteractionId, Parameters, i64)> {
        let catalogue = self.application.catalogue();
        let mut request: Request = step.request(&self.key, self.now);
        let mut headers = step.headers();
        headers.extend(request.take_cookies(catalogue));
        let (answer, _) = model.converse(&request, &headers, self.now);
        let interaction = self.application.interaction(&request)?;
        catalogue.get(interaction).writes.as_ref()?;
        let page = Page::scan(&answer.response.body, &request.path, catalogue);
        let id = page.acknowledged().filter(|id| *id > 0 && answer.response.status < 400)?;
        let encoded = if request.method == "GET" { request.query.as_bytes() } else { &request.body };
        Some((interaction, Parameters::decode(encoded), i64::try_from(id).ok()?))
    }

    fn snapshot(&self, model: &dyn Model) -> Snapshot {
        let by_id = |row: Vec<Value>| match row.first() {
            Some(Value::Integer(id)) => Some((*id, row)),
            _ => None,
        };
        let tables = self.application.tables().iter();
        tables.map(|table| (table.name, model.rows(table).into_iter().filter_map(by_id).collect())).collect()
    }

    fn fixed(&self) -> BTreeMap<&'static str, Vec<usize>> {
        let of = |table: &'static crate::Table| {
            let changed = &self.changed[table.name];
            let fixed = (0..table.columns.len()).filter(|column| !changed.contains(column)).collect();
            (table.name, fixed)
        };
        self.application.tables().iter().map(of).collect()
    }

    /// The parameters of an interaction that were in a column, in some form, in all writes that had them.
    fn landings(
        &self,
        interaction: InteractionId,
        fixed: &BTreeMap<&'static str, Vec<usize>>,
    ) -> Vec<Landing> {
        let own: Vec<&Observed> =
            self.writes.iter().filter(|write| write.interaction == interaction).collect();
        let mut landings = Vec::new();
        for parameter in &self.application.catalogue().get(interaction).parameters {
            for (&table, columns) in fixed {
                let candidates = columns.iter().filter(|column| **column > 0).flat_map(|column| {
                    LandingForm::ALL.map(|form| Landing {
                        parameter: parameter.name.clone(),
                        table,
                        column: *column,
                        form,
                    })
                });
                landings.extend(candidates.filter(|landing| self.is_confirmed(landing, &own)));
            }
        }
        landings
    }

    fn is_confirmed(&self, landing: &Landing, writes: &[&Observed]) -> bool {
        let mut values: Vec<Value> = Vec::new();
        for write in writes.iter().filter(|write| !write.parameters.is_absent(&landing.parameter)) {
            let Some(row) = write.rows.get(landing.table) else { return false };
            match landing.value(&write.parameters, &self.key) {
                Some(value) if value == row[landing.column] => {
                    if !values.contains(&value) && values.len() < LEAST_VALUES {
                        values.push(value);
                    }
                }
                _ => return false,
            }
        }
        values.len() == LEAST_VALUES
    }
}
