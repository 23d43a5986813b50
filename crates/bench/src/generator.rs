//! The engine as a generator: this executable as a separate process.

use crate::compare::RunCount;
use crate::server::{MOST_CONNECTIONS, PAGE, Server};
use anyhow::{Context, ensure};
use engine::{Load, LoadKind, Outcome, Phase, Progress, SiteAddress, SiteProtocol, Target, Users};
use fs_err as fs;
use procfs::process::Process;
use settings::Document;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use workload::ExternalSite;

/// The hidden argument for users who don't think, but read their pages and follow links.
pub(crate) const BUSY: &str = "busy";
/// The hidden argument for connections that request the same page repeatedly.
pub(crate) const STRESS: &str = "stress";
/// The hidden argument for connections of HTTP/2 over TLS that request the same page repeatedly.
pub(crate) const HTTP2: &str = "http2-stress";
/// The same of HTTP/1.1 over TLS.
pub(crate) const HTTPS: &str = "https-stress";
/// The hidden argument for users who think, read their pages and follow links.
pub(crate) const THINKING: &str = "thinking";
/// The hidden argument for measuring the memory of many mostly idle users.
pub(crate) const IDLE: &str = "idle";
/// The number of sessions for measuring the memory of one.
const IDLE_SESSIONS: u32 = MOST_CONNECTIONS;
/// The number of pages that fill a session's history.
const IDLE_PAGES: u64 = 60;
/// Long enough for these pages with such short think times.
const IDLE_WINDOW: Duration = Duration::from_secs(15);
const IDLE_THINK_TIME: Duration = Duration::from_millis(200);

const SITE: &str = r#"
prefix = "/site"

[[interaction]]
name = "Home"
path = "index.html"

[[interaction]]
name = "Left"
path = "left.html"

[[interaction]]
name = "Right"
path = "right.html"

[transitions.Home]
Left = 0.5
Right = 0.5

[transitions.Left]
Home = 0.5
Right = 0.5

[transitions.Right]
Home = 0.5
Left = 0.5
"#;

/// Three pages, each of which leads to the others.
fn site() -> anyhow::Result<ExternalSite> {
    Ok(ExternalSite::parse(&Document::new("site.toml", SITE), false)?)
}

pub(crate) fn command(own: &Path, word: &str, server: &Server) -> Command {
    let mut command = Command::new(own);
    command.args([word, &server.port().to_string()]);
    command
}

pub(crate) fn command_over_tls(own: &Path, word: &str, server: &Server) -> Command {
    let mut command = Command::new(own);
    command.args([word, &server.tls_port().to_string()]).arg(server.authority());
    command
}

/// Requests a page over TLS on all connections, and prints the number of answers.
pub(crate) fn stress_over_tls(
    port: &str,
    authority: &str,
    protocol: SiteProtocol,
    connections: u32,
    window: Duration,
) -> anyhow::Result<()> {
    let address = address(port)?;
    let site = SiteAddress { plain: address, secure: Some((address, fs::read(authority)?)), protocol };
    let (target, load) = (site.target()?, load(connections, Duration::ZERO, window));
    let pages = ExternalSite::of_paths("bench", &[PAGE.to_owned()], true)?;
    let outcome = pages.with_users(|users| drive_at(&target, users, &load, &mut |_| {}))?;
    println!("{}", outcome.total().completed);
    Ok(())
}

/// Runs users who read the three pages and follow their links, and prints the number of pages.
pub(crate) fn users(port: &str, clients: u32, think_time: Duration, window: Duration) -> anyhow::Result<()> {
    let outcome = drive(port, &load(clients, think_time, window), &mut |_| {})?;
    println!("{}", outcome.total().completed);
    Ok(())
}

