//! What a result does not show: as much part of it as its figures.

use crate::{
    number,
    summary::measured,
    words::{checks, enumerate, is_open},
};
use results::{
    ArrivalsEnd, CheckId, ConfigurationRecord, LoadPlan, Manifest, Point, ResultReader, Separation,
    Verification, WarmUp, Work,
};
use std::collections::BTreeMap;

/// Each limit in a sentence or two, as far as the result tells.
pub fn limits(result: &ResultReader) -> Vec<String> {
    let manifest = &result.manifest;
    if manifest.configurations.iter().any(|one| one.verified == Verification::NotOurs) {
        return of_a_foreign_site(result);
    }
    let mut limits = match &manifest.testbed {
        Some(testbed) if testbed.separation == Separation::Namespaces => on_hosts(),
        _ => on_one_machine(manifest),
    };
    limits.push("Pictures, style sheets and scripts of the pages. Clients fetch the pages only.".to_owned());
    limits.extend(waits(result));
    limits.extend(warm_rows(measured(result)));
    limits.extend(open_checks(measured(result)));
    limits.extend(scatter(manifest));
    if differs_from_one(manifest.time_scale) {
        limits.push(format!(
            "Real users' pace. Think times, sessions and keep-alive times are {} of the real ones, so a client here \
             stands for more than one user, and numbers of clients compare with no other study.",
            number::factor(manifest.time_scale)
        ));
    }
    if differs_from_one(manifest.scale) {
        limits.push(format!(
            "Data of full size. The tables hold {} of the published size, which favours caches.",
            number::factor(manifest.scale)
        ));
    }
    limits.extend(slow_changes(result));
    if result.profiled.is_empty() {
        limits.push(
            "Where the time goes within a tier. CPU, busy workers and waits for locks are sampled by tier; which part of a \
             program spends the time is only seen with --profile."
                .to_owned(),
        );
    }
    limits.push(match result.points.iter().chain(&result.swept).chain(&result.arrived).any(|point| point.audit.is_some()) {
        true => "Durability. Acknowledged writes were looked for while the database ran; what a failing machine or a \
                 killed server would have lost is not part of this result."
            .to_owned(),
        false => "Durability. Whether every acknowledged write is in the database is not part of this result."
            .to_owned(),
    });
    let free = manifest.configurations.iter().filter(|one| one.work != Work::Exact);
    let free: Vec<String> = free.map(|one| format!("{} ({})", one.name, one.work)).collect();
    if !free.is_empty() {
        limits.push(format!(
            "Equal statements of all. These are held to the same pages and rows as the others, but not to the recorded \
             statements: {}.",
            free.join(", ")
        ));
    }
    limits
}

/// The same of a site that somebody else runs.
fn of_a_foreign_site(result: &ResultReader) -> Vec<String> {
    let mut limits = vec![
        "Its servers. Of a site that somebody else runs nothing is known but its answers: not what they cost, nor where \
         time goes, nor whether acknowledged writes are there."
            .to_owned(),
        "Its neighbours. Whatever else the site, its network and this machine did meanwhile is part of the figures; a site on \
         this machine shares its processors with the load generator."
            .to_owned(),
    ];
    let is_open = |point: &Point| point.verdict.checks.iter().any(|check| check.id == CheckId::KeptUp);
    limits.extend(if result.points.iter().any(is_open) { None } else { waits(result) });
    limits.extend(open_checks(measured(result)));
    limits.extend(scatter(&result.manifest));
    limits.extend(slow_changes(result));
    limits
}

/// Who waits for the site comes no sooner than it lets him; not so users who arrive, make their request and go.
fn waits(result: &ResultReader) -> Option<String> {
    let loads = || result.arrived.iter().filter_map(|load| load.arrivals.as_ref());
    let text = match loads().next() {
        None => {
            "Open arrivals. Clients wait for a page before they think, so an overloaded site slows its own load down."
        }
        Some(_) if loads().all(|load| load.ended == ArrivalsEnd::AllGone) => return None,
        Some(_) => {
            "Open arrivals beyond the first request. Clients come whatever the site does, but who is there waits for a page \
             before asking again, so an overloaded site slows its own load down."
        }
    };
    Some(text.to_owned())
}

fn scatter(manifest: &Manifest) -> Option<String> {
    let times = if manifest.repetitions <= 1 { "once" } else { "twice" };
    let intervals = match manifest.loads {
        LoadPlan::Listed(_) => "; the intervals come from the seconds within a run",
        LoadPlan::Arrivals { .. } => "",
        _ => return None,
    };
    (manifest.repetitions < 3).then(|| {
        format!("How much one run differs from the next. Each load was measured {times}{intervals}.")
    })
}

