//! A small result for the tests of this crate.

use crate::{
    ConfigurationRecord, Host, HostFigures, Loads, Manifest, Point, Purpose, RunSpec, SCHEMA_VERSION,
    ServiceRecord, Statements, Times, Verb, Verdict, Verification,
};
use std::time::Duration;
use workload::LoadKind;

pub(crate) const THINK_TIME: Duration = Duration::from_secs(7);

pub(crate) fn run_spec() -> RunSpec {
    RunSpec {
        verb: Verb::Run,
        application: "auction".into(),
        configurations: vec!["php/WsPhp-DB".into()],
        site: None,
        aa_test: false,
        factors: Vec::new(),
        timeouts_s: vec![Some(10.0)],
        loads: Loads::closed(&[10, 20], THINK_TIME),
        repetitions: 1,
        mix: "bidding".into(),
        seed: 1,
        scale: 0.05,
        distribution: "uniform".into(),
        time_scale: 1.0,
        session_length_s: 900.0,
        ramp_s: 70.0,
        window_s: 60.0,
        warm_up_s: None,
        testbed: None,
        skip_verify: false,
        smoke: false,
        profile: false,
        conditions: Vec::new(),
    }
}

/// The manifest of a run at these loads.
pub(crate) fn manifest_with(loads: Loads) -> Manifest {
    Manifest { spec: RunSpec { loads, ..run_spec() }, ..manifest() }
}

pub(crate) fn manifest() -> Manifest {
    Manifest {
        schema_version: SCHEMA_VERSION,
        tierbench: "0.1.0".into(),
        command: vec!["tierbench".into()],
        spec: run_spec(),
        application_title: "Auction".into(),
        started: "2026-11-21T20:34:49Z".into(),
        load_model: None,
        expected_s: 60.0,
        resumed: Vec::new(),
        demonstration: Vec::new(),
        configurations: vec![configuration()],
        host: Host {
            system: "s".into(),
            kernel: "k".into(),
            cpu: "c".into(),
            cores: 2,
            memory_bytes: 1_000_000,
            settings: [].into(),
        },
        testbed: None,
        planted_loss: None,
        ending: None,
    }
}

fn configuration() -> ConfigurationRecord {
    ConfigurationRecord {
        name: "WsPhp-DB".into(),
        stack: "php".into(),
        partial: None,
        summary: String::new(),
        content: "abc".into(),
        code: Vec::new(),
        statements: Statements::Exact,
        verified: Verification::Pending,
        unproven: Vec::new(),
        traffic: None,
        factors: [].into(),
        services: vec![ServiceRecord {
            role: "db".into(),
            service: "mariadb".into(),
            version: "MariaDB 11".into(),
        }],
    }
}

pub(crate) fn point(clients: u32) -> Point {
    Point {
        configuration: "WsPhp-DB".into(),
        stack: "php".into(),
        kind: LoadKind::closed(clients, THINK_TIME),
        clients,
        repetition: 1,
        sequence: 1,
        purpose: Purpose::Listed,
        seed: 1,
        timeout_s: Some(10.0),
        started: String::new(),
        warm_up: None,
        start_up: None,
        warm_s: 1.0,
        window_s: 1.0,
        throughput: 10.0,
        throughput_half_width: None,
        response: Times::default(),
        quantiles: Vec::new(),
        service: Times::default(),
        session_mean_ms: None,
        sessions_per_s: None,
        completed: 10,
        refused: 0,
        errors: [("timeout".to_owned(), 2)].into(),
        causes: [].into(),
        left_out: [].into(),
        backs: 0,
        fallbacks: 0,
        reconnects: 0,
        bytes_received: 0,
        interactions: Vec::new(),
        tiers: Vec::new(),
        host: HostFigures::default(),
        hosts: Vec::new(),
        sampler_cpu: 0.0,
        generator_cpu: 0.1,
        lateness_p99_ms: 0.1,
        generators: Vec::new(),
        timeline: Vec::new(),
        rounds: Vec::new(),
        start: None,
        arrivals: None,
        audit: None,
        specification: None,
        verdict: Verdict::default(),
    }
}

/// A step of an overload cycle.
pub(crate) fn step(clients: u32) -> Point {
    let kind = LoadKind::OverloadStep { clients, think_time_s: THINK_TIME.as_secs_f64() };
    Point { kind, ..point(clients) }
}
