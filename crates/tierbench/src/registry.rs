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
    use application::{Contract, Dataset, Effects, Landing, Step, Table, Timestamp, TokenKey};

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

    /// The columns of an application's tables that interactions change.
    fn changing(application: &dyn Application) -> Vec<String> {
        let effects = Effects::of(application);
        let of_table = |table: &'static Table| {
            let columns = table.columns.iter().enumerate();
            let changed = columns.filter(|(column, _)| !effects.fixed(table.name).contains(column));
            changed.map(|(_, column)| format!("{}.{}", table.name, column.name)).collect::<Vec<_>>()
        };
        application.tables().iter().flat_map(of_table).collect()
    }

    /// The parameters of each interaction with the columns in which audits look for them.
    fn landings(application: &dyn Application) -> Vec<String> {
        let effects = Effects::of(application);
        let shown = |landing: &Landing| {
            let table = application.tables().iter().find(|table| table.name == landing.table).unwrap();
            format!("{}: {}.{}", landing.parameter, table.name, table.columns[landing.column].name)
        };
        let of = |id| {
            let all: Vec<String> = effects.landings(id).iter().map(shown).collect();
            (!all.is_empty()).then(|| format!("{} {}", application.catalogue().get(id).name, all.join(", ")))
        };
        application.catalogue().ids().filter_map(of).collect()
    }

    #[test]
    fn columns_that_may_change_follow_from_the_models() {
        let columns = [
            "users.rating",
            "users.balance",
            "items.quantity",
            "items.nb_of_bids",
            "items.max_bid",
            "items.end_date",
        ];
        assert_eq!(changing(&auction::AUCTION), columns);
    }

    /// The amount of a bid lands nowhere: it is raised where another bidder's maximum is higher.
    #[test]
    fn parameters_that_land_in_columns_follow_from_the_models() {
        let found = landings(&auction::AUCTION);
        let of_bids =
            "StoreBid itemId: bids.item_id, token: bids.user_id, maxBid: bids.max_bid, qty: bids.qty";
        assert!(found.iter().any(|one| one == of_bids), "{found:#?}");
    }

    fn shown(step: &Step) -> String {
        step.to_string().chars().take(300).collect()
    }
}
