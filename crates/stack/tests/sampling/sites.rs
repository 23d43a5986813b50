//! The sampled sites. Each is started once for all its checks, because a start takes longer than the checks. Checks
//! of further JVM versions or connection pools are left to the machine's part.

use crate::{
    checks::{Part, Results},
    children, jvm, kept, php, restored,
    workspace::{AUCTION_IN_MARIADB, COMMENTS_IN_POSTGRESQL, Case, Workspace, with_built},
};
use stack::Site;
use std::panic::{self, AssertUnwindSafe};

/// A check of a running site. It leaves the site as others need it, unless it fails.
type Check = (&'static str, fn(&mut Site<'_>, &Workspace));

/// A site with its checks in order.
pub struct Group {
    of: &'static str,
    part: Part,
    case: Case,
    checks: &'static [Check],
}

const IDLE: Check = ("an_idle_site_is_idle_and_its_questions_are_not_counted", php::idle);
const PUBLIC: Check = ("status_pages_are_not_shown_to_clients", php::nothing_is_public);
const TABLE_LOCK: Check = ("who_waits_for_a_table_lock_is_seen_in_every_tier", php::table_lock);
const ROW_LOCK: Check = ("who_waits_for_a_row_is_told_apart", php::row_lock);
const HELD: Check = ("processes_that_idle_connections_hold_are_busy_and_still_answer", php::held_workers);
const COST_40: Check =
    ("looking_at_forty_processes_costs_less_than_a_hundredth_of_a_core", php::cost_of_forty);
const COST_600: Check =
    ("looking_at_six_hundred_processes_costs_less_than_a_hundredth_of_a_core", php::cost_of_six_hundred);
const CHILDREN: Check =
    ("what_programs_use_that_live_for_one_request_is_counted_in_full", children::are_counted);
const AT_REST: Check = ("a_jvm_tells_of_its_heap_its_threads_and_its_connections", jvm::at_rest);
const STUCK: Check = ("who_waits_for_a_connection_is_seen_of_a_jvm", jvm::stuck);
const AGENT_IS_HIDDEN: Check = ("what_a_jvm_tells_is_not_shown_to_clients", jvm::nothing_is_public);
const COLLECTIONS: Check = ("what_its_collectors_take_is_seen_of_a_jvm", jvm::collections);
const LITTLE: Check = ("a_jvm_is_asked_for_little", jvm::little_is_asked);
const COST_JVM: Check = ("looking_into_a_jvm_costs_less_than_a_hundredth_of_a_core", jvm::cost);
const WITHOUT: Check = ("a_server_without_its_application_has_not_started", jvm::without_application);
const CONNECTIONS: Check = ("requests_share_the_connections_to_the_tier_behind", kept::connections);
const RESTORE: Check = ("data_are_restored_below_running_tiers", restored::data);

const JVM_CHECKS: &[Check] = &[AT_REST, STUCK, AGENT_IS_HIDDEN, LITTLE];

const fn auction(
    stack: &'static str,
    name: &'static str,
    factors: &'static [(&'static str, &'static str)],
) -> Case {
    Case { kept: AUCTION_IN_MARIADB, stack, name, factors }
}

const fn comments(
    stack: &'static str,
    name: &'static str,
    factors: &'static [(&'static str, &'static str)],
) -> Case {
    Case { kept: COMMENTS_IN_POSTGRESQL, stack, name, factors }
}

const fn usual(of: &'static str, case: Case, checks: &'static [Check]) -> Group {
    Group { of, part: Part::Usual, case, checks }
}

const fn machine(of: &'static str, case: Case, checks: &'static [Check]) -> Group {
    Group { of, part: Part::Machine, case, checks }
}

