//! Versions of installed Debian packages.

use std::{collections::BTreeSet, process::Command};

/// A line for each of these packages that is installed, with its version, by name. None where that can't be told, as
/// on other systems than Debian.
pub fn installed(packages: &BTreeSet<&str>) -> Option<String> {
    // Without a name it lists all packages.
    if packages.is_empty() {
        return Some(String::new());
    }
    let output = Command::new("dpkg-query")
        .args(["-W", "-f", "${Package} ${Version}\n"])
        .args(packages)
        .output()
        .ok()?;
    // It fails if some are missing, and still lists the others. A removed package has no version.
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: BTreeSet<&str> = text.lines().filter(|line| line.trim().contains(' ')).collect();
    Some(lines.into_iter().flat_map(|line| [line, "\n"]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_packages_have_no_versions_and_what_is_missing_is_left_out() {
        assert_eq!(installed(&BTreeSet::new()).as_deref(), Some(""));
        let text = installed(&["no-such-package"].into()).unwrap_or_default();
        assert_eq!(text, "");
    }
}
