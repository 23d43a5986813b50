//! Debian packages: what a workspace needs, and what of it is missing here.

use lab::{Workspace, WorkspaceError};
use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
};

/// What tierbench itself calls, besides what manifests name: hosts, profiles and certificates.
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

/// The packages that are not installed; none on a system without dpkg, where packages have other names.
pub(crate) fn missing<'p>(packages: impl IntoIterator<Item = &'p String>) -> Vec<String> {
    let packages: Vec<&String> = packages.into_iter().collect();
    let mut query = Command::new("dpkg-query");
    query.args(["-W", "-f", "${Package} ${db:Status-Status}\\n"]).args(&packages);
    let Ok(answer) = query.output() else { return Vec::new() };
    let answer = String::from_utf8_lossy(&answer.stdout).into_owned();
    let installed: BTreeSet<&str> =
        answer.lines().filter_map(|line| line.strip_suffix(" installed")).collect();
    packages.into_iter().filter(|package| !installed.contains(package.as_str())).cloned().collect()
}
