//! `annals trace`: the causal chain of a file or a symbol, or everything around an execution.

mod around;
pub mod chain;
mod commit;

use std::path::{Path, PathBuf};

use super::{Context, Exit, Result, catch_up, journals};
use crate::cli::journals::Opened;
use crate::execution::query::{After, Commit, ExecutionSummary, QueryError, Reference, Stores};

/// What led to what: the history of a file or symbol, or around a call
///
/// A chain has every execution that the graph links to the file or the symbol, in order of time:
/// what it did there, how it ended, what it changed, which diagnostics it produced, and which of
/// them a later check of the same target no longer showed.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A path, a symbol, or an execution: 142 (its number in `annals log`), @4711 (an event's
    /// sequence), a UUID's beginning, or `last`; a commit that was made in a session
    what: String,
    /// WHAT is a symbol, whatever it looks like
    #[arg(long)]
    symbol: bool,
    /// Only the symbol that this file defines
    #[arg(long, value_name = "PATH")]
    file: Option<String>,
    /// Only what came before this diagnostic was first produced: a code (E0425: its newest), or the
    /// name that --json gives
    #[arg(long, value_name = "DIAGNOSTIC")]
    before: Option<String>,
    /// How many steps; around an execution, how many on each side
    #[arg(short = 'n', long, value_name = "COUNT")]
    number: Option<usize>,
    /// Only steps before the last page: the value that page printed
    #[arg(long, value_name = "PLACE")]
    after: Option<After>,
}

/// Steps of a chain where nobody said how many.
const STEPS: usize = 50;
/// Neighbours on each side where nobody said how many.
const SPAN: usize = 3;

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let opened = catch_up::open_all(context)?;
    match What::of(&args, &opened)? {
        What::Execution { at, reference } => {
            let found = opened[at].stores.around(&reference, args.number.unwrap_or(SPAN))?;
            around::print(&found, context)?;
        }
        What::Commit { at, commit } => commit::print(&opened[at], &commit, context)?,
        What::Chain(asked) => chain::print(&asked, &args, &opened, context)?,
    }
    Ok(Exit::Fine)
}

pub enum What {
    /// An execution, of the journal at this place in the list.
    Execution {
        at: usize,
        reference: Reference,
    },
    /// A commit that was made in a session.
    Commit {
        at: usize,
        commit: Box<Commit>,
    },
    Chain(Asked),
}

pub struct Asked {
    pub name: String,
    pub is_symbol: bool,
}

impl What {
    /// A path has a `/` or a `.`; an execution is one that some journal knows; anything else that a
    /// graph knows as a symbol is one.
    pub fn of(args: &Args, opened: &[Opened]) -> Result<Self> {
        let name = args.what.as_str();
        let chain = |is_symbol| Ok(Self::Chain(Asked { name: name.to_owned(), is_symbol }));
        if args.symbol || args.file.is_some() {
            return chain(true);
        }
        if name.contains('/') || known(opened, name, false)? {
            return chain(false);
        }
        // As a file it is not known, so that a reference can only be one.
        let unknown = match Reference::parse(name) {
            Ok(reference) => {
                let at = |it: &ExecutionSummary| (it.at_ms, it.sequence);
                match journals::only(opened, &reference, |it| it.resolve(&reference), at) {
                    Err(error) if matches!(error.below(), Some(QueryError::NotFound { .. })) => {
                        Some(error)
                    }
                    found => return found.map(|(at, _)| Self::Execution { at, reference }),
                }
            }
            Err(_) => None,
        };
        if known(opened, name, true)? {
            return chain(true);
        }
        for (at, one) in opened.iter().enumerate() {
            let commit = match one.stores.commit(name)? {
                None => super::sessions::commits::logged(one, name)?,
                told => told,
            };
            if let Some(commit) = commit {
                return Ok(Self::Commit { at, commit: Box::new(commit) });
            }
        }
        match unknown {
            Some(error) if !name.contains('.') => Err(error),
            _ => chain(false),
        }
    }
}

/// Whether any graph knows a file, or a symbol, of this name.
fn known(opened: &[Opened], name: &str, is_symbol: bool) -> Result<bool> {
    for one in opened {
        // Without a graph nothing is known, which is said when the chain is asked for.
        let Ok(graph) = one.stores.graph() else { continue };
        let found = match is_symbol {
            true => graph.execution_chain_affecting_symbol(name).is_known()?,
            false => graph.execution_chain_of_file(&path(one, name)).is_known()?,
        };
        if found {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A path from the project's root: as it was given, unless it is there in the working folder.
pub fn path(of: &Opened, given: &str) -> String {
    let root = &of.places.root;
    if let Ok(inside) = Path::new(given).strip_prefix(root) {
        return inside.to_string_lossy().into_owned();
    }
    let from_root = || {
        let cwd = std::env::current_dir().ok()?; // a deleted folder has no name
        let root = root.canonicalize().ok()?; // a copy's root is not here
        let inside: PathBuf = cwd.join(given).strip_prefix(&root).ok()?.to_owned(); // elsewhere
        let is_there = |folder: &Path| folder.join(given).exists();
        (is_there(&cwd) || !is_there(&root)).then(|| inside.to_string_lossy().into_owned())
    };
    from_root().unwrap_or_else(|| given.to_owned())
}

pub fn question<'s>(
    stores: &'s Stores,
    path: &str,
    asked: &Asked,
    args: &Args,
) -> Result<crate::execution::query::ExecutionChain<'s>, QueryError> {
    let graph = stores.code()?;
    let mut query = match asked.is_symbol {
        true => graph.execution_chain_affecting_symbol(&asked.name),
        false => graph.execution_chain_of_file(path),
    };
    if let Some(file) = &args.file {
        query = query.in_file(file);
    }
    if let Some(before) = &args.before {
        query = query.before_diagnostic(before.as_str());
    }
    Ok(query.page(args.number.unwrap_or(STEPS), args.after))
}
