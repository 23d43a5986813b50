//! The record of a start: what it takes until servers are ready, show a first page, and are warm.

use crate::{
    start::{RunContext, system::System},
    workspace::Variant,
};
use results::{StartUp, TierStartUp, WarmUpCost};
use stack::{TierStart, TiersUse};
use std::time::Duration;
use workload::{Effect, Interaction, Method, Protocol};

/// Takes the record of a start. All of it is read by the meter that looks for the end of the warm-up each second.
pub(crate) struct StartUpRecorder {
    tiers: Vec<TierStart>,
    page: Option<(String, Option<Duration>)>,
    idle: TiersUse,
    last: TiersUse,
    highest_bytes: Vec<u64>,
    costs: Vec<WarmUpCost>,
}

impl StartUpRecorder {
    /// Begins when all servers are ready, before any load: asks for a first page.
    pub(crate) fn begin(context: &RunContext<'_>, variant: &Variant, site: &System<'_>) -> Self {
        let page = first_page(context, variant).map(|path| {
            let took = site.first_page(&path);
            (path, took)
        });
        let idle = site.meter().look();
        let highest_bytes = idle.resident_bytes.clone();
        Self { tiers: site.tiers_started(), page, last: idle.clone(), idle, highest_bytes, costs: Vec::new() }
    }

    /// Begins the warm-up with another mix.
    pub(crate) fn begin_mix(&mut self) {
        self.costs.clear();
    }

    /// Takes in the use of a second of the warm-up, and the cost of an interaction in it.
    pub(crate) fn record(&mut self, at: Duration, used: &TiersUse, cpu_ms: f64) {
        self.costs.push(WarmUpCost { at_s: at.as_secs_f64(), cpu_ms });
        for (highest, now) in self.highest_bytes.iter_mut().zip(&used.resident_bytes) {
            *highest = (*highest).max(*now);
        }
        self.last = used.clone();
    }

    pub(crate) fn record_of_mix(&self) -> StartUp {
        let measured = self.tiers.iter().enumerate().filter(|(_, tier)| tier.is_measured);
        let tiers = measured.map(|(index, tier)| TierStartUp {
            role: tier.role.clone(),
            service: tier.service.clone(),
            ready_s: tier.ready.as_secs_f64(),
            cpu_s: self.last.since_start_s.get(index).copied().unwrap_or_default(),
            idle_bytes: at(&self.idle.resident_bytes, index),
            warm_bytes: at(&self.last.resident_bytes, index),
            highest_bytes: at(&self.highest_bytes, index),
        });
        let tiers: Vec<TierStartUp> = tiers.collect();
        let ready_s: f64 = self.tiers.iter().map(|tier| tier.ready.as_secs_f64()).sum();
        StartUp {
            ready_s,
            first_page_s: self
                .page
                .as_ref()
                .and_then(|(_, time)| Some(ready_s + time.as_ref()?.as_secs_f64())),
            first_page: self.page.as_ref().map(|(path, _)| path.clone()),
            cpu_s: tiers.iter().map(|tier| tier.cpu_s).sum(),
            tiers,
            curve: StartUp::thinned(&self.costs),
        }
    }
}

fn at(bytes: &[u64], index: usize) -> u64 {
    bytes.get(index).copied().unwrap_or_default()
}

/// The page that is asked for first: one that is read from the data and needs no parameter, or else the page that sessions
/// begin with. None where programs call operations.
fn first_page(context: &RunContext<'_>, variant: &Variant) -> Option<String> {
    let catalogue = &context.catalogue;
    let is_simple = |one: &&Interaction| {
        let is_asked = one.method == Method::Get && one.protocol == Protocol::Html;
        is_asked && one.parameters.iter().all(|parameter| parameter.optional) && variant.has(&one.name)
    };
    let mut simple = catalogue.interactions().iter().filter(is_simple);
    let read = simple.clone().find(|one| one.effect == Effect::Read);
    read.or_else(|| simple.find(|one| one.name == catalogue.get(catalogue.start).name))
        .map(|one| one.path.clone())
}
