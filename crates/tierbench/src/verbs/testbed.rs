//! `testbed`: the hosts of a testbed for a person who wants to look around on them, or to try something.

mod launch;

use crate::{
    arguments::{ExecOptions, TestbedOptions, TestbedUpOptions, TestbedVerb},
    fault::{CommandError, Fault},
    interrupt,
    output::print,
};
use std::{io, io::Write, path::Path, sync::atomic::Ordering, time::Duration};
use testbed::{HostPlan, HostUp, Hosts, Separation, Testbed, TestbedError, TestbedRecord, Way};

/// The owner of testbeds that other commands may take down.
const BY: &str = "testbed up";

/// The interval at which it is checked whether the hosts are still there.
const POLL: Duration = Duration::from_millis(100);

pub(crate) fn run(options: &TestbedOptions) -> Result<(), Fault> {
    match &options.verb {
        TestbedVerb::Up(options) => up(options),
        TestbedVerb::Exec(options) => exec(options),
        TestbedVerb::Down(options) => down(&options.file),
        TestbedVerb::Script(options) => script(&options.file),
        TestbedVerb::Manifests(options) => manifests(&options.file, &options.image),
    }
}

fn script(file: &Path) -> Result<(), Fault> {
    let testbed = Testbed::read(file)?;
    let text = launch::script(&testbed, &std::env::current_exe()?);
    print_launch(file, text, "no host is a node of Slurm", "reach = \"srun\"")
}

fn manifests(file: &Path, image: &str) -> Result<(), Fault> {
    let text = launch::manifests(&Testbed::read(file)?, image);
    print_launch(file, text, "no host is a Pod", "reach = \"kubectl exec -i POD --\"")
}

fn print_launch(file: &Path, text: Option<String>, fault: &str, example: &str) -> Result<(), Fault> {
    match text {
        Some(text) => Ok(print(text.trim_end())?),
        None => {
            let fault = CommandError::input(format!("{}: {fault}", file.display()));
            Err(fault.with_help(format!("write `{example}` into a host's table")).into())
        }
    }
}

fn up(options: &TestbedUpOptions) -> Result<(), Fault> {
    let testbed = Testbed::read(&options.file)?;
    testbed.expect_possible()?;
    if testbed.separation == Separation::Cores {
        show(&testbed, Hosts::bring_up(testbed.clone(), &std::env::current_exe()?, BY)?.up())?;
        return Ok(print("these hosts are cores of this machine, which are always up")?);
    }
    if testbed.separation == Separation::Machines {
        show_machines(&Hosts::bring_up(testbed, &std::env::current_exe()?, BY)?)?;
        return Ok(print("these hosts are machines of their own, which are always up")?);
    }
    if let Some(TestbedRecord { file, namespace_keeper, .. }) = brought_up(&testbed)? {
        return Err(TestbedError::Up { file, namespace_keeper }.into());
    }
    if options.detach {
        let record = Hosts::leave_up(&testbed, &std::env::current_exe()?, BY)?;
        show(&testbed, &record.hosts)?;
        return Ok(print(format_args!("`tierbench testbed down {}` ends it", options.file.display()))?);
    }
    let stop = interrupt::flag()?;
    let mut hosts = Hosts::bring_up(testbed, &std::env::current_exe()?, BY)?;
    show(hosts.testbed(), hosts.up())?;
    print("Ctrl-C ends it, and all that runs on it")?;
    io::stdout().flush()?;
    while !stop.load(Ordering::Relaxed) {
        if hosts.are_gone() {
            return Ok(print("it was taken down")?);
        }
        std::thread::sleep(POLL);
    }
    Ok(())
}

/// The hosts, and how to get onto one.
fn show(testbed: &Testbed, up: &[HostUp]) -> io::Result<()> {
    print(&testbed.title)?;
    for (host, up) in testbed.hosts.iter().zip(up) {
        print(format_args!("  {}", line(host, up)))?;
    }
    let (file, host) = (testbed.file.display(), &up[0].name);
    print(format_args!("`tierbench testbed exec {file} {host} COMMAND` runs a command on a host"))
}

/// The way to each host: `web   10.0.0.12    4 cores  round trip 0.21 ms  940 Mbit/s  clock 1.2 ms ahead`.
fn show_machines(hosts: &Hosts) -> Result<(), Fault> {
    print(&hosts.testbed().title)?;
    for (host, up) in hosts.testbed().hosts.iter().zip(hosts.up()) {
        let way = match up.handle.way()? {
            None => "this machine".to_owned(),
            Some(Way { round_trip_s, ahead_s, bits_per_s }) => format!(
                "{} cores  round trip {:.2} ms  {:.0} Mbit/s  clock {:.1} ms {}",
                up.handle.cores.len(),
                round_trip_s * 1e3,
                bits_per_s / 1e6,
                ahead_s.abs() * 1e3,
                if ahead_s < 0.0 { "behind" } else { "ahead" }
            ),
        };
        print(format_args!("  {:<12} {:<15} {way}", host.name, up.handle.address))?;
    }
    let file = hosts.testbed().file.display();
    let host = &hosts.testbed().hosts[0].name;
    Ok(print(format_args!("`tierbench testbed exec {file} {host} COMMAND` runs a command on a host"))?)
}

/// A host in a line: `web   10.77.0.14  core 1  30 % CPU  2048 MiB  100 Mbit/s`.
fn line(host: &HostPlan, up: &HostUp) -> String {
    let cores = up.handle.cores.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    let limits = [
        host.cpu.map(|cpu| format!("{:.0} % of a core", cpu * 100.0)),
        host.memory_bytes.map(|bytes| format!("{} MiB", bytes >> 20)),
        host.link_bits.map(|bits| format!("{} Mbit/s", bits as f64 / 1e6)),
    ];
    let limits = limits.into_iter().flatten().collect::<Vec<_>>().join("  ");
    format!("{:<12} {:<12} cores {cores:<6} {limits}", host.name, up.handle.address).trim_end().to_owned()
}

/// Replaces this process with the command, whose exit code thus is this one's.
fn exec(options: &ExecOptions) -> Result<(), Fault> {
    let testbed = Testbed::read(&options.file)?;
    let cores = testbed.expect_possible()?;
    let (program, arguments) = options.command.split_first().expect("the parser refuses none");
    if testbed.separation == Separation::Machines {
        let fault = testbed.exec(&options.host, &options.command)?;
        let fault = format!("can't run {} on the host {}: {fault}", program.display(), options.host);
        return Err(CommandError::input(fault).into());
    }
    let record = match testbed.separation {
        Separation::Namespaces => TestbedRecord::find(&testbed)?,
        Separation::Cores => TestbedRecord::of_cores(&testbed, cores),
        Separation::Machines => unreachable!("the command was executed"),
    };
    let fault = record.host(&options.host)?.handle.exec(program, arguments);
    let fault = format!("can't run {} on the host {}: {fault}", program.display(), options.host);
    Err(CommandError::input(fault).into())
}

fn down(file: &Path) -> Result<(), Fault> {
    let testbed = Testbed::read(file)?;
    testbed.expect_possible()?;
    match brought_up(&testbed)? {
        Some(record) => Ok(record.take_down()?),
        None => Err(TestbedError::NotUp(testbed.file).into()),
    }
}

/// The hosts that another command has brought up.
fn brought_up(testbed: &Testbed) -> io::Result<Option<TestbedRecord>> {
    let all = TestbedRecord::all()?.into_iter();
    Ok(all.filter(|record| record.by == BY).find(|record| record.file == testbed.file))
}
