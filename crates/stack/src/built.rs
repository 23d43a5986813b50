//! Record by which a stack's build is known to be up to date. Build tools take seconds to find that out themselves.

use crate::{
    Stack,
    packages::installed,
    sources::{all_files, files_and_linked},
};
use fs_err as fs;
use settings::{RelativePath, SettingsError};
use std::{
    io,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};
use toml::Spanned;

/// Stamp in a stack's build folder: the sources and products of the build.
const STAMP: &str = ".tierbench-built";

pub(crate) struct Built<'a> {
    stack: &'a Stack,
    /// The first product of the build, as in the manifest.
    made: &'a Spanned<RelativePath>,
    stamp: PathBuf,
    /// A text that changes with the sources and the tools.
    from: String,
}

impl<'a> Built<'a> {
    /// None if nothing shows whether the build is up to date: where it leaves nothing behind, or where its tools'
    /// versions are unknown.
    pub(crate) fn look(stack: &'a Stack) -> io::Result<Option<Self>> {
        let sources = files_and_linked(&stack.home, stack.other_folders.clone())?;
        let own = all_files(&stack.place)?;
        let names = own.iter().filter_map(|source| RelativePath::parse(&source.name).ok());
        let names: Vec<RelativePath> = names.collect();
        let is_made = |path: &RelativePath| !names.iter().any(|source| source.is_within(path));
        let made = stack.deploy.iter().find(|path| is_made(path.get_ref()));
        let packages = stack.tools.iter().map(String::as_str).collect();
        let Some(tools) = installed(&packages) else { return Ok(None) };
        let Some(made) = made else { return Ok(None) };
        // Build tools remember their working folder.
        let mut texts = vec![stack.place.as_os_str().as_encoded_bytes().to_vec(), tools.into_bytes()];
        texts.push(stack.toolchain_versions().map_err(io::Error::other)?.into_bytes());
        texts
            .push(format!("{:?}", stack.build.iter().map(Spanned::get_ref).collect::<Vec<_>>()).into_bytes());
        for source in sources {
            texts.push(source.name.into_bytes());
            texts.push(fs::read(source.path)?);
        }
        let folder = made.get_ref().first_part().below(&stack.place).map_err(io::Error::other)?;
        Ok(Some(Self { stack, made, stamp: folder.join(STAMP), from: cache::fingerprint(texts) }))
    }

    /// An error if the build makes a file beside the sources: then there is no folder for the stamp.
    pub(crate) fn expect_folder(&self) -> Result<(), Box<SettingsError>> {
        if !self.stamp.parent().is_some_and(Path::is_file) {
            return Ok(());
        }
        let file = self.made.get_ref();
        let fault = format!("`build` makes `{file}` beside the sources, not in a folder of its own");
        let remedy =
            format!("let it make `build/{file}`, have Git ignore `/build/`, and deploy `build/{file}`");
        Err(self.stack.document.error(Some(self.made.span()), fault, Some(remedy)))
    }

    /// True if the build is up to date, and its products untouched.
    pub(crate) fn stands(&self) -> bool {
        let Ok(text) = fs::read_to_string(&self.stamp) else { return false };
        self.text().is_ok_and(|now| now == text)
    }

    pub(crate) fn begin(&self) -> io::Result<()> {
        match fs::remove_file(&self.stamp) {
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    pub(crate) fn end(&self) -> io::Result<()> {
        fs::write(&self.stamp, self.text()?)
    }

    fn text(&self) -> io::Result<String> {
        let mut made = Vec::new();
        for (_, path) in self.stack.deployed_files().map_err(io::Error::other)? {
            describe(&path, &mut made)?;
        }
        Ok(format!("{} {}\n", self.from, cache::fingerprint(made)))
    }
}

/// Names, sizes and times of everything in a folder, but for the stamp.
fn describe(path: &Path, texts: &mut Vec<String>) -> io::Result<()> {
    let meta = fs::symlink_metadata(path)?;
    if meta.is_dir() {
        let mut inside =
            fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>()?;
        inside.retain(|path| path.file_name().is_none_or(|name| name != STAMP));
        inside.sort();
        return inside.iter().try_for_each(|path| describe(path, texts));
    }
    texts.push(format!("{} {} {} {}", path.display(), meta.size(), meta.mtime(), meta.mtime_nsec()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{self, write};

    fn stack(home: &Path) -> Stack {
        for (name, text) in
            [("src/main.c", "int main() {}"), (".gitignore", "/build\n"), ("build/bin/main", "1")]
        {
            write(home, name, text);
        }
        Stack {
            build: vec![Spanned::new(0..0, vec!["make".into()])],
            deploy: fixture::deployed("build/bin"),
            ..fixture::stack(home.to_owned())
        }
    }

    fn stands(stack: &Stack) -> bool {
        Built::look(stack).unwrap().is_some_and(|built| built.stands())
    }

    #[test]
    fn a_stack_stands_built_until_its_sources_or_what_was_built_change() {
        let place = tempfile::tempdir().unwrap();
        let mut stack = stack(place.path());
        assert!(!stands(&stack), "nobody has built it");
        let build = |stack: &Stack| Built::look(stack).unwrap().unwrap().end().unwrap();
        build(&stack);
        assert!(stands(&stack));
        for name in ["src/main.c", "src/new.c", "build/bin/main", "build/bin/other"] {
            fs::write(place.path().join(name), "other").unwrap();
            assert!(!stands(&stack), "{name}");
            build(&stack);
            assert!(stands(&stack), "{name}");
        }
        stack.build.push(Spanned::new(0..0, vec!["make".into(), "install".into()]));
        assert!(!stands(&stack));
        build(&stack);
        Built::look(&stack).unwrap().unwrap().begin().unwrap();
        assert!(!stands(&stack), "a build has begun");
        fs::remove_dir_all(place.path().join("build")).unwrap();
        assert!(!stands(&stack));
    }

    #[test]
    fn a_file_that_is_built_beside_the_sources_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let stack = Stack { deploy: fixture::deployed("server"), ..stack(place.path()) };
        write(place.path(), ".gitignore", "/server\n");
        let expect = || Built::look(&stack).unwrap().unwrap().expect_folder();
        assert!(expect().is_ok(), "nobody has built it");
        write(place.path(), "server", "1");
        let error = expect().unwrap_err();
        assert!(error.to_string().contains("`server` beside the sources"), "{error}");
    }

    #[test]
    fn what_a_build_leaves_nothing_of_is_built_each_time() {
        let place = tempfile::tempdir().unwrap();
        let stack = Stack { deploy: fixture::deployed("src"), ..stack(place.path()) };
        assert!(Built::look(&stack).unwrap().is_none());
    }
}