/// The longest first, so that none of them ends alone.
pub const ALL: &[Group] = &[
    usual(
        "java, pool",
        auction(
            "java",
            "Servlet-DB",
            &[("jdk", "17"), ("heap", "32m"), ("threads", "4"), ("pool", "1"), ("engine", "InnoDB")],
        ),
        &[AT_REST, STUCK, AGENT_IS_HIDDEN, LITTLE, COLLECTIONS],
    ),
    usual(
        "java behind Apache",
        auction("java", "WsServlet-DB", &[]),
        &[CONNECTIONS, AGENT_IS_HIDDEN, WITHOUT],
    ),
    usual(
        "java, shared connection, MyISAM",
        auction(
            "java",
            "Servlet-DB",
            &[
                ("jdk", "17"),
                ("heap", "32m"),
                ("threads", "4"),
                ("connection", "shared"),
                ("engine", "MyISAM"),
            ],
        ),
        &[AT_REST, STUCK, RESTORE],
    ),
    usual(
        "java, PostgreSQL",
        comments("java", "Servlet-DB", &[("jdk", "17"), ("heap", "32m"), ("threads", "4"), ("pool", "1")]),
        &[AT_REST, STUCK],
    ),
    usual(
        "php, MariaDB",
        auction("php", "WsPhpFpm-DB", &[("children", "3"), ("workers", "64"), ("engine", "InnoDB")]),
        &[IDLE, PUBLIC, TABLE_LOCK, RESTORE],
    ),
    usual(
        "php, PostgreSQL",
        comments("php", "WsPhpFpm-DB", php::THREE_CHILDREN),
        &[IDLE, PUBLIC, TABLE_LOCK, ROW_LOCK],
    ),
    usual("php in Apache", auction("php", "WsPhp-DB", php::FOUR_WORKERS), &[HELD]),
    // mod_cgid's daemon waits for no program; mod_cgi's processes do.
    usual("cgi, event", auction(children::STACK, "WsCgi", &[("mpm", "event")]), &[CHILDREN]),
    usual("cgi, prefork", auction(children::STACK, "WsCgi", &[("mpm", "prefork")]), &[CHILDREN]),
    usual("perl", comments("perl", "WsModPerl-DB", &[]), &[RESTORE]),
    usual("cpp", comments("cpp", "WsCppFcgi-DB", &[]), &[RESTORE]),
    // Differences of other versions and pools.
    machine(
        "java 25, pool",
        auction(
            "java",
            "Servlet-DB",
            &[("jdk", "25"), ("heap", "32m"), ("threads", "4"), ("pool", "1"), ("engine", "InnoDB")],
        ),
        &[AT_REST, STUCK, AGENT_IS_HIDDEN, LITTLE, COLLECTIONS],
    ),
    machine(
        "java 25, shared connection",
        auction(
            "java",
            "Servlet-DB",
            &[("jdk", "25"), ("heap", "32m"), ("threads", "4"), ("connection", "shared")],
        ),
        JVM_CHECKS,
    ),
    machine(
        "java 25, PostgreSQL",
        comments("java", "Servlet-DB", &[("jdk", "25"), ("heap", "32m"), ("threads", "4"), ("pool", "1")]),
        JVM_CHECKS,
    ),
    machine("php in Apache, MyISAM", auction("php", "WsPhp-DB", &[("engine", "MyISAM")]), &[RESTORE]),
    machine("php, PostgreSQL", comments("php", "WsPhpFpm-DB", &[]), &[RESTORE]),
    machine("java, InnoDB", auction("java", "Servlet-DB", &[("engine", "InnoDB")]), &[RESTORE, WITHOUT]),
    machine(
        "java, shared connection, InnoDB",
        auction("java", "Servlet-DB", &[("engine", "InnoDB"), ("connection", "shared")]),
        &[RESTORE],
    ),
    machine("java, sync, MyISAM", auction("java", "WsServlet-DB-sync", &[("engine", "MyISAM")]), &[RESTORE]),
    machine("java, PostgreSQL", comments("java", "Servlet-DB", &[]), &[RESTORE]),
    machine(
        "java, shared connection, PostgreSQL",
        comments("java", "Servlet-DB", &[("connection", "shared")]),
        &[RESTORE],
    ),
    // The cost of sampling on this machine.
    machine("php in Apache, 40", auction("php", "WsPhp-DB", php::FORTY_PROCESSES), &[COST_40]),
    machine("php in Apache, 600", auction("php", "WsPhp-DB", php::SIX_HUNDRED_PROCESSES), &[COST_600]),
    machine("java 17", auction("java", "Servlet-DB", &[("jdk", "17")]), &[COST_JVM]),
    machine("java 25", auction("java", "Servlet-DB", &[("jdk", "25")]), &[COST_JVM]),
];

impl Group {
    /// Starts the site, and runs its selected checks. After a failed one, the next begins with a fresh start.
    pub fn run(&self, results: &Results) {
        let named = self.checks.iter().map(|(name, check)| (format!("{name} ({})", self.of), check));
        let wanted: Vec<_> = named.filter(|(name, _)| results.wants(name, self.part)).collect();
        if wanted.is_empty() {
            return;
        }
        if let Some(jdk) = self.missing_jdk() {
            println!("left out: there is no JVM of version {jdk} here, for {}", self.of);
            return;
        }
        let mut left = wanted.iter();
        let all = AssertUnwindSafe(|| {
            with_built(self.case, |site, workspace| {
                let mut is_up = false;
                for (name, check) in left.by_ref() {
                    is_up = results.run(name, || {
                        if !is_up {
                            site.start_fresh().unwrap();
                        }
                        check(site, workspace);
                    });
                }
            });
        });
        let is_built = panic::catch_unwind(all).is_ok();
        let left: Vec<_> = left.collect();
        for (name, _) in &left {
            results.run(name, || panic!("its site could not be built"));
        }
        if !is_built && left.is_empty() {
            results.run(&format!("the site ends ({})", self.of), || panic!("it does not"));
        }
    }

    fn missing_jdk(&self) -> Option<&'static str> {
        let wanted = self.case.factors.iter().find(|(factor, _)| *factor == "jdk").map(|(_, jdk)| *jdk);
        wanted.filter(|jdk| !jvm::is_here(jdk))
    }
}
