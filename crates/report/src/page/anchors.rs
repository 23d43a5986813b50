//! Identifiers of configurations, by which anybody can link to them.

use crate::filter::identifier;

/// An identifier for each name, as like it as can be, and none twice.
pub(super) fn anchors(names: &[&str]) -> Vec<String> {
    let mut anchors: Vec<String> = Vec::new();
    for name in names {
        let plain = identifier("", name);
        let numbered = (2..).map(|number| format!("{plain}-{number}"));
        let free = std::iter::once(plain.clone()).chain(numbered).find(|one| !anchors.contains(one));
        anchors.extend(free);
    }
    anchors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_like_the_names_and_none_is_there_twice() {
        assert_eq!(
            anchors(&["WsPhp-DB", "A,engine=MyISAM", "A engine=MyISAM", "A-engine-MyISAM"]),
            ["WsPhp-DB", "A-engine-MyISAM", "A-engine-MyISAM-2", "A-engine-MyISAM-3"]
        );
    }
}
