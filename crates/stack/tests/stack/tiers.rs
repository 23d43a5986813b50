//! Tiers by name: their services are choices, and factors of the same name are prefixed with the tier's.

use stack::{Configuration, Stack};
use std::{fs, path::Path};

/// A workspace with two containers, a server and a store, and a stack with a folder for one of its configurations,
/// which has these tiers.
fn read(tiers: &str) -> Result<(tempfile::TempDir, Stack), String> {
    read_with(tiers, "")
}

/// The same with more in its last configuration.
fn read_with(tiers: &str, more: &str) -> Result<(tempfile::TempDir, Stack), String> {
    let workspace = tempfile::tempdir().unwrap();
    let services = [
        (
            "mariadb",
            "store = 'mariadb'\ndeclare.engine = { default = 'InnoDB', one_of = ['InnoDB', 'MyISAM'], help = '' }",
        ),
        ("glassfish", "declare.heap = { default = '512m', help = 'how much' }"),
        (
            "tomee",
            "declare.heap = { default = '1g', help = 'how much' }\ndeclare.copies = { default = 'on', help = '' }",
        ),
        ("tomcat", "declare.heap = { default = '512m', help = 'how much' }"),
    ];
    for (name, rest) in services {
        let file = format!(
            "title = ''\nprogram = 'a'\nports = ['p']\ncommand = ['a']\nready = {{ port = 'p', within = '1s' }}\n\
             stop = {{ signal = 'TERM', within = '1s' }}\n{rest}\n"
        );
        write(&workspace.path().join("services").join(name).join("service.toml"), &file);
    }
    let silent = "title = ''\nprogram = 'a'\ncommand = ['a']\nready = { says = 'a' }\nstop = { signal = 'TERM', within = '1s' }\n";
    write(&workspace.path().join("services/silent/service.toml"), silent);
    let home = workspace.path().join("stacks/s");
    let file = format!(
        "title = ''\nlanguage = ''\napplications = ['shop', 'board']\ndeploy = ['code']\n\
         [[configuration]]\nname = 'Plain'\nsummary = ''\nstatements = 'exact'\n\
         tiers = [{{ role = 'db', service = 'mariadb' }}, {{ role = 'app', service = 'tomcat' }}]\n\
         [[configuration]]\nname = 'Beans'\nsummary = ''\nstatements = 'exact'\nfolder = 'beans'\ntiers = [{tiers}]\n{more}"
    );
    write(&home.join("stack.toml"), &file);
    write(&home.join("code/page"), "plain");
    write(&home.join("beans/code/page"), "of beans");
    let read = Stack::read(&home, &workspace.path().join("services"), &["shop", "board"]);
    read.map(|stack| (workspace, stack)).map_err(|fault| format!("{:?}", miette::Report::new(fault)))
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

const DB: &str = "{ role = 'db', service = 'mariadb' }";
const TOMCAT: &str = "{ role = 'app', service = 'tomcat' }";

fn beans() -> (tempfile::TempDir, Stack) {
    let choice = "{ role = 'ejb', name = 'ejb', service = ['glassfish', 'tomee'], set = { heap = '768m' } }";
    read(&format!("{DB}, {choice}, {TOMCAT}")).unwrap()
}

fn tiers(configuration: &Configuration) -> Vec<(&str, &str)> {
    configuration.tiers.iter().map(|tier| (tier.name(), tier.service.name.as_str())).collect()
}

#[test]
fn what_runs_on_a_tier_is_chosen_by_a_factor_that_is_called_as_the_tier() {
    let (_house, stack) = beans();
    let first = &stack.configurations[1];
    assert_eq!(tiers(first), [("mariadb", "mariadb"), ("ejb", "glassfish"), ("tomcat", "tomcat")]);
    assert_eq!(first.factors["ejb"], "glassfish");
    assert_eq!(first.choice_names().collect::<Vec<_>>(), ["ejb"]);
    assert_eq!(first.choices_with("copies"), ["ejb=tomee"]);
    let other = stack.vary(first, "ejb", "tomee").unwrap();
    assert_eq!(other.name, "Beans,ejb=tomee");
    assert_eq!(tiers(&other)[1], ("ejb", "tomee"));
    assert_eq!(other.tiers[1].factors["heap"], "768m");
    let wrong = stack.vary(first, "ejb", "jonas").unwrap_err();
    assert_eq!(wrong.fault, "`ejb` can't be `jonas`; it is one of glassfish, tomee");
}

#[test]
fn a_factor_that_several_tiers_have_is_named_with_its_tier() {
    let (_house, stack) = beans();
    let first = &stack.configurations[1];
    let wrong = stack.vary(first, "heap", "1g").unwrap_err();
    assert_eq!(wrong.fault, "in `Beans`, several tiers have a factor `heap`");
    assert_eq!(wrong.remedy, "say which is meant: ejb.heap or tomcat.heap");
    let other = stack.vary(first, "ejb.heap", "1g").unwrap();
    assert_eq!(other.name, "Beans,ejb.heap=1g");
    let heaps = [1, 2].map(|tier: usize| other.tiers[tier].factors["heap"].as_str());
    assert_eq!(heaps, ["1g", "512m"]);
    // A factor of one tier alone keeps its short name, also when it is given with the tier's.
    let tomee = stack.vary(first, "ejb", "tomee").unwrap();
    assert_eq!(stack.vary(&tomee, "ejb.copies", "off").unwrap().name, "Beans,ejb=tomee,copies=off");
    let plain = stack.vary(&stack.configurations[0], "heap", "1g").unwrap();
    assert_eq!(plain.name, "Plain,heap=1g");
    assert_eq!(stack.factor_names(first), ["ejb", "engine", "ejb.heap", "tomcat.heap"]);
}

#[test]
fn a_factor_that_must_be_as_it_is_is_not_offered() {
    let fixed = "{ role = 'app', service = 'tomcat', set = { heap = '2g' }, fixed = ['heap'] }";
    let (_house, stack) = read(&format!("{DB}, {fixed}")).unwrap();
    let first = &stack.configurations[1];
    assert!(stack.factor(first, "heap").unwrap().is_none() && stack.factor_names(first) == ["engine"]);
    assert!(first.fixes("heap") && first.fixes("tomcat.heap") && !first.fixes("mpm"));
    let same = stack.vary(first, "heap", "1g").unwrap();
    assert_eq!((same.name.as_str(), same.tiers[1].factors["heap"].as_str()), ("Beans", "2g"));
    let fault = read(&format!("{DB}, {}", fixed.replace("['heap']", "['heep']"))).map(drop).unwrap_err();
    assert!(fault.contains("there is no factor `heep`") && fault.contains("did you mean `heap`?"), "{fault}");
}

const DESIGN: &str = "[configuration.declare.design]\ndefault = 'facade'\nhelp = 'which beans'\n\
    [configuration.declare.design.values]\n\
    session = { help = 'session beans', set = { copies = 'off' } }\n\
    facade = { help = 'a facade', set = { engine = 'MyISAM', 'ejb.heap' = '2g' } }\n\
    cmp = { help = 'entities', applications = ['shop'], set = { engine = 'InnoDB' } }\n";

fn designs() -> (tempfile::TempDir, Stack) {
    let ejb = "{ role = 'ejb', name = 'ejb', service = ['glassfish', 'tomee'], set = { heap = '768m' } }";
    read_with(&format!("{DB}, {ejb}, {TOMCAT}"), DESIGN).unwrap()
}

#[test]
fn a_value_sets_factors_of_tiers_which_are_not_offered_then() {
    let (_house, stack) = designs();
    let first = &stack.configurations[1];
    let shown = |one: &Configuration| {
        let value = |tier: usize, name: &str| one.tiers[tier].factors.get(name).cloned().unwrap_or_default();
        [value(0, "engine"), value(1, "heap"), value(1, "copies")]
    };
    assert_eq!(shown(first), ["MyISAM", "2g", ""]);
    assert_eq!(stack.factor_names(first), ["design", "ejb", "heap"]);
    assert!(first.fixes("engine") && first.fixes("ejb.heap") && !first.fixes("tomcat.heap"));
    assert_eq!(first.choice_names().collect::<Vec<_>>(), ["ejb", "design"]);
    // With another value, what the first one has set is as the stack has it, and open.
    let session = stack.vary(first, "design", "session").unwrap();
    assert_eq!(session.name, "Beans,design=session");
    assert_eq!(shown(&session), ["InnoDB", "768m", ""]);
    assert_eq!(stack.factor_names(&session), ["design", "ejb", "engine", "ejb.heap", "tomcat.heap"]);
    // Whatever runs on a tier, and in whichever order the two are chosen.
    let vary = |one: &Configuration, names: [(&str, &str); 2]| {
        let [first, second] = names;
        stack.vary(&stack.vary(one, first.0, first.1).unwrap(), second.0, second.1).unwrap()
    };
    let (design, ejb) = (("design", "session"), ("ejb", "tomee"));
    for (names, called) in
        [([design, ejb], "Beans,design=session,ejb=tomee"), ([ejb, design], "Beans,ejb=tomee,design=session")]
    {
        let tomee = vary(first, names);
        assert_eq!((tomee.name.as_str(), shown(&tomee)[2].as_str()), (called, "off"));
        assert!(tomee.fixes("copies"));
    }
    assert_eq!(shown(&stack.vary(first, "ejb", "tomee").unwrap()), ["MyISAM", "2g", "on"]);
    assert_eq!(stack.vary(first, "design", "facade").unwrap().name, "Beans");
}

#[test]
fn values_are_those_of_the_application() {
    for (application, values) in
        [("shop", vec!["cmp", "facade", "session"]), ("board", vec!["facade", "session"])]
    {
        let (_house, mut stack) = designs();
        stack.narrow(application);
        let first = &stack.configurations[1];
        assert_eq!(stack.factor(first, "design").unwrap().unwrap().values(), values);
    }
    let (_house, stack) = designs();
    let wrong = stack.vary(&stack.configurations[1], "design", "x").unwrap_err();
    assert_eq!(wrong.remedy, "which beans: cmp (entities), facade (a facade), session (session beans)");
}

#[test]
fn a_value_that_sets_what_is_not_there_is_refused() {
    let tiers = format!("{DB}, {{ role = 'ejb', name = 'ejb', service = ['glassfish', 'tomee'] }}, {TOMCAT}");
    for (from, to, text) in [
        ("'ejb.heap'", "'ejb.heep'", "did you mean `heap`?"),
        ("'ejb.heap'", "heap", "several tiers have a factor `heap`"),
        ("engine = 'MyISAM'", "engine = 'Aria'", "it is one of InnoDB, MyISAM"),
        ("['shop']", "['shp']", "did you mean `shop`?"),
        ("default = 'facade'", "default = 'cmp'", "not all applications of `Beans` can have the default"),
        ("default = 'facade'", "default = 'facades'", "it is one of cmp, facade, session"),
        ("help = 'which beans'", "help = ''\none_of = ['facade']", "leave out `one_of`"),
    ] {
        assert!(DESIGN.contains(from), "{from}");
        let fault = read_with(&tiers, &DESIGN.replacen(from, to, 1)).map(drop).unwrap_err();
        assert!(fault.contains(text) && fault.contains("stack.toml"), "{to}: {fault}");
    }
}

#[test]
fn a_folder_of_its_own_is_part_of_that_configuration_alone() {
    let (workspace, stack) = beans();
    let home = workspace.path().join("apps/shop");
    write(&home.join("app.toml"), "title = 'Shop'\n");
    assert_eq!(stack.of(&stack.configurations[1]).place, stack.home.join("beans"));
    assert_eq!(stack.of(&stack.configurations[0]).place, stack.home);
    let fingerprint = |at: usize| {
        let configuration = &stack.configurations[at];
        stack.of(configuration).fingerprint(configuration, "shop", &home).unwrap()
    };
    let before = [fingerprint(0), fingerprint(1)];
    write(&stack.home.join("beans/code/page"), "of other beans");
    assert_eq!(fingerprint(0), before[0]);
    assert_ne!(fingerprint(1), before[1]);
}

#[test]
fn tiers_that_cannot_be_are_refused_with_their_line() {
    let cases = [
        (format!("{DB}, {TOMCAT}, {TOMCAT}"), "two tiers are called `tomcat`"),
        (format!("{TOMCAT}, {DB}"), "`tomcat` starts before the store"),
        (format!("{DB}, {{ role = 'ejb', service = ['glassfish', 'tomee'] }}"), "give the tier a `name`"),
        (
            format!("{DB}, {{ role = 'ejb', name = 'heap', service = ['glassfish', 'tomee'] }}"),
            "have a factor `heap`",
        ),
        (format!("{DB}, {{ role = 'app', service = 'tomcat', ready_page = 'page' }}"), "begin it with `/`"),
        (
            format!("{DB}, {{ role = 'app', service = 'silent', ready_page = '/' }}"),
            "`silent` listens on no port",
        ),
    ];
    for (tiers, text) in cases {
        let fault = read(&tiers).map(drop).unwrap_err();
        assert!(fault.contains(text) && fault.contains("stack.toml"), "{tiers}: {fault}");
    }
}

#[test]
fn a_factor_that_decides_on_training_is_a_switch_of_the_stack() {
    let tiers = format!("{DB}, {{ role = 'app', service = 'tomcat', training = 'aot' }}");
    let switch =
        "[configuration.declare.aot]\ndefault = 'false'\none_of = ['false', 'true']\nhelp = 'cache'\n";
    let (_house, stack) = read_with(&tiers, switch).unwrap();
    assert_eq!(stack.vary(&stack.configurations[1], "aot", "true").unwrap().name, "Beans,aot=true");
    for (more, expected) in [
        (switch.replace("aot", "aotc"), "did you mean `aotc`?"),
        (switch.replace("['false', 'true']", "['false', 'some']"), "`one_of = [\"false\", \"true\"]`"),
    ] {
        let fault = read_with(&tiers, &more).map(drop).unwrap_err();
        assert!(fault.contains(expected) && fault.contains("stack.toml"), "{fault}");
    }
}
