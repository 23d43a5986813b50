//! Copying for deployment: only files and folders, from one folder only, and never over existing ones.

use fs_err as fs;
use std::{
    io,
    path::{Path, PathBuf},
};

/// Copies a file or a folder to a new path. Links are followed if they stay in `home`.
pub(crate) fn copy_new(from: &Path, to: &Path, home: &Path) -> io::Result<()> {
    Copy { home: fs::canonicalize(home)?, within: Vec::new() }.copy(from, to)
}

struct Copy {
    /// The folder that must hold everything copied, without links in its path.
    home: PathBuf,
    /// The folders being copied, from the outermost on.
    within: Vec<PathBuf>,
}

impl Copy {
    fn copy(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let real = fs::canonicalize(from)?;
        if !real.starts_with(&self.home) {
            return Err(refused(from, &format!("leads out of its stack, to {}", real.display())));
        }
        let kind = fs::metadata(&real)?.file_type();
        if kind.is_file() {
            return copy_file(&real, to);
        }
        if !kind.is_dir() {
            return Err(refused(from, "is neither a file nor a folder"));
        }
        if self.within.contains(&real) {
            return Err(refused(from, "leads in a circle"));
        }
        fs::create_dir(to)?;
        self.within.push(real);
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            self.copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        self.within.pop();
        Ok(())
    }
}

/// Copies bytes and permissions into a new file, which therefore can't be the one that is read.
fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = fs::File::open(from)?;
    let mut target = fs::OpenOptions::new().write(true).create_new(true).open(to)?;
    io::copy(source.file_mut(), target.file_mut())?;
    fs::set_permissions(to, source.metadata()?.permissions())
}

fn refused(path: &Path, why: &str) -> io::Error {
    let text = format!("{} {why}; what is deployed must lie in the stack's folder", path.display());
    io::Error::new(io::ErrorKind::InvalidInput, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    fn place() -> (tempfile::TempDir, PathBuf) {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().join("home");
        fs::create_dir_all(home.join("pages/more")).unwrap();
        fs::write(home.join("pages/run.sh"), "#!").unwrap();
        fs::set_permissions(home.join("pages/run.sh"), std::fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(home.join("pages/more/page"), "text").unwrap();
        fs::write(place.path().join("secret"), "secret").unwrap();
        (place, home)
    }

    #[test]
    fn links_within_a_stack_become_files_and_others_are_refused() {
        let (place, home) = place();
        symlink("more/page", home.join("pages/link")).unwrap();
        copy_new(&home.join("pages"), &place.path().join("site"), &home).unwrap();
        assert_eq!(fs::read_to_string(place.path().join("site/link")).unwrap(), "text");
        assert!(!place.path().join("site/link").is_symlink());
        let mode = fs::metadata(place.path().join("site/run.sh")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755);
        for (link, target, why) in [
            ("out", "../../../secret", "leads out of its stack"),
            ("up", "..", "leads in a circle"),
            ("device", "/dev/zero", "leads out of its stack"),
        ] {
            symlink(target, home.join("pages/more").join(link)).unwrap();
            let from = if link == "up" { home.clone() } else { home.join("pages") };
            let fault = copy_new(&from, &place.path().join(format!("site-{link}")), &home).unwrap_err();
            assert!(fault.to_string().contains(why), "{fault}");
            fs::remove_file(home.join("pages/more").join(link)).unwrap();
        }
        assert!(
            std::process::Command::new("mkfifo").arg(home.join("pages/pipe")).status().unwrap().success()
        );
        let fault = copy_new(&home.join("pages"), &place.path().join("other"), &home).unwrap_err();
        assert!(fault.to_string().contains("is neither a file nor a folder"), "{fault}");
    }

    #[test]
    fn nothing_is_copied_over_itself_or_anything_else() {
        let (place, home) = place();
        let page = home.join("pages/more/page");
        symlink(&page, place.path().join("alias")).unwrap();
        fs::hard_link(&page, place.path().join("twin")).unwrap();
        for target in
            [page.clone(), place.path().join("alias"), place.path().join("twin"), place.path().join("secret")]
        {
            let fault = copy_new(&page, &target, &home).unwrap_err();
            assert_eq!(fault.kind(), io::ErrorKind::AlreadyExists, "{}", target.display());
        }
        assert_eq!(fs::read_to_string(&page).unwrap(), "text");
        assert_eq!(fs::read_to_string(place.path().join("secret")).unwrap(), "secret");
    }
}
