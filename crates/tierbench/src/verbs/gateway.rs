//! `gateway`: the payment gateway of an application that takes cards; the service `payment` runs it.

use crate::{
    arguments::GatewayOptions,
    fault::{CommandError, Fault},
    registry,
};
use reference::{gateway, gateway::Behaviour, tls};
use std::{net::TcpListener, time::Duration};

/// Percent as a share.
const PERCENT: f64 = 0.01;

pub(crate) fn run(options: &GatewayOptions) -> Result<(), Fault> {
    let application = registry::find(&options.application)?;
    let rule = application.payment_rule().ok_or_else(|| {
        CommandError::input(format!("{} takes no cards, so no gateway can serve it", application.name()))
    })?;
    let behaviour = Behaviour {
        delay: Duration::from_millis(options.delay),
        declines: f64::from(options.declines) * PERCENT,
    };
    let tls = tls::acceptor(&options.certificate, &options.key)?;
    Ok(gateway::serve(rule, behaviour, TcpListener::bind(options.listen)?, &tls)?)
}
