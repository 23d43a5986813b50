//! A test harness for an executable that is also one of the programs under test. Checks are selected and reported like
//! cargo's tests.

use std::{
    panic::{self, AssertUnwindSafe},
    process::ExitCode,
    sync::{Mutex, PoisonError},
    time::Instant,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// By default: it counts or waits for events, and so passes on any machine.
    Usual,
    /// Only on request: it depends on the speed of the machine or takes long.
    Machine,
}

pub struct Choice {
    texts: Vec<String>,
    is_exact: bool,
    is_ignored: bool,
    is_both: bool,
    is_list: bool,
    threads: Option<usize>,
}

impl Choice {
    /// Parses the arguments of cargo's tests; others are ignored.
    pub fn of(words: impl IntoIterator<Item = String>) -> Self {
        let mut words = words.into_iter();
        let mut choice = Self {
            texts: Vec::new(),
            is_exact: false,
            is_ignored: false,
            is_both: false,
            is_list: false,
            threads: None,
        };
        while let Some(word) = words.next() {
            match word.as_str() {
                "--ignored" => choice.is_ignored = true,
                "--include-ignored" => choice.is_both = true,
                "--exact" => choice.is_exact = true,
                "--list" => choice.is_list = true,
                "--test-threads" => choice.threads = words.next().and_then(|number| number.parse().ok()),
                option if option.starts_with('-') => {
                    let threads = option.strip_prefix("--test-threads=");
                    choice.threads = threads.and_then(|number| number.parse().ok()).or(choice.threads);
                }
                _ => choice.texts.push(word),
            }
        }
        choice
    }

    #[allow(dead_code, reason = "not all executables can run several at a time")]
    pub fn threads(&self, most: usize) -> usize {
        self.threads.unwrap_or(most).clamp(1, most)
    }

    fn is_named(&self, name: &str) -> bool {
        let fits = |text: &String| if self.is_exact { name == text } else { name.contains(text.as_str()) };
        self.texts.is_empty() || self.texts.iter().any(fits)
    }

    fn is_of(&self, part: Part) -> bool {
        self.is_both || self.is_ignored == (part == Part::Machine)
    }
}

pub struct Results {
    choice: Choice,
    counts: Mutex<Counts>,
}

#[derive(Default)]
struct Counts {
    passed: usize,
    failed: Vec<String>,
    ignored: usize,
}

impl Results {
    pub fn new(choice: Choice) -> Self {
        Self { choice, counts: Mutex::default() }
    }

    /// True if a check is to run. Call it once for each, because it reports ignored checks.
    pub fn wants(&self, name: &str, part: Part) -> bool {
        if !self.choice.is_named(name) {
            return false;
        }
        if self.choice.is_list {
            println!("{name}: test");
            return false;
        }
        let is_wanted = self.choice.is_of(part);
        if !is_wanted && part == Part::Machine {
            println!("test {name} ... ignored, part of make test-machine");
            self.change(|counts| counts.ignored += 1);
        }
        is_wanted
    }

    pub fn run(&self, name: &str, check: impl FnOnce()) -> bool {
        let begin = Instant::now();
        let has_passed = panic::catch_unwind(AssertUnwindSafe(check)).is_ok();
        let result = if has_passed { "ok" } else { "FAILED" };
        println!("test {name} ... {result} ({:.1} s)", begin.elapsed().as_secs_f64());
        self.change(|counts| match has_passed {
            true => counts.passed += 1,
            false => counts.failed.push(name.to_owned()),
        });
        has_passed
    }

    #[allow(dead_code, reason = "not all executables have plain checks")]
    pub fn run_all(&self, checks: &[(&str, Part, fn())]) {
        for (name, part, check) in checks {
            if self.wants(name, *part) {
                self.run(name, check);
            }
        }
    }

    fn change(&self, change: impl FnOnce(&mut Counts)) {
        change(&mut self.counts.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub fn finish(self) -> ExitCode {
        let Counts { passed, failed, ignored } =
            self.counts.into_inner().unwrap_or_else(PoisonError::into_inner);
        if !failed.is_empty() {
            println!("\nfailures:\n    {}\n", failed.join("\n    "));
        }
        let (result, code) =
            if failed.is_empty() { ("ok", ExitCode::SUCCESS) } else { ("FAILED", ExitCode::FAILURE) };
        println!("test result: {result}. {passed} passed; {} failed; {ignored} ignored", failed.len());
        code
    }
}
