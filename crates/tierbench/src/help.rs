//! The texts of `tierbench --help` that belong to no single option, and the headings that options stand under.

use clap::{
    Arg, ArgAction, Command,
    builder::{StyledStr, Styles},
};
use std::fmt::Write as _;

/// The amount of load, and how it arrives.
pub(crate) const LOAD: &str = "Load";
/// The behaviour of clients.
pub(crate) const WORKLOAD: &str = "Workload";
/// The rows of the database.
pub(crate) const DATA: &str = "Data";
/// Duration, repetitions and checks.
pub(crate) const MEASUREMENT: &str = "Measurement";
/// The lines of `proofs/`.
pub(crate) const PROOFS: &str = "Proofs";
/// Results and printed output.
pub(crate) const OUTPUT: &str = "Output";
/// Hosts, factors and folders.
pub(crate) const ENVIRONMENT: &str = "Environment";

/// The options of every verb come after its own.
pub(crate) const LAST: usize = 900;

/// The verbs in the order of a study.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Prepare", &["init", "doctor", "check", "testbed"]),
    ("Start and verify", &["up", "verify", "prove"]),
    ("Measure", &["run", "compare", "gate", "drive", "reproduce"]),
    ("Read results", &["report", "gallery"]),
    ("Extend and clean up", &["spec", "new", "cache"]),
];

/// `-h` and `--help`, which stand at the end instead of alone at the beginning.
pub(crate) fn flag() -> Arg {
    Arg::new("help")
        .short('h')
        .long("help")
        .global(true)
        .action(ArgAction::Help)
        .help("Print help: short with -h, with examples with --help")
        .help_heading(ENVIRONMENT)
        .display_order(LAST + 9)
}

/// Groups the verbs in the help of the command.
pub(crate) fn with_groups(command: Command) -> Command {
    let styles = Styles::default();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (title, verbs) in GROUPS {
        let _ = write!(text, "\n{header}{title}:{header:#}\n");
        for verb in verbs {
            let about = command.find_subcommand(verb).and_then(Command::get_about);
            let about = about.map_or(String::new(), ToString::to_string);
            let _ = writeln!(text, "  {literal}{verb:<10}{literal:#}  {about}");
        }
    }
    let _ = write!(text, "\n{header}{ENVIRONMENT}:{header:#}\n{{options}}{{after-help}}");
    command.help_template(StyledStr::from(text))
}

pub(crate) const AFTER_SHORT_HELP: &str = "\
`tierbench --help` has examples and exit codes, `tierbench VERB -h` the options of a verb.";

pub(crate) const AFTER_HELP: &str = "\
A CONFIGURATION is named as in the literature (WsPhp-DB), with its stack (php/WsPhp-DB), or by its stack alone, which \
stands for all of the stack's configurations.

Prepare:
  tierbench init mine                                a workspace: applications, services, stacks, papers, testbeds
  tierbench doctor                                   what is installed, what is missing
  tierbench check auction                            the application's files, stacks, factors and mixes
  tierbench spec auction                             what a stack must do: requests, values, statements, pages
  tierbench check auction --data --scale 1           the rows that would be generated

Start and verify:
  tierbench up auction php                           start the site and use it in a browser
  tierbench verify auction php                       compare its pages and rows with the model's
  tierbench prove                                    verify what has changed, and record it in proofs/

Measure:
  tierbench run auction WsPhp-DB --clients 100       one load, on five starts
  tierbench run auction php --overload-cycle 400,1600,400
                                                     does it recover from overload?
  tierbench run auction php --clients 100 --fail-if 'p99 > 500ms'
                                                     exit code 8 if it is slower
  tierbench run auction WsPhp-DB --objective 'p90 <= 1s, errors <= 0.1%'
                                                     how many clients get their pages in time?
  tierbench compare auction php                      all its configurations, each up to its peak
  tierbench compare auction php --factor engine=InnoDB,MyISAM
                                                     how much the storage engine matters
  tierbench compare auction php --profile            where the CPU goes at each peak
  tierbench compare quotes php c --clients 8 --no-think
                                                     eight connections without think times
  tierbench compare comments php --arrivals bench1 --scale 1.47
                                                     add clients until a request times out
  tierbench compare --resume results/2026-11-21T…    continue after Ctrl-C
  tierbench gate main mine --clients 50              is my stack slower than at this commit?
  tierbench drive http://127.0.0.1:8080/ --clients 64 --no-think
                                                     how many requests does my own site answer?
  tierbench reproduce middleware-2003 fig11 --quick  does what a paper claims still hold?

