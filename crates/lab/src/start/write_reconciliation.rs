//! The engine's account of writes against the rows that are really there.

use engine::WriteFates;
use results::Account;
use services::Holding;
use workload::Catalogue;

/// The writes to one table, as clients know them.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    /// The ids that pages have confirmed.
    pub acknowledged: Vec<u64>,
    pub refused: u64,
    /// Writes without a proper answer.
    pub in_doubt: u64,
}

impl Claims {
    pub(crate) fn on(table: &str, catalogue: &Catalogue, writes: &[WriteFates]) -> Self {
        let mut claims = Self::default();
        let fates = catalogue.interactions().iter().zip(writes);
        for (_, fates) in fates.filter(|(interaction, _)| interaction.writes.as_deref() == Some(table)) {
            claims.acknowledged.extend(&fates.acknowledged);
            claims.refused += fates.refused;
            claims.in_doubt += fates.in_doubt;
        }
        claims
    }
}

/// The most ids of missing rows that are shown.
const SHOWN: usize = 5;

/// Compares the rows of a table with the writes that clients know.
pub(crate) fn account(holding: &Holding, mut claims: Claims) -> Account {
    let acknowledged = claims.acknowledged.len();
    claims.acknowledged.sort_unstable();
    claims.acknowledged.dedup();
    let is_new = |id: &u64| holding.new.binary_search(id).is_ok();
    let (there, missing): (Vec<u64>, Vec<u64>) = claims.acknowledged.iter().partition(|id| is_new(id));
    let unasked = |id: &&u64| there.binary_search(id).is_err();
    let derived = holding.derived.iter().filter(unasked).count();
    Account {
        table: holding.table.to_owned(),
        acknowledged: acknowledged as u64,
        refused: claims.refused,
        in_doubt: claims.in_doubt,
        new: holding.new.len() as u64,
        derived: derived as u64,
        unclaimed: (holding.new.len() - there.len()).saturating_sub(derived) as u64,
        missing: missing.len() as u64,
        missing_ids: missing.into_iter().take(SHOWN).collect(),
        repeated: (acknowledged - claims.acknowledged.len()) as u64,
        gone: holding.loaded.saturating_sub(holding.kept),
        ..Account::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holding(new: &[u64], derived: &[u64]) -> Holding {
        Holding { table: "bids", loaded: 10, largest: 10, kept: 10, new: new.into(), derived: derived.into() }
    }

    fn claims(acknowledged: &[u64], in_doubt: u64) -> Claims {
        Claims { acknowledged: acknowledged.into(), refused: 7, in_doubt }
    }

    #[test]
    fn what_is_as_clients_know_it_has_no_fault() {
        let sound = account(&holding(&[11, 12, 13], &[]), claims(&[13, 11, 12], 0));
        assert_eq!((sound.faults(), sound.new, sound.refused), (Vec::new(), 3, 7));
        for in_doubt in 0..3 {
            let doubtful = account(&holding(&[11, 12], &[]), claims(&[11], in_doubt));
            assert_eq!(doubtful.faults().is_empty(), in_doubt >= 1, "{doubtful:?}");
        }
        let answered = account(&holding(&[11, 12], &[12]), claims(&[11], 0));
        assert_eq!((answered.faults(), answered.derived), (Vec::new(), 1));
    }

    #[test]
    fn each_loss_is_seen() {
        let fault = |holding: &Holding, acknowledged: &[u64]| {
            account(holding, claims(acknowledged, 0)).faults().join("; ")
        };
        let lost = fault(&holding(&[11, 13], &[]), &[11, 12, 13]);
        assert_eq!(lost, "1 of 3 acknowledged rows of bids are not there (the first: 12)");
        let never_new = fault(&holding(&[11], &[]), &[11, 3]);
        assert!(never_new.contains("(the first: 3)"), "{never_new}");
        let shared = fault(&holding(&[11], &[]), &[11, 11]);
        assert_eq!(shared, "1 rows of bids were acknowledged more than once");
        let twin = fault(&holding(&[11, 12], &[]), &[11]);
        assert!(twin.starts_with("1 new rows of bids were never acknowledged"), "{twin}");
        let gone = fault(&Holding { kept: 9, ..holding(&[], &[]) }, &[]);
        assert_eq!(gone, "1 loaded rows of bids are gone");
    }

    #[test]
    fn an_acknowledged_row_that_looks_derived_makes_no_room_for_another() {
        let strange = account(&holding(&[11, 12], &[11]), claims(&[11], 0));
        assert_eq!((strange.derived, strange.unclaimed), (0, 1));
    }
}
