//! `init`: lays a workspace out from the archive within the executable, and says which packages are missing.

use crate::{
    WorkspaceSource,
    arguments::InitOptions,
    fault::{CommandError, Fault},
    output::print,
    packages::{self, INSTALLER},
};
use flate2::read::GzDecoder;
use fs_err as fs;
use lab::Workspace;
use std::{borrow::Cow, error::Error, io, path::Path, process::Command};
use tar::{Archive, EntryType};

/// The script of a clone that prints the archive.
const ARCHIVER: &str = "scripts/workspace-archive";

pub(crate) fn run(options: &InitOptions, source: WorkspaceSource) -> Result<(), Fault> {
    let folder = std::path::absolute(&options.folder)?;
    let is_new = expect_empty(&folder)?;
    let archive = match source {
        WorkspaceSource::Archive(archive) => Cow::Borrowed(archive),
        WorkspaceSource::Clone(folder) => Cow::Owned(archive_of_clone(Path::new(folder))?),
    };
    let laid_out = std::fs::create_dir_all(&folder).and_then(|()| lay_out(&archive, &folder));
    if laid_out.is_err() && is_new {
        let _ = fs::remove_dir_all(&folder);
    }
    let (files, bytes) = laid_out.map_err(|fault| unwritten(&folder, &fault))?;
    let workspace = Workspace::find(Some(&folder))?;
    print(format_args!(
        "made the workspace {}: {} applications, {} services, {files} files, {:.1} MiB",
        options.folder.display(),
        workspace.applications()?.len(),
        workspace.services()?.len(),
        bytes as f64 / f64::from(1 << 20),
    ))?;
    print_packages(&workspace, &options.folder)?;
    print_next_steps(&options.folder)
}

/// True if the folder is still to be made; an error if there is something in it.
fn expect_empty(folder: &Path) -> Result<bool, Fault> {
    let refuse = |fault: String| -> Result<bool, Fault> {
        Err(CommandError::input(fault).with_help("name a new folder, or an empty one").into())
    };
    match fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            Some(_) => refuse(format!("{} is not empty", folder.display())),
            None => Ok(false),
        },
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(fault) if fault.kind() == io::ErrorKind::NotADirectory => {
            refuse(format!("{} is no folder", folder.display()))
        }
        Err(fault) => Err(fault.into()),
    }
}

fn archive_of_clone(folder: &Path) -> Result<Vec<u8>, Fault> {
    let Some(clone) = folder.ancestors().find(|folder| folder.join(ARCHIVER).is_file()) else {
        let fault =
            format!("this executable carries no workspace, and its clone at {} is gone", folder.display());
        return Err(CommandError::missing(fault)
            .with_help("take the executable that `make dist` builds")
            .into());
    };
    let answer = Command::new(clone.join(ARCHIVER)).output()?;
    if answer.status.success() {
        return Ok(answer.stdout);
    }
    let said = String::from_utf8_lossy(&answer.stderr);
    let fault = format!("{} failed: {}", clone.join(ARCHIVER).display(), said.trim());
    Err(CommandError::input(fault).with_help("run it in a clone with a commit").into())
}

/// Writes an archive's files into a folder; returns how many there are, and their bytes.
fn lay_out(archive: &[u8], folder: &Path) -> io::Result<(usize, u64)> {
    let mut archive = Archive::new(GzDecoder::new(archive));
    let (mut files, mut bytes) = (0, 0);
    for entry in archive.entries()? {
        let mut entry = entry?;
        if entry.header().entry_type() == EntryType::Regular {
            files += 1;
            bytes += entry.size();
        }
        entry.unpack_in(folder)?;
    }
    Ok((files, bytes))
}

/// A fault of laying out, in words that name the folder and the cause, which the archive's library leaves out of its own.
fn unwritten(folder: &Path, fault: &io::Error) -> io::Error {
    let mut cause: &(dyn Error + 'static) = fault;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    let folder = folder.display();
    let remedy = "name a folder that you may write to, and that has room";
    io::Error::new(fault.kind(), format!("no workspace can be made in {folder}: {cause}; {remedy}"))
}

fn print_packages(workspace: &Workspace, folder: &Path) -> Result<(), Fault> {
    let missing = packages::missing(&packages::of_workspace(workspace)?);
    if missing.is_empty() {
        return Ok(print("no package is missing")?);
    }
    print(format_args!("missing packages: {}", missing.join(" ")))?;
    let installer = folder.join(INSTALLER).display().to_string();
    print(format_args!(
        "install them as root; their services stay off:\n  {installer:<40}  all of them\n  {:<40}  what the stack php needs",
        format!("{installer} php")
    ))?;
    Ok(())
}

fn print_next_steps(folder: &Path) -> Result<(), Fault> {
    print(format_args!("next:\n  cd {}", folder.display()))?;
    for (words, meaning) in [
        ("doctor", "says what this machine lacks"),
        ("verify comments WsPhp-DB", "holds a stack against the application's model"),
        ("compare comments WsPhp-DB WsPhpFpm-DB", "searches for the peaks of two configurations"),
        ("new stack mine --kind php", "begins a stack of your own"),
    ] {
        print(format_args!("  tierbench {words:<38} {meaning}"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::os::unix::fs::PermissionsExt as _;
    use tar::{Builder, Header};

    fn archive(path: &str, mode: u32) -> Vec<u8> {
        let mut archive = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        let mut header = Header::new_ustar();
        header.as_ustar_mut().unwrap().name[..path.len()].copy_from_slice(path.as_bytes());
        header.set_size(3);
        header.set_mode(mode);
        header.set_cksum();
        archive.append(&header, &b"abc"[..]).unwrap();
        archive.into_inner().unwrap().finish().unwrap()
    }

    #[test]
    fn programs_stay_programs() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(lay_out(&archive("scripts/deps", 0o755), folder.path()).unwrap(), (1, 3));
        let mode = fs::metadata(folder.path().join("scripts/deps")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755);
    }

    #[test]
    fn nothing_is_written_outside_of_the_folder() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("mine");
        fs::create_dir(&folder).unwrap();
        lay_out(&archive("../outside", 0o644), &folder).unwrap();
        assert!(!place.path().join("outside").exists());
        assert!(lay_out(b"no archive", &folder).is_err());
    }

    #[test]
    fn a_file_and_a_folder_with_something_in_it_are_refused() {
        let place = tempfile::tempdir().unwrap();
        assert!(!expect_empty(place.path()).unwrap());
        assert!(expect_empty(&place.path().join("new")).unwrap());
        let file = place.path().join("file");
        fs::write(&file, "").unwrap();
        for (path, text) in [(place.path(), "is not empty"), (&file, "is no folder")] {
            let fault = crate::fault::rendered(&expect_empty(path).unwrap_err(), false);
            assert!(fault.contains(text) && fault.contains("an empty one"), "{fault}");
        }
    }
}
