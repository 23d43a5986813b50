//! Benchmarks of the laboratory's own parts, compared with other tools.
//!
//! `bench load [SCALE [ROUNDS]]`: see [`load`]. `bench restore [SCALE [ROUNDS]]`: see [`restore`]. `bench engine`: the
//! engine's cost per request, compared with peers on the same server in the same minutes, and its memory per idle
//! session. `bench http2`: the same cost over TLS. `bench users`: the same cost for users who think. `bench pages`: see
//! [`pages`]. Figures of different machines or different hours are not comparable; ratios of one run are.
//!
//! The server is a private nginx with one worker. It and the generators run on different CPUs, if there are two. Each
//! generator is a separate process, so that its whole cost is counted, including the kernel's work, which is most of
//! it.

mod bare;
mod compare;
mod generator;
mod load;
mod pages;
mod peer;
mod restore;
mod server;

use anyhow::{Context, bail};
use compare::Generator;
use engine::SiteProtocol;
use peer::PeerLoad;
use server::Server;
use std::process::{Command, ExitCode, Output};
use std::time::Duration;
use std::{env, ffi::OsString, path::PathBuf};
use testbed::supervisor;

const ROUNDS: usize = 7;
const ROUND: Duration = Duration::from_secs(4);
const CONNECTIONS: u32 = 64;
/// Users who think need longer rounds than busy connections, as they make fewer requests.
const USERS_ROUNDS: usize = 5;
const USERS_ROUND: Duration = Duration::from_secs(10);
/// Few enough for Locust to keep up.
const USERS: u32 = 500;
const THINK_TIME: Duration = Duration::from_millis(500);

