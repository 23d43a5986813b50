//! The applications: one line each.

use application::Application;
use lab::WorkspaceError;
use settings::did_you_mean;

static APPLICATIONS: [&dyn Application; 5] =
    [&auction::AUCTION, &bookstore::BOOKSTORE, &comments::COMMENTS, &mail::MAIL, &quotes::QUOTES];

/// All of them.
pub(crate) fn all() -> impl Iterator<Item = &'static dyn Application> {
    APPLICATIONS.into_iter()
}

/// The application with this name.
pub(crate) fn find(name: &str) -> Result<&'static dyn Application, WorkspaceError> {
    let names = || APPLICATIONS.iter().map(|application| application.name());
    let found = APPLICATIONS.iter().find(|application| application.name() == name).copied();
    found.ok_or_else(|| WorkspaceError::Unknown {
        kind: "application",
        word: name.to_owned(),
        remedy: did_you_mean(name, names().collect::<Vec<_>>()),
    })
}
