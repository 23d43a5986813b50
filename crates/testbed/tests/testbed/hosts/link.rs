//! Links between hosts are limited, and their traffic is counted.

use super::at;
use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    process::Command,
    thread,
    time::{Duration, Instant},
};
use testbed::{HostMeter, HostUp, Hosts, find_program};

const RATE: f64 = 100e6;
const BURST: f64 = 32.0 * 1024.0;
const LIMITED: [(&str, &str); 2] = [("client", "web"), ("web", "client")];
const BYTES: u64 = 10_000_000;
/// The most bytes that TCP hands over in one packet; a card, or the link's limiter, may cut it.
const MOST_IN_A_PACKET: u64 = 1 << 16;

/// The kernel limits these links and counts how often it did; others have no limit.
pub fn are_limited_and_counted(hosts: &Hosts) {
    for (from, to) in LIMITED {
        let mut meters = [from, to].map(|role| HostMeter::of(hosts.of_role(role)));
        let mut counted = || meters.each_mut().map(|meter| meter.link().unwrap());
        let (before, limits) = (counted(), Limiter::of(hosts.of_role(from)).unwrap());
        let took = transfer(hosts, (from, to), BYTES as usize).whole;
        let (after, limited) = (counted(), Limiter::of(hosts.of_role(from)).unwrap());

        assert!(limited.overlimits > limits.overlimits, "the limiter never acted: {limits:?} {limited:?}");
        assert!(
            limited.bytes >= limits.bytes + BYTES,
            "traffic bypassed the limiter: {limits:?} {limited:?}"
        );
        // From before the first byte was sent until after the last one came: delays only make it longer.
        let most = RATE / 8.0 * took.as_secs_f64() + BURST;
        assert!(BYTES as f64 <= most, "{BYTES} bytes came in {took:?}");
        // Lost packets are sent again, but nothing is counted twice.
        for (bytes, packets) in [
            (after[0].sent_bytes - before[0].sent_bytes, after[0].sent_packets - before[0].sent_packets),
            (
                after[1].received_bytes - before[1].received_bytes,
                after[1].received_packets - before[1].received_packets,
            ),
        ] {
            assert!((BYTES..2 * BYTES).contains(&bytes), "{bytes} bytes");
            assert!((BYTES / MOST_IN_A_PACKET..BYTES / 100).contains(&packets), "{packets} packets");
        }
    }
    assert_eq!(Limiter::of(hosts.of_role("app")).map(|limiter| limiter.overlimits), None);
    transfer(hosts, ("app", "db"), BYTES as usize);
}

#[derive(Debug)]
struct Limiter {
    bytes: u64,
    overlimits: u64,
}

impl Limiter {
    /// None if the link has no limit.
    fn of(host: &HostUp) -> Option<Self> {
        let show = || {
            let mut tc = Command::new(find_program("tc").unwrap());
            tc.args(["-s", "qdisc", "show", "dev", "eth0"]).output().unwrap()
        };
        let output = String::from_utf8(at(host, show).stdout).unwrap();
        if !output.contains("qdisc tbf") {
            return None;
        }
        assert!(output.contains("rate 100Mbit burst 32Kb"), "{output}");
        let number_after = |word: &str| {
            let rest = output.split_once(word).unwrap_or_else(|| panic!("no {word} in {output}")).1;
            rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
        };
        Some(Self { bytes: number_after("Sent ")?, overlimits: number_after("overlimits ")? })
    }
}

struct Took {
    /// From before the first byte to after the last.
    whole: Duration,
    speed: f64,
}

fn transfer(hosts: &Hosts, (from, to): (&str, &str), bytes: usize) -> Took {
    let (from, to) = (hosts.of_role(from), hosts.of_role(to));
    let listener = at(to, || TcpListener::bind((to.handle.address, 0)).unwrap());
    let server = listener.local_addr().unwrap();
    let begin = Instant::now();
    thread::scope(|scope| {
        scope.spawn(move || {
            at(from, || TcpStream::connect(server).unwrap().write_all(&vec![7; bytes]).unwrap());
        });
        let (mut receiver, _) = listener.accept().unwrap();
        let mut buffer = vec![0; 1 << 16];
        let mut got = 0;
        while got < 200_000 {
            got += receiver.read(&mut buffer).unwrap();
        }
        let (start, before) = (Instant::now(), got);
        loop {
            match receiver.read(&mut buffer).unwrap() {
                0 => break,
                more => got += more,
            }
        }
        assert_eq!(got, bytes);
        let speed = (got - before) as f64 / start.elapsed().as_secs_f64();
        Took { whole: begin.elapsed(), speed }
    })
}

/// Steal slows single transfers down, but one of five reaches the full rate.
pub fn reach_their_speed(hosts: &Hosts) {
    // 1448 of 1514 bytes on the link are TCP payload.
    let full = RATE * 1448.0 / 1514.0;
    for (from, to) in LIMITED {
        let mut speeds = Vec::new();
        while speeds.len() < 5 && speeds.iter().all(|speed| *speed <= 0.93 * full) {
            speeds.push(transfer(hosts, (from, to), BYTES as usize).speed * 8.0);
        }
        println!("from {from} to {to}: {speeds:.0?} of {full:.0} bits a second");
        assert!(speeds.iter().any(|speed| *speed > 0.93 * full), "none reached the rate of the link");
    }
    let unlimited = transfer(hosts, ("app", "db"), 50_000_000).speed * 8.0;
    println!("from app to db, which have no limit: {:.0} Mbit/s", unlimited / 1e6);
    assert!(unlimited > 300e6, "{unlimited}");
}