/// What takes longer than anything was looked at.
fn slow_changes(result: &ResultReader) -> Option<String> {
    let longest = result.arrived.iter().map(|load| load.window_s).reduce(f64::max);
    let looked_at = match longest {
        Some(seconds) => format!("load of {} s", number::figure(seconds)),
        None => format!("window of {} s", number::setting(result.manifest.window_s)),
    };
    (longest.unwrap_or(result.manifest.window_s) < 300.0).then(|| {
        format!(
            "Slow changes. A {looked_at} sees no nightly job, no slow leak, and few of a collector's long pauses."
        )
    })
}

/// What hosts that are shares of one machine don't show.
fn on_hosts() -> Vec<String> {
    let limits = [
        "Other machines. The hosts are shares of one machine's processors, whose caches and memory they have in common. \
         Configurations are comparable with each other, not with figures from elsewhere.",
        "A real network. Links have the bandwidth that the testbed says, but no latency and no loss.",
    ];
    limits.map(str::to_owned).to_vec()
}

/// What tiers and clients on one machine don't show.
fn on_one_machine(manifest: &Manifest) -> Vec<String> {
    let cores = manifest.host.cores;
    let processors = if cores == 1 { "processor".to_owned() } else { format!("{cores} processors") };
    let shared = match manifest.testbed {
        Some(_) => "its memory and caches".to_owned(),
        None => format!("its {processors}"),
    };
    let mut limits = vec![
        format!(
            "Other machines. All tiers ran on one machine and shared {shared} with the load generator, so a \
             tier's limit here is not its limit on a machine of its own. Configurations are comparable with each \
             other, not with figures from elsewhere."
        ),
        "A network. Everything went over the loopback interface, without a network's latency, loss or bandwidth."
            .to_owned(),
    ];
    if manifest.testbed.is_none() {
        limits.extend(shared_roles(&manifest.configurations));
    }
    limits
}

/// What the checks of points did not look at.
fn open_checks(points: &[Point]) -> Option<String> {
    let mut open: BTreeMap<&str, usize> = BTreeMap::new();
    for name in points.iter().flat_map(|point| checks(point, is_open)) {
        *open.entry(name).or_default() += 1;
    }
    let all = points.len();
    let of_points = |count: usize| {
        if count == all { "all points".to_owned() } else { format!("{count} of {all} points") }
    };
    let each: Vec<String> =
        open.iter().map(|(name, count)| format!("{name} ({})", of_points(*count))).collect();
    (!each.is_empty()).then(|| {
        format!(
            "Whether all checks hold. These could not be judged, and the verdicts say why: {}.",
            enumerate(&each)
        )
    })
}

/// Where data were not put back, servers that take longer to warm begin their window with more rows.
fn warm_rows(points: &[Point]) -> Option<String> {
    let is_left = |warm_up: &WarmUp| warm_up.put_back.is_none() && warm_up.writes != Some(0);
    let left = points.iter().filter_map(|point| point.warm_up.filter(is_left));
    let interactions = left.map(|warm_up| warm_up.interactions);
    let (least, most) = (interactions.clone().min()?, interactions.max()?);
    Some(format!(
        "Exactly equal data. What was written while servers were warmed stays where there is no store to put back, and \
         that took {} to {} interactions.",
        number::count(least),
        number::count(most)
    ))
}

/// What is not seen of tiers in different roles.
fn shared_roles(configurations: &[ConfigurationRecord]) -> Option<String> {
    let mut having: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for configuration in configurations {
        let mut roles: Vec<&str> =
            configuration.services.iter().map(|service| service.role.as_str()).collect();
        roles.dedup();
        match having.iter_mut().find(|(known, _)| *known == roles) {
            Some((_, names)) => names.push(&configuration.name),
            None => having.push((roles, vec![&configuration.name])),
        }
    }
    having.retain(|(roles, _)| roles.len() > 1);
    let each: Vec<String> =
        having.iter().map(|(roles, names)| format!("{} of {}", enumerate(roles), enumerate(names))).collect();
    (!each.is_empty()).then(|| {
        format!(
            "A machine for each role. Roles stand for machines of their own, but here they shared this one: {}. What it \
             brings or costs to separate them is not seen.",
            each.join("; ")
        )
    })
}

fn differs_from_one(factor: f64) -> bool {
    (factor - 1.0).abs() > 1e-9
}
