//! nginx as a private server of three small pages.

use anyhow::{Context, bail};
use fs_err as fs;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::net::TcpStream;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};
use testbed::supervisor::{Stop, Supervisor, SupervisorSpec};
use testbed::{ReservedPort, Scratch, free_ports};

const READY_WITHIN: Duration = Duration::from_secs(10);

/// The page for generators that follow no links.
pub(crate) const PAGE: &str = "/site/index.html";
/// In bytes.
pub(crate) const PAGE_SIZE: usize = 1024;
/// The most connections at once.
pub(crate) const MOST_CONNECTIONS: u32 = 2000;

/// A running nginx. Dropping it stops it and removes its folder.
pub(crate) struct Server {
    port: ReservedPort,
    // Fields are dropped in this order.
    supervisor: Supervisor,
    scratch: Scratch,
}

impl Server {
    /// Starts it; `own` is this executable, which can act as a supervisor.
    pub fn start(own: &Path, nginx: &Path) -> anyhow::Result<Self> {
        let scratch = Scratch::create(own)?;
        let folder = scratch.path();
        let port = free_ports(1)?.remove(0);
        fs::create_dir_all(folder.join("site"))?;
        for (name, text) in pages() {
            fs::write(folder.join("site").join(name), text)?;
        }
        fs::write(folder.join("nginx.conf"), configuration(folder, port.number()))?;
        let order = SupervisorSpec {
            program: nginx.to_owned(),
            arguments: ["-p", ".", "-c", "nginx.conf", "-e", "error.log"].map(str::to_owned).to_vec(),
            environment: [].into(),
            folder: folder.to_owned(),
            log: folder.join("output.log"),
            stop: Stop::term(Duration::from_secs(5)),
            user: None,
            lock: scratch.lock(),
            memory_bytes: None,
        };
        let supervisor = on_cpu(Side::Server, || Supervisor::start(own, &order))??;
        let server = Self { port, supervisor, scratch };
        server.wait_until_ready()?;
        Ok(server)
    }

    pub fn port(&self) -> u16 {
        self.port.number()
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port())
    }

    fn wait_until_ready(&self) -> anyhow::Result<()> {
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port())).is_err() {
            if self.supervisor.ended().is_some() || start.elapsed() > READY_WITHIN {
                let log = fs::read_to_string(self.scratch.path().join("error.log")).unwrap_or_default();
                bail!("nginx doesn't listen:\n{log}");
            }
            thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }
}

/// The pages by file name, each with nine links.
pub(crate) fn pages() -> [(&'static str, String); 3] {
    ["index.html", "left.html", "right.html"].map(|name| {
        let links = ["index.html", "left.html", "right.html"].map(|to| {
            format!("<li><a href=\"{to}?page=1&amp;of=3\">the first</a><li><a href=\"{to}\">{to}</a><li><a href=\"{to}?page=3\">the last</a>\n")
        });
        let page = format!("<!DOCTYPE html>\n<title>{name}</title>\n<ul>\n{}</ul>\n<p>", links.concat());
        (name, format!("{page:x<PAGE_SIZE$}"))
    })
}

/// One process and no log: the server must be faster than the generators. Temporary files go to its own folder.
fn configuration(folder: &Path, port: u16) -> String {
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("    {kind}_temp_path {}/{kind};\n", folder.display()))
        .concat();
    format!(
        "daemon off;\nmaster_process off;\npid nginx.pid;\nworker_rlimit_nofile {files};\n\
         events {{ worker_connections {files}; }}\nhttp {{\n    access_log off;\n    default_type text/html;\n    \
         keepalive_timeout 600s;\n    keepalive_requests 1000000000;\n{temporary}    \
         server {{ listen 127.0.0.1:{port} backlog=4096; root {}; }}\n}}\n",
        folder.display(),
        files = MOST_CONNECTIONS + 256,
    )
}

#[derive(Clone, Copy)]
pub(crate) enum Side {
    Generator,
    Server,
}

/// Starts a process that stays on its side's CPU: generators on the first of this process's CPUs, the server on the
/// last.
pub(crate) fn on_cpu<T>(side: Side, start: impl FnOnce() -> T) -> anyhow::Result<T> {
    let all = sched_getaffinity(None)?;
    let mut allowed = (0..CpuSet::MAX_CPU).filter(|cpu| all.is_set(*cpu));
    let cpu = match side {
        Side::Generator => allowed.next(),
        Side::Server => allowed.next_back(),
    };
    let mut one = CpuSet::new();
    one.set(cpu.context("this process may use no processor")?);
    sched_setaffinity(None, &one)?;
    let started = start();
    sched_setaffinity(None, &all)?;
    Ok(started)
}
