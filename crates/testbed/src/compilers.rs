//! JIT compilers inside running programs. As long as they are busy, a program has not reached its final speed.

use crate::processes;
use std::collections::HashMap;

/// The names of their threads, as truncated by the kernel: those of HotSpot, the JVM of OpenJDK.
const THREADS: [&str; 2] = ["C1 CompilerThre", "C2 CompilerThre"];

#[derive(Debug, Default)]
pub struct Compilers {
    used: HashMap<u32, f64>,
}

impl Compilers {
    /// CPU seconds in these processes since the last sample, or since their start.
    pub fn sample(&mut self, processes: &[u32]) -> f64 {
        let mut used = HashMap::new();
        for process in processes {
            let is_compiler = |name: &str| THREADS.contains(&name);
            used.extend(processes::threads_named(*process, is_compiler).map(|of| (of.thread, of.seconds)));
        }
        let before = std::mem::replace(&mut self.used, used);
        let since = |(thread, now): (&u32, &f64)| (now - before.get(thread).unwrap_or(&0.0)).max(0.0);
        self.used.iter().map(since).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thread_cpu_s;
    use std::{sync::mpsc, thread};

    #[test]
    fn compiler_threads_are_counted_separately() {
        let mut compilers = Compilers::default();
        let own = [std::process::id()];
        let (work, orders) = mpsc::channel::<f64>();
        let (done, is_done) = mpsc::channel();
        let compiler = move || {
            for until in orders {
                while thread_cpu_s() < until {}
                done.send(()).unwrap();
            }
        };
        let compiler = thread::Builder::new().name("C2 CompilerThread0".into()).spawn(compiler).unwrap();
        for until in [0.05, 0.08] {
            work.send(until).unwrap();
            is_done.recv().unwrap();
            let begun = thread_cpu_s();
            while thread_cpu_s() < begun + 0.05 {}
            let used = compilers.sample(&own);
            let expected = if until == 0.05 { 0.05 } else { 0.03 };
            assert!((expected - 0.005..expected + 0.02).contains(&used), "{used} instead of {expected}");
        }
        drop(work);
        compiler.join().unwrap();
        assert_eq!(compilers.sample(&own), 0.0, "its thread has ended");
    }
}
