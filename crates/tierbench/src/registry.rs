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

#[cfg(test)]
mod tests {
    use super::*;
    use application::{Contract, Dataset, Step, Timestamp, TokenKey};

    /// The script and the concurrent writes must be answered as by the model, so that nothing in them may be open.
    #[test]
    fn scripts_and_concurrent_writes_are_what_users_of_a_browser_can_send() {
        let (key, dataset) = (TokenKey::new("key"), Dataset::new(1, 0.0025, Timestamp(1_800_000_000)));
        for application in all() {
            let contract = Contract::new(application);
            let branches = application.branches(&dataset, &key).into_iter().map(|branch| branch.step);
            let writes = application.contention(&dataset, 50).into_iter().map(|write| write.step);
            let is_odd = |step: &Step| {
                let mut request = step.request(&key, dataset.epoch);
                let mut headers = step.headers();
                headers.extend(request.take_cookies(application.catalogue()));
                contract.readings(&request, &headers).is_some()
            };
            let odd: Vec<String> = branches.chain(writes).filter(is_odd).map(|step| shown(&step)).collect();
            assert_eq!(odd, Vec::<String>::new());
        }
    }

    fn shown(step: &Step) -> String {
        step.to_string().chars().take(300).collect()
    }
}
