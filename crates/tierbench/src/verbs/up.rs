//! `up`: starts a configuration for a browser.

use crate::{
    arguments::{Places, UpOptions},
    fault::Fault,
    interrupt,
    output::print,
    registry,
    terminal::Terminal,
    verbs::measure,
};
use lab::{RunContext, Variant};
use results::{EventKind, Names};
use stack::Site;
use std::{
    io::{self, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener},
    time::Duration,
};
use testbed::{CLIENT, ReservedPort, claim_port, free_ports, relay};

/// The interval at which it is checked whether all services are alive.
const POLL: Duration = Duration::from_millis(100);

pub(crate) fn run(places: &Places, options: &UpOptions) -> Result<(), Fault> {
    let workspace = places.workspace()?;
    let application = registry::find(&options.application)?;
    let variant = workspace.choose(application.name(), std::slice::from_ref(&options.configuration))?;
    let variant = lab::vary_one(&variant[0], &options.factors.choices)?;
    measure::expect_fit(options.hosts.testbed.as_deref(), std::slice::from_ref(&variant))?;
    let reserved = options.port.map(claim_port).transpose()?;
    let port = reserved.as_ref().map(ReservedPort::number);
    let dataset = options.data.dataset();
    let mut context = RunContext::read(&workspace, application, None, dataset, 1.0, interrupt::flag()?)?;
    context.cache = places.cache_of_data()?;
    // Before this process enters the clients' namespace, which no browser reaches.
    let listener = options.hosts.testbed.as_ref().map(|_| listen(port)).transpose()?;
    measure::go_to(options.hosts.testbed.as_deref(), "up", &mut context, std::slice::from_ref(&variant))?;
    let terminal = Terminal::new(Names::default());
    let scratch = context.scratch(1)?;
    let name = variant.configuration.name.as_str();
    let port = port.filter(|_| listener.is_none());
    let start = || {
        let mut site = context.site(&variant, &scratch, port, &mut |event| terminal.show(&event))?;
        terminal.show(&EventKind::step(name, "starting"));
        site.start_fresh().map_err(|fault| context.site_error(&variant, fault))?;
        Ok(site)
    };
    let started = context.hosts.all_unthrottled(start);
    terminal.clear();
    let site = started?;
    let catalogue = context.catalogue_of(&variant);
    let start = catalogue.get(catalogue.start);
    let (scheme, address) = match site.address().secure {
        Some((address, _)) if start.secure => ("https", address),
        _ => ("http", site.entry()),
    };
    let address = match listener {
        Some(listener) => relay_browsers(listener, &context, address)?,
        None => address,
    };
    print(format_args!("{} on {name} at scale {}", catalogue.title, options.data.scale))?;
    print(format_args!("  address   {scheme}://{address}{}", start.path))?;
    if let Some(authority) = site.authority() {
        print(format_args!("  trust     {}, which has signed its certificate", authority.display()))?;
    }
    if application.accounts(&context.dataset) > 0 {
        let account = application.account(1);
        print(format_args!("  log in    {} with password {}", account.nickname, account.password))?;
    }
    print(format_args!("  Ctrl-C stops it; what was changed is lost"))?;
    std::io::stdout().flush()?;
    keep_running(&context, &variant, &site)
}

/// Listens for browsers of this machine, for a site that they cannot reach.
fn listen(port: Option<u16>) -> io::Result<TcpListener> {
    match port {
        Some(port) => TcpListener::bind((Ipv4Addr::LOCALHOST, port)),
        None => TcpListener::bind((Ipv4Addr::LOCALHOST, free_ports(1)?[0].number())),
    }
}

/// Relays browsers to an address of a site on hosts, and returns the one that they connect to.
fn relay_browsers(
    listener: TcpListener,
    context: &RunContext<'_>,
    there: SocketAddr,
) -> io::Result<SocketAddr> {
    let address = listener.local_addr()?;
    if let Some(hosts) = context.hosts.any() {
        relay(listener, &hosts.of_role(CLIENT).handle, there)?;
    }
    Ok(address)
}

/// Waits until it is interrupted, which is how it should end, or until a service ends by itself.
fn keep_running(context: &RunContext<'_>, variant: &Variant, site: &Site<'_>) -> Result<(), Fault> {
    while context.check_stop().is_ok() {
        site.check_alive().map_err(|fault| context.site_error(variant, fault.into()))?;
        std::thread::sleep(POLL);
    }
    Ok(())
}
