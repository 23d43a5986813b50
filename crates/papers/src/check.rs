//! Checks beyond types: all references exist, and make sense.

use crate::{
    Claim, Experiment, LeavesOut, Name, Paper, Printed, Protocol, Search, Unit, Users,
    claim::{
        Bottleneck, CpuOverLoads, Curve, Figure, Limits, NoDifference, NoErrors, Order, Quotient, Ranks,
        Shape, Statement, SystemShare,
    },
    documents::Documents,
};
use settings::{Document, SettingsError, did_you_mean};

type Checked = Result<(), Box<SettingsError>>;

pub(crate) fn check(paper: &Paper, documents: &Documents) -> Checked {
    check_about(paper, &documents.about)?;
    check_configurations(paper, &documents.configurations)?;
    check_experiments(paper, &documents.experiments)?;
    check_printed(paper, &documents.printed)?;
    unique(&documents.claims, "claim", paper.claims.iter().map(|claim| &claim.name))?;
    paper.claims.iter().try_for_each(|claim| ClaimCheck { paper, document: &documents.claims, claim }.check())
}

fn fault(document: &Document, place: &Name, fault: String) -> Box<SettingsError> {
    document.error(Some(place.place()), fault, None)
}

fn unique<'a>(document: &Document, what: &str, names: impl Iterator<Item = &'a Name>) -> Checked {
    let mut known: Vec<&Name> = Vec::new();
    for name in names {
        if known.contains(&name) {
            return Err(fault(document, name, format!("the {what} `{name}` is there twice")));
        }
        known.push(name);
    }
    Ok(())
}

fn known<'a>(
    document: &Document,
    what: &str,
    name: &Name,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Checked {
    if known.clone().any(|word| *word == **name) {
        return Ok(());
    }
    let remedy = did_you_mean(name, known);
    Err(document.error(Some(name.place()), format!("there is no {what} `{name}`"), Some(remedy)))
}

fn check_about(paper: &Paper, document: &Document) -> Checked {
    let applications = &paper.about.applications;
    unique(document, "application", applications.iter().map(|application| &application.name))?;
    unique(document, "role", paper.about.machines.iter().flat_map(|machine| &machine.roles))?;
    for application in applications {
        for (name, protocol) in [("full", &application.full), ("quick", &application.quick)] {
            if !is_possible(protocol) {
                let text = format!(
                    "the protocol `{name}` of `{}` needs scales, a window, repetitions and either `most` or `clients`, above 0",
                    application.name
                );
                return Err(fault(document, &application.name, text));
            }
        }
        let LeavesOut { experiments, configurations: left_out } = &application.quick_leaves_out;
        let of_it = paper.experiments.iter().filter(|experiment| experiment.application == application.name);
        let there = of_it.map(|experiment| &*experiment.name);
        experiments.iter().try_for_each(|name| known(document, "experiment", name, there.clone()))?;
        left_out.iter().try_for_each(|name| known(document, "configuration", name, configurations(paper)))?;
        application
            .quick_blocks
            .iter()
            .try_for_each(|block| check_block(paper, document, &block.configurations))?;
    }
    Ok(())
}

/// Most sites that two cores carry at once, besides an anchor.
const LARGEST_BLOCK: usize = 8;

fn check_block(paper: &Paper, document: &Document, block: &[Name]) -> Checked {
    unique(document, "configuration", block.iter())?;
    block.iter().try_for_each(|name| known(document, "configuration", name, configurations(paper)))?;
    match block.get(LARGEST_BLOCK) {
        None => Ok(()),
        Some(name) => {
            let text =
                format!("a block has at most {LARGEST_BLOCK} configurations, of which `{name}` is one more");
            Err(fault(document, name, text))
        }
    }
}

fn is_possible(protocol: &Protocol) -> bool {
    [protocol.scale, protocol.time_scale].iter().all(|scale| scale.is_finite() && *scale > 0.0)
        && !protocol.window.0.is_zero()
        && protocol.repetitions > 0
        && protocol.search.as_ref().is_none_or(has_loads)
}

fn has_loads(search: &Search) -> bool {
    match (search.most, search.clients.as_slice()) {
        (Some(most), []) => most > 0,
        (None, clients) => !clients.is_empty() && !clients.contains(&0),
        (Some(_), _) => false,
    }
}

