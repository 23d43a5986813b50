//! True figures of the papers' configurations: those that were measured, and draws for the others.

use papers::{Configuration, Figure, Users, Workload};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// A standard normal deviate that depends on the seed and the key alone.
pub fn normal(seed: u64, key: &str) -> f64 {
    let (radius, angle) = (1.0 - uniform(seed, key), uniform(seed, &format!("{key}, angle")));
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

/// A deviate between 0 and 1 that depends on the seed and the key alone.
pub fn uniform(seed: u64, key: &str) -> f64 {
    // The FNV hash, which no compiler changes.
    let hash = key
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    ChaCha8Rng::seed_from_u64(seed ^ hash).random()
}

/// Interactions per second, as measured on two cores: workload, configuration here, figure.
const MEASURED: &[(&str, &str, f64)] = &[
    ("mail-messages", "WsServlet-Mail", 292.0),
    ("mail-messages", "WsServlet-Mail-naive", 99.0),
    ("mail-reading", "WsJsp-Mail", 429.0),
    ("mail-reading", "WsServlet-Mail", 414.0),
    ("mail-reading", "WsCppFcgi-Mail", 180.0),
    ("mail-reading", "WsCppCgi-Mail", 23.0),
    ("mail-trivial", "WsServlet-Mail", 1354.0),
    ("mail-trivial", "WsCppCgi-Mail", 119.0),
    ("quotes-files", "Axis2-Java", 38_210.0),
    ("quotes-files", "PHP-Lighttpd", 23_273.0),
    ("quotes-files", "PHP-Apache", 12_185.0),
    ("quotes-stock-quotes", "Axis2-Java", 15_134.0),
    ("quotes-stock-quotes", "PHP-Lighttpd", 4025.0),
    ("quotes-stock-quotes", "PHP-Apache", 3476.0),
    ("quotes-structs-10", "Axis2-Java", 11_303.0),
    ("quotes-structs-10", "PHP-Lighttpd", 3282.0),
    ("quotes-structs-10", "PHP-Apache", 3035.0),
    ("quotes-structs-100", "Axis2-Java", 3250.0),
    ("quotes-structs-100", "PHP-Lighttpd", 1220.0),
    ("quotes-structs-100", "PHP-Apache", 1198.0),
    ("auction-bidding", "Ws-Servlet-DB", 646.0),
    ("auction-bidding", "WsServlet-DB", 325.0),
    ("auction-bidding", "WsPhp-DB", 254.0),
    ("auction-bidding", "Ws-Servlet-EJB-DB", 107.0),
    ("auction-browsing", "Ws-Servlet-DB", 498.0),
    ("auction-browsing", "WsServlet-DB", 448.0),
    ("auction-browsing", "WsPhp-DB", 232.0),
    ("auction-browsing", "Ws-Servlet-EJB-DB", 75.7),
];

/// The same of the study of designs, whose hosts are smaller and whose tables are others: browsing, bidding.
const DESIGNS: &[(&str, f64, f64)] = &[
    ("Ws-Servlet-DB", 481.0, 619.0),
    ("Ws-Servlet-EJB-DB,design=session", 431.0, 429.0),
    ("Ws-Servlet-EJB-DB", 102.0, 147.0),
    ("Ws-Servlet-EJB-DB,design=facade-remote,passing=reference", 84.3, 126.0),
    ("Ws-Servlet-EJB-DB,design=facade-remote", 36.5, 49.9),
    ("Ws-Servlet-EJB-DB,design=cmp", 17.9, 33.2),
    ("Ws-Servlet-EJB-DB,design=bmp", 17.5, 27.7),
];

/// Spread of the logarithms of what was not measured: another container, a later JVM, technologies of Apache.
const CONTAINER: f64 = 0.5;
const SESSION_BEANS: f64 = 0.15;
const LATER_JVM: f64 = 0.1;
const TECHNOLOGY: f64 = 0.9;
const ELSEWHERE: f64 = 0.3;
/// Spread between a site and the same one with locks in its servlet engine.
const LOCKS_IN_THE_ENGINE: f64 = 0.03;

/// True figures: drawn by a seed, except those that are set.
#[derive(Debug, Clone, Default)]
pub struct Truths {
    pub seed: u64,
    /// Logarithms by the paper's name of the configuration.
    pub set: BTreeMap<String, f64>,
    /// The fall of all curves past their peaks, if it is set.
    pub set_fall: Option<f64>,
}

impl Truths {
    /// The logarithm of a site's interactions per second at its peak.
    pub fn peak(&self, paper: &str, workload: &Workload, configuration: &Configuration) -> f64 {
        let here = configuration.maps_to.as_str();
        match self.set.get(&*configuration.name) {
            Some(set) => 5.0 + set,
            None if paper == "oopsla-2002" => self.design(&workload.name(), here),
            None => self.site(&workload.name(), here),
        }
    }

    fn site(&self, workload: &str, here: &str) -> f64 {
        let measured = MEASURED.iter().find(|(of, site, _)| *of == workload && *site == here);
        let plain = || here.strip_suffix("-sync").filter(|_| workload.starts_with("auction"));
        match (measured, plain()) {
            (Some((_, _, figure)), _) => figure.ln(),
            (None, Some(plain)) => {
                self.site(workload, plain) + LOCKS_IN_THE_ENGINE * self.draw(workload, here)
            }
            (None, None) => {
                // Messages of one structure are like quotes, whatever takes them.
                let like = if here == "Axis2-Java" { 14_000.0_f64 } else { 3700.0 };
                like.ln() + ELSEWHERE * self.draw(workload, here)
            }
        }
    }

    fn design(&self, workload: &str, here: &str) -> f64 {
        let factors: Vec<&str> = here.split(',').collect();
        let is_of_container = |factor: &&&str| !factor.starts_with("ejb");
        let design: Vec<&str> = factors.iter().filter(is_of_container).copied().collect();
        let design = design.join(",");
        let known = DESIGNS.iter().find(|(name, ..)| *name == design).expect("each design was measured");
        let in_glassfish = if workload.ends_with("browsing") { known.1 } else { known.2 }.ln();
        let spread = if design.contains("session") { SESSION_BEANS } else { CONTAINER };
        let has = |factor: &str| factors.contains(&factor);
        // A container is dear or cheap for a design, whatever the mix; a little of it depends on the mix.
        let container = spread * self.draw("container", &design) + 0.1 * self.draw(workload, &design);
        let later = LATER_JVM * self.draw(workload, "a later JVM");
        in_glassfish
            + if has("ejb=tomee") { container } else { 0.0 }
            + if has("ejb.jdk=25") { later } else { 0.0 }
    }

    /// The logarithm of a figure of a load model.
    pub fn arrived(&self, configuration: &Configuration, figure: Figure) -> f64 {
        let here = configuration.maps_to.as_str();
        if let Some(set) = self.set.get(&*configuration.name) {
            return *set + 1.0;
        }
        let slowness = TECHNOLOGY * self.draw("slowness", here);
        // CGI begins a program and opens a connection for each request.
        let slowness = slowness + if here.contains("Cgi") { 2.0 } else { 0.0 };
        match figure {
            Figure::ResponseTime => slowness,
            Figure::Deviation => slowness + ELSEWHERE * self.draw("deviation", here),
            Figure::P90OverP10 => (0.7 + 0.5 * self.draw("unfairness", here)).max(0.05),
            // Who answers faster serves more.
            Figure::Traffic | Figure::Clients => -slowness + ELSEWHERE * self.draw("traffic", here),
            other => unreachable!("{other:?} is none of a load"),
        }
    }

    /// The fall of throughput from the peak to twice its clients: every other curve falls.
    pub fn fall(&self, workload: &Workload, configuration: &Configuration) -> f64 {
        if let Some(fall) = self.set_fall {
            return fall;
        }
        let key = format!("fall of {} {}", workload.name(), configuration.maps_to);
        if uniform(self.seed, &key) < 0.5 { 0.25 * (1.0 + 0.3 * normal(self.seed, &key)) } else { 0.0 }
    }

    /// The role of the machine whose CPU limits a site, and whether a report can name it.
    pub fn limit<'c>(&self, workload: &Workload, configuration: &'c Configuration) -> (&'c str, bool) {
        let machines: Vec<&str> = configuration.machines.iter().map(|machine| &**machine).collect();
        let last_before_data =
            machines.iter().rev().find(|role| **role != "db").copied().unwrap_or(machines[0]);
        let of_bookstore = uniform(self.seed, &format!("limit {}", configuration.maps_to)) < 0.5;
        let is_browsing = matches!(&workload.users, Users::Mix(mix) if **mix == *"browsing");
        let role = match configuration.maps_to.as_str() {
            _ if workload.application == "mail" => machines[0],
            _ if workload.application == "bookstore" && of_bookstore => "db",
            "Ws-Servlet-DB" | "Ws-Servlet-DB-sync" if is_browsing => "db",
            _ => last_before_data,
        };
        let key = format!("bottleneck of {} {}", workload.name(), configuration.maps_to);
        (role, uniform(self.seed, &key) < TOLD)
    }

    /// The system's share of CPU time.
    pub fn system_share(&self, here: &str) -> f64 {
        let like = if here.contains("Cgi") { 0.5 } else { 0.15 };
        like * (0.3 * self.draw("system", here)).exp()
    }

    /// Page faults of an interaction: CGI begins a program for each.
    pub fn page_faults(&self, configuration: &Configuration) -> f64 {
        let here = configuration.maps_to.as_str();
        let like = match here {
            _ if self.set.contains_key(&*configuration.name) => return 10.0,
            _ if here.contains("CppCgi") => 500.0,
            _ => 10.0,
        };
        like * (TECHNOLOGY * self.draw("page faults", here)).exp()
    }

    fn draw(&self, workload: &str, here: &str) -> f64 {
        normal(self.seed, &format!("{workload} {here}"))
    }
}

/// Share of bottlenecks that a report can name.
const TOLD: f64 = 0.95;
