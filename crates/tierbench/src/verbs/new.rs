//! `new`: makes a stack's folder of one of the workspace's skeletons, which start and answer one page, and says what comes
//! next.

use crate::{
    arguments::{NewOptions, NewStackOptions, NewVerb, Places},
    fault::{CommandError, Fault},
    output::print,
    registry,
};
use application::Application;
use fs_err as fs;
use lab::{Workspace, WorkspaceError};
use settings::did_you_mean;
use stack::Stack;
use std::{
    io,
    path::{Path, PathBuf},
};

/// The folder of the workspace whose folders are what a stack may begin as.
const SKELETONS: &str = "skeletons";

/// Placeholder of the stack's name in a skeleton.
const STACK: &str = "__STACK__";
/// Placeholder of the application's name.
const APPLICATION: &str = "__APPLICATION__";
/// Placeholder of the application's databases in a list.
const DATABASES: &str = "\"__DATABASES__\"";

pub(crate) fn run(places: &Places, options: &NewOptions) -> Result<(), Fault> {
    match &options.verb {
        NewVerb::Stack(options) => stack(places, options),
    }
}

fn stack(places: &Places, options: &NewStackOptions) -> Result<(), Fault> {
    let workspace = places.workspace()?;
    let application = registry::find(&options.application)?;
    expect_database(&workspace, application)?;
    let databases = application.catalogue().databases.iter().map(|name| format!("{name:?}"));
    let (application, databases) = (application.name(), databases.collect::<Vec<_>>().join(", "));
    let skeleton = skeleton(&workspace, &options.kind)?;
    let name = &options.name;
    let home = workspace.path().join("stacks").join(name);
    if home.exists() {
        return Err(CommandError::input(format!("there is a stack `{name}` already: {}", home.display()))
            .with_help("choose another name, or remove that folder")
            .into());
    }
    let fill = |text: &str| {
        text.replace(STACK, name).replace(APPLICATION, application).replace(DATABASES, &databases)
    };
    let made = copy(&skeleton, &home, &fill).map_err(WorkspaceError::from).and_then(|files| {
        Stack::read(&home, &workspace.path().join("services"), &workspace.applications()?)?;
        Ok(files)
    });
    match made {
        Ok(files) => Ok(print_next_steps(places, &workspace, name, application, &files)?),
        Err(error) => {
            fs::remove_dir_all(&home)?;
            Err(error.into())
        }
    }
}

/// An error for an application without a database: all skeletons keep their data in one.
fn expect_database(workspace: &Workspace, application: &dyn Application) -> Result<(), Fault> {
    let has_database = |one: &dyn Application| !one.catalogue().databases.is_empty();
    if has_database(application) {
        return Ok(());
    }
    let name = application.name();
    let others: Vec<&str> =
        registry::all().filter(|one| has_database(*one)).map(application::Application::name).collect();
    let stacks: Vec<String> =
        workspace.stacks(name)?.iter().map(|stack| format!("stacks/{}", stack.name)).collect();
    let remedy = format!(
        "begin {} with --application, or copy one of the stacks that implement `{name}`: {}",
        others.join(", "),
        stacks.join(", ")
    );
    let fault = format!("the skeletons keep their data in a database, and `{name}` has none");
    Err(CommandError::input(fault).with_help(remedy).into())
}

fn skeleton(workspace: &Workspace, kind: &str) -> Result<PathBuf, Fault> {
    let skeletons = workspace.path().join(SKELETONS);
    let mut known = Vec::new();
    for entry in fs::read_dir(&skeletons)? {
        known.push(entry?.file_name().to_string_lossy().into_owned());
    }
    known.sort();
    if known.iter().any(|name| name == kind) {
        return Ok(skeletons.join(kind));
    }
    let remedy = did_you_mean(kind, known.iter().map(String::as_str));
    Err(WorkspaceError::Unknown { kind: "kind of stack", word: kind.to_owned(), remedy }.into())
}

/// Copies a folder's files, filling in names; returns the copies.
fn copy(from: &Path, to: &Path, fill: &dyn Fn(&str) -> String) -> io::Result<Vec<PathBuf>> {
    fs::create_dir(to)?;
    let mut made = Vec::new();
    for entry in fs::read_dir(from)? {
        let from = entry?.path();
        let target = to.join(from.file_name().unwrap_or_default());
        if from.is_dir() {
            made.extend(copy(&from, &target, fill)?);
        } else {
            fs::write(&target, fill(&fs::read_to_string(&from)?))?;
            // Programs stay programs.
            fs::set_permissions(&target, fs::metadata(&from)?.permissions())?;
            made.push(target);
        }
    }
    made.sort();
    Ok(made)
}

fn print_next_steps(
    places: &Places,
    workspace: &Workspace,
    name: &str,
    application: &str,
    files: &[PathBuf],
) -> io::Result<()> {
    print(format_args!(
        "made the stack {name}, which sends the application's files, and answers everything else with one page:"
    ))?;
    for file in files {
        print(format_args!("  {}", file.strip_prefix(workspace.path()).unwrap_or(file).display()))?;
    }
    print("next:")?;
    let named = places.workspace_words();
    for (words, meaning) in [
        (format!("check {application}"), "reads its files, and says what is wrong in them"),
        (format!("up {application} {name}"), "shows its page in your browser"),
        (
            format!("verify {application} {name}"),
            "names the first difference from the application, until there is none",
        ),
    ] {
        print(format_args!("  tierbench{named} {words:<28} {meaning}"))?;
    }
    print(format_args!(
        "its pages are in apps/{application}/model/templates, its rules and statements in apps/{application}/model/src; \
         docs/add-a-stack.md goes through it step by step"
    ))
}
