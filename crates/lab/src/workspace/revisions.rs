//! Stacks as they were at another commit: `WsPhp-DB@main` is the configuration `WsPhp-DB` of the stack's folder at `main`.

use crate::workspace::{Variant, Workspace, WorkspaceError, matching, parsed};
use fs_err as fs;
use stack::Stack;
use std::{
    io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, SystemTime},
};

/// The files of a commit that no command has used for so long are removed: two weeks.
const KEPT_UNUSED: Duration = Duration::from_hours(14 * 24);
use tar::Archive;

impl Workspace {
    /// The name that figures of a stack at a commit bear: that of the commit, or its number where the name is no plain one.
    ///
    /// # Errors
    /// The stack's folder is in no Git repository, or that has no such commit.
    pub fn revision_label(&self, stack: &str, revision: &str) -> Result<String, WorkspaceError> {
        let commit = commit(&self.stack_home(stack), revision)?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        let plain = revision.chars().all(is_plain) && !revision.starts_with('-');
        Ok(if plain { revision.to_owned() } else { commit[..12].to_owned() })
    }

    /// The configurations that a word means at a commit. `stacks` are the present ones.
    pub(super) fn matching_at(
        &self,
        application: &str,
        stacks: &[Stack],
        (word, revision): (&str, &str),
    ) -> Result<Vec<Variant>, WorkspaceError> {
        // In a result, the stack and its configuration both bear the commit.
        let word = word.replace(&format!("@{revision}/"), "/");
        let mut names: Vec<String> = matching(stacks, &word).into_iter().map(|one| one.stack.name).collect();
        names.dedup();
        let mut found = Vec::new();
        for name in names {
            found.extend(matching(&self.at(&name, revision)?.stacks(application)?, &word));
        }
        for variant in &mut found {
            let name = &mut variant.configuration.name;
            *name = parsed(name)?.at(revision).to_string();
            variant.stack.name = format!("{}@{revision}", variant.stack.name);
        }
        Ok(found)
    }

    /// This workspace with one stack, as it was at a commit. Its files stay for later commands, which need not build them again,
    /// until nobody has used them for long.
    fn at(&self, stack: &str, revision: &str) -> Result<Self, WorkspaceError> {
        let home = self.stack_home(stack);
        let commit = commit(&home, revision)?;
        let key = cache::fingerprint([
            self.path.as_os_str().as_encoded_bytes(),
            stack.as_bytes(),
            commit.as_bytes(),
        ]);
        let folder = folder()?;
        let path = folder.join(key);
        if !path.exists() {
            let part = path.with_extension(format!("part-{}", std::process::id()));
            self.lay_out(stack, &commit, &part)?;
            match fs::rename(&part, &path) {
                // Another command was faster.
                Err(_) if path.exists() => fs::remove_dir_all(&part)?,
                renamed => renamed?,
            }
        }
        let now = SystemTime::now();
        mark_used(&path, now)?;
        // Another command may be doing the same, so that a folder is gone when it is looked at.
        let _ = remove_unused(&folder, now);
        Ok(Self { path })
    }

    /// Writes a stack's files of a commit beside links to all else.
    fn lay_out(&self, stack: &str, commit: &str, folder: &Path) -> Result<(), WorkspaceError> {
        let to = folder.join("stacks").join(stack);
        fs::create_dir_all(&to)?;
        let home = fs::canonicalize(&self.path)?;
        for part in ["apps", "services"] {
            symlink(home.join(part), folder.join(part))?;
        }
        // In a folder, Git takes this folder alone.
        let archive = git(&self.stack_home(stack), &["archive", "--format=tar", commit])?;
        Ok(Archive::new(archive.as_slice()).unpack(to)?)
    }

    fn stack_home(&self, stack: &str) -> PathBuf {
        self.path.join("stacks").join(stack)
    }
}

/// A folder's time of change is that of its last use.
fn mark_used(path: &Path, now: SystemTime) -> io::Result<()> {
    std::fs::File::open(path)?.set_modified(now)
}

/// Removes what nobody has used for long, also what a killed command has left half done.
fn remove_unused(folder: &Path, now: SystemTime) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let used = fs::metadata(&path)?.modified()?;
        if now.duration_since(used).is_ok_and(|unused| unused > KEPT_UNUSED) {
            fs::remove_dir_all(&path)?;
        }
    }
    Ok(())
}

