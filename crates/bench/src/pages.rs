//! Sessions on an application's pages, compared with connections that only request the same pages. The application's
//! model serves them on a thread of this process, whose CPU time doesn't count.

use crate::compare::{self, Generator};
use crate::load::workspace;
use crate::{CONNECTIONS, ROUND, ROUNDS, generator, server};
use anyhow::Context;
use application::{Application, Dataset, Model, Request, Response, Row, Step, Table, Timestamp, TokenKey};
use auction::AUCTION;
use bookstore::BOOKSTORE;
use engine::Users;
use fs_err as fs;
use services::store;
use settings::Document;
use std::env;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use testbed::Scratch;
use workload::{Catalogue, Mix};

/// The hidden argument for an application's users who don't think.
pub(crate) const WALK: &str = "walk";
/// The hidden argument for connections that request the addresses of a file.
pub(crate) const REPEAT: &str = "repeat";

static APPLICATIONS: [&dyn Application; 2] = [&AUCTION, &BOOKSTORE];

/// Enough data for lists of several pages.
const SCALE: f64 = 0.1;
/// Noted addresses of pages, all of the first users.
const MOST_NOTED: usize = 10_000;
/// Requested addresses: few, since the engine's search for the address of each request must not count.
const ADDRESSES: usize = 50;

/// Compares on the pages of each application.
pub(crate) fn run() -> anyhow::Result<()> {
    let own = env::current_exe()?;
    APPLICATIONS.iter().try_for_each(|application| compare_on(&own, *application))
}

fn compare_on(own: &Path, application: &'static dyn Application) -> anyhow::Result<()> {
    let name = application.name();
    let scratch = Scratch::create(own)?;
    let epoch = store::now();
    let site = Site::start(application, epoch)?;
    let (port, began) = (site.port.to_string(), epoch.0.to_string());
    let walk = || command(own, &[WALK, name, &port, &began]);
    // These users find the pages.
    compare::text_of_generator(walk())?;
    let file = scratch.path().join("addresses");
    fs::write(&file, site.sample().join("\n"))?;
    let file = file.to_string_lossy();
    let repeat = || command(own, &[REPEAT, &port, &file]);
    println!(
        "{ROUNDS} rounds of {} s on the pages of {name}, each generator in turn: {CONNECTIONS} keep-alive connections, no think time",
        ROUND.as_secs(),
    );
    let generators = [
        Generator::new("sessions", generator::report, walk),
        Generator::new("stress", generator::report, repeat),
    ];
    println!("\n{}", compare::table(&compare::in_rounds(&generators, ROUNDS)?));
    Ok(())
}

fn command(own: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(own);
    command.args(words);
    command
}

/// Runs users of an application, and prints the number of pages. `epoch` is that of its rows.
pub(crate) fn walk(name: &str, port: &str, epoch: &str) -> anyhow::Result<()> {
    let application =
        *APPLICATIONS.iter().find(|known| known.name() == name).context("no such application")?;
    let dataset = dataset(Timestamp(epoch.parse()?));
    let folder = workspace().join("apps").join(name);
    // All pages are plain, and nothing embedded is fetched, as other generators do neither.
    let text = fs::read_to_string(folder.join("app.toml"))?.replace("secure = true", "secure = false");
    let mut catalogue = Catalogue::parse(&Document::new("app.toml", text))?;
    catalogue.embedded = false;
    let mix = Mix::parse(&Document::read(&folder.join("mixes/browsing.toml"))?, &catalogue)?;
    let habits = application.habits(&dataset);
    let accounts = application.accounts(&dataset);
    let account = |number| application.account(number);
    let (catalogue, mix) = (&catalogue, &mix);
    let users = Users { catalogue, mix, accounts, account: &account, habits: habits.as_ref() };
    generator::run(port, &users, &generator::load(CONNECTIONS, Duration::ZERO, ROUND))
}

/// Requests the addresses of a file, and prints the number of answers.
pub(crate) fn repeat(port: &str, file: &str) -> anyhow::Result<()> {
    let text = fs::read_to_string(file)?;
    let paths: Vec<String> = text.lines().map(str::to_owned).collect();
    generator::repeat(port, &paths, CONNECTIONS, ROUND)
}

fn dataset(epoch: Timestamp) -> Dataset {
    Dataset::new(1, SCALE, epoch)
}

/// An application's model that is served until this process ends.
struct Site {
    port: u16,
    noted: Arc<Mutex<Vec<String>>>,
}

impl Site {
    fn start(application: &'static dyn Application, epoch: Timestamp) -> anyhow::Result<Self> {
        let noted = Arc::new(Mutex::new(Vec::new()));
        let model = application.model(&dataset(epoch), TokenKey::random()?);
        let model = NotingModel { model, noted: Arc::clone(&noted) };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        // A thread stays on the CPU of the one that starts it.
        server::on_cpu(server::Side::Server, || {
            thread::spawn(move || reference::serve(Box::new(model), listener, None, None))
        })?;
        Ok(Self { port, noted })
    }

    /// Some of the noted addresses, with their frequencies.
    fn sample(&self) -> Vec<String> {
        let noted = self.noted.lock().expect("no thread panics");
        let step = (noted.len() / ADDRESSES).max(1);
        noted.iter().step_by(step).take(ADDRESSES).cloned().collect()
    }
}

/// A model that notes the pages got. Posted ones change data, and may be refused the next time.
struct NotingModel {
    model: Box<dyn Model>,
    noted: Arc<Mutex<Vec<String>>>,
}

impl Model for NotingModel {
    fn respond(&mut self, request: &Request, now: Timestamp) -> Response {
        let response = self.model.respond(request, now);
        let mut noted = self.noted.lock().expect("no thread panics");
        if noted.len() < MOST_NOTED && response.status == 200 && request.method == "GET" {
            noted.push(request.target());
        }
        response
    }

    fn fork(&self) -> Box<dyn Model> {
        Box::new(Self { model: self.model.fork(), noted: self.noted.clone() })
    }

    fn rows(&self, table: &Table) -> Vec<Row> {
        self.model.rows(table)
    }

    fn fuzz(&self, random: &mut dyn rand::Rng, now: Timestamp) -> Step {
        self.model.fuzz(random, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_were_got_are_noted() {
        let epoch = Timestamp(1_800_000_000);
        let noted = Arc::default();
        let model = AUCTION.model(&Dataset::new(1, 0.01, epoch), TokenKey::new("key"));
        let catalogue = AUCTION.catalogue();
        let mut model = NotingModel { model, noted: Arc::clone(&noted) };
        let home = catalogue.get(catalogue.start).path.as_str();
        for (method, path) in [("GET", home), ("POST", home), ("GET", "/auction/nothing")] {
            model.respond(&Request::new(method, path, ""), epoch);
        }
        let site = Site { port: 0, noted };
        assert_eq!(site.sample(), [home]);
    }
}
