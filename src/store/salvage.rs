//! Salvaging what is whole in a damaged journal, and what stores have beyond theirs. The source is not
//! touched.

use std::io;
use std::path::{Path, PathBuf};

use crate::fault::{CLOSE, Class, Fault, Remedy, Sorted};
use crate::journal::enclosure::Kind;
use crate::journal::fault;
use crate::journal::{self, FOLDER, JournalError, Reading, SalvageReport, Source, enclosure, id};
use crate::store::catch_up::{Standing, standing};
use crate::store::dir::if_there;
use crate::store::evidence::{BuiltStores, Cache, EvidenceError, evidence_stores};
use crate::store::quarantine::EVIDENCE;
use crate::store::remains::{Remains, RemainsError, Remnant, RemnantCount};
use crate::store::{Cursor, FeedError, JournalFeed, StoreError, StoreList, StoreName, StorePlaces};

/// Writes every event that is whole into a fresh journal in `to`, which must be new or empty. Where there
/// is none, no folder is made.
///
/// `from` is a journal's folder, one `.seg` file or a bundle.
pub fn salvage(from: &Path, to: &Path, reading: Reading) -> Result<SalvageReport, JournalError> {
    let mut entropy = [0; 32];
    entropy.copy_from_slice(&id::entropy()[..32]);
    let is_new = enclosure::look(to).is_err();
    let report = journal::salvage(from, to, entropy, reading)?;
    if is_new && report.events == 0 {
        // What was kept beside events keeps the folder.
        let _ = std::fs::remove_dir(to);
    }
    Ok(report)
}

#[derive(Debug)]
pub struct StoreRemains {
    pub path: PathBuf,
    pub store: StoreName,
    /// How far it says that it has read its journal.
    pub cursor: Option<Cursor>,
    pub standing: String,
}

#[derive(Debug, thiserror::Error)]
pub enum StoreSalvageError {
    #[error(transparent)]
    Remains(#[from] RemainsError),
    #[error(transparent)]
    Evidence(#[from] EvidenceError),
    #[error("{} holds no store", path.display())]
    Nothing { path: PathBuf },
    #[error("{} could not be looked at", path.display())]
    Look { path: PathBuf, source: io::Error },
}

impl Fault for StoreSalvageError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Evidence(error) => error.sorted(),
            Self::Look { source, .. } => fault::of_io(source),
            Self::Remains(error) => match error {
                // What was refused is no store that a repair could mend.
                RemainsError::Store(error) if error.wants_rebuild() => Class::Refused.alone(),
                RemainsError::Store(error) => error.sorted(),
                RemainsError::Restless { .. } => Class::Locked.with(CLOSE),
                RemainsError::Taken(error) => fault::of_io(error),
                RemainsError::NoStore { .. } | RemainsError::TooLarge { .. } => {
                    Class::Refused.alone()
                }
            },
            Self::Nothing { .. } => {
                let name = "name a store's file or folder, or its project";
                Class::Refused.with(Remedy::Do(name))
            }
        }
    }
}

impl From<FeedError> for StoreSalvageError {
    fn from(error: FeedError) -> Self {
        Self::Evidence(error.into())
    }
}

type Outcome = (StoreRemains, RemnantCount);

