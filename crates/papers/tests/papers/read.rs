//! The papers of this repository, against its applications, mixes and stacks.

use lab::Workspace;
use papers::{Claim, Paper, Printed, Statement, Unit, Users};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn folder() -> PathBuf {
    home().join("papers")
}

fn middleware() -> Paper {
    Paper::read(&folder().join("middleware-2003")).unwrap()
}

fn att() -> Paper {
    Paper::read(&folder().join("att-2000")).unwrap()
}

fn apache() -> Paper {
    Paper::read(&folder().join("apache-2002")).unwrap()
}

fn soap() -> Paper {
    Paper::read(&folder().join("icws-2008")).unwrap()
}

fn oopsla() -> Paper {
    Paper::read(&folder().join("oopsla-2002")).unwrap()
}

#[test]
fn each_paper_is_readable_and_is_about_what_is_here() {
    let papers = Paper::read_all(&folder()).unwrap();
    let names: Vec<&str> = papers.iter().map(|paper| paper.name.as_str()).collect();
    assert_eq!(names, ["apache-2002", "att-2000", "icws-2008", "middleware-2003", "oopsla-2002"]);
    papers.iter().for_each(hold_against_house);
}

/// Everything not marked as missing exists.
fn hold_against_house(paper: &Paper) {
    let workspace = Workspace::find(Some(&home())).unwrap();
    let testbed = home().join("testbeds").join(format!("{}.toml", paper.about.testbed));
    assert!(testbed.is_file(), "{}", testbed.display());
    for application in &paper.about.applications {
        let mixes = workspace.mixes(&application.name).ok().filter(|_| application.not_yet.is_none());
        assert!(mixes.is_some() || application.not_yet.is_some(), "{}", application.name);
        if mixes.is_some() {
            // `compare` takes the think time alone.
            let catalogue = workspace.catalogue(&application.name).unwrap();
            let searches = [&application.full, &application.quick].map(|protocol| protocol.search.as_ref());
            let lengths = searches.into_iter().flatten().map(|search| search.session_length);
            assert!(lengths.into_iter().all(|length| length == catalogue.session_length));
            application.loads.iter().for_each(|model| drop(workspace.load_model(&catalogue, model).unwrap()));
        }
        for mix in application.mixes.iter().filter(|_| mixes.is_some()) {
            assert!(mixes.iter().flatten().any(|known| known == mix), "{}: {mix}", application.name);
        }
        if mixes.is_some() {
            expect_configurations(paper, &workspace, &application.name);
        }
    }
}

fn expect_configurations(paper: &Paper, workspace: &Workspace, application: &str) {
    for configuration in &paper.configurations {
        let chosen = workspace.choose(application, std::slice::from_ref(&configuration.maps_to)).ok();
        assert_eq!(
            chosen.is_none(),
            configuration.missing_with(application).is_some(),
            "{}",
            configuration.maps_to
        );
        for chosen in chosen.iter().flatten() {
            let measured = chosen.configuration.tiers.iter().rev().filter(|tier| tier.is_measured);
            let mut roles: Vec<&str> = measured.map(|tier| tier.role.as_str()).collect();
            roles.dedup();
            let machines: Vec<&str> = configuration.machines.iter().map(|machine| &**machine).collect();
            assert_eq!(roles, machines, "{}", configuration.maps_to);
            for (factor, value) in &configuration.set {
                chosen.stack.vary(&chosen.configuration, factor, value).unwrap();
            }
        }
    }
}

/// All kinds occur, and all can be judged.
#[test]
fn all_claims_of_the_middleware_paper_can_be_judged() {
    let paper = middleware();
    for claim in &paper.claims {
        assert_eq!(paper.missing_for(claim), Vec::<&str>::new(), "{}", claim.name);
    }
    let kinds: BTreeSet<&str> = paper.claims.iter().map(|claim| claim.statement.kind()).collect();
    assert_eq!(kinds.len(), 5, "{kinds:?}");
}

