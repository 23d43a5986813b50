//! Disks that are full, and folders that others write.

use crate::{
    disk::Disk,
    processes::{family, name},
    sandbox::{Sandbox, code_of, turn},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    os::unix::{
        fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _},
        process::CommandExt as _,
    },
    path::{Path, PathBuf},
    process::Command,
};

#[test]
fn a_full_disk_for_the_result_is_refused_before_anything_runs() {
    let sandbox = Sandbox::new();
    let Some(disk) = Disk::mount(sandbox.path().join("disk"), 1024) else { return };
    disk.fill();
    let mut command = sandbox.command(&["run", "auction", "Model", "--clients", "5", "--out"]);
    command.arg(disk.path().join("result"));
    sandbox.finish(command).expect(6, &["no space left", disk.path().to_str().unwrap(), "--out"]);
}

#[test]
fn a_full_disk_for_temporary_files_is_refused_before_anything_runs() {
    let mut sandbox = Sandbox::new();
    let Some(disk) = Disk::mount(sandbox.path().join("disk"), 1024) else { return };
    sandbox.put_temporary_files_into(disk.path());
    let ended = sandbox.finish(sandbox.measure("WsPhp-DB", "5"));
    ended.expect(6, &[disk.path().to_str().unwrap(), "MiB free", "need about", "TMPDIR"]);
}

/// Only here do two commands write to one folder.
#[test]
fn a_second_run_in_the_same_folder_is_refused_and_the_first_completes() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let mut first = sandbox.start(sandbox.measure("Model", "5,6"));
    first.expect("first state");
    let mut second = sandbox.start(sandbox.measure("Model", "5"));
    second.expect("already holds a result or another run is writing it");
    // The first one's processes are still there, so its end is waited for first.
    let first = first.end();
    second.end().expect(6, &["--out"]);
    first.expect(code_of(&sandbox.points()), &[]);
    assert_eq!(sandbox.points().len(), 2);
    assert!(sandbox.manifest().ending.unwrap().complete);
}

#[test]
fn a_folder_without_a_result_is_refused() {
    let sandbox = Sandbox::new();
    let workspace = sandbox.workspace();
    let words = ["report", workspace.to_str().unwrap()];
    sandbox.run(&words).expect(6, &["is no result folder", "manifest.json"]);
}

#[test]
fn a_closed_pipe_is_no_error_but_a_full_disk_behind_the_output_is() {
    let sandbox = Sandbox::new();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = sandbox.command(&["check", "auction"]);
    command.stdout(writer.try_clone().unwrap()).stderr(writer);
    assert_eq!(command.status().unwrap().code(), Some(0));
    let mut command = sandbox.command(&["check", "auction"]);
    command.stdout(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(6), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn an_unusable_temporary_folder_is_refused_with_the_reason() {
    let mut sandbox = Sandbox::new();
    let missing = sandbox.path().join("missing");
    sandbox.put_temporary_files_into(&missing);
    sandbox
        .finish(sandbox.measure("WsPhp-DB", "5"))
        .expect(6, &["no temporary folder", "/missing", "TMPDIR"]);
    let mut sandbox = Sandbox::new();
    let odd = sandbox.path().join("a blank");
    std::fs::create_dir(&odd).unwrap();
    sandbox.put_temporary_files_into(&odd);
    sandbox.finish(sandbox.measure("WsPhp-DB", "5")).expect(6, &["a blank", "has blanks", "TMPDIR"]);
}

/// Only here do servers live below a relative path.
#[test]
fn a_relative_temporary_folder_works() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let mut command = sandbox.measure_comments("WsPhpFpm-DB", "5", "1s");
    command.env("TMPDIR", "tmp");
    let ended = sandbox.finish(command);
    ended.expect(code_of(&sandbox.points()), &[]);
}

/// Users of the servers below a process, by the server's name. Each server has one.
fn owners(root: u32) -> BTreeMap<String, u32> {
    let mut owners = BTreeMap::new();
    for process in family(root) {
        let name = name(process);
        if ["apache2", "php-fpm8.2", "mariadbd", "postgres"].contains(&&*name) {
            let uid = std::fs::metadata(format!("/proc/{process}")).unwrap().uid();
            assert_eq!(*owners.entry(name.clone()).or_insert(uid), uid, "{name}");
        }
    }
    owners
}

/// Expects that only its owner reads or writes any file of a tier below a folder. Returns how often another user reaches one of
/// its sockets.
fn expect_private(folder: &Path, owner: u32, users: &[u32]) -> usize {
    let group = testbed::tier_group().unwrap();
    let can = |test: &str, path: &Path, user: u32| {
        let mut command = Command::new("test");
        command.arg(test).arg(path).uid(user).gid(group).status().unwrap().success()
    };
    let (mut files, mut sockets) = (0, 0);
    for path in all_below(folder) {
        // A server at work removes files of its own: what has gone is neither read nor owned.
        let Ok(meta) = path.symlink_metadata() else { continue };
        // Apache opens the file with its number to all.
        if meta.uid() != owner || path.ends_with("httpd.pid") {
            continue;
        }
        if meta.file_type().is_socket() {
            sockets += users.iter().filter(|user| **user != owner && can("-w", &path, **user)).count();
        } else if meta.is_file() || meta.is_dir() {
            files += 1;
            for user in users.iter().copied() {
                let is_read = can("-r", &path, user);
                assert!(user == owner || !is_read, "{user} reads {}", path.display());
                assert!(user == owner || !can("-w", &path, user), "{user} writes {}", path.display());
                assert!(user != owner || is_read || !path.exists(), "{user} can't read {}", path.display());
            }
        }
    }
    assert!(files > 3, "{files} files are the tier's");
    sockets
}

/// All that is in a folder at this moment.
fn all_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    let mut next = 0;
    while next < found.len() {
        if !found[next].is_symlink()
            && let Ok(entries) = std::fs::read_dir(&found[next])
        {
            found.extend(entries.map(|entry| entry.unwrap().path()));
        }
        next += 1;
    }
    found
}

/// Configuration files hold passwords; and whoever serves need not be root for that.
#[test]
fn the_folder_of_a_run_is_private_but_services_reach_theirs() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let run = sandbox.start(sandbox.measure("WsPhpFpm-DB", "5"));
    run.expect_load();
    let is_root = rustix::process::geteuid().is_root();
    let folders: Vec<_> =
        std::fs::read_dir(sandbox.temporary()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(folders.len(), 1);
    let mode = std::fs::metadata(&folders[0]).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, if is_root { 0o710 } else { 0o700 }, "{mode:o}");
    let owners = owners(run.id());
    assert_eq!(owners.len(), 3, "{owners:?}");
    if is_root {
        let users: Vec<u32> = owners.values().copied().collect::<BTreeSet<u32>>().into_iter().collect();
        assert!(users.len() == 3 && !users.contains(&0), "{owners:?}");
        let sockets = ["apache2", "php-fpm8.2"].map(|tier| expect_private(&folders[0], owners[tier], &users));
        assert!(sockets[1] > 0, "Apache reaches PHP-FPM");
    }
    run.signal(rustix::process::Signal::INT);
    run.end().expect(130, &[]);
}
