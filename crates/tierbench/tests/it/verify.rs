//! The output of `verify` about a difference, and its remedies. That it lets pass what is right, and nothing else,
//! `prove` and the faults show.

use crate::sandbox::{Ended, Sandbox, turn};
use std::fs;

/// Small data, short walks, one storage engine.
const SMALL: [&str; 8] = ["--requests", "60", "--steps", "300", "--scale", "0.002", "--shrink-time", "3s"];
/// Only what takes seconds.
const SMOKE: [&str; 5] = ["--smoke", "--scale", "0.002", "--shrink-time", "3s"];
/// All parts that a record needs, each as short as it can be.
const SHORTEST: [&str; 6] = ["--requests", "1", "--steps", "1", "--scale", "0.002"];
const INNODB: [&str; 4] = ["--factor", "database=mariadb", "--factor", "engine=InnoDB"];
const FAILURE: &str = "failure-WsPhpFpm-DB.steps";

/// Verifies PHP on InnoDB with some more words.
fn verify(sandbox: &Sandbox, words: &[&str]) -> Ended {
    let mut command = sandbox.command(&["verify", "auction", "WsPhpFpm-DB"]);
    command.args(INNODB).args(words);
    sandbox.finish(command)
}

/// The same in a workspace with one fault, which must be caught; returns what was said of it.
fn refused(sandbox: &Sandbox, file: &str, from: &str, to: &str) -> String {
    sandbox.edit(file, from, to);
    let ended = verify(sandbox, &SMALL);
    ended.expect(3, &["not verified: WsPhpFpm-DB"]);
    ended.output
}

/// The requests in the file that a failure has left behind.
fn saved(sandbox: &Sandbox) -> Vec<String> {
    let text = fs::read_to_string(sandbox.path().join(FAILURE)).unwrap();
    let steps = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    steps.map(ToOwned::to_owned).collect()
}

#[track_caller]
fn expect_all(printed: &str, texts: &[&str]) {
    for text in texts {
        assert!(printed.contains(text), "no `{text}` in:\n{printed}");
    }
}

/// Only here is a saved sequence sent again.
#[test]
fn a_difference_is_shrunk_to_one_request_that_replays_it() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let page = "stacks/php/auction/pages/view_item.php";
    let printed = refused(&sandbox, page, "Description", "Descripton");
    expect_all(&printed, &["WsPhpFpm-DB is not the application", "ViewItem", "Descripton", "Description"]);
    let steps = saved(&sandbox);
    assert!(steps.len() == 1 && steps[0].starts_with("GET /auction/ViewItem itemId="), "{steps:?}");
    let command = format!("tierbench verify auction WsPhpFpm-DB --replay {FAILURE}");
    expect_all(&printed, &[&command, &steps[0], "this one shows it"]);
    let again = verify(&sandbox, &["--replay", FAILURE]);
    again.expect(3, &["not verified: WsPhpFpm-DB"]);
    expect_all(&again.output, &["after 1 of 1 requests", "Descripton", "Description"]);
    sandbox.edit(page, "Descripton", "Description");
    let mended = verify(&sandbox, &["--replay", FAILURE]);
    mended.expect(0, &[]);
    expect_all(&mended.output, &["no difference in 1 request", "rows equal"]);
}

/// Only here is a payment gateway asked for what no page shows.
#[test]
fn what_the_payment_gateway_is_asked_for_is_compared_with_the_models() {
    let sandbox = Sandbox::new();
    let verify = |fault: &str| {
        let mut command = sandbox.command(&["verify", "bookstore", "Model", "--only", "branches"]);
        command.args(["--scale", "0.002", "--shrink-time", "3s", "--factor", &format!("fault={fault}")]);
        sandbox.finish(command)
    };
    verify("none").expect(0, &[]);
    let more = verify("bank.amount");
    more.expect(3, &["not verified: Model,fault=bank.amount"]);
    expect_all(
        &more.output,
        &["BuyConfirm", "the payment gateway was asked for `amount=1", "instead of `amount="],
    );
    let never = verify("bank.never");
    never.expect(3, &["not verified: Model,fault=bank.never"]);
    expect_all(&never.output, &["the payment gateway was asked for nothing instead of `amount="]);
}

/// Only here is it said how much a census sees; and a row that a walk hardly ever comes by is seen.
#[test]
fn a_fault_in_every_97th_row_is_found_by_the_census() {
    let sandbox = Sandbox::new();
    // No other part may come by the row first.
    let small = ["--only", "census", "--scale", "0.002", "--shrink-time", "30s"];
    let verify = |more: &[&str]| {
        let mut command = sandbox.command(&["verify", "auction", "Model"]);
        command.args(small).args(more);
        sandbox.finish(command)
    };
    let right = verify(&[]);
    right.expect(0, &[]);
    let seen = right.output.lines().find(|line| line.contains("all seen once: ")).expect("what was seen");
    for text in ["regions 62 of 62", "old items 1,000 of 1,000", "users 2,000 of 2,000"] {
        assert!(seen.contains(text), "{text}: {seen}");
    }
    for (fault, what) in [
        ("ViewItem.rows.olditems.every97.word", "GET /auction/ViewItem itemId="),
        ("ViewUserInfo.rows.users.every53.entry", "GET /auction/ViewUserInfo userId="),
    ] {
        let wrong = verify(&["--factor", &format!("fault={fault}")]);
        wrong.expect(3, &[]);
        expect_all(&wrong.output, &["this one shows it", what]);
        assert!(wrong.error.contains("census of all rows and pages"), "{}", wrong.error);
    }
}