/// In the paper on SOAP, only claims about Axis2 C can't be judged yet.
#[test]
fn claims_about_axis2_c_come_later() {
    let paper = soap();
    for claim in &paper.claims {
        let is_about_c = claim.configurations().iter().any(|name| ***name == *"Axis2 C");
        assert_eq!(paper.missing_for(claim).is_empty(), !is_about_c, "{}", claim.name);
    }
}

/// A figure without a claim would be compared with nothing: of BENCH1, only the shortest and longest think times have
/// claims, and lists of nodes and throughput over connections have none.
#[test]
fn each_experiment_has_claims() {
    for (paper, expected) in [
        (middleware(), vec![]),
        (apache(), vec!["bench1-5s"]),
        (soap(), vec!["fig7-50", "fig8-1", "fig8-10"]),
        (oopsla(), vec![]),
        (att(), vec![]),
    ] {
        let without = paper
            .experiments
            .iter()
            .filter(|experiment| !paper.claims.iter().any(|claim| claim.experiment == experiment.name));
        let without: Vec<&str> = without.map(|experiment| &*experiment.name).collect();
        assert_eq!(without, expected);
    }
}

/// One claim can't be judged yet: that throughput is steady at a capacity.
#[test]
fn most_claims_of_the_att_paper_can_be_judged() {
    let paper = att();
    let later: Vec<&str> = paper
        .claims
        .iter()
        .filter(|claim| !paper.missing_for(claim).is_empty())
        .map(|claim| &*claim.name)
        .collect();
    assert_eq!(later, ["stable-before-the-objective"]);
    let all: Vec<_> = paper.experiments.iter().collect();
    let names: Vec<String> = paper.runs_for(&all).iter().map(|run| run.workload.name()).collect();
    assert_eq!(names, ["mail-messages", "mail-reading", "mail-reading-capacity-1ms", "mail-trivial"]);
}

/// All of the Apache paper can be measured, each load by itself, and each claim judged.
#[test]
fn each_load_of_the_apache_paper_is_a_run_of_its_own() {
    let paper = apache();
    assert!(paper.claims.iter().all(|claim| paper.missing_for(claim).is_empty()));
    let all: Vec<_> = paper.experiments.iter().collect();
    let runs = paper.runs_for(&all);
    assert_eq!(runs.len(), all.len());
    for (run, experiment) in runs.iter().zip(&all) {
        assert!(matches!(run.workload.users, Users::Load { .. }));
        assert_eq!(run.workload.name(), format!("comments-{}", &*experiment.name));
        let has_cgi = run.configurations.iter().any(|configuration| *configuration.name == *"CGI");
        assert_eq!(
            (run.configurations.len(), has_cgi),
            if *experiment.name == *"bench2" { (5, true) } else { (4, false) }
        );
    }
    let scales: BTreeSet<String> = runs.iter().map(|run| run.workload.scale.to_string()).collect();
    assert_eq!(scales.iter().map(String::as_str).collect::<Vec<_>>(), ["1", "1.47", "3.9"]);
}

#[test]
fn figures_of_one_mix_take_the_same_runs() {
    let paper = middleware();
    let named = |names: &[&str]| names.iter().filter_map(|name| paper.experiment(name)).collect::<Vec<_>>();
    let chosen = named(&["fig5", "fig11", "fig12", "fig14"]);
    let runs = paper.runs_for(&chosen);
    let names: Vec<String> = runs.iter().map(|run| run.workload.name()).collect();
    assert_eq!(names, ["bookstore-shopping", "auction-bidding", "auction-browsing"]);
    for run in &runs {
        let here: Vec<&str> =
            run.configurations.iter().map(|configuration| configuration.maps_to.as_str()).collect();
        let expected = [
            "WsPhp-DB",
            "WsServlet-DB",
            "WsServlet-DB-sync",
            "Ws-Servlet-DB",
            "Ws-Servlet-DB-sync",
            "Ws-Servlet-EJB-DB",
        ];
        assert_eq!(here, expected);
    }
    assert!(paper.claims_on(&chosen).any(|claim| *claim.name == *"auction-bidding-php-over-servlet"));
    assert!(paper.claims_on(&chosen).all(|claim| *claim.experiment != *"fig13"));
    assert!(
        paper.claims_on(&chosen).all(|claim| *claim.name != *"bookstore-browsing-below-shopping"),
        "takes fig7"
    );
}

