//! A Perl program under a supervisor, which prints `done` once it is ready for the test.

use std::{collections::BTreeMap, fs, path::Path, thread, time::Duration};
use testbed::{Stop, Supervisor, SupervisorSpec, User, find_program};

/// Starts a script with its arguments, and returns once it is ready, with its output before that. Its log is in the
/// folder.
pub fn run(script: &str, arguments: &[String], folder: &Path, user: Option<User>) -> (Supervisor, String) {
    run_within(None, script, arguments, folder, user)
}

/// Likewise, with a limit of memory.
pub fn run_within(
    memory_bytes: Option<u64>,
    script: &str,
    arguments: &[String],
    folder: &Path,
    user: Option<User>,
) -> (Supervisor, String) {
    let spec = spec(memory_bytes, script, arguments, folder, user);
    let supervisor = Supervisor::start(&std::env::current_exe().unwrap(), &spec).unwrap();
    loop {
        let output = fs::read_to_string(&spec.log).unwrap();
        if let Some(before) = output.strip_suffix("done") {
            return (supervisor, before.to_owned());
        }
        assert_eq!(supervisor.ended(), None, "{output}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// The order to run a script. Its log is in the folder.
pub fn spec(
    memory_bytes: Option<u64>,
    script: &str,
    arguments: &[String],
    folder: &Path,
    user: Option<User>,
) -> SupervisorSpec {
    let lock = folder.join("lock");
    fs::write(&lock, "").unwrap();
    SupervisorSpec {
        program: find_program("perl").unwrap(),
        arguments: [&["-e".to_owned(), script.to_owned()], arguments].concat(),
        environment: BTreeMap::new(),
        // The user may not enter the test's folder.
        folder: "/".into(),
        log: folder.join("log"),
        stop: Stop::term(Duration::from_secs(60)),
        user,
        lock,
        memory_bytes,
    }
}
