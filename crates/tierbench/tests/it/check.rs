//! Computations and proofs of `check` beyond reading files.

use crate::sandbox::Sandbox;

#[test]
fn check_shows_the_stationary_shares_of_each_mix() {
    let sandbox = Sandbox::new();
    let ended = sandbox.run(&["check", "auction"]);
    ended.expect(0, &[]);
    let row = |name: &str| {
        let line = ended.output.lines().find(|line| line.trim_start().starts_with(name));
        line.unwrap_or_else(|| panic!("no {name}: {}", ended.output)).trim_start()[name.len()..]
            .trim()
            .to_owned()
    };
    // A session of 15 minutes and think times of 7 s: one request to begin with, and the think time that outlasts it.
    assert_eq!(row("length of a session"), "15 min 7 s     15 min 7 s");
    assert_eq!(row("requests of a session"), "129.6          129.6");
    assert!(row("all that change data").ends_with(" 0.00 %"), "{}", row("all that change data"));
    assert!(row("StoreBid").ends_with(" %              -"), "{}", row("StoreBid"));
    let links = row("transitions with a link");
    let [found, "of", all, ..] = links.split_whitespace().collect::<Vec<_>>()[..] else { panic!("{links}") };
    assert_eq!(found, all);
}

#[test]
fn check_names_the_values_of_factors_that_no_proof_has() {
    let sandbox = Sandbox::new();
    let ended = sandbox.run(&["check", "comments"]);
    ended.expect(0, &[]);
    let lines: Vec<&str> = ended.output.lines().collect();
    let at = lines.iter().position(|line| line.starts_with("  WsPhpFpm-DB: ")).expect("the configuration");
    let named = lines[at..].iter().find(|line| line.starts_with("  without a proof: ")).expect("its values");
    assert!(named.contains("protocol=text") && !named.contains("engine=MyISAM"), "{named}");
}

#[test]
fn a_mix_with_another_write_share_than_declared_is_refused() {
    let sandbox = Sandbox::new();
    let file = "apps/auction/mixes/browsing.toml";
    sandbox.edit(file, "read_write = 0.0", "read_write = 0.15");
    let place = format!("{file}:{}", sandbox.line_of(file, "read_write = "));
    let texts = ["browsing declares 15.00 % read-write", "0.00 % are", "read_write = 0.000", &place];
    sandbox.run(&["check", "auction"]).expect(2, &texts);
}

#[test]
fn a_transition_that_no_page_offers_is_named() {
    let sandbox = Sandbox::new();
    let (from, to) =
        ("[transitions.Home]\nBrowse = 1.000\n", "[transitions.Home]\nBrowse = 0.9\nViewItem = 0.1\n");
    sandbox.edit("apps/auction/mixes/browsing.toml", from, to);
    let ended = sandbox.run(&["check", "auction"]);
    ended.expect(2, &["mix browsing, from Home to ViewItem: none of", "has a link or form to ViewItem"]);
    ended.expect_output("of 23");
}

#[test]
fn check_reads_all_files_that_a_run_reads() {
    let load = "apps/comments/loads/bench3.toml";
    let no_mix: &[&str] = &["there is no mix `readin`", "did you mean `reading`?"];
    let cases: [(&str, &str, &str, &[&str]); 5] = [
        (load, "mix = \"reading\"", "mix = \"readin\"", &["bench3.toml:7:", no_mix[0], no_mix[1]]),
        ("apps/comments/app.toml", "mix = \"reading\"", "mix = \"readin\"", no_mix),
        (load, "timeout = ", "timeuot = ", &["unknown field `timeuot`", "did you mean `timeout`?"]),
        ("apps/comments/invariants/comment_texts.sql", "after.comments", "after.coments", &["coments"]),
        ("apps/auction/statements/innodb.toml", "AboutMe = [\n", "AboutMe = \n", &["innodb.toml"]),
    ];
    for (file, from, to, texts) in cases {
        let sandbox = Sandbox::new();
        sandbox.edit(file, from, to);
        let application = file.split('/').nth(1).unwrap();
        sandbox.run(&["check", application]).expect(2, texts).expect(2, &[file]);
    }
    let sandbox = Sandbox::new().with_own_workspace();
    let file = "apps/comments/schema/postgresql.sql";
    std::fs::remove_file(sandbox.workspace().join(file)).unwrap();
    sandbox.run(&["check", "comments"]).expect(2, &[file, "No such file"]);
}