/// Claims with unavailable parts are listed with the reason: Jeremie, or passing references to another JVM.
#[test]
fn claims_about_what_is_offered_no_more_cannot_be_told() {
    let paper = oopsla();
    let (now, later): (Vec<&Claim>, Vec<&Claim>) =
        paper.claims.iter().partition(|claim| paper.missing_for(claim).is_empty());
    assert!(now.len() > later.len(), "{} of {}", now.len(), paper.claims.len());
    for section in ["6.1", "6.2", "6.3", "6.4", "6.5", "6.6", "6.7"] {
        assert!(now.iter().any(|claim| claim.section == section), "{section}");
    }
    let reasons: BTreeSet<&str> = later.iter().flat_map(|claim| paper.missing_for(claim)).collect();
    assert_eq!(reasons.len(), 2, "{reasons:?}");
}

/// Figures of a mix come from the same runs, each variant in them once.
#[test]
fn containers_are_variants_of_a_design() {
    let paper = oopsla();
    let all: Vec<_> = paper.experiments.iter().collect();
    let runs = paper.runs_for(&all);
    assert_eq!(runs.len(), 2);
    for run in &runs {
        let here: Vec<&str> =
            run.configurations.iter().map(|configuration| configuration.maps_to.as_str()).collect();
        assert!(
            here.contains(&"Ws-Servlet-EJB-DB,design=bmp")
                && here.contains(&"Ws-Servlet-EJB-DB,design=bmp,ejb=tomee")
        );
        assert_eq!(here.len(), here.iter().collect::<BTreeSet<_>>().len(), "{here:?}");
    }
}

/// A claim that can be judged must not be lost between blocks: some block has all its configurations, or its blocks have one in
/// common, through which they are compared. What is left out of all blocks is left out by name.
#[test]
fn blocks_leave_no_claim_out() {
    for paper in Paper::read_all(&folder()).unwrap().into_iter().map(Paper::quick) {
        let all: Vec<_> = paper.experiments.iter().collect();
        let runs = paper.runs_for(&all);
        for claim in paper.claims.iter().filter(|claim| paper.missing_for(claim).is_empty()) {
            let experiment = paper.experiment(&claim.experiment).unwrap();
            let blocks: Vec<BTreeSet<&str>> = runs
                .iter()
                .filter(|run| run.workload == experiment.workload())
                .map(|run| run.configurations.iter().map(|one| &*one.name).collect())
                .collect();
            let names: Vec<&str> = claim.configurations().into_iter().map(|name| &**name).collect();
            for name in &names {
                assert!(
                    blocks.iter().any(|block| block.contains(name)),
                    "{name} of {} is in no block",
                    claim.name
                );
            }
            let can_be_compared = |one: &str, other: &str| {
                blocks.iter().filter(|block| block.contains(one)).any(|block| {
                    let mut others = blocks.iter().filter(|block| block.contains(other));
                    others.any(|other| block.intersection(other).next().is_some())
                })
            };
            assert!(
                names.iter().all(|one| names.iter().all(|other| can_be_compared(one, other))),
                "{}: {names:?}",
                claim.name
            );
        }
    }
}

/// Eight sites are up at once, and session beans are in both blocks.
#[test]
fn a_quick_reproduction_of_designs_has_two_blocks() {
    let paper = oopsla().quick();
    let all: Vec<_> = paper.experiments.iter().collect();
    let names: Vec<String> = paper.runs_for(&all).iter().map(papers::Run::name).collect();
    let blocks = ["auction-browsing-1", "auction-browsing-2", "auction-bidding-1", "auction-bidding-2"];
    assert_eq!(names, blocks);
    let runs = paper.runs_for(&all);
    let reach = |place: &[usize]| {
        let runs: Vec<_> = place.iter().map(|place| &runs[*place]).collect();
        let papers::Reach { decidable, refutable, equivalences } = paper.reach(&all, &runs, |_| true);
        [decidable.len(), refutable.len(), equivalences.len()]
    };
    let (first, both) = (reach(&[0, 2]), reach(&[0, 1, 2, 3]));
    assert!(first[0] > 10 && both[0] > first[0] + 10 && both[2] > 4, "{first:?}, {both:?}");
    assert!(both.iter().sum::<usize>() <= paper.claims.len());
}

