//! Files of the workspace that say something wrong: the file, the line, what is wrong, and what to do.

use crate::{
    processes::{family, name, until},
    sandbox::{LIMIT, Running, Sandbox, turn},
};
use rustix::process::Signal;

/// A fault put into a file, and what must be said about it beside the file and the line of `to`.
struct Case {
    file: &'static str,
    from: &'static str,
    to: &'static str,
    texts: &'static [&'static str],
}

const CASES: [Case; 29] = [
    Case {
        file: "apps/auction/app.toml",
        from: "think_time = ",
        to: "think_tme = ",
        texts: &["unknown field `think_tme`", "did you mean `think_time`?"],
    },
    Case {
        file: "apps/auction/mixes/bidding.toml",
        from: "title = ",
        to: "titel = ",
        texts: &["unknown field `titel`", "did you mean `title`?"],
    },
    Case {
        file: "services/mariadb/service.toml",
        from: "packages = ",
        to: "pakages = ",
        texts: &["unknown field `pakages`", "did you mean `packages`?"],
    },
    Case {
        file: "stacks/php/stack.toml",
        from: "language = ",
        to: "langauge = ",
        texts: &["unknown field `langauge`", "did you mean `language`?"],
    },
    Case {
        file: "apps/auction/app.toml",
        from: "prefix = \"/auction\"",
        to: "prefix = \"/auction",
        texts: &["invalid basic string"],
    },
    Case {
        file: "services/apache/service.toml",
        from: "[declare.mpm]",
        to: "[declare.mpm",
        texts: &["unclosed table"],
    },
    Case {
        file: "apps/auction/app.toml",
        from: "start = \"Home\"",
        to: "start = \"Hme\"",
        texts: &["`Hme`", "did you mean `Home`?"],
    },
    Case {
        file: "apps/auction/app.toml",
        from: "think_time = \"7s\"",
        to: "think_time = \"7 parsecs\"",
        texts: &["7 parsecs"],
    },
    Case {
        file: "apps/auction/mixes/bidding.toml",
        from: "[transitions.Home]\nBrowse = 0.700",
        to: "[transitions.Home]\nBrowse = 0.800",
        texts: &["the row `Home` sums to 1.1", "not to 1", "change its probabilities by -0.1"],
    },
    Case {
        file: "apps/auction/mixes/bidding.toml",
        from: "back = 0.920",
        to: "bakc = 0.920",
        texts: &["`bakc` is no interaction", "did you mean `back`?"],
    },
    Case {
        file: "stacks/php/stack.toml",
        from: "children = \"32\"",
        to: "childern = \"32\"",
        texts: &["`childern` is no factor", "did you mean `children`?"],
    },
    Case {
        file: "stacks/php/stack.toml",
        from: "mpm = \"event\"",
        to: "mpm = \"worker\"",
        texts: &["`mpm` can't be `worker`", "one of event, prefork"],
    },
    Case {
        file: "stacks/php/stack.toml",
        from: "children = \"32\"",
        to: "children = \"many\"",
        texts: &["`children` is a whole number, not `many`", "how many PHP processes"],
    },
    Case {
        file: "stacks/php/stack.toml",
        from: "service = \"php-fpm\"",
        to: "service = \"php-fmp\"",
        texts: &["there is no service `php-fmp`", "did you mean `php-fpm`?"],
    },
    Case {
        file: "stacks/php/stack.toml",
        from: "set = { children = \"32\" }, templates = [\"php.ini\"]",
        to: "set = { children = \"32\" }, templates = [\"php.inni\"]",
        texts: &["the template `php.inni` does not exist"],
    },
    Case {
        file: "stacks/php/stack.toml",
        from: "default = \"prepared\"",
        to: "default = \"prepard\"",
        texts: &["`protocol` can't be `prepard`", "mend the default"],
    },
    Case {
        file: "stacks/php/stack.toml",
        from: "name = \"WsPhpFpm-DB\"",
        to: "name = \"WsPhp,Fpm\"",
        texts: &["`WsPhp,Fpm` is no name for a configuration"],
    },
    Case {
        file: "services/mariadb/service.toml",
        from: "default = \"512M\"",
        to: "default = \"512 M\"",
        texts: &["`buffer_pool` can't be `512 M`", "letters, digits"],
    },
    Case {
        file: "services/php-fpm/service.toml",
        from: "default = \"32\"",
        to: "default = \"thirty\"",
        texts: &["`children` is a whole number, not `thirty`"],
    },
    Case {
        file: "services/apache/service.toml",
        from: "stop = { signal = \"TERM\"",
        to: "stop = { signal = \"TREM\"",
        texts: &["unknown variant `TREM`", "did you mean `TERM`?"],
    },
    Case {
        file: "stacks/php/stack.toml",
        from: "deploy = [\"common\", ",
        to: "deploy = [\"../../services\", ",
        texts: &["the path `../../services` leads upwards", "write it relative to the folder"],
    },
    Case {
        file: "stacks/php/stack.toml",
        from: "deploy = [\"common\", ",
        to: "deploy = [\"comon\", ",
        texts: &["`comon`, which shall be deployed, does not exist", "stacks/php/comon"],
    },
    Case {
        file: "stacks/php/stack.toml",
        from: "deploy = [\"common\", ",
        to: "deploy = [\"common\", \"common/Html.php\", ",
        texts: &["`common/Html.php` is deployed with `common` already", "leave it out"],
    },
    Case {
        file: "stacks/php/stack.toml",
        from: "set = { children = \"32\" }, templates = [\"php.ini\"]",
        to: "set = { children = \"32\" }, templates = [\"/etc/passwd\"]",
        texts: &["the path `/etc/passwd` is absolute", "write it relative to the folder"],
    },
    Case {
        file: "stacks/php/stack.toml",
        from: "{ role = \"app\", service = \"php-fpm\"",
        to: "{ role = \"../app\", service = \"php-fpm\"",
        texts: &["`../app` is no name that can be part of a path", "letters, digits and the marks"],
    },
    Case {
        file: "services/php-fpm/service.toml",
        from: "folders = [\"tmp\", ",
        to: "folders = [\"../tmp\", ",
        texts: &["the path `../tmp` leads upwards"],
    },
    Case {
        file: "services/php-fpm/service.toml",
        from: "log = \"error.log\"",
        to: "log = \"/var/log/error.log\"",
        texts: &["the path `/var/log/error.log` is absolute"],
    },
    Case {
        file: "services/php-fpm/service.toml",
        from: "ready = { socket = \"{{ folder }}/fpm.sock\"",
        to: "ready = { socket = \"/run/fpm.sock\"",
        texts: &["`/run/fpm.sock` doesn't begin with `{{ folder }}/`"],
    },
    Case {
        file: "services/apache/service.toml",
        from: "ready = { port = \"http\"",
        to: "ready = { port = \"htpt\"",
        texts: &["there is no port `htpt`", "did you mean `http`?"],
    },
];