Read results:
  tierbench report results/2026-11-21T…              table and report of a result
  tierbench report results/before results/after      what differs, and what cannot be told apart
  tierbench report results/before results/after --fail-if-worse 3%
                                                     exit code 8 if the second is slower
  tierbench gallery results/* --out site             a site of all results, to publish

Extend and clean up:
  tierbench new stack mine --kind php                begin a stack of your own
  tierbench cache --empty --older-than 7d            remove data that nobody used for a week

Exit codes:
  0    done
  1    unexpected fault
  2    wrong option, argument or file, or a stack that can't be built
  3    not verified
  4    a service or a testbed's host did not start, or ended
  5    a program is missing or too old
  6    the result or temporary files can't be written or read
  7    no VALID point or peak, or an inconclusive capacity
  8    a condition of --fail-if holds, or a figure is worse than --fail-if-worse tolerates
  9    a result is damaged, or was changed after it was written
  10   --fail-if-worse cannot tell whether a figure is worse
  130  interrupted";

pub(crate) const AFTER_HELP_OF_DRIVE: &str = "\
WHAT is one or several addresses of one site, a file of addresses (one a line), a site's file that ends with .toml, or \
the name of an application of this workspace. Only the hosts that you name get requests. Ask the owner before you \
drive a site that is not yours.

A site's file has the format of an application's app.toml and mix in one. Clients follow the links and forms of pages:
  at = \"http://127.0.0.1:8080\"             where it is, unless --at says so
  think_time = \"2s\"                        mean, negative exponential
  [[interaction]]
  name = \"Home\"
  path = \"/\"
  [[interaction]]
  name = \"Search\"
  path = \"/search\"
  parameters = [{ name = \"q\", fill = { text = \"shoes\" } }]
  [transitions.Home]
  Search = 1.0
  [transitions.Search]
  Search = 0.6
  Home = 0.4
With follow = \"mix\", requests need no links: interactions may then have query, weight, headers and body.

Examples:
  tierbench drive http://127.0.0.1:8080/ --clients 50
                                     50 clients that think for 7 s on average
  tierbench drive http://127.0.0.1:8080/a http://127.0.0.1:8080/b --clients 50 --think-time 1s
                                     two addresses, at random
  tierbench drive urls.txt --clients 64 --no-think
                                     64 connections without think times
  tierbench drive http://127.0.0.1:8080/ --rate 500
                                     500 requests a second, whether or not the server keeps up
  tierbench drive http://127.0.0.1:8080/ --rate 500 --spacing even --connections 1000
                                     the same, evenly spaced, at most 1000 in flight
  tierbench drive http://127.0.0.1:8080/ --rate 100,200,400
                                     steps, one after another
  tierbench drive shop.toml --clients 100 --ramp 20s --window 2m
                                     a site of your own, counted for two minutes
  tierbench drive auction --at http://127.0.0.1:8080 --mix browsing --clients 100
                                     an application, as `tierbench up auction php` starts it
  tierbench drive bookstore --at http://127.0.0.1:8080 --secure-at https://127.0.0.1:8443 --ca ca.pem --clients 10
                                     an application with pages over TLS
  tierbench drive https://shop.example/ --clients 5 --timeout 3s --ca company.pem
                                     over TLS, with a private certificate authority
  tierbench drive http://127.0.0.1:8080/ --clients 8 --no-think --repetitions 5 --seed 7 --out results/mine
                                     five times, into a folder
  tierbench drive http://127.0.0.1:8080/ --rate 500 --fail-if 'p99 > 200ms' --fail-if 'errors > 0.1%'
                                     exit code 8 if it is slower, or fails
  tierbench drive http://127.0.0.1:8080/ --clients 8 --no-think --metrics 127.0.0.1:9464
                                     beside it, `curl http://127.0.0.1:9464/metrics`";

pub(crate) const AFTER_HELP_OF_REPRODUCE: &str = "\
The plan comes first, with the time that it takes; --plan prints only that. Figures that show the same mix come from \
the same runs. Each mix is an ordinary result in a folder of its own, which `tierbench report` reads. After Ctrl-C, the \
same command continues; with other figures, it uses what is measured already.

At the end come a table of the paper's claims and a page with curves, the CPU of each machine and the reason for each \
verdict: holds, no longer holds, cannot be told. Ratios and orders are compared, never numbers of clients or \
interactions a minute.

Examples:
  tierbench reproduce middleware-2003 fig11 fig12 fig13 fig14 --quick
                                              the auction, in about two hours
  tierbench reproduce middleware-2003 --plan  all that can be run, and how long it takes
  tierbench reproduce middleware-2003 fig11 --smoke --testbed testbeds/one-machine.toml
                                              does everything run? Takes minutes and needs no root";

pub(crate) const AFTER_HELP_OF_NEW_STACK: &str = "\
A KIND is a folder of skeletons/, whose files are copied:
  process   a program that speaks HTTP with clients itself
  jvm       the same on the JVM: Spring Boot with one page from the database
  node      the same in JavaScript: Fastify
  go        the same in Go: net/http
  python    the same in Python: FastAPI on Uvicorn
  rust      the same in Rust: axum
  php       PHP in a process pool, behind Apache
  servlet   a servlet in Tomcat
  cgi       a program that Apache starts for each request

`tierbench verify` then names how the stack differs from the application, one difference after another. \
docs/add-a-stack.md goes through it step by step.";

pub(crate) const AFTER_HELP_OF_TESTBED: &str = "\
A testbed's file names hosts with their cores, CPU, memory and link (see testbeds/). Hosts that are network namespaces \
need root.

Examples:
  tierbench testbed up testbeds/four-machines.toml            until Ctrl-C
                                                              (also `up --detach`, until `down`)
  tierbench testbed exec testbeds/four-machines.toml web top  a command on one of its hosts
  tierbench testbed down testbeds/four-machines.toml          end it, and all that runs on it
  tierbench testbed script testbeds/slurm.toml                a batch script for Slurm (`manifests`: Pods for Kubernetes)";

#[cfg(test)]
mod tests;
