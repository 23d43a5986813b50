//! CPU time of a profiled point: sampled stacks, and the component that each of them counts for.
//!
//! A stack is written in one line, as flame graph tools read it: frames from the outermost to the innermost with `;`
//! between them. A frame is ``object`function``: ``libc.so.6`read``, ``kernel`tcp_sendmsg``,
//! ``java`org.apache.tomcat.util.net.NioEndpoint$Poller.run``. Where a program doesn't say its functions' names, the
//! object stands alone: `php-fpm8.2`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The frame of what the kernel does begins with this.
pub const KERNEL: &str = "kernel`";
/// Component of stacks that match no pattern.
pub const OTHER: &str = "other";

/// A part of a site's work, such as `network` or `driver`, known by frames that occur in nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Component {
    /// Its name.
    pub name: String,
    /// Patterns of its frames, in which `*` stands for anything.
    pub frames: Vec<String>,
}

/// The component that a stack counts for: from the innermost frame outwards, the first one that matches a pattern
/// decides; of several components whose pattern it matches, the first.
pub fn component_of<'a>(components: &'a [Component], stack: &str) -> &'a str {
    let decides = |frame: &str| {
        let is_its = |component: &&Component| component.frames.iter().any(|pattern| matches(pattern, frame));
        components.iter().find(is_its).map(|component| component.name.as_str())
    };
    stack.rsplit(';').find_map(decides).unwrap_or(OTHER)
}

fn matches(pattern: &str, text: &str) -> bool {
    let Some((before, mut pattern)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(before) else { return false };
    while let Some((part, rest)) = pattern.split_once('*') {
        let Some(at) = text.find(part) else { return false };
        text = &text[at + part.len()..];
        pattern = rest;
    }
    text.ends_with(pattern)
}

/// Samples by stack.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stacks(BTreeMap<String, u64>);

impl Stacks {
    /// Counts a stack.
    pub fn add(&mut self, stack: String, times: u64) {
        if times > 0 {
            *self.0.entry(stack).or_default() += times;
        }
    }

    /// Each stack and how often it was seen.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(stack, times)| (stack.as_str(), *times))
    }

    /// Samples of all stacks.
    pub fn samples(&self) -> u64 {
        self.0.values().sum()
    }

    /// Text for flame graph tools: a stack a line, with a blank and its samples.
    pub fn folded(&self) -> String {
        self.iter().map(|(stack, times)| format!("{stack} {times}\n")).collect()
    }

    /// Reads what [`Stacks::folded`] has written. A line without a number is no stack and left out.
    pub fn read(folded: &str) -> Self {
        let mut stacks = Self::default();
        let parse = |line: &str| {
            let (stack, times) = line.rsplit_once(' ')?;
            Some((stack.to_owned(), times.parse().ok()?))
        };
        folded.lines().filter_map(parse).for_each(|(stack, times)| stacks.add(stack, times));
        stacks
    }

    /// Share of each component, the largest first.
    pub fn shares(&self, components: &[Component]) -> Vec<Share> {
        let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
        for (stack, times) in self.iter() {
            *sums.entry(component_of(components, stack)).or_default() += times;
        }
        let all = self.samples() as f64;
        let share = |(name, samples): (&str, u64)| Share {
            component: name.to_owned(),
            samples,
            share: samples as f64 / all,
        };
        let mut shares: Vec<Share> = sums.into_iter().map(share).collect();
        shares
            .sort_by(|one, other| other.samples.cmp(&one.samples).then(one.component.cmp(&other.component)));
        shares
    }
}

/// Samples of a profiled point, tier by tier.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Profile {
    /// Its tiers, in the order in which they start.
    pub tiers: Vec<TierProfile>,
}

/// Samples of a tier in the window.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TierProfile {
    /// `web`, `app`, `db`, …
    pub role: String,
    /// The service's name.
    pub service: String,
    /// Profiler that took the samples: `perf` or `async-profiler`.
    pub profiler: String,
    /// The file with its stacks, beside this one.
    pub file: String,
    /// Samples over all components.
    pub samples: u64,
    /// Share of each component, the largest first.
    pub shares: Vec<Share>,
    /// Frames by which components were known, in the order in which they were tried.
    pub components: Vec<Component>,
}

/// Share of a component in a tier's CPU time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Share {
    /// The component.
    pub component: String,
    /// Samples that count for the component.
    pub samples: u64,
    /// Its part of the tier's samples, from 0 to 1.
    pub share: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn component(name: &str, frames: &[&str]) -> Component {
        Component { name: name.into(), frames: frames.iter().map(|frame| (*frame).to_owned()).collect() }
    }

    #[test]
    fn stars_stand_for_anything_and_all_else_for_itself() {
        for (pattern, text) in [
            ("kernel`tcp_*", "kernel`tcp_sendmsg"),
            ("*`execute_ex", "php-fpm8.2`execute_ex"),
            ("java`org.apache.*", "java`org.apache.catalina.A.b"),
            ("*php*`zend_*_ex", "libphp8.2.so`zend_call_ex"),
            ("php", "php"),
            ("*", ""),
            ("a*a", "aba"),
        ] {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [
            ("kernel`tcp_*", "kernel`udp_sendmsg"),
            ("kernel", "kernel`tcp_sendmsg"),
            ("a*a", "a"),
            ("*`main", "x`main_loop"),
            ("java`org.apache.*", "java`org_apache.x"),
        ] {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
    }

    #[test]
    fn the_innermost_frame_that_is_known_decides() {
        let all = [
            component("network", &["kernel`tcp_*"]),
            component("driver", &["mysqlnd.so*"]),
            component("pages", &["php`execute"]),
            component("kernel, other", &["kernel`entry_*"]),
        ];
        for (stack, expected) in [
            ("php`main;php`execute;mysqlnd.so;libc.so.6`memcpy", "driver"),
            (
                "php`main;php`execute;mysqlnd.so;kernel`entry_SYSCALL;kernel`tcp_sendmsg;kernel`memcpy",
                "network",
            ),
            ("php`main;php`execute;mysqlnd.so;kernel`entry_SYSCALL;kernel`do_futex", "kernel, other"),
            ("php`main;php`execute;php`zend_hash_find", "pages"),
            ("php`main;libc.so.6`read", OTHER),
            ("", OTHER),
        ] {
            assert_eq!(component_of(&all, stack), expected, "{stack}");
        }
        let twice = [component("first", &["a*"]), component("second", &["ab"])];
        assert_eq!(component_of(&twice, "ab"), "first");
    }

    #[test]
    fn shares_are_of_all_samples_and_the_largest_comes_first() {
        let folded = "a;b 3\na;operator new(unsigned long) 5\nc 2\n";
        let stacks = Stacks::read(folded);
        assert_eq!(Stacks::read(&stacks.folded()), stacks);
        let shares = stacks.shares(&[component("A", &["b"]), component("C", &["c", "operator new*"])]);
        let plain: Vec<(&str, u64)> =
            shares.iter().map(|share| (share.component.as_str(), share.samples)).collect();
        assert_eq!(plain, [("C", 7), ("A", 3)]);
        assert!((shares.iter().map(|share| share.share).sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(Stacks::read("a;b 3\nhalf").samples(), 3);
        assert!(Stacks::default().shares(&[]).is_empty());
    }
}
