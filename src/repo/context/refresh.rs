//! Brings what is known of a project's tree up to date: its map, and the symbols that a code graph has.

use std::cell::Cell;

use super::{ContextError, KeptPacks};
use crate::event::{IndexKind, Sequence};
use crate::execution::live_recorder;
use crate::execution::query::{CodeGraph, QueryError};
use crate::journal::{Project, clock};
use crate::redact::{OwnPattern, Redactor};
use crate::repo::tree::{Tree, scan, symbols};
use crate::repo::{IndexGiven, RepoWriter, identify};

#[derive(Debug)]
pub struct TreeSeen {
    /// blake3 of all that was seen: the same, and nothing was recorded.
    pub inputs: [u8; 32],
    /// Files that were read: all others stood as they did the last time.
    pub read: u64,
    /// The event that tells how the tree looks now; `None` where it looks as it did.
    pub recorded: Option<Sequence>,
    /// Why the symbols of the code graph are not up to date, where there is one.
    pub symbols_lag: Option<QueryError>,
    /// Why what the tree held could not be remembered: the next look at it takes as long.
    pub forgotten: Option<std::io::Error>,
}

/// Looks at the tree that a project lies in, and records how it looks where that has changed.
pub fn refresh_tree(project: &Project) -> Result<TreeSeen, ContextError> {
    let identity = identify(project.tree())?;
    let redactor = project.redactor();
    let cache = KeptPacks::of(project).tree(&identity.top);
    let of = read_by(project.settings().patterns());
    let tree = Tree {
        top: &identity.top,
        cache: Some(&cache),
        of: &of,
        redactor: &redactor,
        scan_ms: clock::now_ms(),
    };
    let scanned = scan(&tree)?;
    let content = serde_json::to_string(&scanned.map)?;
    let (inputs, files) = (*blake3::hash(content.as_bytes()).as_bytes(), scanned.map.files);
    let make = Box::new(move || Some((content, files)));
    let lag = Cell::new(None);
    let mut given = vec![IndexGiven { kind: IndexKind::RepoMap, inputs, make }];
    match symbols_of(project, &redactor, &lag) {
        Ok(index) => given.extend(index),
        // Somebody else's file: nothing else depends on it.
        Err(error) => lag.set(Some(error)),
    }
    let mut all = blake3::Hasher::new();
    for one in &given {
        all.update(&one.inputs);
    }
    let inputs = *all.finalize().as_bytes();
    let mut recorder = live_recorder(project);
    let done = RepoWriter::new(project, &mut recorder, None).store_indexes(given)?;
    recorder.finish()?;
    Ok(TreeSeen {
        inputs,
        read: scanned.read,
        recorded: done.sequence,
        symbols_lag: lag.into_inner(),
        forgotten: scanned.forgotten,
    })
}

/// Who reads a tree, and what they take out: whoever reads it otherwise does not believe what was
/// remembered of it.
fn read_by(patterns: &[OwnPattern]) -> Vec<u8> {
    let mut of = Vec::new();
    let mut part = |text: &str| {
        of.extend((text.len() as u64).to_le_bytes());
        of.extend(text.as_bytes());
    };
    part(env!("CARGO_PKG_VERSION"));
    for pattern in patterns {
        part(pattern.name());
        part(pattern.written());
        part(if pattern.is_foreign() { "foreign" } else { "own" });
    }
    of
}

/// The index of symbols, made where the graph's symbols are others than they were; `None` where there
/// is no graph. Why it could not be made is left in `lag`.
fn symbols_of<'a>(
    project: &Project,
    redactor: &'a Redactor,
    lag: &'a Cell<Option<QueryError>>,
) -> Result<Option<IndexGiven<'a>>, QueryError> {
    let path = project.code_graph_path();
    // A link, or what is no file, is nobody's graph.
    if !path.symlink_metadata().is_ok_and(|about| about.is_file()) {
        return Ok(None);
    }
    let graph = CodeGraph::open(&path)?;
    let inputs = *blake3::hash(graph.symbols_mark()?.as_bytes()).as_bytes();
    let make = move || match symbols(&graph, redactor) {
        Ok(index) if index.symbols == 0 => None,
        Ok(index) => {
            let files = index.files.len() as u64 + index.left_out;
            serde_json::to_string(&index).ok().map(|content| (content, files)) // always
        }
        Err(error) => {
            lag.set(Some(error));
            None
        }
    };
    Ok(Some(IndexGiven { kind: IndexKind::Symbols, inputs, make: Box::new(make) }))
}