fn check_configurations(paper: &Paper, document: &Document) -> Checked {
    let roles = paper.about.machines.iter().flat_map(|machine| &machine.roles).map(|role| &**role);
    unique(document, "configuration", paper.configurations.iter().map(|configuration| &configuration.name))?;
    for configuration in &paper.configurations {
        unique(document, "machine", configuration.machines.iter())?;
        let mut machines = configuration.machines.iter();
        machines.try_for_each(|machine| known(document, "machine", machine, roles.clone()))?;
    }
    Ok(())
}

fn configurations(paper: &Paper) -> impl Iterator<Item = &str> + Clone {
    paper.configurations.iter().map(|configuration| &*configuration.name)
}

fn experiments(paper: &Paper) -> impl Iterator<Item = &str> + Clone {
    paper.experiments.iter().map(|experiment| &*experiment.name)
}

fn check_experiments(paper: &Paper, document: &Document) -> Checked {
    unique(document, "experiment", paper.experiments.iter().map(|experiment| &experiment.name))?;
    for experiment in &paper.experiments {
        let applications = paper.about.applications.iter().map(|application| &*application.name);
        known(document, "application", &experiment.application, applications)?;
        check_users(paper, experiment, document)?;
        unique(document, "configuration", experiment.named.iter())?;
        let mut named = experiment.named.iter();
        named.try_for_each(|name| known(document, "configuration", name, configurations(paper)))?;
    }
    Ok(())
}

fn check_users(paper: &Paper, experiment: &Experiment, document: &Document) -> Checked {
    let Some(application) = paper.application(&experiment.application) else { return Ok(()) };
    let refuse = |text: String| Err(fault(document, &experiment.name, text));
    let name = &experiment.name;
    match &experiment.users {
        Users::Mix(mix) => {
            known(document, "mix", mix, application.mixes.iter().map(String::as_str))?;
            if [&application.full, &application.quick].iter().any(|protocol| protocol.search.is_none()) {
                return refuse(format!(
                    "`{name}` has a mix, but a protocol of `{}` does not say how peaks are searched",
                    application.name
                ));
            }
        }
        Users::Load { model, .. } => {
            known(document, "load", model, application.loads.iter().map(String::as_str))?;
        }
        Users::Capacity(_) => {}
    }
    let positive = |figure: f64| figure.is_finite() && figure > 0.0;
    let quick = &experiment.quick;
    let capacity = match &experiment.users {
        Users::Capacity(capacity) => Some(capacity),
        Users::Mix(_) | Users::Load { .. } => quick.capacity.as_ref(),
    };
    if !positive(experiment.scale)
        || !quick.time_scale.is_none_or(positive)
        || quick.repetitions == Some(0)
        || quick.clients.contains(&0)
        || capacity.is_some_and(|capacity| capacity.most == 0)
    {
        return refuse(format!("`{name}` needs scales, clients and repetitions above 0"));
    }
    let workload = experiment.workload();
    let otherwise = |other: &&Experiment| {
        let other = other.workload();
        other.name() == workload.name() && other != workload
    };
    match paper.experiments.iter().find(otherwise) {
        Some(other) => refuse(format!(
            "`{name}` and `{}` have the same load, but differ in `scale` or `quick`, so that they can't come from the same \
             runs",
            other.name
        )),
        None => Ok(()),
    }
}

fn check_printed(paper: &Paper, document: &Document) -> Checked {
    unique(document, "printed figure", paper.printed.iter().map(|printed| &printed.name))?;
    for printed in &paper.printed {
        if let Some(name) = &printed.experiment {
            known(document, "experiment", name, experiments(paper))?;
        }
        if let Some(name) = &printed.configuration {
            known(document, "configuration", name, configurations(paper))?;
        }
        if let Some(machine) = &printed.machine {
            let of_it = printed.configuration.as_deref().and_then(|name| paper.configuration(name));
            let machines =
                paper.configurations.iter().filter(|known| of_it.is_none_or(|it| it.name == known.name));
            let machines =
                machines.flat_map(|configuration| &configuration.machines).map(|machine| &**machine);
            known(document, "machine", machine, machines)?;
        }
        let positive = |figure: f64| figure.is_finite() && figure > 0.0;
        let is_none = printed.value == 0.0;
        if !positive(printed.step) || !is_none && (!positive(printed.value) || printed.step > printed.value) {
            let text =
                format!("`{}` needs a value of 0 or more, and a step above 0 and not above it", printed.name);
            return Err(fault(document, &printed.name, text));
        }
    }
    Ok(())
}

