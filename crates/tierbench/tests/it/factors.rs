//! Factors on the command line: what is unknown is refused, what is known is recorded with each figure.

use crate::bench::{Bench, QUICK, code_of, turn};
use std::collections::BTreeSet;

#[test]
fn wrong_factors_are_refused_with_what_was_probably_meant() {
    let bench = Bench::new();
    let run = |factor| ["run", "auction", "WsPhp-DB", "--clients", "5", "--factor", factor].to_vec();
    let cases: [(Vec<&str>, &[&str]); 8] = [
        (run("engin=MyISAM"), &["there is no factor `engin`", "did you mean `engine`?"]),
        (run("engine=MyIsam"), &["`engine` can't be `MyIsam`", "did you mean `MyISAM`?"]),
        (run("engine=Memory"), &["one of InnoDB, MyISAM", "the storage engine of all tables"]),
        (run("workers=many"), &["`workers` is a whole number, not `many`"]),
        (run("protocol=binary"), &["one of prepared, text", "how statements travel"]),
        (run("buffer_pool=../x"), &["`buffer_pool` can't be `../x`", "letters, digits"]),
        (run("engine"), &["'engine'", "it must be like engine=MyISAM"]),
        (vec!["verify", "auction", "Model", "--factor", "engine=MyISAM"], &["there is no factor `engine`"]),
    ];
    for (words, texts) in cases {
        bench.finish(bench.command(&words)).expect(2, texts);
    }
    let twice = ["compare", "auction", "php", "--factor", "engine=InnoDB", "--factor", "engine=MyISAM"];
    bench
        .finish(bench.command(&twice))
        .expect(2, &["`engine` is named twice", "--factor engine=VALUE,VALUE"]);
}

#[test]
fn a_factor_that_a_stack_and_a_service_share_is_refused() {
    let bench = Bench::new();
    bench.edit("stacks/php/stack.toml", "[factor.protocol]", "[factor.engine]");
    let ended = bench.finish(bench.command(&["check", "auction"]));
    ended.expect(2, &["both the stack and the service `mariadb` have a factor `engine`", "another name"]);
}

#[test]
fn variants_are_measured_with_their_factors_and_recorded_by_name() {
    let _turn = turn();
    let bench = Bench::new();
    let mut command = bench.command(&["run", "auction", "WsPhpFpm-DB", "--clients", "5", "--window", "1s"]);
    command.args(["--factor", "engine=MyISAM,InnoDB", "--factor", "protocol=text"]);
    command.args(QUICK).arg("--out").arg(bench.result());
    let ended = bench.finish(command);
    let points = bench.points();
    ended.expect(code_of(&points), &[]);
    let names = ["WsPhpFpm-DB,engine=MyISAM,protocol=text", "WsPhpFpm-DB,protocol=text"];
    let measured: BTreeSet<&str> = points.iter().map(|point| point.configuration.as_str()).collect();
    assert_eq!((points.len(), measured), (2, names.into()), "each once, in whatever order");
    expect_aligned(&ended.error);
    let manifest = bench.manifest();
    for (record, (name, engine)) in manifest.configurations.iter().zip(names.iter().zip(["MyISAM", "InnoDB"]))
    {
        assert_eq!(record.name, *name);
        assert_eq!(record.factors["mariadb.engine"], engine);
        assert_eq!(record.factors["php.protocol"], "text");
        assert_eq!(record.factors["php-fpm.children"], "32");
        assert!(bench.result().join("logs").join(name).is_dir(), "no logs of {name}");
    }
}

/// Whatever their names, the rows' verdicts must stand below their head.
fn expect_aligned(said: &str) {
    let head = said.lines().find(|line| line.starts_with("configuration ")).expect("a head");
    let place = head.find("verdict").unwrap();
    let is_row = |line: &&str| line.starts_with("WsPhpFpm-DB,") && line.contains("VALID");
    let rows: Vec<&str> = said.lines().filter(is_row).collect();
    assert_eq!(rows.len(), 2, "{said}");
    for row in rows {
        assert!(row[place..].starts_with("VALID") || row[place..].starts_with("INVALID"), "{head}\n{row}");
    }
}
