//! People in OpenLDAP: LDIF (RFC 2849), written by `slapadd` and read by `slapcat`.

use super::refused;
use crate::{Instance, ServiceError};
use application::{Dataset, Entry, Records};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use fs_err as fs;
use std::fmt::Write as _;

pub(super) fn load(
    instance: &Instance,
    application: &str,
    records: &dyn Records,
    dataset: &Dataset,
) -> Result<(), ServiceError> {
    let base = format!("dc={application},dc=test");
    let mut ldif = format!(
        "dn: {base}\nobjectClass: dcObject\nobjectClass: organization\no: {application}\ndc: {application}\n\n\
         dn: ou=people,{base}\nobjectClass: organizationalUnit\nou: people\n\n"
    );
    records.entries(dataset, &mut |entry| write_entry(&mut ldif, &base, &entry));
    let file = instance.folder().join("people.ldif");
    fs::write(&file, ldif)?;
    if let Some(user) = instance.user() {
        testbed::give_tree(&file, user)?;
    }
    let [settings, file] =
        [instance.folder().join("slapd.conf"), file].map(|path| path.display().to_string());
    instance.run_tool("slapadd", &["-q", "-f", &settings, "-l", &file])?;
    Ok(())
}

fn write_entry(ldif: &mut String, base: &str, entry: &Entry) {
    let _ = writeln!(ldif, "dn: uid={},ou=people,{base}\nobjectClass: inetOrgPerson", entry.get("uid"));
    for (name, value) in &entry.0 {
        let _ = writeln!(ldif, "{name}:: {}", STANDARD.encode(value));
    }
    ldif.push('\n');
}

pub(super) fn dump(instance: &Instance) -> Result<Vec<Entry>, ServiceError> {
    let settings = instance.folder().join("slapd.conf").display().to_string();
    let printed = instance.run_tool("slapcat", &["-f", &settings])?;
    let text = String::from_utf8_lossy(&printed);
    read(&text).ok_or_else(|| refused(instance, "what slapcat prints is no LDIF".to_owned()))
}

/// Reads entries, with long lines continued after a line feed and a blank.
fn read(ldif: &str) -> Option<Vec<Entry>> {
    let unfolded = ldif.replace("\n ", "");
    let entries = unfolded.split("\n\n").filter(|entry| !entry.trim().is_empty());
    entries.map(|entry| entry.trim().lines().map(attribute).collect::<Option<_>>().map(Entry)).collect()
}

fn attribute(line: &str) -> Option<(String, String)> {
    let (name, value) = line.split_once(':')?;
    let value = match value.strip_prefix(':') {
        Some(encoded) => String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?,
        None => value.strip_prefix(' ').unwrap_or(value).to_owned(),
    };
    Some((name.to_owned(), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_as_they_are_written() {
        let entry = Entry(
            [("uid", "user1"), ("cn", "Zoë O'Brien"), ("sn", " O:B\n"), ("mail", &"x".repeat(200))]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
        );
        let mut ldif = String::new();
        write_entry(&mut ldif, "dc=mail,dc=test", &entry);
        let folded = ldif.replace("eHh4", "eHh\n 4");
        let read = read(&folded).unwrap();
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].0[2..], entry.0);
        assert_eq!((read[0].get("CN"), read[0].get("none")), ("Zoë O'Brien", ""));
        assert_eq!(super::read("no attribute\n"), None);
    }
}
