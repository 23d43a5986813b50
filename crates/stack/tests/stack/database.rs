//! The database of a configuration: the application's preference among those that the stack supports, unless the
//! factor `database` chooses another.

use services::WrongValue;
use stack::{Configuration, DATABASE, Stack};
use std::{fs, path::Path};

/// Two stores with a factor each and a common one, and a server.
const SERVICES: [(&str, &str); 3] = [
    (
        "mariadb",
        "store = 'mariadb'\ndeclare.engine = { default = 'InnoDB', help = '', one_of = ['InnoDB', 'MyISAM'] }\n\
         declare.connections = { default = '100', help = '', kind = 'number' }",
    ),
    (
        "postgresql",
        "store = 'postgresql'\ndeclare.buffers = { default = '512MB', help = '' }\n\
         declare.connections = { default = '200', help = '', kind = 'number' }",
    ),
    ("server", "declare.workers = { default = '8', help = '', kind = 'number' }"),
];

/// A stack whose only configuration, `S-DB`, has this tier `db`.
fn read(db: &str) -> Result<Stack, String> {
    read_with(db, "")
}

/// The same with this additional text.
fn read_with(db: &str, more: &str) -> Result<Stack, String> {
    let workspace = tempfile::tempdir().unwrap();
    for (name, rest) in SERVICES {
        let file = format!(
            "title = ''\nprogram = 'a'\nports = ['p']\ncommand = ['a']\nready = {{ port = 'p', within = '1s' }}\n\
             stop = {{ signal = 'TERM', within = '1s' }}\n{rest}\n"
        );
        write(&workspace.path().join("services").join(name).join("service.toml"), &file);
    }
    let stack = format!(
        "title = ''\nlanguage = ''\napplications = ['shop']\n{more}\n[[configuration]]\nname = 'S-DB'\nsummary = ''\n\
         statements = 'exact'\ntiers = [\n{{ role = 'db', {db} }},\n{{ role = 'web', service = 'server' }},\n]\n"
    );
    write(&workspace.path().join("stacks/s/stack.toml"), &stack);
    let read = Stack::read(&workspace.path().join("stacks/s"), &workspace.path().join("services"), &["shop"]);
    read.map_err(|fault| format!("{:?}", miette::Report::new(fault)))
}

pub(crate) fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// The same for an application with these databases, the preferred one first.
fn kept(db: &str, databases: &[&str]) -> Result<Stack, WrongValue> {
    let mut stack = read(db).unwrap();
    stack.keep_in(&databases.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())?;
    Ok(stack)
}

/// The database, and its limit of connections.
fn runs(configuration: &Configuration) -> (&str, &str) {
    let tier = &configuration.tiers[0];
    (&tier.service.name, &tier.factors["connections"])
}

/// The values of the factor; none where there is no such factor.
fn choices(stack: &Stack) -> Vec<String> {
    let factor = stack.factor(&stack.configurations[0], DATABASE).unwrap();
    factor.map_or_else(Vec::new, |factor| factor.values().to_vec())
}

const BOTH: &str = "service = ['mariadb', 'postgresql']";

#[test]
fn the_first_database_of_the_application_that_the_stack_allows_is_the_default() {
    let cases: [(&str, &[&str], &str, &[&str]); 5] = [
        (BOTH, &["postgresql", "mariadb"], "postgresql", &["postgresql", "mariadb"]),
        (BOTH, &["mariadb", "postgresql"], "mariadb", &["mariadb", "postgresql"]),
        (BOTH, &["oracle", "postgresql"], "postgresql", &[]),
        ("service = 'mariadb'", &["postgresql", "mariadb"], "mariadb", &[]),
        ("service = ['postgresql']", &["postgresql", "mariadb"], "postgresql", &[]),
    ];
    for (db, databases, expected, values) in cases {
        let stack = kept(db, databases).unwrap();
        let configuration = &stack.configurations[0];
        assert_eq!(runs(configuration).0, expected, "{db} for {databases:?}");
        assert_eq!(choices(&stack), values, "{db} for {databases:?}");
        let in_force = configuration.factors.get(DATABASE).map(String::as_str);
        assert_eq!(in_force, values.first().copied(), "{db} for {databases:?}");
    }
}