/// The printed percentages agree with the printed peaks, so both were copied correctly.
#[test]
fn the_printed_ratio_is_that_of_the_printed_peaks() {
    let paper = middleware();
    let value = |name: &str| paper.printed(name).map(|printed| printed.value).unwrap();
    let quotient = value("bidding-php") / value("bidding-servlet");
    assert!((quotient - value("bidding-php-over-servlet")).abs() < 0.005 + 1e-9, "{quotient}");
}

#[test]
fn ratios_are_the_only_printed_figures_without_a_unit() {
    for paper in [middleware(), apache(), soap(), oopsla(), att()] {
        only_ratios_are_without_a_unit(&paper);
    }
}

fn only_ratios_are_without_a_unit(paper: &Paper) {
    let ratios = paper.claims.iter().filter_map(|claim| match &claim.statement {
        Statement::Ratio(quotient) => Some(&quotient.printed),
        _ => None,
    });
    let used: Vec<&Printed> = ratios.flatten().filter_map(|name| paper.printed(name)).collect();
    assert!(used.iter().all(|printed| matches!(
        printed.unit,
        Unit::Times
            | Unit::InteractionsPerMinute
            | Unit::RequestsPerSecond
            | Unit::KilobitsPerSecond
            | Unit::SessionsPerSecond
            | Unit::Milliseconds
    )));
}

fn changed(paper: &str, file: &str, from: &str, to: &str) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    for entry in fs_err::read_dir(folder().join(paper)).unwrap() {
        let path = entry.unwrap().path();
        let mut text = fs_err::read_to_string(&path).unwrap();
        if path.ends_with(file) {
            assert!(text.contains(from), "{file} does not hold {from}");
            text = text.replacen(from, to, 1);
        }
        fs_err::write(copy.path().join(path.file_name().unwrap()), text).unwrap();
    }
    copy
}

