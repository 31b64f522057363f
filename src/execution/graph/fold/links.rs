//! Which edges an execution has: spec 000's required patterns, with rulings 8, 9 and 10.

use std::borrow::Cow;

use crate::event::{ExecutionStarted, Outcome};
use crate::execution::closed::Closed;
use crate::execution::foresight::Ended;
use crate::execution::graph::{
    ChangeType, DiagnosticNode, FileKey, Link, Operation, QueryType, Roots,
};
use crate::parse::check::diagnostic::Diagnostic;
use crate::parse::check::{self, CheckRules};

/// An execution's edges, and the files that it named: where its symbols are looked for first.
#[derive(Debug, Default)]
pub(crate) struct Linked<'a> {
    pub files: Vec<FileKey>,
    pub links: Vec<Link<'a>>,
}

struct Pattern {
    executed_on: Option<Operation>,
    affected: Option<Affects>,
    referenced: Option<QueryType>,
    /// Whether its diagnostics are its own making.
    produced: bool,
}

#[derive(Clone, Copy)]
struct Affects {
    /// It makes files: every one it changes is a new one.
    creates: bool,
    /// Where it went well and says of no file that it changed, it changed those it named.
    named: bool,
}

const NOTHING: Pattern =
    Pattern { executed_on: None, affected: None, referenced: None, produced: false };
/// Of what somebody says that it changed.
const TOLD: Option<Affects> = Some(Affects { creates: false, named: false });

fn pattern(tool: &str) -> Pattern {
    let on = |operation| Pattern { executed_on: Some(operation), ..NOTHING };
    let about = |query| Pattern { referenced: Some(query), ..NOTHING };
    let affects = |creates, named| Some(Affects { creates, named });
    match tool {
        "file_read" => on(Operation::Read),
        "file_write" => Pattern { affected: TOLD, ..on(Operation::Write) },
        "file_create" => Pattern { affected: affects(true, true), ..on(Operation::Create) },
        "file_edit" => Pattern { affected: affects(false, true), ..on(Operation::Edit) },
        "splice_patch" => Pattern {
            affected: affects(false, true),
            referenced: Some(QueryType::TargetSymbol),
            produced: true,
            ..on(Operation::Patch)
        },
        "splice_plan" => on(Operation::Plan),
        "lsp_check" => Pattern { affected: TOLD, produced: true, ..on(Operation::Check) },
        "symbols_in_file" => about(QueryType::SymbolsInFile),
        "references_to_symbol_name" => about(QueryType::ReferencesToSymbolName),
        "references_from_file_to_symbol_name" => about(QueryType::ReferencesFromFileToSymbol),
        // Every tool that the contract says nothing of, a shell's command too: what it surely changed.
        "file_search" | "file_glob" => NOTHING,
        _ => Pattern { affected: TOLD, ..NOTHING },
    }
}

