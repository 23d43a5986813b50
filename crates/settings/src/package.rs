//! Names of Debian packages in users' files. They become arguments of a command that runs as root.

use crate::path::{PathFault, with_remedy};
use serde::{Deserialize as _, Deserializer};

/// Reads a list of names after Debian's policy, section 5.6.1.
pub fn package_names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let names = Vec::<String>::deserialize(deserializer)?;
    match names.iter().find(|name| !is_package_name(name)) {
        None => Ok(names),
        Some(name) => Err(with_remedy(PathFault {
            fault: format!("`{}` is no name of a Debian package", name.escape_debug()),
            remedy: "make it of small letters, digits and the marks + - . with a letter or digit in front"
                .to_owned(),
        })),
    }
}

fn is_package_name(name: &str) -> bool {
    let is_alphanumeric = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_plain = |byte: u8| is_alphanumeric(byte) || b"+-.".contains(&byte);
    name.len() >= 2 && name.bytes().all(is_plain) && name.bytes().next().is_some_and(is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use crate::Document;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    struct Sample {
        #[serde(deserialize_with = "super::package_names")]
        packages: Vec<String>,
    }

    fn read(names: &str) -> Result<Vec<String>, String> {
        let document = Document::new("stack.toml", format!("\npackages = [{names}]\n"));
        let shown = |fault| format!("{:?}", miette::Report::new(fault));
        document.parse::<Sample>().map(|sample| sample.packages).map_err(|fault| shown(*fault))
    }

    #[test]
    fn names_of_packages_are_taken() {
        assert_eq!(read("'php8.2-cli', 'g++', 'libc6-dev'").unwrap(), ["php8.2-cli", "g++", "libc6-dev"]);
        assert!(read("").unwrap().is_empty());
    }

    #[test]
    fn options_and_all_that_a_shell_reads_are_refused_with_their_line() {
        for name in [
            "-oDPkg::Pre-Invoke::=id",
            "--yes",
            "a b",
            "a;id",
            "$(id)",
            "`id`",
            "a/b",
            "Apache2",
            "",
            "a",
            "é1",
        ] {
            let fault = read(&format!("'make', \"{name}\"")).unwrap_err();
            assert!(fault.contains("stack.toml:2:12") && fault.contains("small letters"), "{name}: {fault}");
        }
    }
}