/// Only here are statements recorded.
#[test]
fn an_extra_statement_is_shown_as_a_diff_and_accept_records_it() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let verify = |words: &[&str]| {
        let mut command = sandbox.command(&["verify", "comments", "WsPhpFpm-DB"]);
        command.args(INNODB).args(words);
        sandbox.finish(command)
    };
    let more = "$visit->database->row('SELECT id FROM comments WHERE id = ?', 1);\n        return new Page('Comments'";
    let file = "stacks/php/comments/Interactions/ListComments.php";
    sandbox.edit(file, "return new Page('Comments'", more);
    let refused = verify(&SMOKE);
    refused.expect(3, &["not verified: WsPhpFpm-DB"]);
    let printed = refused.output;
    expect_all(
        &printed,
        &[
            "ListComments sends other statements than are recorded, for GET /",
            "\n    SELECT * FROM comments ORDER BY id\n  + SELECT id FROM comments WHERE id = ?\n",
            "statements/innodb.toml lists what it must send",
            "`statements = \"equivalent\"`",
        ],
    );
    assert!(!printed.contains("--accept"), "{printed}");
    let accepted = verify(&[&SHORTEST[..], &["--accept"]].concat());
    accepted.expect(0, &[]);
    expect_all(&accepted.output, &["recorded in", "statements/innodb.toml"]);
    let record =
        fs::read_to_string(sandbox.workspace().join("apps/comments/statements/innodb.toml")).unwrap();
    expect_all(&record, &["\n        \"SELECT id FROM comments WHERE id = ?\",\n"]);
    let clean = verify(&[&SMOKE[..], &["--statements"]].concat());
    clean.expect(0, &[]);
    expect_all(&clean.output, &["interaction ", "  ListComments ", "prepare "]);
}

/// Only here does one database not start and another one does.
#[test]
fn keep_going_verifies_the_configurations_after_one_that_does_not_start() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    sandbox.edit("services/postgresql/service.toml", "config_file=", "no_such_setting=");
    let mut command = sandbox.command(&["verify", "comments", "WsPhp-DB", "--keep-going"]);
    command.args(SMOKE);
    let ended = sandbox.finish(command);
    ended.expect(3, &["not verified: WsPhp-DB"]);
    assert!(!ended.error.contains("not verified: WsPhp-DB,"), "{}", ended.error);
    expect_all(&ended.output, &["no_such_setting", "WsPhp-DB,database=mariadb: verified"]);
}

/// Only here is there no record.
#[test]
fn a_missing_record_names_accept_as_the_remedy() {
    let _turn = turn();
    let sandbox = Sandbox::new().with_own_workspace();
    fs::remove_file(sandbox.workspace().join("apps/auction/statements/innodb.toml")).unwrap();
    let ended = verify(&sandbox, &SMOKE);
    ended.expect(3, &[]);
    expect_all(
        &ended.output,
        &["innodb.toml doesn't exist; tierbench verify auction WsPhpFpm-DB --accept records"],
    );
}

#[test]
fn wrong_files_and_options_are_refused_with_a_remedy() {
    let sandbox = Sandbox::new();
    let head = "# application: auction\n# configuration: WsPhp-DB\n# seed: 1\n";
    let file = sandbox.path().join("a.steps");
    let cases: [(&str, &[&str]); 4] = [
        ("GET /auction/index.html\n", &["the file doesn't say its scale", "# scale: 0.01"]),
        ("# scale: 0.01\nGET auction\n", &["a.steps:5:1", "a step is a method, a path", "POST /auction/"]),
        ("# scale: 0.01\nGET /a b={x}\n", &["a.steps:5:1", "`{x}` is no token"]),
        ("# scale: 0.01\n", &["there is no request in this file"]),
    ];
    for (text, printed) in cases {
        fs::write(&file, format!("{head}{text}")).unwrap();
        verify(&sandbox, &["--replay", "a.steps"]).expect(2, printed);
    }
    fs::write(&file, format!("{head}# scale: 0.01\nGET /a\n").replace("auction", "bookstore")).unwrap();
    verify(&sandbox, &["--replay", "a.steps"]).expect(2, &["for the application `bookstore`"]);
    verify(&sandbox, &["--replay", "b.steps"]).expect(2, &["b.steps"]);
    verify(&sandbox, &["--replay", "a.steps", "--steps", "5"]).expect(2, &["cannot be used with", "--steps"]);
    verify(&sandbox, &["--smoke", "--accept"]).expect(2, &["cannot be used with", "--accept"]);
}