struct ClaimCheck<'a> {
    paper: &'a Paper,
    document: &'a Document,
    claim: &'a Claim,
}

impl ClaimCheck<'_> {
    fn check(&self) -> Checked {
        for name in self.claim.experiments() {
            known(self.document, "experiment", name, experiments(self.paper))?;
        }
        for name in self.claim.configurations() {
            known(self.document, "configuration", name, configurations(self.paper))?;
            self.claim.experiments().try_for_each(|experiment| self.expect_in(experiment, name))?;
        }
        self.check_figures()?;
        match &self.claim.statement {
            Statement::Ratio(quotient) => self.check_ratio(quotient),
            Statement::Order(order) => self.check_order(order),
            Statement::NoDifference(NoDifference { between }) => self.check_sets(between),
            Statement::NoErrors(NoErrors { of }) => {
                self.expect(!of.is_empty(), "names no configuration")?;
                unique(self.document, "configuration", of.iter())
            }
            Statement::Bottleneck(bottleneck) => self.check_bottleneck(bottleneck),
            Statement::Shape(shape) => self.check_shape(shape),
            Statement::SystemShare(share) => self.check_shares(share),
            Statement::CpuOverLoads(CpuOverLoads { steady, rising }) => {
                self.expect(steady.len() + rising.len() > 0, "names no configuration")?;
                unique(self.document, "configuration", steady.iter().chain(rising))
            }
            Statement::NotYet => Ok(()),
        }
    }

    /// Refuses claims about figures that the experiment doesn't have.
    fn check_figures(&self) -> Checked {
        let of_load = match &self.claim.statement {
            Statement::Ratio(Quotient { figure, .. }) | Statement::Order(Order { figure, .. }) => {
                figure.is_of_load()
            }
            Statement::NoErrors(_) => true,
            Statement::Shape(shape) => shape.curve == Curve::Linear,
            Statement::NoDifference(_)
            | Statement::Bottleneck(_)
            | Statement::SystemShare(_)
            | Statement::CpuOverLoads(_) => false,
            Statement::NotYet => return Ok(()),
        };
        let has_load = |experiment: &Name| {
            self.paper.experiment(experiment).is_some_and(|experiment| !experiment.users.have_a_mix())
        };
        let fits = self.claim.experiments().all(|experiment| has_load(experiment) == of_load);
        self.expect(
            fits,
            if of_load {
                "is about what only a load shows, but its experiment has a mix"
            } else {
                "is about what only a mix shows, but its experiment has a load; name one of a load's figures"
            },
        )
    }

    fn expect_in(&self, experiment: &Name, configuration: &Name) -> Checked {
        let Some(found) = self.paper.experiment(experiment) else { return Ok(()) };
        let names = self.paper.configurations_in(found);
        known(
            self.document,
            &format!("configuration in {experiment} called"),
            configuration,
            names.iter().map(|configuration| &*configuration.name),
        )
    }

    fn refuse(&self, place: &Name, text: impl Into<String>) -> Checked {
        Err(fault(self.document, place, text.into()))
    }

    fn expect(&self, that: bool, text: &str) -> Checked {
        if that {
            Ok(())
        } else {
            self.refuse(&self.claim.name, format!("the claim `{}` {text}", self.claim.name))
        }
    }

    fn check_ratio(&self, quotient: &Quotient) -> Checked {
        match &quotient.over {
            Some(over) if quotient.of == *over => {
                return self.refuse(over, "a figure over itself is 1 whatever happens");
            }
            None if quotient.figure != Figure::P90OverP10 => {
                return self
                    .refuse(&quotient.of, "the figure is no ratio by itself, so say `over` which other one");
            }
            _ => (),
        }
        let names = self.paper.printed.iter().map(|printed| &*printed.name);
        for name in &quotient.printed {
            known(self.document, "printed figure", name, names.clone())?;
        }
        let printed: Vec<&Printed> =
            quotient.printed.iter().filter_map(|name| self.paper.printed(name)).collect();
        for figure in &printed {
            self.expect_same_workload(figure)?;
        }
        match printed.as_slice() {
            [ratio] => {
                self.expect(ratio.unit == Unit::Times, "refers to one printed figure, which is no ratio")
            }
            [of, over] => {
                let claimed = [Some(&quotient.of), quotient.over.as_ref()];
                let about = [of, over].map(|printed| printed.configuration.as_ref());
                self.expect(
                    about == claimed && claimed[1].is_some(),
                    "must refer to the printed figures of both configurations, in its order",
                )?;
                self.expect(of.unit == over.unit, "refers to printed figures with different units")
            }
            _ => self.expect(false, "must refer to a printed ratio, or to two printed figures"),
        }
    }

    fn expect_same_workload(&self, printed: &Printed) -> Checked {
        let workload = |name: &Name| self.paper.experiment(name).map(crate::Experiment::workload);
        let of_it = printed.experiment.as_ref().and_then(workload);
        self.expect(
            of_it == workload(&self.claim.experiment),
            "refers to what is printed of another experiment",
        )
    }

    fn check_order(&self, order: &Order) -> Checked {
        match &order.ranks {
            Ranks::HighestFirst(groups) => {
                self.expect(groups.len() > 1, "needs at least two groups, the higher one first")?;
                self.expect(groups.iter().all(|group| !group.is_empty()), "has an empty group")?;
                unique(self.document, "configuration", groups.iter().flatten())
            }
            Ranks::HigherThanIn { each, other } => {
                self.expect(!each.is_empty(), "names no configuration")?;
                self.expect(*other != self.claim.experiment, "compares an experiment with itself")?;
                unique(self.document, "configuration", each.iter())
            }
        }
    }

    fn check_sets(&self, sets: &[Vec<Name>]) -> Checked {
        self.expect(!sets.is_empty(), "names no configuration")?;
        self.expect(sets.iter().all(|set| set.len() > 1), "has a set of fewer than two configurations")?;
        sets.iter().try_for_each(|set| unique(self.document, "configuration", set.iter()))
    }

    fn check_bottleneck(&self, bottleneck: &Bottleneck) -> Checked {
        let (Limits::OneOf(limits) | Limits::NoneOf(limits)) = &bottleneck.limits;
        self.expect(!bottleneck.of.is_empty(), "names no configuration")?;
        self.expect(!limits.is_empty(), "names nothing that could limit them")?;
        unique(self.document, "configuration", bottleneck.of.iter())?;
        let configurations = bottleneck.of.iter().filter_map(|name| self.paper.configuration(name));
        for configuration in configurations {
            let machines = configuration.machines.iter().map(|machine| &**machine);
            let what = format!("machine in {} called", configuration.name);
            let mut named = limits.iter().filter_map(|limit| limit.machine.as_ref());
            named.try_for_each(|machine| known(self.document, &what, machine, machines.clone()))?;
        }
        Ok(())
    }

    fn check_shares(&self, SystemShare { of, printed }: &SystemShare) -> Checked {
        self.expect(
            !of.is_empty() && of.len() == printed.len(),
            "needs a printed share for each configuration",
        )?;
        unique(self.document, "configuration", of.iter())?;
        let names = self.paper.printed.iter().map(|printed| &*printed.name);
        for (name, printed) in of.iter().zip(printed) {
            known(self.document, "printed figure", printed, names.clone())?;
            let figure = self.paper.printed(printed);
            let is_its = figure.is_some_and(|figure| {
                figure.unit == Unit::Percent && figure.configuration.as_ref() == Some(name)
            });
            self.expect(is_its, "must refer to a percentage that is printed of the same configuration")?;
            figure.map_or(Ok(()), |figure| self.expect_same_workload(figure))?;
        }
        Ok(())
    }

    fn check_shape(&self, shape: &Shape) -> Checked {
        let least = if shape.curve == Curve::Same { 2 } else { 1 };
        self.expect(shape.of.len() >= least, "names too few configurations")?;
        unique(self.document, "configuration", shape.of.iter())
    }
}
