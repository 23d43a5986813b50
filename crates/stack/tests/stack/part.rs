//! A section for one application changes nothing for the others.

use crate::database::write;
use stack::Stack;

const SERVICE: &str = "title = ''\nprogram = 'a'\nports = ['p']\ncommand = ['a']\nready = { port = 'p', within = '1s' }\n\
    stop = { signal = 'TERM', within = '1s' }\n";

/// A stack for two applications with this additional text.
fn read(more: &str) -> Result<Stack, String> {
    let workspace = tempfile::tempdir().unwrap();
    write(&workspace.path().join("services/server/service.toml"), SERVICE);
    let configuration = |name: &str| {
        format!(
            "[[configuration]]\nname = '{name}'\nsummary = ''\nstatements = 'own'\napplications = ['{name}']\n\
             tiers = [{{ role = 'web', service = 'server' }}]\n"
        )
    };
    let file = format!(
        "title = ''\nlanguage = ''\napplications = ['shop', 'mail']\npackages = ['common']\n{more}\n{}{}",
        configuration("shop"),
        configuration("mail")
    );
    write(&workspace.path().join("stacks/s/stack.toml"), &file);
    write(&workspace.path().join("stacks/s/pages/index"), "");
    let read = Stack::read(
        &workspace.path().join("stacks/s"),
        &workspace.path().join("services"),
        &["shop", "mail"],
    );
    read.map_err(|fault| format!("{:?}", miette::Report::new(fault)))
}

const PART: &str =
    "[application.mail]\npackages = ['libmail']\nbuild = [['make', 'mail']]\ndeploy = ['pages']\n";

#[test]
fn a_stack_is_narrowed_to_one_application() {
    let narrowed = |application: &str| {
        let mut stack = read(PART).unwrap();
        stack.narrow(application);
        let names: Vec<String> = stack.configurations.iter().map(|one| one.name.clone()).collect();
        (stack.packages, names)
    };
    assert_eq!(narrowed("shop"), (vec!["common".to_owned()], vec!["shop".to_owned()]));
    assert_eq!(narrowed("mail"), (vec!["common".to_owned(), "libmail".to_owned()], vec!["mail".to_owned()]));
}

#[test]
fn an_application_has_factors_of_its_own() {
    let declared = "[application.mail.declare.tuning]\ndefault = 'on'\nhelp = ''\n";
    let names = |application: &str| {
        let mut stack = read(declared).unwrap();
        stack.narrow(application);
        (stack.factor_names(&stack.configurations[0]), stack.configurations[0].factors.clone())
    };
    assert_eq!(names("shop"), (Vec::new(), [].into()));
    assert_eq!(names("mail"), (vec!["tuning".into()], [("tuning".into(), "on".into())].into()));
    let error = read(&format!("{declared}[declare.tuning]\ndefault = 'off'\nhelp = ''\n")).unwrap_err();
    assert!(error.contains("`tuning` is declared twice"), "{error}");
    let error = read(&declared.replace("declare", "factor")).unwrap_err();
    assert!(error.contains("unknown field `factor`") && error.contains("`declare`"), "{error}");
}

#[test]
fn what_is_wrong_with_a_part_is_named() {
    for (from, to, said) in [
        ("[application.mail]", "[application.mial]", "did you mean `mail`?"),
        ("'pages'", "'pags'", "`pags`"),
        ("packages", "pakages", "did you mean `packages`?"),
    ] {
        let error = read(&PART.replace(from, to)).unwrap_err();
        assert!(error.contains(said), "{error}");
    }
}
