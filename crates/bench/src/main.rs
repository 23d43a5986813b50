//! Benchmarks of the laboratory's own parts, compared with other tools.
//!
//! `bench load [SCALE [ROUNDS]]`: see [`load`]. `bench restore [SCALE [ROUNDS]]`: see [`restore`]. `bench engine`: the
//! engine's cost per request and per idle session, compared with a peer on the same server in the same minutes. Figures
//! of different machines or different hours are not comparable; ratios of one run are.
//!
//! The server is a private nginx with one worker. It and the generators run on different CPUs, if there are two. Each
//! generator is a separate process, so that its whole cost is counted, including the kernel's work, which is most of
//! it.

mod bare;
mod generator;
mod load;
mod peer;
mod restore;
mod server;

use anyhow::{Context, bail, ensure};
use server::Server;
use std::process::{Command, ExitCode, Output};
use std::time::Duration;
use std::{env, ffi::OsString, path::PathBuf};
use testbed::supervisor;

const ROUNDS: usize = 7;
const ROUND: Duration = Duration::from_secs(4);
const CONNECTIONS: u32 = 64;

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
        ["load"] => load::run("1", "3"),
        ["load", scale] => load::run(scale, "3"),
        ["load", scale, rounds] => load::run(scale, rounds),
        ["restore"] => restore::run("1", "3"),
        ["restore", scale] => restore::run(scale, "3"),
        ["restore", scale, rounds] => restore::run(scale, rounds),
        [load::OURS, scale, _files] => load::ours(scale),
        [load::FILES, _scale, files] => load::files(files.as_ref()),
        [load::MAKE, scale, _files] => load::make(scale),
        [generator::BUSY, port] => generator::busy(port, CONNECTIONS, ROUND),
        [generator::STRESS, port] => generator::stress(port, CONNECTIONS, ROUND),
        [bare::BARE, port] => bare::run(port, CONNECTIONS, ROUND),
        [generator::IDLE, port] => generator::idle(port),
        _ => Err(anyhow::anyhow!("usage: bench engine, or bench load or restore [SCALE [ROUNDS]]")),
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

/// A generator's name, and how it is run.
type Contender<'a> = (&'a str, Box<dyn Fn() -> anyhow::Result<f64> + 'a>);

fn engine() -> anyhow::Result<()> {
    let own = env::current_exe()?;
    let wrk = find("wrk")?;
    let server = Server::start(&own, &find("nginx")?)?;
    println!(
        "{} rounds of {} s, each generator in turn: {CONNECTIONS} keep-alive connections, no think time, a page of {} bytes",
        ROUNDS,
        ROUND.as_secs(),
        server::PAGE_SIZE,
    );
    let ours = |word| {
        let (own, server) = (&own, &server);
        Box::new(move || measure(generator::command(own, word, server), generator::completed))
    };
    let contenders: [Contender<'_>; 4] = [
        ("bare loop", ours(bare::BARE)),
        ("stress", ours(generator::STRESS)),
        ("sessions", ours(generator::BUSY)),
        ("wrk", Box::new(|| measure(peer::wrk(&wrk, &server, CONNECTIONS, ROUND), peer::completed))),
    ];
    // The first run loads code, which costs more.
    contenders.iter().try_for_each(|(_, run)| run().map(drop))?;
    let mut figures = vec![Vec::new(); contenders.len()];
    for round in 0..ROUNDS {
        // The order rotates between rounds.
        for turn in 0..contenders.len() {
            let at = (turn + round) % contenders.len();
            figures[at].push(contenders[at].1()?);
        }
        let shown = contenders
            .iter()
            .zip(&figures)
            .map(|((name, _), figures)| format!("{name} {:.2} µs", figures[round]));
        println!("  round {}: {}", round + 1, shown.collect::<Vec<_>>().join(", "));
    }
    for ((name, _), figures) in contenders.iter().zip(&figures) {
        show(name, "µs of CPU per request", figures.iter().copied());
    }
    for (one, other) in [(1, 3), (1, 0), (2, 1)] {
        let name = format!("{} / {}", contenders[one].0, contenders[other].0);
        show(&name, "", figures[one].iter().zip(&figures[other]).map(|(one, other)| one / other));
    }
    let idle = text_of_generator(generator::command(&own, generator::IDLE, &server))?;
    print!("{idle}");
    Ok(())
}

/// CPU microseconds per request of a generator, including the kernel's work.
fn measure(command: Command, completed: fn(&str) -> anyhow::Result<u64>) -> anyhow::Result<f64> {
    let before = children_cpu()?;
    let text = text_of_generator(command)?;
    let used = children_cpu()? - before;
    let completed = completed(&text)?;
    ensure!(completed > 0, "no request was answered:\n{text}");
    Ok(used.as_secs_f64() * 1e6 / completed as f64)
}

/// CPU time of all ended children, to 10 ms.
fn children_cpu() -> anyhow::Result<Duration> {
    let stat = procfs::process::Process::myself()?.stat()?;
    Ok(Duration::from_secs_f64((stat.cutime + stat.cstime) as f64 / procfs::ticks_per_second() as f64))
}

/// The output of a generator on the generators' CPU.
fn text_of_generator(command: Command) -> anyhow::Result<String> {
    server::on_cpu(server::Side::Generator, || text_of(command))?
}

/// The output of a command.
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

/// Prints median, minimum and maximum of figures.
fn show(name: &str, unit: &str, figures: impl Iterator<Item = f64>) {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    let (least, most) = (figures[0], figures[figures.len() - 1]);
    println!("{name:>20}  {:6.2}  ({least:.2} to {most:.2})  {unit}", figures[figures.len() / 2]);
}