#[test]
fn each_fault_is_refused_where_it_stands() {
    let faults = [
        ("paper.toml", "year = 2003", "yaer = 2003", "unknown field `yaer`"),
        ("paper.toml", "most = 4000", "most = 0", "above 0"),
        ("paper.toml", "most = 4000", "most = 4000\nclients = [100]", "either `most` or `clients`"),
        ("paper.toml", r#"roles = ["client"]"#, r#"roles = ["web"]"#, "the role `web` is there twice"),
        ("configurations.toml", r#"["web", "app", "db"]"#, r#"["web", "ap", "db"]"#, "no machine `ap`"),
        ("paper.toml", "[application.quick.search]", "[application.other]", "unknown field `other`"),
        ("experiments.toml", r#"mix = "bidding""#, r#"mix = "biding""#, "no mix `biding`"),
        ("experiments.toml", r#"mix = "bidding""#, r#"load = "bidding""#, "does not say what users do"),
        ("experiments.toml", r#"plots = "cpu""#, "", "does not say what users do"),
        (
            "experiments.toml",
            r#"plots = "cpu""#,
            "plots = \"cpu\"\nthink_time = \"7s\"",
            "which only a load may have",
        ),
        ("experiments.toml", r#"plots = "cpu""#, r#"plots = "disk""#, "unknown variant `disk`"),
        ("printed.toml", r#"experiment = "fig11""#, r#"experiment = "fig21""#, "no experiment `fig21`"),
        ("printed.toml", r#"machine = "ejb""#, r#"machine = "ebj""#, "no machine `ebj`"),
        ("printed.toml", "step = 1000", "step = 100000", "not above it"),
        ("claims.toml", r#"of = "WsPhp-DB", over"#, r#"of = "WsPhp", over"#, "no configuration `WsPhp`"),
        ("claims.toml", r#"["bidding-php-over-servlet"]"#, r#"["bidding-php"]"#, "no ratio"),
        (
            "claims.toml",
            r#"["bidding-servlet-apart", "bidding-php"]"#,
            r#"["bidding-php", "bidding-servlet-apart"]"#,
            "in its order",
        ),
        (
            "claims.toml",
            r#"["browsing-php-over-servlet"]"#,
            r#"["bidding-php-over-servlet"]"#,
            "of another experiment",
        ),
        ("claims.toml", "shape = {", "bottleneck = { of = [], never = [] }\nshape = {", "exactly one kind"),
        (
            "claims.toml",
            r#"["WsPhp-DB", "WsServlet-DB", "WsServlet-DB(sync)"], limits = [{ resource = "cpu", machine = "web" }]"#,
            r#"["WsPhp-DB"], limits = [{ resource = "cpu", machine = "app" }]"#,
            "no machine in WsPhp-DB called `app`",
        ),
        ("claims.toml", r#"lower_in = "fig7""#, r#"lower_in = "fig5""#, "with itself"),
        (
            "claims.toml",
            r#"[["Ws-Servlet-DB"], ["WsPhp-DB", "WsServlet-DB"]]"#,
            r#"[["WsPhp-DB"], ["WsPhp-DB", "WsServlet-DB"]]"#,
            "there twice",
        ),
    ];
    expect_refused("middleware-2003", &faults);
}

#[test]
fn each_fault_of_a_load_is_refused_where_it_stands() {
    let faults = [
        ("experiments.toml", r#"load = "bench2""#, r#"load = "bench7""#, "no load `bench7`"),
        (
            "experiments.toml",
            r#"load = "bench2""#,
            "load = \"bench2\"\nmix = \"reading\"",
            "does not say what users do",
        ),
        ("experiments.toml", "scale = 3.9", "scale = 0.0", "above 0"),
        ("experiments.toml", "clients = [14, 30]", "clients = [0]", "above 0"),
        (
            "experiments.toml",
            r#"think_time = "5s""#,
            "think_time = \"2s\"\nquick = { repetitions = 2 }",
            "have the same load, but differ",
        ),
        ("printed.toml", "value = 0\nstep = 1", "value = 0\nstep = 0", "a step above 0"),
        ("printed.toml", "value = 0\n", "value = -1\n", "a value of 0 or more"),
        ("claims.toml", r#"figure = "clients", "#, "", "only a mix shows"),
        ("claims.toml", r#"figure = "clients""#, r#"figure = "client""#, "unknown variant `client`"),
        ("claims.toml", r#", over = "PHP""#, "", "no ratio by itself"),
        ("claims.toml", r#"curve = "linear""#, r#"curve = "flat""#, "only a mix shows"),
        (
            "claims.toml",
            "no_errors = { of = [\"FastCGI\", \"mod_perl\", \"PHP\", \"Servlets\"] }",
            "no_errors = { of = [] }",
            "names no configuration",
        ),
        (
            "claims.toml",
            "no_errors = { of = [\"FastCGI\"",
            "no_errors = { of = [\"CGI\"",
            "configuration in bench3 called `CGI`",
        ),
    ];
    expect_refused("apache-2002", &faults);
}

fn expect_refused(paper: &str, faults: &[(&str, &str, &str, &str)]) {
    for (file, from, to, fault) in faults {
        let copy = changed(paper, file, from, to);
        let error = Paper::read(copy.path()).expect_err(fault);
        assert!(error.to_string().contains(fault), "{error} instead of {fault}");
        let shown = format!("{:?}", miette::Report::new(error));
        let line = format!("{file}:");
        assert!(shown.contains(&line), "{shown}");
        assert!(
            shown.split(&line).nth(1).is_some_and(|place| place.starts_with(|c: char| c.is_ascii_digit()))
        );
    }
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let copy = changed("middleware-2003", "paper.toml", "year", "year");
    fs_err::remove_file(copy.path().join("printed.toml")).unwrap();
    let error = Paper::read(copy.path()).unwrap_err();
    assert!(error.to_string().contains("printed.toml"), "{error}");
}
