//! The search for a service's program, and the remedy when it is missing.

use crate::{NotAvailable, Service};
use std::{
    ops::Range,
    path::{Path, PathBuf},
};
use testbed::HostHandle;
use thiserror::Error;

#[derive(Debug, Clone, Error)]
#[error("`{program}`, which the service `{service}` runs ({place}), is not installed{host}; {remedy}")]
pub struct MissingProgram {
    pub service: String,
    pub program: String,
    /// The file and the line that name it.
    pub place: String,
    /// Host where it is missing: ` on the host `web``; empty for this machine.
    pub host: String,
    pub remedy: String,
}

/// The `program` that stands for the laboratory's own executable.
const OWN: &str = "tierbench";

/// Finds the program of a service on a host. `own` is the laboratory's executable there.
pub(crate) fn find(
    service: &Service,
    own: Option<&Path>,
    place: &HostHandle,
) -> Result<PathBuf, NotAvailable> {
    let (name, span) = (service.program(), service.file.program.span());
    match own.filter(|_| name == OWN) {
        Some(own) => Ok(own.to_owned()),
        None => find_named(service, name, span, place),
    }
}

/// Finds a program in PATH, or else in the service's own folders, in the newest of those that match a pattern. `span` is
/// where the service names it.
pub(crate) fn find_named(
    service: &Service,
    name: &str,
    span: Range<usize>,
    place: &HostHandle,
) -> Result<PathBuf, NotAvailable> {
    let folders: Vec<String> =
        service.file.program_folders.iter().map(|pattern| pattern.get_ref().clone()).collect();
    let found = place.find_program(name, &folders).map_err(|fault| NotAvailable::Lost(fault.to_string()))?;
    Ok(found.ok_or_else(|| missing(service, name, span, place))?)
}

fn missing(service: &Service, program: &str, span: Range<usize>, place: &HostHandle) -> MissingProgram {
    MissingProgram {
        service: service.name.clone(),
        program: program.to_owned(),
        place: service.document.place(span),
        host: place.elsewhere().map_or(String::new(), |host| format!(" on the host `{host}`")),
        remedy: remedy(service, place),
    }
}

/// The remedy for a missing program: the packages that hold it.
pub(crate) fn remedy(service: &Service, place: &HostHandle) -> String {
    let packages = service.packages().join(" ");
    if packages.is_empty() {
        return format!(
            "put it into PATH, or correct `program` in {}",
            service.home.join("service.toml").display()
        );
    }
    match place.elsewhere() {
        Some(host) => {
            format!("run `apt-get install --no-install-recommends {packages}` as root on the host `{host}`")
        }
        None => format!("run `scripts/deps` as root; it installs {packages}, and starts no service"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, os::unix::fs::PermissionsExt};

    /// A service that runs this program, with folders of its own.
    fn service(home: &Path, program: &str, folders: &str) -> Result<Service, String> {
        let file = format!(
            "title = 'a'\nprogram = '{program}'\nprogram_folders = [{folders}]\npackages = ['a-server']\n\
             ports = ['http']\ncommand = ['a']\nready = {{ port = 'http', within = '1s' }}\n\
             stop = {{ signal = 'TERM', within = '1s' }}\n"
        );
        fs::write(home.join("service.toml"), file).unwrap();
        Service::read(home).map_err(|fault| format!("{:?}", miette::Report::new(fault)))
    }

    fn make_program(folder: &Path, name: &str) {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join(name), "").unwrap();
        fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn a_program_outside_of_path_is_that_of_the_newest_version_that_has_it() {
        let home = tempfile::tempdir().unwrap();
        let versions = home.path().join("lib");
        for version in ["9", "15", "14", "doc"] {
            make_program(&versions.join(version).join("bin"), "tb-server");
        }
        make_program(&versions.join("9/bin"), "tb-old");
        // A half removed version.
        fs::create_dir_all(versions.join("17/bin")).unwrap();
        let folders = format!("'{}/none', '{0}/*/bin'", versions.display());
        let here = HostHandle::default();
        let of = |program: &str| find(&service(home.path(), program, &folders).unwrap(), None, &here);
        assert_eq!(of("tb-server").unwrap(), versions.join("15/bin/tb-server"));
        assert_eq!(of("tb-old").unwrap(), versions.join("9/bin/tb-old"));
        make_program(&versions.join("15/bin"), "sh");
        assert!(!of("sh").unwrap().starts_with(home.path()), "PATH comes first");
        let missing = of("tb-serverd").unwrap_err().to_string();
        assert!(missing.contains("`tb-serverd`") && missing.contains("it installs a-server"), "{missing}");
    }

    #[test]
    fn folders_that_cannot_be_meant_are_refused_with_their_line() {
        let home = tempfile::tempdir().unwrap();
        assert!(service(home.path(), "a", "'/usr/lib/postgresql/*/bin', '/opt/a'").is_ok());
        for wrong in ["lib/*/bin", "/usr/lib/*", "/usr/lib/a*/bin", "/usr/*/*/bin"] {
            let fault = service(home.path(), "a", &format!("'{wrong}'")).unwrap_err();
            let texts =
                [&format!("`{wrong}` is no folder in which"), "service.toml:3", "one `*` may stand for"];
            assert!(texts.iter().all(|text| fault.contains(*text)), "{wrong}: {fault}");
        }
    }
}