#[test]
fn a_wrong_file_is_named_with_its_line_and_a_remedy() {
    let sandbox = Sandbox::new();
    for Case { file, from, to, texts } in CASES {
        sandbox.edit(file, from, to);
        let wrong_line = to.lines().last().unwrap();
        let place = match texts[0].contains("the row") {
            // The row's name is what is wrong, not its last number.
            true => format!("{file}:{}", sandbox.line_of(file, wrong_line) - 1),
            false => format!("{file}:{}", sandbox.line_of(file, wrong_line)),
        };
        for command in [sandbox.measure("WsPhpFpm-DB", "5"), sandbox.command(&["check", "auction"])] {
            sandbox.finish(command).expect(2, texts).expect(2, &[&place]);
        }
        assert!(!sandbox.result().exists(), "a result folder for nothing: {file}");
        sandbox.edit(file, to, from);
    }
}

/// Standard error in full: in a pipe nothing is marked or wrapped, and with colours the text is the same.
#[test]
fn errors_have_one_form_in_a_pipe_and_in_colours() {
    let sandbox = Sandbox::new();
    let printed = |words: &[&str], colours: &str| {
        let mut command = sandbox.command(words);
        let ended = sandbox.finish({
            command.env("CLICOLOR_FORCE", colours).env_remove("NO_COLOR");
            command
        });
        assert_eq!(ended.code(), Some(2), "{}", ended.error);
        ended.error
    };
    let without_colours = |text: &str| {
        let parts = text.split("\x1b[").enumerate();
        let parts = parts.map(|(at, part)| if at == 0 { part } else { part.split_once('m').unwrap().1 });
        parts.collect::<String>()
    };
    let words = ["run", "auction", "phpp", "--clients", "5"];
    let plain = printed(&words, "0");
    assert_eq!(plain, "error: there is no stack or configuration `phpp`\nhelp: did you mean `php`?\n");
    let coloured = printed(&words, "1");
    assert!(coloured.starts_with("\x1b[") && without_colours(&coloured) == plain, "{coloured:?}");
    let (file, wrong) = ("apps/auction/app.toml", "think_tme = \"7s\"");
    sandbox.edit(file, "think_time = \"7s\"", wrong);
    let plain = printed(&["check", "auction"], "0");
    let lines: Vec<&str> = plain.lines().collect();
    let [fault, place, _, source, marks, help] = lines.as_slice() else { panic!("{plain}") };
    let number = sandbox.line_of(file, wrong);
    assert!(fault.starts_with("error: unknown field `think_tme`, expected "), "{plain}");
    assert!(
        place.trim_start().starts_with("--> ") && place.ends_with(&format!("{file}:{number}:1")),
        "{plain}"
    );
    assert_eq!((*source, marks.trim_start()), (&*format!(" {number} | {wrong}"), "| ^^^^^^^^^"));
    assert_eq!(*help, "help: did you mean `think_time`?");
    assert_eq!(without_colours(&printed(&["check", "auction"], "1")), plain);
}