/// The folder of all of them, beside that of loaded data.
fn folder() -> Result<PathBuf, WorkspaceError> {
    let beside = cache::default_folder().ok_or_else(|| WorkspaceError::Git {
        fault: "this user has no home, where files of another commit would be kept".to_owned(),
        remedy: "set HOME to a folder".to_owned(),
    })?;
    let mut name = beside.file_name().unwrap_or_default().to_owned();
    name.push("-revisions");
    Ok(beside.with_file_name(name))
}

/// The full number of a commit.
fn commit(home: &Path, revision: &str) -> Result<String, WorkspaceError> {
    let asked = format!("{revision}^{{commit}}");
    let answer = git(home, &["rev-parse", "--verify", "--quiet", "--end-of-options", &asked]);
    let answer = answer.map_err(|fault| match fault {
        WorkspaceError::Git { fault, .. } if fault.is_empty() => WorkspaceError::Git {
            fault: format!("the repository of {} has no commit `{revision}`", home.display()),
            remedy: "name a commit, branch or tag of it, or fetch it first".to_owned(),
        },
        other => other,
    })?;
    Ok(String::from_utf8_lossy(&answer).trim().to_owned())
}

/// The answer of Git in a folder.
fn git(home: &Path, words: &[&str]) -> Result<Vec<u8>, WorkspaceError> {
    let answer = Command::new("git").arg("-C").arg(home).args(words).output();
    let answer = answer.map_err(|fault| match fault.kind() {
        io::ErrorKind::NotFound => WorkspaceError::Git {
            fault: "Git is not installed, and another commit of a stack is asked of it".to_owned(),
            remedy: "install git".to_owned(),
        },
        _ => fault.into(),
    })?;
    if answer.status.success() {
        return Ok(answer.stdout);
    }
    let fault = String::from_utf8_lossy(&answer.stderr).trim().to_owned();
    Err(WorkspaceError::Git { fault, remedy: "keep the stack's folder in a Git repository".to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_has_used_for_two_weeks_is_removed_but_not_what_it_links_to() {
        let place = tempfile::tempdir().unwrap();
        let (all, elsewhere) = (place.path().join("all"), place.path().join("elsewhere"));
        fs::create_dir(&elsewhere).unwrap();
        let now = SystemTime::now();
        for (name, days) in [("old", 15), ("recent", 13), ("new", 0)] {
            fs::create_dir_all(all.join(name)).unwrap();
            symlink(&elsewhere, all.join(name).join("apps")).unwrap();
            mark_used(&all.join(name), now - Duration::from_hours(24 * days)).unwrap();
        }
        remove_unused(&all, now).unwrap();
        let left = ["old", "recent", "new"].map(|name| all.join(name).exists());
        assert_eq!((left, elsewhere.exists()), ([false, true, true], true));
    }

    #[test]
    fn a_commit_is_found_by_its_names_and_another_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let home = place.path();
        fs::create_dir_all(home.join("stacks/mine")).unwrap();
        fs::write(home.join("stacks/mine/page"), "one").unwrap();
        let workspace = Workspace { path: home.to_owned() };
        let fault = workspace.revision_label("mine", "main").unwrap_err();
        assert!(fault.to_string().contains("not a git repository"), "{fault}");
        let git = |words: &[&str]| git(home, words).unwrap();
        git(&["init", "--quiet", "--initial-branch", "main"]);
        git(&["add", "."]);
        git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "a"]);
        fs::write(home.join("stacks/mine/page"), "two").unwrap();
        assert_eq!(workspace.revision_label("mine", "main").unwrap(), "main");
        let number = workspace.revision_label("mine", "main~0").unwrap();
        assert!(number.len() == 12 && number.chars().all(|c| c.is_ascii_hexdigit()), "{number}");
        for wrong in ["mainn", "--all"] {
            let fault = workspace.revision_label("mine", wrong).unwrap_err();
            assert!(fault.to_string().contains("has no commit"), "{fault}");
        }
        for part in ["apps", "services"] {
            fs::create_dir(home.join(part)).unwrap();
        }
        let then = home.join("then");
        workspace.lay_out("mine", "main", &then).unwrap();
        assert_eq!(fs::read_to_string(then.join("stacks/mine/page")).unwrap(), "one");
        assert!(Workspace::find(Some(&then)).is_ok());
    }
}
