//! Where values still stand in what annals wrote.

use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::config::environment;
use crate::event::Sequence;
use crate::journal::scan::{Entry, Tree, scan_values};
use crate::journal::{JournalReader, Project, Reading};
use crate::redact::Redactor;
use crate::redact::value::Values;
use crate::stores::StorePlaces;

/// A place that holds a value, or that could not be looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    pub path: PathBuf,
    /// Of a journal: which record.
    pub record: Option<Sequence>,
    /// Of a file: the line of the first, from 1, and how many there are.
    pub line: Option<u64>,
    pub count: u64,
    /// Why it could not be looked at.
    pub unread: Option<String>,
}

impl Held {
    fn at(path: &Path) -> Self {
        Self { path: path.to_owned(), record: None, line: None, count: 0, unread: None }
    }

    pub(super) fn unread(path: &Path, why: &dyn std::fmt::Display) -> Self {
        Self { unread: Some(why.to_string()), ..Self::at(path) }
    }
}

/// Looks over the journal, everything below `.annals`, the stores beside it, the user's cache and what is
/// published of repositories; how many bytes there were.
pub fn everywhere(project: &Project, values: &Values) -> (Vec<Held>, u64) {
    let mut look = Look { values, redactor: Redactor::new(&[]), held: Vec::new(), bytes: 0 };
    look.below(&project.annals_dir());
    let places = StorePlaces::of(project);
    let annals = project.annals_dir();
    for store in places.list.stores {
        let path = places.path(*store);
        if !path.starts_with(&annals) {
            for suffix in ["", "-wal", "-shm", "-journal"] {
                let mut name = path.as_os_str().to_owned();
                name.push(suffix);
                look.below(Path::new(&name));
            }
        }
    }
    let published = repositories(&project.config().repo.home);
    for folder in environment::cache_folder().into_iter().chain(published) {
        look.below(&folder);
    }
    (look.held, look.bytes)
}

/// Where repositories' memories are published.
fn repositories(home: &str) -> Option<PathBuf> {
    match home.strip_prefix("~/") {
        Some(below) => Some(environment::user_home()?.join(below)),
        None => Some(PathBuf::from(home)),
    }
}

/// Looks over one file, folder or bundle.
pub fn in_path(path: &Path, values: &Values) -> Vec<Held> {
    let mut look = Look { values, redactor: Redactor::new(&[]), held: Vec::new(), bytes: 0 };
    look.below(path);
    look.held
}

struct Look<'v> {
    values: &'v Values,
    redactor: Redactor,
    held: Vec<Held>,
    bytes: u64,
}

impl Look<'_> {
    fn below(&mut self, path: &Path) {
        let tree = match Tree::of(path) {
            Ok(tree) => tree,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => return self.held.push(Held::unread(path, &error)),
        };
        for entry in tree {
            match entry {
                Entry::File { path, mut file } => self.stream(&path, &mut file),
                Entry::Journal { path } => self.journal(&path),
                Entry::Unreadable { path, source } => self.held.push(Held::unread(&path, &source)),
            }
        }
    }

    fn stream(&mut self, path: &Path, input: &mut dyn io::Read) {
        let mut held = Held::at(path);
        let read = scan_values(self.values, input, &mut |hit| {
            held.line.get_or_insert(hit.line);
            held.count += 1;
        });
        match read {
            Ok(bytes) => self.bytes += bytes,
            Err(error) => self.held.push(Held::unread(path, &error)),
        }
        if held.count > 0 {
            self.held.push(held);
        }
    }

    /// Record by record; a segment that is part of none by its bytes.
    fn journal(&mut self, path: &Path) {
        let reading = crate::stores::source::reading(
            path.parent().and_then(Path::parent).unwrap_or(path),
            false,
        );
        let reading = if path.is_dir() { reading } else { Reading::Evidence };
        let told = JournalReader::reading(path, reading)
            .and_then(|reader| Rc::new(reader).occurrences(self.values, &self.redactor));
        match told {
            Ok(told) => {
                self.bytes += told.bytes;
                for record in told.records {
                    self.held.push(Held { record: Some(record), count: 1, ..Held::at(path) });
                }
            }
            Err(error) => self.held.push(Held::unread(path, &error)),
        }
        // Frames whose payloads are not packed, and what lies between frames.
        for segment in segments(path) {
            match crate::journal::scan::open(&segment) {
                Ok(mut file) => self.stream(&segment, &mut file),
                Err(error) => self.held.push(Held::unread(&segment, &error)),
            }
        }
    }
}

fn segments(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let names = crate::journal::enclosure::names(path).unwrap_or_default();
    let paths = names.into_iter().map(|(name, _)| path.join(name));
    paths.filter(|path| path.extension().is_some_and(|it| it == "seg")).collect()
}