#[test]
fn a_template_with_an_unknown_variable_is_named_with_its_line() {
    let cases = [
        ("services/mariadb/templates/my.cnf", "datadir", "# {{ factor.bufer_pool }}\ndatadir"),
        ("services/mariadb/templates/init.sql", "", "-- {{ pasword }}\n"),
    ];
    for (file, before, wrong) in cases {
        let _turn = turn();
        let sandbox = Sandbox::new().with_own_workspace();
        let path = sandbox.workspace().join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replacen(before, wrong, 1)).unwrap();
        let line = sandbox.line_of(file, wrong.lines().next().unwrap());
        for command in [sandbox.measure("WsPhpFpm-DB", "5"), sandbox.command(&["check", "auction"])] {
            sandbox.finish(command).expect(2, &["undefined", &format!("{file}:{line}")]);
        }
    }
}

#[test]
fn a_key_with_an_unknown_variable_is_named_with_its_file() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let file = "stacks/reference/services/model/service.toml";
    sandbox.edit(file, "{{ dataset.seed }}", "{{ dataset.sed }}");
    for command in [sandbox.measure("Model", "5"), sandbox.command(&["check", "auction"])] {
        sandbox.finish(command).expect(2, &["Model", "undefined", file, "`command`"]);
    }
}

#[test]
fn a_failed_build_names_the_stacks_file() {
    let sandbox = Sandbox::new();
    sandbox.edit("stacks/perl/comments/comments.pl", "use Comments;", "use Comments");
    let command = sandbox.command(&["run", "comments", "WsPerlCgi-DB", "--clients", "5"]);
    sandbox
        .finish(command)
        .expect(2, &["the stack `perl` can't be built", "syntax error", "comments.pl line"]);
}

