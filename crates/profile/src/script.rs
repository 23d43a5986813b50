//! Parses the output of `perf script` into the stacks of each tier.

use results::{KERNEL, Stacks};
use std::collections::HashMap;

/// The stacks of each tier. A process belongs to the tier of its supervisor.
pub(crate) fn stacks(script: &str, supervisors: &[u32]) -> Vec<Stacks> {
    let mut parents: HashMap<u32, u32> = HashMap::new();
    let mut samples: Vec<(u32, String)> = Vec::new();
    for block in script.split("\n\n") {
        let mut lines = block.lines();
        for line in lines.by_ref() {
            if let Some((child, parent)) = fork(line) {
                parents.insert(child, parent);
            } else if let Some(process) = sampled(line) {
                samples.push((process, stack(lines)));
                break;
            }
        }
    }
    let mut stacks = vec![Stacks::default(); supervisors.len()];
    for (process, stack) in samples {
        if let Some(tier) = tier_of(process, &parents, supervisors) {
            stacks[tier].add(stack, 1);
        }
    }
    stacks
}

fn tier_of(process: u32, parents: &HashMap<u32, u32>, supervisors: &[u32]) -> Option<usize> {
    // Process ids are reused, so that parents may form a cycle.
    const GENERATIONS: usize = 64;
    let ancestors = std::iter::successors(Some(process), |process| parents.get(process).copied());
    ancestors
        .take(GENERATIONS)
        .find_map(|process| supervisors.iter().position(|supervisor| *supervisor == process))
}

/// Child and parent in `0/0 0.000000: PERF_RECORD_FORK(2:2):(1:1)`; none for a new thread.
fn fork(line: &str) -> Option<(u32, u32)> {
    let (child, parent) = line.split_once("PERF_RECORD_FORK(")?.1.split_once("):(")?;
    let process = |ids: &str| ids.split(':').next()?.parse().ok();
    let (child, parent) = (process(child)?, process(parent)?);
    (child != parent).then_some((child, parent))
}

/// The process in ` 903/903  37007.395191:  5025125: `, which begins a sample.
fn sampled(line: &str) -> Option<u32> {
    let mut words = line.split_whitespace();
    let (process, thread) = words.next()?.split_once('/')?;
    thread.parse::<u32>().ok()?;
    words.next()?.strip_suffix(':')?.parse::<f64>().ok()?;
    words.next()?.trim_end_matches(':').parse::<u64>().ok()?;
    process.parse().ok()
}

/// Turns frames, printed innermost first, into the order of flame graph tools.
fn stack<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut frames: Vec<String> = lines.filter_map(frame).collect();
    // In an object without symbols, calls between its functions carry no information.
    frames.dedup_by(|one, other| one == other && !one.contains('`'));
    frames.reverse();
    if frames.is_empty() { "unknown".to_owned() } else { frames.join(";") }
}

/// A frame of `  10ab59 __send (/usr/lib/x86_64-linux-gnu/libc.so.6)`; none if unwinding failed.
fn frame(line: &str) -> Option<String> {
    let (address, rest) = line.trim().split_once(' ')?;
    let address = u64::from_str_radix(address, 16).ok()?;
    let rest = rest.trim_end().strip_suffix(')')?;
    let (function, object) = rest.strip_suffix(" (deleted)").unwrap_or(rest).rsplit_once(" (")?;
    let function = plain(function.trim());
    // The upper half of the addresses is the kernel's; the very last one marks the end of unwinding.
    if address == u64::MAX {
        return None;
    }
    if address >> 63 == 1 {
        return Some(format!("{KERNEL}{function}"));
    }
    let object = object_name(object)?;
    Some(if function == UNKNOWN { object } else { format!("{object}`{function}") })
}

const UNKNOWN: &str = "[unknown]";

/// A name without separators of stacks or frames.
fn plain(name: &str) -> String {
    name.replace(';', ":")
}

/// The file name of an object; none for an address outside any object.
fn object_name(path: &str) -> Option<String> {
    let is_made = path.starts_with("//anon")
        || path.starts_with("[heap")
        || path.starts_with("[anon")
        || path.starts_with("/tmp/perf-")
        || path.starts_with("/dev/zero");
    match path {
        UNKNOWN => None,
        // JIT-compiled code: regular expressions, scripts.
        _ if is_made => Some("jit".to_owned()),
        _ => Some(plain(path.rsplit('/').next().unwrap_or(path))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Recorded on a site with Apache, PHP-FPM and MariaDB.
    const RECORDED: &str = include_str!("../tests/php.perf");

    fn folded(stacks: &Stacks) -> Vec<(&str, u64)> {
        stacks.iter().collect()
    }

    #[test]
    fn processes_belong_to_the_tier_of_their_supervisor() {
        let stacks = stacks(RECORDED, &[831, 889, 925]);
        let samples: Vec<u64> = stacks.iter().map(Stacks::samples).collect();
        assert_eq!(samples, [2, 4, 1], "{stacks:?}");
        let apache = folded(&stacks[2]);
        assert!(
            apache[0]
                .0
                .starts_with("libc.so.6`clone3;libc.so.6`start_thread;mod_mpm_event.so;apache2`ap_run")
        );
        assert!(apache[0].0.ends_with("kernel`__x64_sys_socket;kernel`__sys_socket;kernel`__sock_create"));
    }

    #[test]
    fn frames_without_symbols_are_merged_by_object() {
        let stacks = stacks(RECORDED, &[889]);
        let all = folded(&stacks[0]);
        let driver = all.iter().find(|(stack, _)| stack.contains("mysqlnd")).unwrap().0;
        assert_eq!(
            driver,
            "php-fpm8.2`php_execute_script;php-fpm8.2`execute_ex;mysqli.so;mysqlnd.so;php-fpm8.2`_php_stream_write;\
             php-fpm8.2;libc.so.6`__send;kernel`entry_SYSCALL_64_after_hwframe;kernel`do_syscall_64;\
             kernel`security_socket_sendmsg"
        );
        assert!(all.contains(&("jit", 1)) && all.contains(&("unknown", 1)), "{all:?}");
    }

    #[test]
    fn names_with_separators_stay_single_frames() {
        for (line, expected) in [
            (
                "  8acf0d operator new(unsigned long) (/usr/lib/libstdc++.so.6)",
                "libstdc++.so.6`operator new(unsigned long)",
            ),
            ("  1 (anonymous namespace)::f (/a/b (deleted))", "b`(anonymous namespace)::f"),
            ("  1 odd;name (/a/b)", "b`odd:name"),
            ("  ffffffffc0123456 nf_hook ([nf_conntrack])", "kernel`nf_hook"),
            ("  7f00 [unknown] (/dev/zero (deleted))", "jit"),
            ("  7f00 [unknown] ([vdso])", "[vdso]"),
        ] {
            assert_eq!(frame(line).as_deref(), Some(expected), "{line}");
        }
        for line in
            ["  ffffffffffffffff [unknown] ([unknown])", "  7f00 [unknown] ([unknown])", "", "half a line"]
        {
            assert_eq!(frame(line), None, "{line}");
        }
    }

    #[test]
    fn a_cycle_of_parents_is_ignored() {
        let ring = "0/0 0.0: PERF_RECORD_FORK(5:5):(6:6)\n0/0 0.0: PERF_RECORD_FORK(6:6):(5:5)\n5/5 1.0: 7: \n\t1 f (/x)\n";
        assert_eq!(stacks(ring, &[1])[0].samples(), 0);
        assert_eq!(stacks(ring, &[6])[0].samples(), 1);
    }
}
