//! `gate`: measures configurations beside what they were at another commit, in the same rounds, and judges whether a figure is
//! worse.

use crate::{
    arguments::{GateOptions, JudgementOptions, Places},
    fault::{CommandError, Fault},
    output::print,
    run_spec::RunRequest,
    verbs::{measure::begin_or_resume, report::judge},
};
use lab::{Variant, Workspace, WorkspaceError};
use report::Tolerance;
use results::{NoOverride, ResultReader, VariantId};

pub(crate) fn run(places: &Places, options: &GateOptions) -> Result<(), Fault> {
    let request = request(&places.workspace()?, options)?;
    let words = format!("gate {} {}", options.revision, options.configuration);
    let results = begin_or_resume(places, &options.measure, request, Some(&words))?;
    results.iter().try_for_each(|result| hold(&options.judgement, result))
}

/// A comparison of the configurations, each followed by what it was.
fn request(workspace: &Workspace, options: &GateOptions) -> Result<RunRequest, Fault> {
    let application = application(workspace, options)?;
    let mut configurations = Vec::new();
    for now in chosen(workspace, &application, options)? {
        let Variant { stack, configuration, .. } = now;
        let commit = workspace.revision_label(&stack.name, &options.revision)?;
        configurations.push(format!("{}/{}", stack.name, configuration.name));
        configurations.push(format!("{}@{commit}/{}", stack.name, configuration.id().at(&commit)));
    }
    Ok(options.request(&application, configurations))
}

fn chosen(
    workspace: &Workspace,
    application: &str,
    options: &GateOptions,
) -> Result<Vec<Variant>, WorkspaceError> {
    workspace.choose(application, std::slice::from_ref(&options.configuration))
}

/// The application that is named, or the only one that the stack implements.
fn application(workspace: &Workspace, options: &GateOptions) -> Result<String, Fault> {
    if let Some(name) = &options.application {
        return Ok(name.clone());
    }
    let mut known = workspace.applications()?;
    let asked = known.iter().map(|name| chosen(workspace, name, options).map(drop)).collect::<Vec<_>>();
    let mut has = asked.iter().map(Result::is_ok);
    known.retain(|_| has.next().unwrap_or_default());
    match known.as_slice() {
        [only] => Ok(only.clone()),
        // All have the same to say: nobody knows the word.
        [] => Err(asked.into_iter().find_map(Result::err).map_or_else(no_application, Into::into)),
        several => {
            let fault = format!("`{}` implements several applications", options.configuration);
            let remedy = format!("name one with --application: {}", several.join(", "));
            Err(CommandError::input(fault).with_help(remedy).into())
        }
    }
}

fn no_application() -> Fault {
    CommandError::input("the workspace has no application")
        .with_help("name another one with --workspace")
        .into()
}

/// Holds the present configurations of a result against those of the other commit.
fn hold(options: &JudgementOptions, result: &ResultReader) -> Result<(), Fault> {
    let is_before = |name: &str| id(name).is_ok_and(|id| id.committed().is_some());
    let present = |name: &str| id(name).map_or_else(|_| name.to_owned(), |id| id.present().to_string());
    let (before, after) = (result.only(is_before).renamed(present), result.only(|name| !is_before(name)));
    let difference = report::difference(&before, &after);
    print(report::difference_table(&difference).trim_end())?;
    let tolerance = options.fail_if_worse.unwrap_or(Tolerance::USUAL);
    judge(options, (&before, &after), &difference, tolerance)
}

fn id(name: &str) -> Result<VariantId, NoOverride> {
    name.parse()
}
