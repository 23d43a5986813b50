//! The choice of variants that are verified next. Pure: days and what is known are handed in.

use super::{Proof, ProofDepth};
use jiff::civil::Date;
use std::{cmp::Reverse, collections::BTreeSet};

/// The depth at which a variant without a proof is verified. In a database that the application doesn't prefer it is only
/// looked at, if its statements, locks and storage engine, its `sql`, were verified in full: of this variant `before`, or of
/// another configuration of its stack, which are `seen`.
pub fn depth_of(
    is_preferred: bool,
    sql: &str,
    before: Option<&Proof>,
    seen: &BTreeSet<String>,
) -> ProofDepth {
    let is_known = before.is_some_and(|before| before.sql == sql) || seen.contains(sql);
    if is_known && !is_preferred { ProofDepth::Smoke } else { ProofDepth::Full }
}

/// The fewest of these sets, by their places, that hold all that is in any of them and isn't `shown` yet; of several as
/// good ones the first.
pub fn cover(sets: &[BTreeSet<String>], shown: &BTreeSet<String>) -> Vec<usize> {
    let mut missing: BTreeSet<&String> = sets.iter().flatten().filter(|one| !shown.contains(*one)).collect();
    let mut chosen = Vec::new();
    while !missing.is_empty() {
        let news = |at: &usize| sets[*at].iter().filter(|one| missing.contains(one)).count();
        let Some(best) = (0..sets.len()).max_by_key(|at| (news(at), Reverse(*at))) else { break };
        missing.retain(|one| !sets[best].contains(*one));
        chosen.push(best);
    }
    chosen.sort_unstable();
    chosen
}

/// The places of proofs in the order in which they are renewed: the oldest first, of a day in an order that is another
/// each day, so that all of them have their turn even where nobody commits what was renewed.
pub fn oldest_first<'a>(proofs: impl IntoIterator<Item = (&'a str, Date)>, today: Date) -> Vec<usize> {
    let mut order: Vec<(Date, String, usize)> = proofs
        .into_iter()
        .enumerate()
        .map(|(at, (name, on))| (on, cache::fingerprint([name, &today.to_string()]), at))
        .collect();
    order.sort_unstable();
    order.into_iter().map(|(_, _, at)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use proptest::prelude::*;

    fn set(words: &str) -> BTreeSet<String> {
        words.split_whitespace().map(ToOwned::to_owned).collect()
    }

    fn proof(sql: &str) -> Proof {
        Proof {
            key: "k".into(),
            lab: "l".into(),
            depth: ProofDepth::Full,
            on: date(2026, 11, 24),
            sql: sql.into(),
            seen: None,
        }
    }

    #[test]
    fn only_a_database_that_is_not_preferred_is_verified_briefly_and_only_with_the_same_sql() {
        let (none, other) = (BTreeSet::new(), set("a"));
        assert_eq!(depth_of(false, "a", Some(&proof("a")), &none), ProofDepth::Smoke);
        assert_eq!(depth_of(false, "b", Some(&proof("a")), &none), ProofDepth::Full);
        assert_eq!(depth_of(true, "a", Some(&proof("a")), &other), ProofDepth::Full);
        assert_eq!(depth_of(false, "a", None, &none), ProofDepth::Full);
        assert_eq!(depth_of(false, "a", None, &other), ProofDepth::Smoke);
    }

    #[test]
    fn a_cover_is_small_and_leaves_out_what_was_shown() {
        let sets = [set("apache php"), set("apache php mariadb"), set("tomcat mariadb"), set("tomcat")];
        assert_eq!(cover(&sets, &BTreeSet::new()), [1, 2]);
        assert_eq!(cover(&sets, &set("apache php mariadb")), [2]);
        assert!(cover(&sets, &set("apache php mariadb tomcat")).is_empty());
        assert!(cover(&[], &BTreeSet::new()).is_empty());
    }

    proptest! {
        #[test]
        fn a_cover_contains_every_value_and_no_needless_variant(
            sets in prop::collection::vec(prop::collection::btree_set("[a-h]", 0..5), 0..12),
            shown in prop::collection::btree_set("[a-h]", 0..4),
        ) {
            let chosen = cover(&sets, &shown);
            let held: BTreeSet<&String> = chosen.iter().flat_map(|at| &sets[*at]).chain(&shown).collect();
            prop_assert!(sets.iter().flatten().all(|one| held.contains(one)));
            prop_assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }

    #[test]
    fn the_oldest_come_first_and_equals_rotate_from_day_to_day() {
        let (old, new) = (date(2026, 11, 20), date(2026, 11, 24));
        let mixed = [("a", new), ("b", old), ("c", new)];
        assert_eq!(oldest_first(mixed, new)[0], 1);
        let names: Vec<String> = (0..20).map(|number| format!("variant {number}")).collect();
        let first = |day| oldest_first(names.iter().map(|name| (name.as_str(), old)), day)[0];
        let firsts: BTreeSet<usize> = (1..=28).map(|day| first(date(2026, 2, day))).collect();
        assert!(firsts.len() > 8, "{firsts:?}");
        assert_eq!(first(new), first(new));
    }
}
