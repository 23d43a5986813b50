//! Conditions under which a service counts as started. Without them, servers that take their application while they run would be
//! measured before they have it.

use services::{Instance, ReadySettings, RunPaths, Service, ServiceError, TierSettings};
use settings::Blame;
use std::{collections::BTreeMap, fs, net::TcpListener};
use testbed::Scratch;

const EXECUTABLE: &str = env!("CARGO_BIN_EXE_tierbench");

/// Starts a service that prints a word and goes on, and says what is in its folder then.
fn start(says: &str, after_start: &str) -> Result<String, ServiceError> {
    let ready = format!("{{ says = '{says}', within = '2s' }}\nafter_start = [{after_start}]");
    let (_scratch, mut instance) = prepare(&ready, ReadySettings::default());
    instance.start()?;
    Ok(fs::read_to_string(instance.folder().join("steps")).unwrap_or_default())
}

/// A service with a port, whose program prints a word and listens nowhere.
fn prepare(ready: &str, ready_settings: ReadySettings) -> (Scratch, Instance) {
    prepare_program("echo begun; exec sleep 1000", ready, ready_settings)
}

/// A service with a port and 64 MiB of memory, whose program is a script.
fn prepare_program(script: &str, ready: &str, ready_settings: ReadySettings) -> (Scratch, Instance) {
    let scratch = Scratch::create(EXECUTABLE.as_ref()).unwrap();
    let home = scratch.path().join("service");
    fs::create_dir(&home).unwrap();
    let file = format!(
        "title = ''\nprogram = 'sh'\nports = ['http']\ncommand = ['{{{{ program }}}}', '-c', '''{script}''']\n\
         ready = {ready}\nstop = {{ signal = 'TERM', within = '1s' }}\n\
         declare.memory = {{ default = 'unlimited', kind = 'memory-limit', help = 'at most' }}\n"
    );
    fs::write(home.join("service.toml"), file).unwrap();
    let service = Service::read(&home).unwrap();
    let settings = TierSettings {
        role: "app".into(),
        name: "own".into(),
        factors: BTreeMap::from([("memory".to_owned(), "64MiB".to_owned())]),
        stack_templates: Vec::new(),
        place: testbed::HostHandle::default(),
        fixed_port: None,
        ready: ready_settings,
        is_prepared: true,
        is_trained: true,
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
    let instance = Instance::prepare(&service, &settings, &[], &run).unwrap();
    (scratch, instance)
}

#[test]
fn a_stranger_on_the_port_is_named_and_not_taken_for_the_service() {
    let (_scratch, mut instance) = prepare("{ port = 'http' }", ReadySettings::default());
    let address = instance.address("http").unwrap();
    let _held = TcpListener::bind(address).unwrap();
    let fault = instance.start().unwrap_err();
    assert_eq!(fault.blame(), Blame::Service);
    let (own, fault) = (format!("(process {}) listens on {address}", std::process::id()), fault.to_string());
    assert!(fault.contains(&own), "{fault}");
}

#[test]
fn a_stack_sets_the_time_limit_and_a_page_and_the_last_probe_is_shown() {
    let (within, page) = (Some("1s".parse().unwrap()), Some("/{{ application }}/index.html".to_owned()));
    let (_scratch, mut instance) = prepare("{ says = 'begun' }", ReadySettings { within, page });
    let fault = instance.start().unwrap_err().to_string();
    assert!(fault.contains("did not answer within 1s; the last probe: GET /test/index.html from"), "{fault}");
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

/// Doubles a text until the memory is used up; the shell keeps it all.
const GREEDY: &str = "text=$(head -c 1000000 /dev/zero | tr \"\\0\" a); while :; do text=$text$text; done";

#[test]
fn a_tier_that_uses_up_its_memory_ends_and_is_told_so() {
    let ends = [
        (GREEDY.to_owned(), "signal: 9 (SIGKILL), out of memory of 64 MiB"),
        // The program lives on without one of its processes.
        (format!("({GREEDY}) & wait; sleep 1000"), "killed with its supervisor, out of memory of 64 MiB"),
    ];
    for (script, end) in ends {
        let (_scratch, mut instance) =
            prepare_program(&script, "{ says = 'never' }", ReadySettings::default());
        let fault = instance.start().unwrap_err();
        assert_eq!(fault.blame(), Blame::Service);
        let fault = fault.to_string();
        assert!(fault.contains(end) && fault.contains("raise the tier's limit (factor `memory`"), "{fault}");
    }
}

#[test]
fn a_tier_is_trained_once_and_has_the_time_to_keep_what_it_learnt() {
    // Takes longer than the second that an ordinary stop leaves.
    let script = "end() { trap : TERM; [ -z $TIERBENCH_TRAINING ] || { sleep 2; echo learnt >> tmp; }; exit; }; \
                  trap end TERM; echo begun; while :; do sleep 0.1; done";
    let (_scratch, mut instance) = prepare_program(script, "{ says = 'begun' }", ReadySettings::default());
    assert!(instance.is_untrained());
    instance.train().unwrap();
    assert!(!instance.is_untrained() && instance.supervisor().is_none());
    instance.start().unwrap();
    instance.stop();
    assert_eq!(fs::read_to_string(instance.folder().join("tmp")).unwrap(), "learnt\n");
}
