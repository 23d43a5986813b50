//! Names of a comparison's variants where people read.

use crate::{Partial, VariantId, plain_name};
use std::collections::{BTreeMap, BTreeSet};

/// Common parts of a comparison's names, so that people read them once and then names without them. Files and commands have the
/// whole names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// Factors that all variants have, with the same values.
    shared: Vec<(String, String)>,
    /// The marks behind the names of configurations of partial stacks.
    marks: BTreeMap<String, String>,
}

impl Names {
    /// Of all variants that are compared, by their whole names.
    pub fn of<'a>(variants: impl IntoIterator<Item = &'a str>) -> Self {
        let variants: BTreeSet<&str> = variants.into_iter().collect();
        let ids = variants.iter().map(|name| name.parse::<VariantId>().ok());
        // What is no variant's name has no factors to share.
        let ids: Vec<VariantId> = ids.collect::<Option<_>>().unwrap_or_default();
        let Some((first, others)) = ids.split_first() else { return Self::default() };
        let is_shared =
            |factor: &&(String, String)| others.iter().all(|other| other.overrides.contains(factor));
        let shared = first.overrides.iter().filter(is_shared).cloned().collect();
        let names = Self { shared, ..Self::default() };
        let short: BTreeSet<String> = variants.iter().map(|name| names.short(name)).collect();
        // Two that differ in nothing but the order of what they share must not become one.
        if short.len() == variants.len() { names } else { Self::default() }
    }

    /// The same, with a mark behind each name of such a variant, so that no figure of a partial stack stands without it.
    #[must_use]
    pub fn marked<'a>(mut self, partial: impl IntoIterator<Item = (&'a str, &'a Partial)>) -> Self {
        let mark =
            |(variant, partial): (&str, &Partial)| (plain_name(variant).to_owned(), format!(" ({partial})"));
        self.marks.extend(partial.into_iter().map(mark));
        self
    }

    /// A variant's name without what all have in common.
    pub fn short(&self, variant: &str) -> String {
        let Ok(mut id) = variant.parse::<VariantId>() else { return variant.to_owned() };
        id.overrides.retain(|factor| !self.shared.contains(factor));
        if let Some(mark) = self.marks.get(&id.configuration) {
            id.configuration.push_str(mark);
        }
        id.to_string()
    }

    /// `All configurations: engine=MyISAM, workers=64`; none if they have nothing in common.
    pub fn common(&self) -> Option<String> {
        let factors: Vec<String> =
            self.shared.iter().map(|(name, value)| format!("{name}={value}")).collect();
        (!factors.is_empty()).then(|| format!("All configurations: {}", factors.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::once;
    use proptest::prelude::*;

    /// The short names, and what is said once.
    fn read(variants: &[&str]) -> (Vec<String>, Option<String>) {
        let names = Names::of(variants.iter().copied());
        (variants.iter().map(|name| names.short(name)).collect(), names.common())
    }

    fn variant() -> impl Strategy<Value = String> {
        let factors = prop::collection::vec(("[xyz]", "[12]"), 0..4);
        ("[AB]", factors, any::<bool>()).prop_map(|(configuration, overrides, is_again)| {
            VariantId { configuration, overrides, is_again }.to_string()
        })
    }

    proptest! {
        #[test]
        fn short_names_are_unique_share_nothing_and_lose_nothing(
            variants in prop::collection::btree_set(variant(), 1..6),
        ) {
            let names = Names::of(variants.iter().map(String::as_str));
            let short: BTreeSet<String> = variants.iter().map(|name| names.short(name)).collect();
            prop_assert_eq!(short.len(), variants.len());
            prop_assert_eq!(Names::of(short.iter().map(String::as_str)), Names::default());
            for name in &variants {
                let (whole, short): (VariantId, VariantId) = (name.parse()?, names.short(name).parse()?);
                prop_assert!(whole.is_kind_of(&short) && whole.is_again == short.is_again);
                let is_told = |factor| short.overrides.contains(factor) || names.shared.contains(factor);
                prop_assert!(whole.overrides.iter().all(is_told));
            }
        }
    }

    #[test]
    fn what_all_share_is_said_once() {
        let shared = "engine=MyISAM,workers=64,timeout=none";
        let all = [format!("WsPhp-DB,{shared}"), format!("WsServlet-DB,{shared}")];
        let (short, common) = read(&all.each_ref().map(String::as_str));
        assert_eq!(short, ["WsPhp-DB", "WsServlet-DB"]);
        assert_eq!(common.unwrap(), "All configurations: engine=MyISAM, workers=64, timeout=none");
    }

    #[test]
    fn what_only_some_have_stays_in_their_names() {
        let (short, common) = read(&["A,engine=MyISAM,workers=64", "A,workers=64", "B,workers=64"]);
        assert_eq!(short, ["A,engine=MyISAM", "A", "B"]);
        assert_eq!(common.unwrap(), "All configurations: workers=64");
    }

    #[test]
    fn one_alone_has_no_factors_in_its_name() {
        let (short, common) = read(&["WsPhp-DB,engine=MyISAM"]);
        assert_eq!(
            (short, common),
            (vec!["WsPhp-DB".into()], Some("All configurations: engine=MyISAM".into()))
        );
    }

    #[test]
    fn a_partial_stack_is_marked_in_all_its_names() {
        let partial = Partial { interactions: vec!["Form".into(), "List".into()], of: 3 };
        let all = ["A,engine=InnoDB", "A,engine=MyISAM", "B"];
        let names = Names::of(all).marked([("A,engine=InnoDB", &partial)]);
        let short = all.map(|name| names.short(name));
        assert_eq!(
            short,
            ["A (2 of 3 interactions),engine=InnoDB", "A (2 of 3 interactions),engine=MyISAM", "B"]
        );
    }

    #[test]
    fn one_that_takes_part_twice_keeps_its_mark() {
        let (short, _) = read(&["A,workers=64", "A,workers=64,again"]);
        assert_eq!(short, ["A", "A,again"]);
        assert_eq!(once(&short[1]), Some("A"));
    }

    #[test]
    fn names_without_common_factors_and_names_of_no_variant_stay_as_they_are() {
        for all in [&["A", "B,workers=64"][..], &["A,workers=64", "B,workers=64", "odd, name"], &[]] {
            let (short, common) = read(all);
            assert_eq!((short, common), (all.iter().map(ToString::to_string).collect(), None));
        }
    }
}
