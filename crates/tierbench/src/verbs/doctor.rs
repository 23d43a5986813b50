//! `doctor`: what is present, missing or too old on this machine, and what earlier runs left behind.

use crate::{
    arguments::{DoctorOptions, Places},
    fault::{CommandError, Fault},
    open_files::{OPEN_FILES, open_files},
    output::print,
    packages::{self, INSTALLER},
};
use std::{collections::BTreeSet, io, path::Path};
use testbed::{HostHandle, Separation, Testbed, find_program};

/// Temporary space for one configuration with small data, with a reserve.
const FREE_BYTES: u64 = 2 << 30;

pub(crate) fn run(places: &Places, options: &DoctorOptions) -> Result<(), Fault> {
    match &options.testbed {
        Some(file) => look_at_hosts(places, file),
        None => look_here(places),
    }
}

/// Looks for the packages that each machine of a testbed needs, in a line for each.
fn look_at_hosts(places: &Places, file: &Path) -> Result<(), Fault> {
    let (workspace, testbed) = (places.workspace()?, Testbed::read(file)?);
    if testbed.separation != Separation::Machines {
        return Err(CommandError::input(format!(
            "the hosts of {} are shares of this machine",
            file.display()
        ))
        .with_help("call `tierbench doctor` alone")
        .into());
    }
    let mut faults = 0;
    for (host, up) in testbed.hosts.iter().zip(testbed.reach_each(&std::env::current_exe()?)?) {
        let needed = packages::of_host(&workspace, &testbed, &host.name)?;
        let found = match up {
            Ok(up) => packages_there(&up.handle, &needed),
            Err(fault) => Err(fault.to_string()),
        };
        let (word, text) = match &found {
            Ok(text) => ("ok     ", text),
            Err(text) => ("missing", text),
        };
        print(format_args!("{word} {:<16} {text}", host.name))?;
        faults += usize::from(found.is_err());
    }
    expect_no(faults)
}

/// Word for a host that has these packages; else the command that installs those that are missing.
fn packages_there(host: &HostHandle, needed: &BTreeSet<String>) -> Result<String, String> {
    if needed.is_empty() {
        return Ok("needs no packages".to_owned());
    }
    match packages::missing_on(host, needed).as_deref() {
        Ok([]) => Ok("all packages".to_owned()),
        Ok(missing) => {
            Err(format!("run there as root: apt-get install --no-install-recommends {}", missing.join(" ")))
        }
        Err(fault) => Err(format!("nobody knows its packages: dpkg-query does not run there ({fault})")),
    }
}

fn look_here(places: &Places) -> Result<(), Fault> {
    let workspace = places.workspace()?;
    let mut faults = 0;
    let mut line = |good: bool, what: &str, found: &str| {
        print(format_args!("{} {what:<16} {found}", if good { "ok     " } else { "missing" }))?;
        faults += usize::from(!good);
        Ok::<(), Fault>(())
    };
    for (stack, packages) in packages::of_stacks(&workspace)? {
        let missing = packages::missing(&packages);
        let found = match missing.as_slice() {
            [] => "all packages of its code".to_owned(),
            missing => format!("run `{INSTALLER} {stack}` as root, or install {}", missing.join(" ")),
        };
        line(missing.is_empty(), &format!("stack {stack}"), &found)?;
    }
    for service in workspace.services()? {
        let found = service.availability(&service.factors.defaults());
        let text = found.as_ref().map_or_else(ToString::to_string, Clone::clone);
        line(found.is_ok(), &service.name, &text)?;
    }
    let profiler = profile::availability();
    let found = profiler.as_ref().map_or_else(ToString::to_string, Clone::clone);
    line(profiler.is_ok(), "perf", &found)?;
    let tools: Vec<&str> = ["ip", "tc"].into_iter().filter(|tool| find_program(tool).is_none()).collect();
    let found = match tools.as_slice() {
        [] => "ip and tc, with which root makes hosts".to_owned(),
        tools => {
            format!("run `{INSTALLER}` as root, or install iproute2: {} isn't there", tools.join(" and "))
        }
    };
    line(tools.is_empty(), "testbeds", &found)?;
    let files = open_files();
    line(
        files >= OPEN_FILES,
        "open files",
        &format!("{files} allowed, {OPEN_FILES} wanted (ulimit -n {OPEN_FILES})"),
    )?;
    let place = std::env::temp_dir();
    let free = testbed::free_bytes(&place)?;
    let found = format!(
        "{} MiB free in {}, {} MiB wanted (TMPDIR names another place)",
        free >> 20,
        place.display(),
        FREE_BYTES >> 20
    );
    line(free >= FREE_BYTES, "temporary files", &found)?;
    let (is_readable, found) = super::cache::summary(places)?;
    line(is_readable, "loaded data", &found)?;
    print_left_behind(&place)?;
    expect_no(faults)
}

fn expect_no(faults: usize) -> Result<(), Fault> {
    match faults {
        0 => Ok(()),
        1 => {
            Err(CommandError::missing("one thing is missing, too old or too little; it is named above")
                .into())
        }
        _ => Err(CommandError::missing(format!(
            "{faults} things are missing, too old or too little; they are named above"
        ))
        .into()),
    }
}

/// Folders that killed runs left behind do no harm, so they are a note and no fault.
fn print_left_behind(place: &Path) -> io::Result<()> {
    let left = testbed::left_behind(place)?;
    if left.is_empty() {
        return print("ok      left behind      nothing");
    }
    let names: Vec<String> = left.iter().map(|path| path.display().to_string()).collect();
    print(format_args!("note    left behind      {}; nobody uses them: delete them", names.join(" ")))
}
