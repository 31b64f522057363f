//! The map of a tree from what is known of its files, and the index of symbols from a code graph that
//! somebody keeps: of bounded size, the most useful first.

use std::collections::BTreeMap;

use super::outline::has;
use super::{
    ENTRIES_MAX, FOLDERS_BYTES_MAX, Fact, INDEX_BYTES_MAX, LANGUAGES_MAX, NAME_CHARS_MAX,
    PATH_BYTES_MAX, TOLD_DEFINITIONS_MAX,
};
use crate::event::Ordered;
use crate::execution::query::{CodeGraph, QueryError};
use crate::redact::Redactor;
use crate::repo::map::{
    FileSymbols, LanguageCount, LeftOut, MappedFolder, OutlinedFile, RepoMap, SymbolsIndex, VERSION,
};

/// Names of files that a program begins in, or a reader.
const ENTRIES: &str = "main.rs lib.rs main.py __main__.py app.py manage.py main.go index.ts index.tsx \
    index.js main.ts main.js app.ts app.js server.ts server.js main.c main.cc main.cpp \
    Main.java Program.cs main.swift Main.kt README.md Makefile";
/// Folders of what is told last.
const ASIDE: &str = "test tests __tests__ spec specs fixtures testdata vendor third_party node_modules \
    dist generated examples benches";
/// What the braces and counts of a map take, bytes of JSON.
const FRAME_BYTES: usize = 512;

/// The map of these files; no secret is in it.
pub fn build(facts: &[Fact], redactor: &Redactor) -> RepoMap {
    let mut left = INDEX_BYTES_MAX - FRAME_BYTES;
    let (folders, folders_left_out) = folders(facts, redactor, &mut left);
    let mut outlined: Vec<_> = facts
        .iter()
        .filter_map(|fact| Some((fact, fact.outline()?)))
        .filter(|(_, outline)| !outline.definitions.is_empty())
        .map(|(fact, outline)| (Rank::of(fact, outline.definitions.len(), outline.more), fact))
        .collect();
    outlined.sort_unstable_by(|(a, fact), (b, other)| (a, &fact.path).cmp(&(b, &other.path)));
    // Of the entry points of a hundred small programs, the nearest stand for all.
    let entries = outlined.iter().take_while(|(rank, _)| rank.is_entry()).count();
    if entries > ENTRIES_MAX {
        outlined[ENTRIES_MAX..].sort_unstable_by(|(a, fact), (b, other)| {
            (a.as_any(), &fact.path).cmp(&(b.as_any(), &other.path))
        });
    }
    let mut outlines = Vec::new();
    for (_, fact) in &outlined {
        let Some(file) = outlined_file(fact, redactor) else { continue };
        let Some(rest) = left.checked_sub(json_bytes(&file)) else { break };
        left = rest;
        outlines.push(file);
    }
    let left_out = LeftOut {
        folders: folders_left_out,
        outlines: (outlined.len() - outlines.len()) as u64,
        unread: facts.iter().filter(|fact| fact.is_unread()).count() as u64,
    };
    RepoMap { version: VERSION, files: facts.len() as u64, folders, outlines, left_out }
}

/// A folder while its files are counted.
#[derive(Default)]
struct Folder {
    files: u64,
    languages: BTreeMap<&'static str, u64>,
}

impl Folder {
    fn add(&mut self, other: &Self) {
        self.files += other.files;
        for (language, files) in &other.languages {
            *self.languages.entry(language).or_default() += files;
        }
    }
}

/// Every folder with all that is below it, by path. Of neighbours in one folder the folders above are
/// told at once: `facts` are in the order of their paths.
fn counted(facts: &[Fact]) -> BTreeMap<&str, Folder> {
    let mut all: BTreeMap<&str, Folder> = BTreeMap::from([(".", Folder::default())]);
    let folder = |fact: &Fact| fact.path.rfind('/').unwrap_or(0);
    for run in facts.chunk_by(|a, b| a.path[..folder(a)] == b.path[..folder(b)]) {
        let Some(first) = run.first() else { continue };
        let mut own = Folder::default();
        for fact in run {
            own.files += 1;
            if let Some(language) = fact.language {
                *own.languages.entry(language.name).or_default() += 1;
            }
        }
        let ends = first.path.match_indices('/').map(|(at, _)| &first.path[..at]);
        for path in std::iter::once(".").chain(ends) {
            all.entry(path).or_default().add(&own);
        }
    }
    all
}

