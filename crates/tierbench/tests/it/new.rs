//! The skeletons of stacks: each kind passes the check, starts, answers a page, and is told what it is not yet. The
//! commands of the guide do what it says.

use crate::{
    documents::{Typed, typed_in},
    sandbox::{Sandbox, real_workspace, turn},
};
use rustix::process::Signal;
use std::fs;

/// Makes a stack of a kind, and holds it to the check.
fn make(sandbox: &Sandbox, kind: &str) -> String {
    let name = format!("my-{kind}");
    let made = sandbox.run(&["new", "stack", &name, "--kind", kind]);
    made.expect(0, &[]);
    let next = format!("verify comments {name}");
    for text in ["stack.toml", "docs/add-a-stack.md", &next] {
        made.expect_output(text);
    }
    let checked = sandbox.run(&["check", "comments"]);
    checked.expect(0, &[]);
    checked.expect_output(&format!("stack {name}: "));
    let manifest = fs::read_to_string(sandbox.workspace().join(format!("stacks/{name}/stack.toml"))).unwrap();
    assert!(manifest.contains(r#"{ role = "db", service = ["postgresql", "mariadb"] }"#), "{manifest}");
    assert!(!manifest.contains("__"), "{manifest}");
    name
}

/// Verifies it with a database, which must name the first request whose answer differs.
fn differs(sandbox: &Sandbox, name: &str, database: &str) {
    let factor = format!("database={database}");
    let words = [
        "verify",
        "comments",
        name,
        "--smoke",
        "--factor",
        &factor,
        "--scale",
        "0.002",
        "--shrink-time",
        "3s",
    ];
    let ended = sandbox.run(&words);
    ended.expect(3, &[&format!("not verified: {name}-DB")]);
    for text in ["GET /comments/Nowhere", "is not the application", "failure-"] {
        ended.expect_output(text);
    }
}

/// Only here do they run: each is built, starts and answers.
#[test]
#[ignore = "part of make test-all"]
fn each_kind_answers_and_the_first_difference_is_named() {
    let _turn = turn();
    let sandbox = Sandbox::new().with_own_workspace();
    for kind in ["cgi", "go", "jvm", "node", "php", "python", "rust"] {
        let name = make(&sandbox, kind);
        ["postgresql", "mariadb"].iter().for_each(|database| differs(&sandbox, &name, database));
    }
}

#[test]
fn a_new_program_in_each_language_passes_the_check() {
    let sandbox = Sandbox::new().with_own_workspace();
    for kind in ["go", "jvm", "node", "python", "rust"] {
        make(&sandbox, kind);
    }
}

#[test]
fn a_new_servlet_passes_the_check_with_the_versions_of_the_java_stack() {
    make(&Sandbox::new().with_own_workspace(), "servlet");
    let read = |file: &str| fs::read_to_string(real_workspace().join(file)).unwrap();
    let (skeleton, java) = (read("skeletons/servlet/pom.xml"), read("stacks/java/pom.xml"));
    let versions: Vec<&str> = skeleton.lines().filter(|line| line.contains(".version>")).collect();
    assert_eq!(versions.len(), 4, "{versions:?}");
    for version in versions {
        assert!(java.contains(version.trim()), "stacks/java has another {version}");
    }
}

#[test]
fn a_new_stack_names_exactly_its_applications_databases() {
    let sandbox = Sandbox::new().with_own_workspace();
    let words = ["new", "stack", "mine", "--application", "auction"];
    sandbox.run(&words).expect(0, &[]);
    let manifest = fs::read_to_string(sandbox.workspace().join("stacks/mine/stack.toml")).unwrap();
    assert!(manifest.contains(r#"{ role = "db", service = ["postgresql", "mariadb"] }"#), "{manifest}");
    sandbox.run(&["check", "auction"]).expect(0, &[]);
}

#[test]
fn the_help_lists_every_kind() {
    let sandbox = Sandbox::new();
    let help = sandbox.run(&["new", "stack", "--help"]);
    help.expect(0, &[]);
    for kind in fs::read_dir(sandbox.workspace().join("skeletons")).unwrap().flatten() {
        let kind = kind.file_name().into_string().unwrap();
        assert!(help.output.contains(&format!("\n  {kind} ")), "no {kind} in:\n{}", help.output);
    }
}

#[test]
fn an_existing_or_invalid_name_is_refused_and_creates_nothing() {
    let sandbox = Sandbox::new().with_own_workspace();
    let stacks = || fs::read_dir(sandbox.workspace().join("stacks")).unwrap().count();
    let before = stacks();
    let cases: [(&[&str], &[&str]); 7] = [
        (&["php"], &["there is a stack `php` already", "stacks/php", "choose another name"]),
        (&["Mine"], &["invalid value 'Mine'", "small letters", "a letter first"]),
        (&["../mine"], &["invalid value '../mine'"]),
        (&["-mine"], &["unexpected argument '-m'"]),
        (&["mine", "--kind", "servelt"], &["no kind of stack `servelt`", "did you mean `servlet`?"]),
        (&["mine", "--application", "coments"], &["no application `coments`", "did you mean `comments`?"]),
        (&["mine", "--application", "quotes"], &["`quotes` has none", "comments", "stacks/php"]),
    ];
    for (words, texts) in cases {
        sandbox.run(&[&["new", "stack"], words].concat()).expect(2, texts);
    }
    assert_eq!(stacks(), before);
}

/// Only here does a skeleton run. Each command of the guide, in order, in a workspace where nobody has added anything yet; but `verify` on
/// one database and not for long, as the new stack is never the application.
#[test]
fn the_commands_of_the_guide_succeed() {
    let _turn = turn();
    let sandbox = Sandbox::new().with_own_workspace();
    let guide = fs::read_to_string(real_workspace().join("docs/add-a-stack.md")).unwrap();
    let commands = typed_in(&guide);
    // What make is asked for, all tests need, so that it has run already.
    let commands: Vec<Vec<&str>> = commands.iter().filter_map(Typed::of_tierbench).collect();
    assert!(commands.len() >= 5, "{commands:?}");
    for words in commands {
        match words[0] {
            "up" => {
                let mut up = sandbox.start(sandbox.command(&words));
                let address = up.expect("address").split_whitespace().last().unwrap().to_owned();
                let get =
                    |address: &str| ureq::get(address).call().unwrap().body_mut().read_to_string().unwrap();
                let file = get(&address);
                assert!(file.contains("<h1>Write a comment</h1>"), "{file}");
                let page = get(&address.replace("index.html", "ListComments"));
                assert!(page.contains("<h1>mine answers</h1>"), "{page}");
                up.signal(Signal::INT);
                up.end().expect(0, &[]);
            }
            verb => {
                let mut command = sandbox.command(&words);
                if verb == "verify" {
                    command.args(["--factor", "database=postgresql"]);
                }
                if verb == "verify" && !words.contains(&"--replay") {
                    command.args(["--scale", "0.002", "--shrink-time", "3s"]);
                }
                sandbox.finish(command).expect(if verb == "verify" { 3 } else { 0 }, &[]);
            }
        }
    }
}
