//! When a service counts as started. Without it, servers that take their application while they run would be measured
//! before they have it.

use services::{Instance, RunPaths, Service, ServiceError, TierSettings};
use std::{collections::BTreeMap, fs};
use testbed::Scratch;

const EXECUTABLE: &str = env!("CARGO_BIN_EXE_tierbench");

/// Starts a service that prints a word and goes on, and says what is in its folder then.
fn start(says: &str, after_start: &str) -> Result<String, ServiceError> {
    let scratch = Scratch::create(EXECUTABLE.as_ref()).unwrap();
    let home = scratch.path().join("service");
    fs::create_dir(&home).unwrap();
    let file = format!(
        "title = ''\nprogram = 'sh'\ncommand = ['{{{{ program }}}}', '-c', 'echo begun; exec sleep 1000']\n\
         ready = {{ says = '{says}', within = '2s' }}\nafter_start = [{after_start}]\n\
         stop = {{ signal = 'TERM', within = '1s' }}\n"
    );
    fs::write(home.join("service.toml"), file).unwrap();
    let service = Service::read(&home).unwrap();
    let settings = TierSettings {
        role: "app".into(),
        name: "own".into(),
        factors: BTreeMap::new(),
        stack_templates: Vec::new(),
        place: testbed::HostHandle::default(),
        fixed_port: None,
        is_prepared: true,
    };
    let run = RunPaths {
        executable: EXECUTABLE.into(),
        folder: scratch.path().into(),
        lock: scratch.lock(),
        site: scratch.path().into(),
        application: "test".into(),
        dataset: crate::server::dataset(0.0),
        time_scale: 1.0,
        environment: BTreeMap::new(),
        tls: None,
        secure_paths: Vec::new(),
    };
    let mut instance = Instance::prepare(&service, &settings, &[], &run).unwrap();
    instance.start()?;
    Ok(fs::read_to_string(instance.folder().join("steps")).unwrap_or_default())
}

#[test]
fn a_service_is_started_after_its_log_line_and_all_later_steps() {
    let steps = "{ run = ['sh', '-c', 'grep -q begun output.log && echo one >> steps'], within = '9s' }, \
                 { run = ['sh', '-c', 'echo two >> steps'], within = '9s' }";
    assert_eq!(start("begun", steps).unwrap(), "one\ntwo\n");

    let fails = "{ run = ['sh', '-c', 'exit 3'], within = '9s' }";
    let hangs = "{ run = ['sleep', '1000'], within = '1s' }";
    for (says, step, fault) in [
        ("begun", fails, "could not be made ready: sh ended with exit status: 3"),
        ("begun", hangs, "was not made ready within 1s"),
        ("ended", "", "did not answer within 2s"),
    ] {
        let error = start(says, step).unwrap_err().to_string();
        assert!(error.contains(fault), "{error}");
    }
}
