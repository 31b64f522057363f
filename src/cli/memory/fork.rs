//! `annals memory fork`: a new branch.

use super::{Done, OriginArgs};
use crate::cli::opened::Opened;
use crate::cli::{CliError, Context, Exit, catch_up};
use crate::memory::MemoryError;
use crate::output::wire;

/// Make a branch under another; with --at, from what another saw then
///
/// The same once more changes nothing. With --at the new branch is a root that holds copies of what its
/// origin saw at that moment, under new numbers, at their own times.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The new branch's name
    #[arg(value_name = "NAME")]
    name: String,
    /// What it sees: a branch or a node [default: nothing, it is a root]
    #[arg(long, value_name = "BRANCH")]
    from: Option<String>,
    /// The ancestors from the root to the parent, with commas: those that do not exist are made
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', requires = "from")]
    chain: Vec<String>,
    #[command(flatten)]
    origin: OriginArgs,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let done = match context.at.clone() {
        Some(at) => from_the_past(&args, &at, context)?,
        None => now(&args, context)?,
    };
    let forked = &done.done;
    let from = forked.parent.as_ref().map(|parent| format!(" from {parent}")).unwrap_or_default();
    let made = match forked.auto_created.as_slice() {
        [] => String::new(),
        made => format!(", and its ancestors {}", made.join(", ")),
    };
    let name = &forked.branch;
    let sentence = match (forked.created, forked.copied) {
        (false, _) => format!("{name} is there already{from}: nothing was changed"),
        (true, 0) => format!("Forked {name}{from}{made}"),
        (true, copied) => format!("Forked {name} with copies of what was seen then: {copied}"),
    };
    crate::cli::memory::tell(&done, &sentence, context)?;
    Ok(Exit::Fine)
}

fn now(args: &Args, context: &mut Context) -> Result<Done<wire::memory::Forked>, CliError> {
    let (name, from) = (args.name.as_str(), args.from.as_deref());
    let done =
        crate::cli::memory::operate(&args.origin, context, |operation| match args.origin.node() {
            Some(node) if args.chain.is_empty() => operation.create_branch(from, Some(node), name),
            _ => operation.mem_node_fork(from, name, &args.chain, None),
        })?;
    Ok(done.map(|forked| wire::memory::Forked::of(&forked)))
}

fn from_the_past(
    args: &Args,
    at: &str,
    context: &mut Context,
) -> Result<Done<wire::memory::Forked>, CliError> {
    let Some(from) = args.from.as_deref().filter(|_| args.chain.is_empty()) else {
        let what = "--at copies what another branch saw: name it with --from, without --chain";
        return Err(CliError::Refused { what });
    };
    let (then, through) = then(context)?;
    let no_branch = || MemoryError::NoBranch { name: from.to_owned() };
    let memory = then.stores.memory()?.ok_or_else(no_branch)?;
    context.at = None;
    let node = args.origin.node();
    let done = crate::cli::memory::operate(&args.origin, context, |operation| {
        operation.fork_at(&args.name, node, from, &memory.view(), through)
    });
    context.at = Some(at.to_owned());
    Ok(done?.map(|forked| wire::memory::Forked::of(&forked)))
}

/// The project's stores as they were, and the last event that they know.
pub fn then(context: &mut Context) -> Result<(Opened, crate::event::Sequence), CliError> {
    let mut opened = catch_up::open_all(context)?;
    let only = opened.pop().filter(|_| opened.is_empty());
    let what = "--at asks about one project: give one --dir";
    let only = only.ok_or(CliError::Refused { what })?;
    let through = only.at.ok_or(CliError::Refused { what: "--at names no moment" })?;
    Ok((only, through))
}