#[test]
fn a_missing_build_program_is_named() {
    let sandbox = Sandbox::new();
    sandbox.edit("stacks/perl/stack.toml", "[[\"perl\", \"-MDBD::mysql\",", "[[\"perll\", \"-MDBD::mysql\",");
    let command = sandbox.command(&["run", "comments", "WsPerlCgi-DB", "--clients", "5"]);
    let texts = ["the stack `perl` can't be built", "can't be started", "No such file"];
    sandbox.finish(command).expect(2, &texts);
    let place = format!("stacks/perl/stack.toml:{}", sandbox.line_of("stacks/perl/stack.toml", "perll"));
    let texts = ["`perll`, which builds the stack, is not installed", &place];
    sandbox.run(&["check", "comments"]).expect(2, &texts);
}

/// Regression: the file was copied onto itself, which emptied it. It and the workspace are copies.
#[test]
fn a_manifest_cannot_reach_outside_its_folder() {
    let sandbox = Sandbox::new().with_own_workspace();
    let (precious, file) = (sandbox.path().join("precious"), "stacks/php/stack.toml");
    std::fs::write(&precious, "irreplaceable").unwrap();
    std::os::unix::fs::symlink(&precious, sandbox.workspace().join("stacks/php/link")).unwrap();
    std::os::unix::fs::symlink(sandbox.path(), sandbox.workspace().join("stacks/php/common/above")).unwrap();
    let absolute = precious.display().to_string();
    for (path, text) in [
        (absolute.as_str(), "is absolute"),
        ("../../../precious", "leads upwards"),
        ("link", "leads out of its folder"),
        ("common", "leads out of its stack"),
    ] {
        let (from, to) = ("deploy = [\"common\", ", format!("deploy = [\"{path}\", "));
        sandbox.edit(file, from, &to);
        for command in [sandbox.command(&["check", "auction"]), sandbox.measure("WsPhpFpm-DB", "5")] {
            sandbox.finish(command).expect(2, &[text]);
            assert_eq!(std::fs::read_to_string(&precious).unwrap(), "irreplaceable", "{path}");
        }
        sandbox.edit(file, &to, from);
    }
}

/// Maven makes `target`, and there is none yet.
#[test]
fn a_built_file_need_not_exist_before_the_build() {
    let sandbox = Sandbox::new().with_own_workspace();
    let file = "stacks/java/stack.toml";
    let target = sandbox.workspace().join("stacks/java/target");
    if target.exists() {
        std::fs::remove_dir_all(target).unwrap();
    }
    sandbox.run(&["check", "auction"]).expect(0, &[]);
    sandbox.edit(file, "deploy = [\"target\"]", "deploy = [\"taget\"]");
    let texts =
        ["`taget`, which shall be deployed, does not exist", "stacks/java/.gitignore if the build makes it"];
    sandbox.run(&["check", "auction"]).expect(2, &texts);
}

/// A run whose stack is being built for an hour, by a program and by one that it has started.
fn in_an_endless_build(sandbox: &Sandbox) -> Running<'_> {
    let from = "build = [[\"perl\", ";
    let endless = "build = [[\"sh\", \"-c\", \"sleep 3600 & exec sleep 3600\"], [\"perl\", ";
    sandbox.edit("stacks/perl/stack.toml", from, endless);
    let run = sandbox.start(sandbox.command(&["run", "comments", "WsPerlCgi-DB", "--clients", "5"]));
    let sleeping = || family(run.id()).into_iter().filter(|process| name(*process) == "sleep").count();
    assert!(until(LIMIT, || sleeping() == 2), "nothing is built");
    run
}

/// The build would take an hour.
#[test]
fn a_signal_to_the_command_alone_ends_a_build_at_once() {
    let sandbox = Sandbox::new();
    let run = in_an_endless_build(&sandbox);
    run.signal(Signal::INT);
    run.end().expect(130, &["interrupted"]);
}

/// The end of all processes is checked by `end`.
#[test]
fn a_build_ends_when_its_command_is_killed() {
    let sandbox = Sandbox::new();
    let run = in_an_endless_build(&sandbox);
    run.signal(Signal::KILL);
    assert_eq!(run.end().code(), None);
}
