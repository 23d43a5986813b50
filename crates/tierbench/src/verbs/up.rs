//! `up`: a configuration for a person with a browser.

use crate::{
    arguments::{Places, UpOptions},
    fault::Fault,
    interrupt,
    output::say,
    registry,
    terminal::Terminal,
    verbs::measure,
};
use lab::{Bench, Chosen, Event};
use stack::Site;
use std::{
    io::{self, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener},
    time::Duration,
};
use testbed::{CLIENT, claim_port, free_ports, relay};

/// How often it is looked whether all services live.
const LOOK: Duration = Duration::from_millis(100);

pub(crate) fn run(places: &Places, options: &UpOptions) -> Result<(), Fault> {
    let house = places.house()?;
    let application = registry::find(&options.application)?;
    let chosen = house.choose(application.name(), std::slice::from_ref(&options.configuration))?;
    let chosen = lab::vary_one(&chosen[0], &options.factors.choices)?;
    chosen.expect_fit()?;
    let port = options.port.map(claim_port).transpose()?;
    let scenario = options.data.scenario();
    let mut bench = Bench::read(&house, application, None, scenario, 1.0, interrupt::flag()?)?;
    bench.cache = places.cache()?;
    // Before this process goes to where no browser is.
    let door = options.testbed.as_ref().map(|_| door(port)).transpose()?;
    measure::go_to(options.testbed.as_deref(), "up", &mut bench, std::slice::from_ref(&chosen))?;
    let terminal = Terminal::new();
    let scratch = bench.scratch(1)?;
    let name = chosen.configuration.name.as_str();
    let port = port.filter(|_| door.is_none());
    let start = || {
        let mut site = bench.site(&chosen, &scratch, port, &mut |event| terminal.show(&event))?;
        terminal.show(&Event::Step { configuration: name, step: "starting" });
        site.start_fresh().map_err(|fault| bench.site_error(&chosen, fault))?;
        Ok(site)
    };
    let started = bench.hosts.hurry(start);
    terminal.quiet();
    let site = started?;
    let address = match door {
        Some(door) => open(door, &bench, &site)?,
        None => site.entry(),
    };
    let catalogue = &bench.catalogue;
    say(format_args!("{} on {name} at scale {}", catalogue.title, options.data.scale))?;
    say(format_args!("  address   http://{address}{}", catalogue.get(catalogue.start).path))?;
    if application.accounts(&bench.scenario) > 0 {
        let account = application.account(1);
        say(format_args!("  log in    {} with password {}", account.nickname, account.password))?;
    }
    say(format_args!("  Ctrl-C stops it; what was changed is lost"))?;
    std::io::stdout().flush()?;
    keep_running(&bench, &chosen, &site)
}

/// Where a browser of this machine knocks, if the site is out of its reach.
fn door(port: Option<u16>) -> io::Result<TcpListener> {
    let port = match port {
        Some(port) => port,
        None => free_ports(1)?[0],
    };
    TcpListener::bind((Ipv4Addr::LOCALHOST, port))
}

/// Leads browsers to a site on hosts, and returns the address that they knock at.
fn open(door: TcpListener, bench: &Bench<'_>, site: &Site<'_>) -> io::Result<SocketAddr> {
    let address = door.local_addr()?;
    if let Some(hosts) = bench.hosts.any() {
        relay(door, &hosts.of_role(CLIENT).place, site.entry())?;
    }
    Ok(address)
}

/// Until somebody stops it, which is how it should end, or a service ends by itself.
fn keep_running(bench: &Bench<'_>, chosen: &Chosen, site: &Site<'_>) -> Result<(), Fault> {
    while bench.check_stop().is_ok() {
        site.check_alive().map_err(|fault| bench.site_error(chosen, fault.into()))?;
        std::thread::sleep(LOOK);
    }
    Ok(())
}
