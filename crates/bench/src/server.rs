//! nginx as a private server of three small pages.

use anyhow::{Context, bail};
use fs_err as fs;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
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
    /// The port that speaks HTTP/2, and HTTP/1.1, over TLS.
    tls_port: ReservedPort,
    // Fields are dropped in this order.
    supervisor: Supervisor,
    scratch: Scratch,
}

impl Server {
    /// Starts it; `own` is this executable, which can act as a supervisor.
    pub fn start(own: &Path, nginx: &Path) -> anyhow::Result<Self> {
        let scratch = Scratch::create(own)?;
        let folder = scratch.path();
        let (port, tls_port) = two(free_ports(2)?)?;
        write_certificates(folder)?;
        fs::create_dir_all(folder.join("site"))?;
        for (name, text) in pages() {
            fs::write(folder.join("site").join(name), text)?;
        }
        fs::write(folder.join("nginx.conf"), configuration(folder, port.number(), tls_port.number()))?;
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
        let server = Self { port, tls_port, supervisor, scratch };
        server.wait_until_ready()?;
        Ok(server)
    }

    pub fn port(&self) -> u16 {
        self.port.number()
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port())
    }

    pub fn tls_port(&self) -> u16 {
        self.tls_port.number()
    }

    pub fn url_over_tls(&self) -> String {
        format!("https://127.0.0.1:{}", self.tls_port())
    }

    /// The certificate (DER) of the authority that has signed the server's.
    pub fn authority(&self) -> PathBuf {
        self.scratch.path().join(AUTHORITY)
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

const AUTHORITY: &str = "authority.der";

fn two(ports: Vec<ReservedPort>) -> anyhow::Result<(ReservedPort, ReservedPort)> {
    let mut ports = ports.into_iter();
    ports.next().zip(ports.next()).context("two ports should be free")
}

/// Makes an authority, and a certificate that it has signed.
fn write_certificates(folder: &Path) -> anyhow::Result<()> {
    let mut parameters = CertificateParams::default();
    parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(parameters, KeyPair::generate()?)?;
    let key = KeyPair::generate()?;
    let certificate = CertificateParams::new(["127.0.0.1".to_owned()])?.signed_by(&key, &authority)?;
    fs::write(folder.join(AUTHORITY), authority.der())?;
    fs::write(folder.join("certificate.pem"), certificate.pem())?;
    fs::write(folder.join("key.pem"), key.serialize_pem())?;
    Ok(())
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
fn configuration(folder: &Path, port: u16, tls_port: u16) -> String {
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("    {kind}_temp_path {}/{kind};\n", folder.display()))
        .concat();
    format!(
        "daemon off;\nmaster_process off;\npid nginx.pid;\nworker_rlimit_nofile {files};\n\
         events {{ worker_connections {files}; }}\nhttp {{\n    access_log off;\n    default_type text/html;\n    \
         keepalive_timeout 600s;\n    keepalive_requests 1000000000;\n{temporary}    \
         ssl_certificate certificate.pem;\n    ssl_certificate_key key.pem;\n    \
         server {{ listen 127.0.0.1:{port} backlog=4096; listen 127.0.0.1:{tls_port} ssl http2 backlog=4096; root {}; }}\n}}\n",
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
