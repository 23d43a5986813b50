//! The configurations of each application, by the files of a workspace.

use lab::{Workspace, WorkspaceError};
use results::FactorChoice;
use std::{fs, os::unix::fs::symlink, path::Path};

/// A workspace with one stack, of which one configuration is only for `application`.
fn workspace(application: &str) -> (tempfile::TempDir, Workspace) {
    let home = tempfile::tempdir().unwrap();
    for part in ["apps", "services"] {
        symlink(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(part), home.path().join(part))
            .unwrap();
    }
    fs::create_dir_all(home.path().join("stacks/plain")).unwrap();
    let configuration = |name: &str, more: &str| {
        format!(
            "[[configuration]]\nname = \"{name}\"\nsummary = \"\"\nstatements = \"exact\"\n{more}\n\
             tiers = [{{ role = \"web\", service = \"apache\" }}]\n"
        )
    };
    let text = [
        "title = \"\"\nlanguage = \"\"\napplications = [\"auction\", \"comments\"]\n".to_owned(),
        configuration("For-All", ""),
        configuration("For-One", &format!("applications = [\"{application}\"]")),
    ];
    fs::write(home.path().join("stacks/plain/stack.toml"), text.concat()).unwrap();
    let workspace = Workspace::find(Some(home.path())).unwrap();
    (home, workspace)
}

#[test]
fn a_stack_stands_for_its_configurations_that_are_for_the_application() {
    let (_home, workspace) = workspace("comments");
    let names = |application: &str| -> Vec<String> {
        let variant = workspace.choose(application, &["plain".to_owned()]).unwrap();
        variant.into_iter().map(|one| one.configuration.name).collect()
    };
    assert_eq!(names("comments"), ["For-All", "For-One"]);
    assert_eq!(names("auction"), ["For-All"]);
    assert!(matches!(
        workspace.choose("auction", &["plain/For-One".to_owned()]),
        Err(WorkspaceError::Unknown { .. })
    ));
}

#[test]
fn a_variant_is_chosen_by_its_name() {
    let (_home, workspace) = workspace("auction");
    let names = |word: &str| -> Result<Vec<String>, WorkspaceError> {
        let variant = workspace.choose("auction", &[word.to_owned()])?;
        Ok(variant.into_iter().map(|one| one.configuration.name).collect())
    };
    assert_eq!(names("plain/For-All,workers=7").unwrap(), ["For-All,workers=7"]);
    assert_eq!(names("For-One,mpm=prefork,workers=7").unwrap(), ["For-One,mpm=prefork,workers=7"]);
    for (word, fault) in [
        ("For-All,workres=7", "workres"),
        ("For-All,workers=many", "workers"),
        ("For-All,workers", "`workers`"),
    ] {
        let error = names(word).unwrap_err().to_string();
        assert!(error.contains(fault), "{error}");
    }
}

#[test]
fn what_a_name_says_of_a_factor_stands_whatever_is_chosen_for_all() {
    let (_home, workspace) = workspace("comments");
    let names = |word: &str, factor: &str, values: &[&str]| -> Vec<String> {
        let named = workspace.choose("auction", &[word.to_owned()]).unwrap();
        let values = values.iter().map(|value| (*value).to_owned()).collect();
        let varied = lab::vary(&named, &[FactorChoice { name: factor.to_owned(), values }]).unwrap();
        varied.into_iter().map(|one| one.configuration.name).collect()
    };
    assert_eq!(names("For-All", "workers", &["7", "9"]), ["For-All,workers=7", "For-All,workers=9"]);
    assert_eq!(names("For-All,workers=7", "workers", &["9"]), ["For-All,workers=7"]);
    assert_eq!(names("For-All,workers=7", "apache.workers", &["9"]), ["For-All,workers=7"]);
    assert_eq!(names("For-All,apache.workers=7", "workers", &["9"]), ["For-All,workers=7"]);
    assert_eq!(names("For-All,mpm=event", "mpm", &[]), ["For-All"]);
    assert_eq!(names("For-All,mpm=event", "workers", &["9"]), ["For-All,workers=9"]);
}

#[test]
fn a_configuration_has_its_name_for_itself() {
    let (home, workspace) = workspace("comments");
    let plain = fs::read_to_string(home.path().join("stacks/plain/stack.toml")).unwrap();
    let other = home.path().join("stacks/other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("stack.toml"), plain.replace("For-All", "For-Some")).unwrap();
    let text = workspace.stacks("auction").unwrap_err().to_string();
    let named = ["other/stack.toml", "plain/stack.toml", "`For-One`"];
    assert!(named.iter().all(|word| text.contains(word)), "{text}");

    fs::write(other.join("stack.toml"), plain.replace("For-All", "For-One")).unwrap();
    let error = workspace.stacks("auction").unwrap_err();
    let WorkspaceError::Manifest(error) = error else { panic!("{error:?}") };
    let text = format!("{:?}", miette::Report::new(error));
    assert!(text.contains("stack.toml:11:") && text.contains("`For-One` already"), "{text}");
}

#[test]
fn a_stack_implements_no_application_that_is_not_there() {
    let (home, workspace) = workspace("comments");
    let file = home.path().join("stacks/plain/stack.toml");
    let plain = fs::read_to_string(&file).unwrap();
    fs::write(&file, plain.replacen("\"auction\"", "\"acution\"", 1)).unwrap();
    let WorkspaceError::Manifest(error) = workspace.stacks("comments").unwrap_err() else {
        panic!("another fault")
    };
    let text = format!("{:?}", miette::Report::new(error));
    let named = ["stack.toml:3:", "there is no application `acution`", "did you mean `auction`?"];
    assert!(named.iter().all(|word| text.contains(word)), "{text}");
}

#[test]
fn a_configuration_is_for_no_application_that_its_stack_does_not_implement() {
    let (_home, workspace) = workspace("coments");
    let error = workspace.stacks("comments").unwrap_err();
    let WorkspaceError::Manifest(error) = error else { panic!("{error:?}") };
    let text = format!("{:?}", miette::Report::new(error));
    assert!(
        text.contains("does not implement `coments`") && text.contains("did you mean `comments`?"),
        "{text}"
    );
}