#[test]
fn the_database_that_the_stack_prefers_for_the_application_is_the_default() {
    let stack = |preferred: &str| {
        let mut stack = read_with(BOTH, &format!("[application.shop]\ndatabase = '{preferred}'")).unwrap();
        stack.narrow("shop");
        stack
    };
    let kept_in = ["postgresql".to_owned(), "mariadb".to_owned()];
    for (preferred, values) in
        [("mariadb", ["mariadb", "postgresql"]), ("postgresql", ["postgresql", "mariadb"])]
    {
        let mut stack = stack(preferred);
        stack.keep_in(&kept_in).unwrap();
        assert_eq!(runs(&stack.configurations[0]).0, preferred);
        assert_eq!(choices(&stack), values);
    }
    let wrong = stack("oracle").keep_in(&kept_in).unwrap_err();
    assert_eq!(wrong.fault, "the stack prefers `oracle`, but the application is not kept there");
    assert_eq!(wrong.remedy, "prefer one of its databases: postgresql, mariadb");
}

#[test]
fn the_factor_runs_another_with_the_factors_that_the_stack_sets_for_it() {
    let db = format!("{BOTH}, set = {{ connections = '700', engine = 'MyISAM' }}");
    let stack = kept(&db, &["postgresql", "mariadb"]).unwrap();
    let first = &stack.configurations[0];
    assert_eq!(runs(first), ("postgresql", "700"));
    assert_eq!(first.choices_with("engine"), ["database=mariadb"]);
    assert_eq!(first.choices_with("connections"), ["database=mariadb", "database=postgresql"]);

    let other = stack.vary(first, DATABASE, "mariadb").unwrap();
    assert_eq!((runs(&other), other.name.as_str()), (("mariadb", "700"), "S-DB,database=mariadb"));
    assert_eq!(other.tiers[0].factors["engine"], "MyISAM");
    assert_eq!(other.plain_name(), "S-DB");
    // Its own factors can be varied from now on.
    let innodb = stack.vary(&other, "engine", "InnoDB").unwrap();
    assert_eq!(innodb.name, "S-DB,database=mariadb,engine=InnoDB");
    assert_eq!(stack.vary(first, DATABASE, "postgresql").unwrap().name, "S-DB");

    let wrong = stack.vary(first, DATABASE, "postgres").unwrap_err();
    assert_eq!(wrong.fault, "`database` can't be `postgres`; it is one of postgresql, mariadb");
    assert_eq!(wrong.remedy, "did you mean `postgresql`?");
}

#[test]
fn where_both_have_nothing_in_common_the_configuration_is_named() {
    let wrong = kept("service = 'mariadb'", &["postgresql"]).unwrap_err();
    assert_eq!(wrong.fault, "`S-DB` keeps data in mariadb, but the application is not kept there");
    assert_eq!(wrong.remedy, "add one of its databases to the tier: postgresql");
    let wrong = kept(BOTH, &[]).unwrap_err();
    assert!(wrong.fault.contains("keeps data in mariadb or postgresql"), "{wrong:?}");
    assert!(wrong.remedy.contains("`databases` of its app.toml"), "{wrong:?}");
}

#[test]
fn a_list_that_cannot_be_is_refused_with_its_line() {
    let cases = [
        ("service = ['mariadb', 'server']", "chosen by a factor that is called as the tier"),
        ("service = ['mariadb', 'postgres']", "there is no service `postgres`"),
        ("service = ['mariadb', 'postgres']", "did you mean `postgresql`?"),
        ("service = []", "the tier `db` has no service"),
        ("name = 'db', service = ['mariadb', 'server']", "`server` can't run instead of `mariadb`"),
        ("service = 1", "a list of names"),
        ("service = ['mariadb', 'postgresql'], set = { engin = 'MyISAM' }", "`engin` is no factor here"),
    ];
    for (db, text) in cases {
        let fault = read(db).unwrap_err();
        assert!(fault.contains(text) && fault.contains("stack.toml"), "{db}: {fault}");
    }
}
