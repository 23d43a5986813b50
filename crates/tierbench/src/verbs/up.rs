//! `up`: a configuration for a person with a browser.

use crate::{
    arguments::{Places, UpOptions},
    fault::Fault,
    interrupt,
    output::print,
    registry,
    terminal::Terminal,
    verbs::measure,
};
use lab::{Event, RunContext, Variant};
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
    let workspace = places.workspace()?;
    let application = registry::find(&options.application)?;
    let variant = workspace.choose(application.name(), std::slice::from_ref(&options.configuration))?;
    let variant = lab::vary_one(&variant[0], &options.factors.choices)?;
    variant.expect_fit()?;
    let port = options.port.map(claim_port).transpose()?;
    let scenario = options.data.scenario();
    let mut context = RunContext::read(&workspace, application, None, scenario, 1.0, interrupt::flag()?)?;
    context.cache = places.cache()?;
    // Before this process goes to where no browser is.
    let door = options.hosts.testbed.as_ref().map(|_| door(port)).transpose()?;
    measure::go_to(options.hosts.testbed.as_deref(), "up", &mut context, std::slice::from_ref(&variant))?;
    let terminal = Terminal::new();
    let scratch = context.scratch(1)?;
    let name = variant.configuration.name.as_str();
    let port = port.filter(|_| door.is_none());
    let start = || {
        let mut site = context.site(&variant, &scratch, port, &mut |event| terminal.show(&event))?;
        terminal.show(&Event::Step { configuration: name, step: "starting" });
        site.start_fresh().map_err(|fault| context.site_error(&variant, fault))?;
        Ok(site)
    };
    let started = context.hosts.unthrottled(start);
    terminal.clear();
    let site = started?;
    let address = match door {
        Some(door) => open(door, &context, &site)?,
        None => site.entry(),
    };
    let catalogue = &context.catalogue;
    print(format_args!("{} on {name} at scale {}", catalogue.title, options.data.scale))?;
    print(format_args!("  address   http://{address}{}", catalogue.get(catalogue.start).path))?;
    if application.accounts(&context.scenario) > 0 {
        let account = application.account(1);
        print(format_args!("  log in    {} with password {}", account.nickname, account.password))?;
    }
    print(format_args!("  Ctrl-C stops it; what was changed is lost"))?;
    std::io::stdout().flush()?;
    keep_running(&context, &variant, &site)
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
fn open(door: TcpListener, context: &RunContext<'_>, site: &Site<'_>) -> io::Result<SocketAddr> {
    let address = door.local_addr()?;
    if let Some(hosts) = context.hosts.any() {
        relay(door, &hosts.of_role(CLIENT).place, site.entry())?;
    }
    Ok(address)
}

/// Until somebody stops it, which is how it should end, or a service ends by itself.
fn keep_running(context: &RunContext<'_>, variant: &Variant, site: &Site<'_>) -> Result<(), Fault> {
    while context.check_stop().is_ok() {
        site.check_alive().map_err(|fault| context.site_error(variant, fault.into()))?;
        std::thread::sleep(LOOK);
    }
    Ok(())
}