/// The edges of an execution. One that was refused never ran: it has none. `found`: what it came to, where that is
/// known already.
pub(crate) fn of<'a>(
    closed: Closed<'a>,
    start: Option<&'a ExecutionStarted>,
    found: Option<&Ended>,
    roots: &Roots,
    own: &CheckRules,
) -> Linked<'a> {
    if closed.outcome == Outcome::Refused {
        return Linked::default();
    }
    let read = |start: &ExecutionStarted| check::command_of(&start.arguments.0, own);
    let command = match found {
        Some(found) => found.command().map(Cow::Borrowed),
        None => start.and_then(read).map(Cow::Owned),
    };
    // A check has the same edges, whatever tool it was called by (ruling 18).
    let pattern = pattern(if command.is_some() { "lsp_check" } else { closed.tool });
    let cwd = start.and_then(|start| start.cwd.as_deref());
    let started = start.map(|start| start.paths.as_slice()).unwrap_or_default();
    let ended = closed.closing.map(|closing| closing.paths.as_slice()).unwrap_or_default();
    let mut files: Vec<FileKey> = Vec::new();
    for path in started.iter().chain(ended).filter(|path| !path.is_empty()) {
        add(&mut files, roots.key(path, cwd));
    }
    let found = match (pattern.produced, found) {
        (true, Some(found)) => found.judged.diagnostics.clone(),
        (true, None) => closed.diagnostics(command.as_deref(), own),
        (false, _) => Vec::new(),
    };
    let mut links = Vec::new();
    match pattern.executed_on {
        Some(Operation::Check) => checked(&files, &found, cwd, roots, &mut links),
        Some(operation) => {
            let on = |file: &FileKey| Link::ExecutedOn { file: file.clone(), operation };
            links.extend(files.iter().filter(|file| !file.is_root()).map(on));
        }
        None => {}
    }
    if let Some(affects) = pattern.affected {
        affected(affects, closed, &files, cwd, roots, &mut links);
    }
    if let Some(query) = pattern.referenced {
        let started = start.map(|start| start.symbols.as_slice()).unwrap_or_default();
        let ended = closed.closing.map(|closing| closing.symbols.as_slice()).unwrap_or_default();
        let named = started.iter().chain(ended).map(|symbol| symbol.trim());
        let named = named.filter(|symbol| !symbol.is_empty());
        links.extend(named.map(|symbol| Link::Referenced { symbol, query }));
    }
    links.extend(found.into_iter().map(|found| Link::Produced { diagnostic: node(found) }));
    Linked { files, links }
}

fn node(found: Diagnostic) -> DiagnosticNode {
    DiagnosticNode {
        identity: found.identity(),
        code: found.code,
        level: found.level,
        file_name: found.file_name,
        line_start: found.line_start,
        message: found.message,
    }
}

/// A check of a folder was one of the files that it found fault with (ruling 8).
fn checked(
    files: &[FileKey],
    found: &[Diagnostic],
    cwd: Option<&str>,
    roots: &Roots,
    links: &mut Vec<Link<'_>>,
) {
    let told = found.iter().filter_map(|diagnostic| diagnostic.file_name.as_deref());
    let mut diagnosed: Vec<FileKey> = Vec::new();
    for file in told {
        add(&mut diagnosed, roots.told_key(file, cwd));
    }
    let mut targets: Vec<FileKey> = Vec::new();
    if files.is_empty() {
        // It says not what it checked: what it found fault with, it checked.
        targets.clone_from(&diagnosed);
    }
    for file in files {
        let below = |other: &&FileKey| *other != file && file.holds(other);
        let inside: Vec<&FileKey> = diagnosed.iter().filter(below).collect();
        if inside.is_empty() && !file.looks_like_folder() {
            add(&mut targets, file.clone());
        }
        for file in inside {
            add(&mut targets, file.clone());
        }
    }
    let operation = Operation::Check;
    links.extend(targets.into_iter().map(|file| Link::ExecutedOn { file, operation }));
}

fn affected(
    affects: Affects,
    closed: Closed<'_>,
    files: &[FileKey],
    cwd: Option<&str>,
    roots: &Roots,
    links: &mut Vec<Link<'_>>,
) {
    let changed = closed.closing.map(|closing| closing.changed.as_slice()).unwrap_or_default();
    let change = |created: bool| match created || affects.creates {
        true => ChangeType::Created,
        false => ChangeType::Patched,
    };
    for changed in changed {
        let file = roots.key(&changed.path, cwd);
        links.push(Link::Affected { file, change: change(changed.created) });
    }
    if changed.is_empty() && affects.named && closed.outcome == Outcome::Ok {
        let named = |file: &FileKey| Link::Affected { file: file.clone(), change: change(false) };
        links.extend(files.iter().filter(|file| !file.is_root()).map(named));
    }
}

fn add(files: &mut Vec<FileKey>, file: FileKey) {
    if !files.contains(&file) {
        files.push(file);
    }
}
