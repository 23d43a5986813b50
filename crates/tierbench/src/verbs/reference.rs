//! `reference`: serves a model over HTTP; the stack of that name runs it.

use crate::{arguments::ReferenceOptions, fault::Fault, registry};
use application::{Scenario, Timestamp, TokenKey};
use std::net::TcpListener;

pub(crate) fn run(options: &ReferenceOptions) -> Result<(), Fault> {
    let application = registry::find(&options.application)?;
    let key = std::env::var("TIERBENCH_TOKEN_KEY").map_err(|_| {
        Fault::Usage("TIERBENCH_TOKEN_KEY must hold the key that signs log-in tokens".to_owned())
    })?;
    let scenario =
        Scenario { seed: options.data.seed, scale: options.data.scale, epoch: Timestamp(options.epoch) };
    let listener = TcpListener::bind(options.listen)?;
    Ok(reference::serve(application, &scenario, TokenKey::new(key), listener)?)
}
