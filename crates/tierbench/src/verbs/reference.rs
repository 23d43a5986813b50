//! `reference`: serves a model over HTTP, right or with a fault; the stack of that name runs it.

use crate::{
    arguments::ReferenceOptions,
    fault::{CommandError, Fault},
    output::print,
    registry,
};
use application::{Application, Dataset, Timestamp, TokenKey};
use lab::WorkspaceError;
use reference::faults;
use settings::did_you_mean;
use std::net::TcpListener;

/// The word for the model as it is.
const NO_FAULT: &str = "none";

pub(crate) fn run(options: &ReferenceOptions) -> Result<(), Fault> {
    let application = registry::find(&options.application)?;
    let dataset = Dataset {
        epoch: Timestamp(options.epoch),
        history: Timestamp(options.history),
        ..options.data.dataset()
    };
    let Some(address) = options.listen else { return list(application, &dataset) };
    let key = std::env::var("TIERBENCH_TOKEN_KEY")
        .map_err(|_| CommandError::input("TIERBENCH_TOKEN_KEY must hold the key that signs log-in tokens"))?;
    let fault = fault(application, &dataset, &options.fault)?;
    let lapse = fault.as_ref().and_then(faults::Fault::lapse);
    let key = TokenKey::new(key);
    let model = match fault {
        Some(fault) => faults::model_with(fault, application, &dataset, key),
        None => application.model(&dataset, key),
    };
    let secure = match (options.secure, &options.certificate, &options.key) {
        (Some(address), Some(certificate), Some(key)) => {
            let secure =
                application.catalogue().interactions().iter().filter(|interaction| interaction.secure);
            Some(reference::Secure {
                listener: TcpListener::bind(address)?,
                tls: reference::tls::acceptor(certificate, key)?,
                paths: secure.map(|interaction| interaction.path.clone()).collect(),
            })
        }
        _ => None,
    };
    Ok(reference::serve(model, TcpListener::bind(address)?, secure, lapse)?)
}

/// The fault of this name; none for the word that means none.
fn fault(
    application: &'static dyn Application,
    dataset: &Dataset,
    fault: &str,
) -> Result<Option<faults::Fault>, Fault> {
    if fault == NO_FAULT {
        return Ok(None);
    }
    let all = faults::all(application, dataset);
    let found = all.iter().find(|known| known.name == fault).cloned();
    let found = found.ok_or_else(|| WorkspaceError::Unknown {
        kind: "fault",
        word: fault.to_owned(),
        remedy: did_you_mean(fault, all.iter().map(|known| known.name.as_str())),
    })?;
    Ok(Some(found))
}

fn list(application: &'static dyn Application, dataset: &Dataset) -> Result<(), Fault> {
    let all = faults::possible(application, dataset);
    Ok(all.iter().try_for_each(|fault| print(format_args!("{}\t{}", fault.name, fault.description)))?)
}