fn main() -> ExitCode {
    let words: Vec<OsString> = env::args_os().collect();
    // Hidden verbs come first.
    match words.get(1).and_then(|word| word.to_str()) {
        Some(supervisor::SUPERVISE_VERB) => return exit_code(supervisor::supervise(&words[2..])),
        Some(supervisor::REMOVE_VERB) => return exit_code(supervisor::remove_folder(&words[2..])),
        _ => {}
    }
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let words: Vec<_> = words.iter().skip(1).map(AsRef::as_ref).collect();
    let result = match words.as_slice() {
        ["engine"] => engine(),
        ["http2"] => http2(),
        ["users"] => users(),
        ["pages"] => pages::run(),
        ["load"] => load::run("1", "3"),
        ["load", scale] => load::run(scale, "3"),
        ["load", scale, rounds] => load::run(scale, rounds),
        ["restore"] => restore::run("1", "3"),
        ["restore", scale] => restore::run(scale, "3"),
        ["restore", scale, rounds] => restore::run(scale, rounds),
        [load::OURS, scale, _files] => load::ours(scale),
        [load::FILES, _scale, files] => load::files(files.as_ref()),
        [load::MAKE, scale, _files] => load::make(scale),
        [generator::BUSY, port] => generator::users(port, CONNECTIONS, Duration::ZERO, ROUND),
        [generator::HTTP2, port, authority] => {
            generator::stress_over_tls(port, authority, SiteProtocol::Http2, CONNECTIONS, ROUND)
        }
        [generator::HTTPS, port, authority] => {
            generator::stress_over_tls(port, authority, SiteProtocol::Https, CONNECTIONS, ROUND)
        }
        [generator::STRESS, port] => generator::stress(port, CONNECTIONS, ROUND),
        [generator::THINKING, port] => generator::users(port, USERS, THINK_TIME, USERS_ROUND),
        [bare::BARE, port] => bare::run(port, CONNECTIONS, ROUND),
        [pages::WALK, name, port, epoch] => pages::walk(name, port, epoch),
        [pages::REPEAT, port, file] => pages::repeat(port, file),
        [generator::IDLE, port] => generator::idle(port),
        _ => Err(anyhow::anyhow!(
            "usage: bench engine, http2, users or pages, or bench load or restore [SCALE [ROUNDS]]"
        )),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn exit_code(code: i32) -> ExitCode {
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}

/// Busy connections: the cost of `stress` mode beside peers.
fn engine() -> anyhow::Result<()> {
    let own = env::current_exe()?;
    let server = &Server::start(&own, &find("nginx")?)?;
    println!(
        "{ROUNDS} rounds of {} s, each generator in turn: {CONNECTIONS} keep-alive connections, no think time, a page of {} bytes",
        ROUND.as_secs(),
        server::PAGE_SIZE,
    );
    let load =
        PeerLoad { server: server.url(), connections: CONNECTIONS, think_time: Duration::ZERO, time: ROUND };
    let ours = |name: &'static str, word: &'static str| {
        let own = own.as_path();
        Generator::new(name, generator::report, move || generator::command(own, word, server))
    };
    let mut generators = vec![
        ours("stress", generator::STRESS),
        ours("sessions", generator::BUSY),
        ours("bare loop", bare::BARE),
    ];
    generators.extend(peer::installed(&peer::STRESS, &load)?);
    let costs = compare::in_rounds(&generators, ROUNDS)?;
    println!("\n{}", compare::table(&costs));
    print!("{}", compare::text_of_generator(generator::command(&own, generator::IDLE, server))?);
    Ok(())
}

/// Busy connections of HTTP/2 over TLS: their cost beside a peer, and beside HTTP/1.1 over TLS.
fn http2() -> anyhow::Result<()> {
    let own = env::current_exe()?;
    let server = &Server::start(&own, &find("nginx")?)?;
    println!(
        "{ROUNDS} rounds of {} s, each generator in turn: {CONNECTIONS} connections over TLS with one request at a time, no think time, a page of {} bytes",
        ROUND.as_secs(),
        server::PAGE_SIZE,
    );
    let load = PeerLoad {
        server: server.url_over_tls(),
        connections: CONNECTIONS,
        think_time: Duration::ZERO,
        time: ROUND,
    };
    let ours = |name: &'static str, word: &'static str| {
        let own = own.as_path();
        Generator::new(name, generator::report, move || generator::command_over_tls(own, word, server))
    };
    let mut generators =
        vec![ours("stress by HTTP/2", generator::HTTP2), ours("stress by HTTP/1.1", generator::HTTPS)];
    generators.extend(peer::installed(&peer::HTTP2, &load)?);
    println!("\n{}", compare::table(&compare::in_rounds(&generators, ROUNDS)?));
    Ok(())
}

/// Users who think: the cost of their pages, beside peers whose users get a single page.
fn users() -> anyhow::Result<()> {
    let own = env::current_exe()?;
    let server = Server::start(&own, &find("nginx")?)?;
    println!(
        "{USERS_ROUNDS} rounds of {} s, each generator in turn: {USERS} users who think for {} s, pages of {} bytes",
        USERS_ROUND.as_secs(),
        THINK_TIME.as_secs_f64(),
        server::PAGE_SIZE,
    );
    let load =
        PeerLoad { server: server.url(), connections: USERS, think_time: THINK_TIME, time: USERS_ROUND };
    let command = || generator::command(&own, generator::THINKING, &server);
    let mut generators = vec![Generator::new("users", generator::report, command)];
    generators.extend(peer::installed(&peer::USERS, &load)?);
    println!("\n{}", compare::table(&compare::in_rounds(&generators, USERS_ROUNDS)?));
    Ok(())
}

fn text_of(mut command: Command) -> anyhow::Result<String> {
    let Output { status, stdout, stderr } = command.output().with_context(|| format!("{command:?}"))?;
    let text = String::from_utf8_lossy(&stdout).into_owned();
    if !status.success() {
        bail!("{command:?} ended with {status}:\n{text}{}", String::from_utf8_lossy(&stderr));
    }
    Ok(text)
}

fn find(program: &str) -> anyhow::Result<PathBuf> {
    testbed::find_program(program).with_context(|| {
        format!("{program} is not installed; `scripts/deps --bench` installs what this benchmark needs")
    })
}

fn show(name: &str, unit: &str, figures: impl Iterator<Item = f64>) {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    let (least, most) = (figures[0], figures[figures.len() - 1]);
    println!("{name:>20}  {:6.2}  ({least:.2} to {most:.2})  {unit}", figures[figures.len() / 2]);
}