/// The folders that there is room for, by path, and how many are left out: the nearest to the top
/// stay, and of those as near the ones with most files.
fn folders(facts: &[Fact], redactor: &Redactor, left: &mut usize) -> (Vec<MappedFolder>, u64) {
    let all = counted(facts);
    let mut ranked: Vec<_> = all.iter().collect();
    let depth = |path: &str| if path == "." { 0 } else { 1 + path.matches('/').count() };
    ranked.sort_by_cached_key(|(path, folder)| {
        (depth(path), std::cmp::Reverse(folder.files), **path)
    });
    let before = *left;
    let mut told = Vec::new();
    for (path, folder) in &ranked {
        let folder = mapped(path, folder, redactor);
        let bytes = json_bytes(&folder);
        if before - *left + bytes > FOLDERS_BYTES_MAX {
            break;
        }
        *left -= bytes;
        told.push((path, folder));
    }
    let left_out = (ranked.len() - told.len()) as u64;
    told.sort_unstable_by_key(|(path, _)| **path);
    (told.into_iter().map(|(_, folder)| folder).collect(), left_out)
}

fn mapped(path: &str, folder: &Folder, redactor: &Redactor) -> MappedFolder {
    let mut languages: Vec<_> =
        folder.languages.iter().map(|(name, files)| (*files, *name)).collect();
    languages.order_by_key(|(files, name)| (std::cmp::Reverse(*files), *name));
    let count = |(files, name): (u64, &str)| LanguageCount { language: name.to_owned(), files };
    let languages = languages.into_iter().take(LANGUAGES_MAX).map(count).collect();
    MappedFolder { path: redactor.redact_text(path), files: folder.files, languages }
}

fn outlined_file(fact: &Fact, redactor: &Redactor) -> Option<OutlinedFile> {
    let (outline, language) = (fact.outline()?, fact.language?);
    let told = outline.definitions.iter().take(TOLD_DEFINITIONS_MAX);
    let more = outline.definitions.len().saturating_sub(TOLD_DEFINITIONS_MAX) as u64;
    (fact.path.len() <= PATH_BYTES_MAX).then(|| OutlinedFile {
        path: redactor.redact_text(&fact.path),
        language: language.name.to_owned(),
        definitions: told.cloned().collect(),
        more: more + u64::from(outline.more),
    })
}

/// What a file is told by: the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// 0: an entry point; 1: a program's text; 2: prose; 3: what is told last.
    group: u8,
    depth: usize,
    /// The most first.
    fewer: u64,
}

impl Rank {
    fn of(fact: &Fact, definitions: usize, more: u32) -> Self {
        let (folders, name) = fact.path.rsplit_once('/').unwrap_or(("", &fact.path));
        let aside = folders.split('/').any(|folder| has(ASIDE, folder));
        let group = match (aside, has(ENTRIES, name)) {
            (true, _) => 3,
            (false, true) => 0,
            (false, false) if fact.language.is_some_and(|language| language.is_prose()) => 2,
            (false, false) => 1,
        };
        let depth = if group == 0 { fact.path.matches('/').count() } else { 0 };
        let count = definitions as u64 + u64::from(more);
        Self { group, depth, fewer: u64::MAX - count }
    }

    fn is_entry(&self) -> bool {
        self.group == 0
    }

    /// As if it were no entry point.
    fn as_any(&self) -> Self {
        Self { group: self.group.max(1), depth: 0, ..*self }
    }
}

/// What a part of an index takes, with the comma behind it.
fn json_bytes(part: &impl serde::Serialize) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(1);
    // Nothing in it has a key that is no text: that alone could fail.
    match serde_json::to_writer(&mut count, part) {
        Ok(()) => count.0,
        Err(_) => usize::MAX / 4,
    }
}

/// More of them have no room, however short they are.
const SYMBOL_FILES_MAX: usize = 1_024;

/// What a graph says of symbols, of bounded size; no secret is in it.
pub fn symbols(graph: &CodeGraph, redactor: &Redactor) -> Result<SymbolsIndex, QueryError> {
    let found = graph.most_defining(SYMBOL_FILES_MAX, TOLD_DEFINITIONS_MAX)?;
    let mut left = INDEX_BYTES_MAX - 256; // braces and counts
    let mut files = Vec::new();
    for file in found.most {
        if file.path.len() > PATH_BYTES_MAX {
            continue;
        }
        let symbols: Vec<_> =
            file.symbols.iter().map(|symbol| cut_symbol(&redactor.redact_text(symbol))).collect();
        let more = file.count.saturating_sub(symbols.len() as u64);
        let file = FileSymbols { path: redactor.redact_text(&file.path), symbols, more };
        let Some(rest) = left.checked_sub(json_bytes(&file)) else { break };
        left = rest;
        files.push(file);
    }
    files.order_by(|a, b| a.path.cmp(&b.path));
    let left_out = found.files.saturating_sub(files.len() as u64);
    Ok(SymbolsIndex { version: VERSION, symbols: found.symbols, files, left_out })
}

fn cut_symbol(symbol: &str) -> String {
    let plain = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    symbol.chars().take(NAME_CHARS_MAX).map(plain).collect()
}
