//! Machines of a testbed that `env` reaches as ssh would: they are this one, each with folders of its own.

use crate::{
    processes::{mentioning, signal, until},
    sandbox::LIMIT,
};
use rustix::process::Signal;
use std::{fs, os::unix::fs::PermissionsExt as _, path::PathBuf};

/// The machines of a testbed's file, beside the one of the clients.
pub(crate) struct Reached {
    folder: tempfile::TempDir,
}

impl Reached {
    /// One machine for the servers, and machines with generators of these names.
    pub(crate) fn new(generators: &[&str]) -> Self {
        let folder = tempfile::Builder::new().prefix("tr").tempdir_in("/tmp").unwrap();
        let reached = Self { folder };
        let mut text =
            "title = 'Machines'\nseparation = 'machines'\nfallback = 'web'\n[host.client]\n".to_owned();
        let hosts = generators.iter().map(|name| (*name, "roles = ['client']\n")).chain([("web", "")]);
        for (name, roles) in hosts {
            let there = reached.there(name);
            fs::create_dir(&there).unwrap();
            let cache = reached.folder.path().join("cache");
            text += &format!(
                "[host.{name}]\n{roles}address = '127.0.0.1'\nreach = 'env TMPDIR={} XDG_CACHE_HOME={}'\n",
                there.display(),
                cache.display()
            );
        }
        for folder in std::iter::once("web").chain(generators.iter().copied()).map(|name| reached.there(name))
        {
            // Services run as another user.
            fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
        }
        fs::set_permissions(reached.folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(reached.testbed(), text).unwrap();
        reached
    }

    pub(crate) fn testbed(&self) -> PathBuf {
        self.folder.path().join("machines.toml")
    }

    /// The folder in which a machine has those of runs.
    fn there(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Kills the generator of a machine once it is there.
    pub(crate) fn kill_generator(&self, name: &str) {
        let mut found = None;
        let is_there = || {
            let all = mentioning(&self.there(name));
            found = all.iter().find(|process| process.ends_with(" drive-shard")).cloned();
            found.is_some()
        };
        assert!(until(LIMIT, is_there), "no generator is there: {:?}", mentioning(&self.there(name)));
        let process = found.unwrap();
        signal(process.split(' ').next().unwrap().parse().unwrap(), Signal::KILL);
    }

    /// Waits until nothing of a run is left.
    pub(crate) fn expect_nothing_left(&self) {
        let left = || {
            let all = fs::read_dir(self.folder.path()).unwrap().flatten().map(|entry| entry.path());
            let folders = all.filter(|path| path.is_dir() && !path.ends_with("cache"));
            let files: Vec<PathBuf> = folders
                .flat_map(|folder| fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()))
                .collect();
            (files, mentioning(self.folder.path()))
        };
        assert!(until(LIMIT, || left() == (Vec::new(), Vec::new())), "left behind: {:?}", left());
    }
}
