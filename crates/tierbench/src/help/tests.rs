use super::*;
use crate::{arguments::Arguments, understand};
use clap::CommandFactory;

/// The verbs whose options are many, each with words that it can do with.
const GROUPED: [(&str, &[&str]); 6] = [
    (
        "run",
        &["run auction php --clients 5", "run auction php --objective p90<=1s", "run auction php", "run"],
    ),
    ("compare", &["compare auction php", "compare"]),
    (
        "drive",
        &[
            "drive http://127.0.0.1/ --clients 5",
            "drive http://127.0.0.1/",
            "drive auction --clients 5",
            "drive",
        ],
    ),
    ("verify", &["verify auction php", "verify"]),
    ("up", &["up auction php"]),
    ("reproduce", &["reproduce middleware-2003"]),
];

/// The text before an example in an option's long help.
const EXAMPLE: &str = "Example: ";

/// The command as it is called, with what all of its verbs have in common.
fn built() -> Command {
    let mut command = with_groups(Arguments::command());
    command.build();
    command
}

fn verb(name: &str) -> Command {
    built().find_subcommand(name).unwrap().clone()
}

/// The options of a verb that people see, but for `--help`.
fn options(verb: &Command) -> impl Iterator<Item = &Arg> {
    let options = verb.get_arguments().filter(|argument| !argument.is_positional());
    options.filter(|option| option.get_id() != "help" && !option.is_hide_set())
}

/// All verbs that people see, with those below them.
fn verbs(command: &Command) -> Vec<&Command> {
    let all = command.get_subcommands().filter(|verb| !verb.is_hide_set());
    all.flat_map(|verb| [vec![verb], verbs(verb)].concat()).collect()
}

/// The example in an option's long help.
fn example(option: &Arg) -> Option<String> {
    let help = option.get_long_help()?.to_string();
    Some(help.split_once(EXAMPLE)?.1.trim_end().to_owned())
}

/// The words of a line, of which a part in quotes is one.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(at, part)| match at % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

fn is_understood(line: &str) -> bool {
    let words = words(line);
    understand(&words.iter().map(String::as_str).collect::<Vec<_>>()).is_ok()
}

#[test]
fn each_option_of_a_large_verb_has_a_heading_in_the_usual_order() {
    let order = [LOAD, WORKLOAD, DATA, PROOFS, MEASUREMENT, OUTPUT, ENVIRONMENT];
    for (name, _) in GROUPED {
        let help = verb(name).render_help().to_string();
        assert!(!help.contains("\nOptions:"), "{help}");
        let places: Vec<usize> =
            order.iter().filter_map(|heading| help.find(&format!("\n{heading}:\n"))).collect();
        assert!(places.is_sorted() && places.len() >= 2, "{name}: {help}");
        for option in options(&verb(name)) {
            let heading = option.get_help_heading().unwrap_or_default();
            assert!(order.contains(&heading), "{name} {} stands under `{heading}`", option.get_id());
        }
    }
}

#[test]
fn each_option_begins_with_a_verb_and_has_an_example_that_is_understood() {
    let command = built();
    for verb in verbs(&command) {
        for option in options(verb) {
            let at = format!("{} --{}", verb.get_name(), option.get_long().unwrap_or_default());
            let short = option.get_help().map_or(String::new(), ToString::to_string);
            let first = short.split(' ').next().unwrap_or_default();
            let is_imperative = first.starts_with(char::is_uppercase)
                && !["The", "A", "How", "Where", "Its"].contains(&first);
            assert!(is_imperative, "{at}: {short}");
            assert!(example(option).is_some_and(|line| line.starts_with("--")), "{at} has no example");
        }
    }
    for (name, bases) in GROUPED {
        for option in options(&verb(name)) {
            let example = example(option).unwrap();
            let is_possible = bases.iter().any(|base| is_understood(&format!("tierbench {base} {example}")));
            assert!(is_possible, "{name}: {example}");
        }
    }
}

#[test]
fn the_short_help_has_a_line_for_each_option() {
    for (name, _) in GROUPED {
        let help = verb(name).term_width(100).render_help().to_string();
        let lines: Vec<&str> = help.lines().skip_while(|line| !line.ends_with(':')).collect();
        let wrapped: Vec<&&str> =
            lines.iter().filter(|line| line.starts_with("          ") && !line.contains(" --")).collect();
        assert!(wrapped.is_empty(), "{name}: {wrapped:?}\n{help}");
        assert!(!help.contains(EXAMPLE), "{help}");
        assert!(verb(name).render_long_help().to_string().contains(EXAMPLE), "{name}");
    }
}

#[test]
fn what_all_verbs_share_comes_last() {
    for (name, _) in GROUPED {
        let help = verb(name).render_help().to_string();
        let place = |option: &str| help.find(option).unwrap_or_else(|| panic!("{name}: no {option}\n{help}"));
        let rest = help[place("--workspace")..].lines().map(str::trim_start).collect::<Vec<_>>();
        let begins: Vec<&str> = rest.iter().map(|line| line.split(' ').next().unwrap_or_default()).collect();
        assert_eq!(begins, ["--workspace", "--cache", "-h,"], "{help}");
    }
}

#[test]
fn the_help_of_the_command_groups_all_verbs_and_is_short_unless_asked() {
    let mut command = built();
    let listed: Vec<&str> = GROUPS.iter().flat_map(|(_, verbs)| verbs.iter().copied()).collect();
    let there: Vec<&str> =
        command.get_subcommands().filter(|verb| !verb.is_hide_set()).map(Command::get_name).collect();
    assert_eq!(listed, there, "the declared order is the one of the groups");
    let short = command.render_help().to_string();
    assert!(short.lines().count() < 45 && !short.contains("Exit codes:"), "{short}");
    let long = command.render_long_help().to_string();
    for text in ["Measure:\n  run ", "Exit codes:", "--workspace", "tierbench doctor"] {
        assert!(long.contains(text), "{text}\n{long}");
    }
}

#[test]
fn the_examples_at_the_end_are_understood() {
    let mut count = 0;
    for text in [AFTER_HELP, AFTER_HELP_OF_DRIVE, AFTER_HELP_OF_REPRODUCE, AFTER_HELP_OF_TESTBED] {
        for line in text.lines().filter_map(|line| line.strip_prefix("  ")) {
            let command = line.split("  ").next().unwrap_or_default();
            if command.starts_with("tierbench ") {
                // Where a command is as long as its column, one blank is before what it does.
                let command = command.split(" how many ").next().unwrap_or_default();
                assert!(is_understood(command), "{command}");
                count += 1;
            }
        }
    }
    assert!(count > 30, "{count}");
}

#[test]
fn a_name_that_an_option_had_before_is_refused() {
    for (verb, name) in [
        ("run auction php --clients 5", "trial"),
        ("run auction php --clients 5", "unverified"),
        ("run auction php --clients 5", "patience=5s"),
        ("run auction php --clients 5", "data=skewed"),
        ("run auction php", "load=bench1"),
        ("up auction php", "data=skewed"),
        ("verify auction php", "shorten=5m"),
        ("check auction", "home=."),
    ] {
        assert!(is_understood(&format!("tierbench {verb}")) || verb == "run auction php", "{verb}");
        assert!(!is_understood(&format!("tierbench {verb} --{name}")), "{verb} --{name}");
    }
}
