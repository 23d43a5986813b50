//! Debian packages: what a workspace needs, and what of it is missing here.

use lab::{Workspace, WorkspaceError};
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::Path,
};
use testbed::{HostHandle, Testbed};

/// Programs that tierbench itself calls, besides those of manifests: hosts, profiles and certificates.
const OWN: [&str; 3] = ["ca-certificates", "iproute2", "linux-perf"];

/// The script of a workspace that installs packages and keeps their services off.
pub(crate) const INSTALLER: &str = "scripts/deps";

/// The packages that all services and all stacks of a workspace need.
pub(crate) fn of_workspace(workspace: &Workspace) -> Result<BTreeSet<String>, WorkspaceError> {
    let mut all: BTreeSet<String> = OWN.map(str::to_owned).into();
    all.extend(of_stacks(workspace)?.into_values().flatten());
    for service in workspace.services()? {
        all.extend(service.packages().iter().cloned());
    }
    Ok(all)
}

/// The packages that stacks' code needs, by the stacks that need any.
pub(crate) fn of_stacks(workspace: &Workspace) -> Result<BTreeMap<String, Vec<String>>, WorkspaceError> {
    let mut all = BTreeMap::new();
    for application in workspace.applications()? {
        let stacks = workspace.stacks(&application)?.into_iter().filter(|stack| !stack.packages.is_empty());
        all.extend(stacks.map(|stack| (stack.name, stack.packages)));
    }
    Ok(all)
}

/// The packages that are not installed here; none on a system without dpkg, where packages have other names.
pub(crate) fn missing<'p>(packages: impl IntoIterator<Item = &'p String>) -> Vec<String> {
    missing_on(&HostHandle::default(), packages).unwrap_or_default()
}

/// The packages that are not installed on a host; an error without dpkg there.
pub(crate) fn missing_on<'p>(
    host: &HostHandle,
    packages: impl IntoIterator<Item = &'p String>,
) -> io::Result<Vec<String>> {
    let packages: Vec<&String> = packages.into_iter().collect();
    let query = ["-W", "-f", "${Package} ${db:Status-Status}\\n"].map(str::to_owned);
    let arguments: Vec<String> = query.into_iter().chain(packages.iter().copied().cloned()).collect();
    let answer = host.output(Path::new("dpkg-query"), &arguments)?;
    let installed: BTreeSet<&str> =
        answer.stdout.lines().filter_map(|line| line.strip_suffix(" installed")).collect();
    Ok(packages.into_iter().filter(|package| !installed.contains(package.as_str())).cloned().collect())
}

/// The packages that a host of a testbed needs: those of the services whose roles it plays, and of the code that they run.
pub(crate) fn of_host(
    workspace: &Workspace,
    testbed: &Testbed,
    host: &str,
) -> Result<BTreeSet<String>, WorkspaceError> {
    let mut all = BTreeSet::new();
    for application in workspace.applications()? {
        for stack in workspace.stacks(&application)? {
            let tiers = stack.configurations.iter().flat_map(|configuration| &configuration.tiers);
            let own = tiers.filter(|tier| testbed.host_of(&tier.role).name == host);
            let mut has_tiers = false;
            for tier in own {
                has_tiers = true;
                all.extend(tier.service.packages().iter().cloned());
            }
            all.extend(stack.packages.into_iter().filter(|_| has_tiers));
        }
    }
    Ok(all)
}
