//! Files that belong to the rows of a dataset, such as pictures of items: made once into the cache, linked into
//! sites.

use crate::{BuildProgress, BuildStep, SiteError, SiteInputs};
use application::{Dataset, FileGenerator};
use cache::{Identity, Loaded, Lookup, Snapshot, fingerprint};
use fs_err as fs;
use services::store;
use settings::RelativePath;
use std::{
    io::{self, BufWriter, Write},
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};
use testbed::Scratch;

/// Files made to see whether a generator has changed.
const SAMPLE: u64 = 5;

/// Files that a thread makes between two checks for cancellation.
const AT_ONCE: u64 = 64;

/// Puts the files of a dataset into the site's static files. The returned value keeps them in the cache; none where
/// the application has no such files.
pub(crate) fn bring(
    inputs: &SiteInputs<'_>,
    site: &Path,
    scratch: &Scratch,
    tell: &mut dyn FnMut(BuildProgress<'_>),
) -> Result<Option<Snapshot>, SiteError> {
    let Some(generator) = inputs.application.files(&inputs.dataset) else { return Ok(None) };
    let identity = identity(inputs, generator.as_ref())?;
    let place = {
        let mut remark = |text: &str| tell(BuildProgress::Remark(text));
        inputs.cache.lookup(&identity, &store::now, inputs.stop, &mut remark)?
    };
    let snapshot = match place {
        Lookup::Hit(snapshot) => snapshot,
        Lookup::Miss(draft) => {
            let data = scratch.path().join("files");
            write_all(inputs, generator.as_ref(), &data, tell)?;
            let loaded = Loaded {
                data: &data,
                identity: &identity,
                history: inputs.dataset.history,
                tables: Vec::new(),
                now: store::now(),
            };
            draft.keep(&loaded, &mut |text| tell(BuildProgress::Remark(text)))?
        }
    };
    tell(BuildProgress::Step(&BuildStep::LinkingFiles, None));
    link_tree(&snapshot.data(), &site.join("static"))?;
    Ok(Some(snapshot))
}

fn identity(inputs: &SiteInputs<'_>, generator: &dyn FileGenerator) -> Result<Identity, SiteError> {
    let SiteInputs { application, dataset, .. } = inputs;
    let mut texts = vec![generator.count().to_le_bytes().to_vec()];
    for number in 0..generator.count().min(SAMPLE) {
        texts.push(generator.path(number).into_bytes());
        let mut bytes = Vec::new();
        generator.write(number, &mut bytes)?;
        texts.push(bytes);
    }
    let Dataset { seed, scale, distribution, .. } = *dataset;
    Ok(Identity {
        application: application.name().to_owned(),
        distribution: distribution.to_string(),
        scale,
        seed,
        generator: fingerprint(texts),
        schema: String::new(),
        invariants: String::new(),
        service: "files".to_owned(),
        version: String::new(),
        settings: String::new(),
        factors: [("kind".to_owned(), "files".to_owned())].into(),
    })
}

fn write_all(
    inputs: &SiteInputs<'_>,
    generator: &dyn FileGenerator,
    folder: &Path,
    tell: &mut dyn FnMut(BuildProgress<'_>),
) -> Result<(), SiteError> {
    fs::create_dir_all(folder)?;
    let count = generator.count();
    let next = AtomicU64::new(0);
    let work = || -> io::Result<()> {
        loop {
            let first = next.fetch_add(AT_ONCE, Ordering::Relaxed);
            if first >= count {
                return Ok(());
            }
            if inputs.stop.load(Ordering::Relaxed) {
                return Err(io::ErrorKind::Interrupted.into());
            }
            (first..count.min(first + AT_ONCE)).try_for_each(|number| write(generator, number, folder))?;
        }
    };
    let step = BuildStep::MakingFiles { count, scale: inputs.dataset.scale };
    tell(BuildProgress::Step(&step, None));
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let working: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        while working.iter().any(|thread| !thread.is_finished()) {
            thread::park_timeout(std::time::Duration::from_secs(1));
            let made = next.load(Ordering::Relaxed).min(count);
            tell(BuildProgress::Step(&step, Some(&format!("{} %", 100 * made / count.max(1)))));
        }
        working.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
    })?;
    Ok(())
}

fn write(generator: &dyn FileGenerator, number: u64, folder: &Path) -> io::Result<()> {
    let path = RelativePath::parse(&generator.path(number)).and_then(|path| path.below(folder));
    let path = path.map_err(|wrong| io::Error::new(io::ErrorKind::InvalidInput, wrong.fault))?;
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut file = BufWriter::new(fs::File::create(path)?);
    generator.write(number, &mut file)?;
    file.flush()
}

/// Links all files of a folder into another one; copies them across file systems.
fn link_tree(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            link_tree(&entry.path(), &target)?;
        } else if let Err(fault) = fs::hard_link(entry.path(), &target) {
            if fault.kind() != io::ErrorKind::CrossesDevices {
                return Err(fault);
            }
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}