/// Requests these paths on all connections without reading the answers, and prints their number. Recording and checks
/// are as usual.
pub(crate) fn repeat(port: &str, paths: &[String], connections: u32, window: Duration) -> anyhow::Result<()> {
    let site = ExternalSite::of_paths("bench", paths, false)?;
    site.with_users(|users| run(port, users, &load(connections, Duration::ZERO, window)))
}

pub(crate) fn stress(port: &str, connections: u32, window: Duration) -> anyhow::Result<()> {
    repeat(port, &[PAGE.to_owned()], connections, window)
}

/// Puts a load of users on the server, and prints the number of pages.
pub(crate) fn run(port: &str, users: &Users<'_>, load: &Load) -> anyhow::Result<()> {
    let outcome = drive_with(port, users, load, &mut |_| {})?;
    println!("{}", outcome.total().completed);
    Ok(())
}

/// From the number printed by [`run`], [`users`] or [`crate::bare::run`].
pub(crate) fn report(text: &str) -> anyhow::Result<RunCount> {
    Ok(RunCount::of(text.trim().parse().context("the generator should print a number")?))
}

/// Runs many users who think, and prints the memory of each.
pub(crate) fn idle(port: &str) -> anyhow::Result<()> {
    let mut resident = Vec::new();
    let mut sample =
        || Process::myself().and_then(|own| own.statm()).map(|memory| resident.push(memory.resident));
    sample()?;
    let load = load(IDLE_SESSIONS, IDLE_THINK_TIME, IDLE_WINDOW);
    let outcome = drive(port, &load, &mut |progress: Progress| {
        if progress.phase == Phase::Measure {
            let _ = sample();
        }
    })?;
    let pages = outcome.total().completed / u64::from(IDLE_SESSIONS);
    ensure!(
        pages >= IDLE_PAGES,
        "each session has visited only {pages} pages, so that its history isn't full"
    );
    let most = resident.iter().max().copied().unwrap_or_default();
    let bytes = (most - resident[0]) * procfs::page_size();
    let each = bytes as f64 / 1024.0 / f64::from(IDLE_SESSIONS);
    println!(
        "  idle session  {each:6.2}  KiB of the generator's memory, over {IDLE_SESSIONS} sessions with full histories"
    );
    Ok(())
}

/// A load of users who are present throughout.
pub(crate) fn load(clients: u32, think_time: Duration, window: Duration) -> Load {
    Load {
        session_length: Duration::from_secs(1_000_000),
        window,
        ..Load::new(LoadKind::closed(clients, think_time))
    }
}

fn drive(port: &str, load: &Load, progress: &mut dyn FnMut(Progress)) -> anyhow::Result<Outcome> {
    site()?.with_users(|users| drive_with(port, users, load, progress))
}

fn drive_with(
    port: &str,
    users: &Users<'_>,
    load: &Load,
    progress: &mut dyn FnMut(Progress),
) -> anyhow::Result<Outcome> {
    drive_at(&Target::plain(address(port)?, "localhost"), users, load, progress)
}

fn address(port: &str) -> anyhow::Result<SocketAddr> {
    Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port.parse().context("not a port")?)))
}

fn drive_at(
    target: &Target,
    users: &Users<'_>,
    load: &Load,
    progress: &mut dyn FnMut(Progress),
) -> anyhow::Result<Outcome> {
    let outcome = engine::drive(target, users, load, &AtomicBool::new(false), progress)?;
    let total = outcome.total();
    ensure!(total.errors() == 0, "the engine met errors: {total:?}");
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::{PAGE_SIZE, pages};
    use workload::Page;

    #[test]
    fn each_page_has_its_size_and_links_to_all_three() {
        let catalogue = site().unwrap().catalogue;
        for (name, text) in pages() {
            assert_eq!(text.len(), PAGE_SIZE);
            let page = Page::scan(text.as_bytes(), &format!("/site/{name}"), &catalogue);
            for to in catalogue.ids() {
                assert_eq!(page.actions().filter(|action| action.to() == to).count(), 3);
            }
        }
    }
}
