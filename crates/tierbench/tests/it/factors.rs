//! Factors on the command line: what is unknown is refused, what is known is recorded with each figure.

use crate::{
    processes::{self, environment, family},
    sandbox::{QUICK, Sandbox, code_of, turn},
};
use rustix::process::Signal;
use std::collections::BTreeSet;

#[test]
fn a_wrong_factor_is_refused_with_a_suggestion() {
    let sandbox = Sandbox::new();
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
        sandbox.run(&words).expect(2, texts);
    }
    let twice = ["compare", "auction", "php", "--factor", "engine=InnoDB", "--factor", "engine=MyISAM"];
    sandbox
        .finish(sandbox.command(&twice))
        .expect(2, &["`engine` is named twice", "--factor engine=VALUE,VALUE"]);
}

#[test]
fn an_impossible_database_is_refused_with_the_possible_ones() {
    let sandbox = Sandbox::new();
    let run_as = |application, configuration, factor| {
        ["run", application, configuration, "--clients", "5", "--factor", factor]
    };
    let run = |application, factor| run_as(application, "WsPhp-DB", factor);
    let cases: [(_, &[&str]); 4] = [
        (run("comments", "database=oracle"), &["`database` can't be `oracle`", "one of postgresql, mariadb"]),
        (run("comments", "database=postgres"), &["`database` can't be `postgres`", "mean `postgresql`?"]),
        (run_as("auction", "Ws-Servlet-EJB-DB", "database=postgresql"), &["there is no factor `database`"]),
        (
            run("comments", "engine=MyISAM"),
            &["has no factor `engine`, but `database=mariadb` has", "--factor database=mariadb"],
        ),
    ];
    for (words, texts) in cases {
        sandbox.run(&words).expect(2, texts);
    }
    sandbox.edit("apps/comments/app.toml", "[\"postgresql\", \"mariadb\"]", "[\"sqlite\"]");
    sandbox
        .finish(sandbox.command(&run("comments", "database=mariadb")))
        .expect(2, &["keeps data in", "the application is not kept there", "one of its databases", "sqlite"]);
}

/// Only here is it seen which database runs.
#[test]
fn the_stack_gets_the_address_of_the_chosen_database() {
    let _turn = turn();
    let cases: [(&[&str], &str, &str); 2] = [
        (&[], "WsPhp-DB,workers=4", "postgresql"),
        // The database decides which factors there are, wherever it stands.
        (
            &["--factor", "engine=MyISAM", "--factor", "database=mariadb"],
            "WsPhp-DB,database=mariadb,engine=MyISAM,workers=4",
            "mariadb",
        ),
    ];
    for (factors, name, database) in cases {
        let sandbox = Sandbox::new();
        let mut command = sandbox.command(&["up", "comments", "WsPhp-DB", "--scale", "0.002"]);
        command.args(factors).args(["--factor", "workers=4"]);
        let mut run = sandbox.start(command);
        run.expect(&format!(" on {name} at scale"));
        let address = run.expect("http://");
        let (_, address) = address.split_once("http://").unwrap();
        let (host, _) = address.split_once('/').unwrap();
        ureq::get(format!("http://{host}/comments/ListComments")).call().unwrap();

        let family = family(run.id());
        let find =
            |prefix: &str| family.iter().find(|process| processes::name(**process).starts_with(prefix));
        let stack = environment(*find("apache2").expect("PHP runs in Apache"));
        assert_eq!(stack["TIERBENCH_DB_SERVICE"], database);
        assert_eq!(stack.contains_key("TIERBENCH_DB_ENGINE"), database == "mariadb");
        assert_eq!(find("mariadbd").is_some(), database == "mariadb");
        assert_eq!(find("postgres").is_some(), database == "postgresql");
        run.signal(Signal::INT);
        run.end().expect(0, &[]);
    }
}

#[test]
fn an_ambiguous_factor_of_stack_and_service_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.edit("stacks/php/stack.toml", "[declare.protocol]", "[declare.engine]");
    let ended = sandbox.run(&["check", "auction"]);
    ended.expect(2, &["both the stack and the service `mariadb` have a factor `engine`", "another name"]);
}

/// Only here are variants of one configuration measured side by side.
#[test]
fn each_variant_runs_with_its_factors_and_is_recorded_by_name() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["run", "auction", "WsPhpFpm-DB", "--clients", "5", "--window", "1s"]);
    command.args(["--factor", "engine=MyISAM,InnoDB", "--factor", "protocol=text"]);
    command.args(QUICK).arg("--out").arg(sandbox.result());
    let ended = sandbox.finish(command);
    let points = sandbox.points();
    ended.expect(code_of(&points), &[]);
    let names = ["WsPhpFpm-DB,engine=MyISAM,protocol=text", "WsPhpFpm-DB,protocol=text"];
    let measured: BTreeSet<&str> = points.iter().map(|point| point.configuration.as_str()).collect();
    assert_eq!((points.len(), measured), (2, names.into()), "each once, in whatever order");
    assert!(ended.error.starts_with("All configurations: protocol=text\n"), "{}", ended.error);
    expect_aligned(&ended.error);
    let manifest = sandbox.manifest();
    for (record, (name, engine)) in manifest.configurations.iter().zip(names.iter().zip(["MyISAM", "InnoDB"]))
    {
        assert_eq!(record.name, *name);
        assert_eq!(record.factors["mariadb.engine"], engine);
        assert_eq!(record.factors["php.protocol"], "text");
        assert_eq!(record.factors["php-fpm.children"], "32");
        assert!(sandbox.result().join("logs").join(name).is_dir(), "no logs of {name}");
    }
}

/// Expects the rows' verdicts below their head, whatever the rows' names.
fn expect_aligned(printed: &str) {
    let head = printed.lines().find(|line| line.starts_with("configuration ")).expect("a head");
    let place = head.find("verdict").unwrap();
    let is_row = |line: &&str| line.starts_with("WsPhpFpm-DB") && line.contains("VALID");
    let rows: Vec<&str> = printed.lines().filter(is_row).collect();
    let named = |row: &&str| row.split(' ').next().unwrap().to_owned();
    let names: BTreeSet<String> = rows.iter().map(named).collect();
    assert_eq!(names, ["WsPhpFpm-DB", "WsPhpFpm-DB,engine=MyISAM"].map(str::to_owned).into(), "{printed}");
    for row in rows {
        assert!(
            ["VALID", "INVALID"].iter().any(|verdict| row[place..].starts_with(verdict)),
            "{head}\n{row}"
        );
    }
}