/// Gives what the stores at `from` have and a journal does not: one store, or all of a project and those
/// that it keeps in quarantine as evidence. Without a journal everything is given. Nothing at `from` is
/// changed; no link is followed but `from` itself.
///
/// Answers what was found of each store, and of which stores it cannot be told, and why.
pub fn salvage_stores(
    list: &'static StoreList,
    from: &Path,
    source: Option<(&Source, Reading)>,
    cache: &Cache,
    take: &mut dyn FnMut(&StoreRemains, &Remnant<'_>) -> io::Result<()>,
) -> Result<(Vec<Outcome>, Vec<(PathBuf, StoreSalvageError)>), StoreSalvageError> {
    let looking = |source| StoreSalvageError::Look { path: from.to_owned(), source };
    let real = from.canonicalize().map_err(looking)?;
    let source = source.filter(|(source, _)| has_segments(&source.journal));
    let (mut found, mut untold) = (Vec::new(), Vec::new());
    let Some(paths) = all_of(list, &real).map_err(looking)? else {
        return Ok((vec![one(list, &real, source, cache, take)?], untold));
    };
    for path in paths {
        match one(list, &path, source, cache, take) {
            Ok(done) => found.push(done),
            Err(error @ StoreSalvageError::Remains(RemainsError::Taken(_))) => return Err(error),
            Err(error) => untold.push((path, error)),
        }
    }
    match found.is_empty() && untold.is_empty() {
        true => Err(StoreSalvageError::Nothing { path: from.to_owned() }),
        false => Ok((found, untold)),
    }
}

/// Whether anything is left of a journal. One that cannot be listed says so when it is read.
fn has_segments(journal: &Path) -> bool {
    let is_segment =
        |name: &std::ffi::OsString| Path::new(name).extension().is_some_and(|it| it == "seg");
    let is_folder = enclosure::look(journal).is_ok_and(|look| look.kind == Kind::Folder);
    !is_folder
        || enclosure::names(journal)
            .map_or(true, |names| names.iter().any(|(name, _)| is_segment(name)))
}

/// The stores of a project, and those that it keeps as evidence; `None` where the path is no project.
fn all_of(list: &'static StoreList, path: &Path) -> io::Result<Option<Vec<PathBuf>>> {
    let root = match path.file_name().is_some_and(|name| name == FOLDER) {
        true => path.parent(),
        false => Some(path).filter(|path| enclosure::is_folder(&path.join(FOLDER))),
    };
    let Some(places) = root.map(|root| StorePlaces::new(root, list)) else { return Ok(None) };
    let there = |path: &&Path| enclosure::look(path).is_ok();
    let stores = list.stores.iter().map(|store| places.path(*store)).filter(there);
    let mut paths: Vec<PathBuf> = stores.map(Path::to_owned).collect();
    let kept = if_there(enclosure::names(&places.quarantine))?.unwrap_or_default();
    let is_store = |(name, kind): &(std::ffi::OsString, Kind)| {
        let name = name.to_string_lossy();
        let beside = ["-wal.", "-shm.", "-journal."].iter().any(|beside| name.contains(beside));
        name.ends_with(EVIDENCE) && !beside && matches!(kind, Kind::File | Kind::Folder)
    };
    let mut kept: Vec<_> = kept.into_iter().filter(is_store).map(|(name, _)| name).collect();
    kept.sort();
    paths.extend(kept.into_iter().map(|name| places.quarantine.join(name)));
    Ok(Some(paths))
}

fn one(
    list: &'static StoreList,
    path: &Path,
    source: Option<(&Source, Reading)>,
    cache: &Cache,
    take: &mut dyn FnMut(&StoreRemains, &Remnant<'_>) -> io::Result<()>,
) -> Result<Outcome, StoreSalvageError> {
    let aside = cache.private()?;
    let remains = Remains::open(list, path, aside.root())?;
    let (store, cursor) = (remains.store(), remains.cursor());
    // Since the cursor was read: the journal is at least as new as it.
    let (built, standing) = match source {
        Some((source, reading)) => fresh(list, source, reading, cursor, cache)?,
        None => (None, "there is no journal to hold it against".to_owned()),
    };
    let told = StoreRemains { path: path.to_owned(), store, cursor, standing };
    let fresh = match &built {
        Some(built) => fresh_path(built, store)?,
        None => None,
    };
    let found = remains.beyond(fresh, &mut |remnant| take(&told, remnant))?;
    Ok((told, found))
}

/// Stores as the journal brings them forth, and how a store with this cursor stands to it. One that the
/// journal still has the chain of is held against it as it was then: what came since is no matter of it.
fn fresh(
    list: &'static StoreList,
    source: &Source,
    reading: Reading,
    cursor: Option<Cursor>,
    cache: &Cache,
) -> Result<(Option<BuiltStores>, String), StoreSalvageError> {
    let feed = JournalFeed::pinned(&source.journal, reading)?;
    let rows = cursor.map(|cursor| cursor.rows).unwrap_or_default();
    let (at, wrong) = match standing(cursor, rows, &feed)? {
        Standing::Wrong(reason) => (None, Some(reason.to_string())),
        Standing::Behind(at) => (Some(at), None),
        Standing::Current => (None, None),
    };
    let built = evidence_stores(list, &source.journal, reading, at, cache)?;
    Ok((Some(built), wrong.unwrap_or_else(|| "the journal has its chain".to_owned())))
}

/// Where the fresh store lies; `None` where nothing in the journal concerns such a store.
fn fresh_path(built: &BuiltStores, store: StoreName) -> Result<Option<&Path>, StoreSalvageError> {
    let has = built.places.has(store).map_err(EvidenceError::from)?;
    match &built.lag {
        // It could not be built: that is not to say that the journal has nothing.
        Some(lag) if !has && lag.starts_with(store.as_str()) => {
            let path = built.places.path(store).to_owned();
            let source = io::Error::other(lag.clone());
            let store = StoreError::Io { path, doing: "building it from the journal", source };
            Err(RemainsError::from(store).into())
        }
        _ => Ok(has.then(|| built.places.path(store))),
    }
}
