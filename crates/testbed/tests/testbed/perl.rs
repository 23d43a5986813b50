//! A Perl program under a supervisor, which says `done` once it is what a test wants it to be.

use std::{collections::BTreeMap, fs, path::Path, thread, time::Duration};
use testbed::{Stop, Supervisor, SupervisorOrder, User, find_program};

/// Starts a script with its arguments, and returns once it is done, with what it said before. Its log is in the folder.
pub fn run(script: &str, arguments: &[String], folder: &Path, user: Option<User>) -> (Supervisor, String) {
    let (lock, log) = (folder.join("lock"), folder.join("log"));
    fs::write(&lock, "").unwrap();
    let order = SupervisorOrder {
        program: find_program("perl").unwrap(),
        arguments: [&["-e".to_owned(), script.to_owned()], arguments].concat(),
        environment: BTreeMap::new(),
        // The user may not enter the other one.
        folder: "/".into(),
        log: log.clone(),
        stop: Stop::term(Duration::from_secs(60)),
        user,
        lock,
    };
    let supervisor = Supervisor::take(&std::env::current_exe().unwrap(), &order).unwrap();
    loop {
        let said = fs::read_to_string(&log).unwrap();
        if let Some(before) = said.strip_suffix("done") {
            return (supervisor, before.to_owned());
        }
        assert_eq!(supervisor.ended(), None, "{said}");
        thread::sleep(Duration::from_millis(10));
    }
}
