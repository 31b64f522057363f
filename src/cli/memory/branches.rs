//! `annals memory branches`, `fork`, `diff`: branches, how they begin, and where they differ.

use std::collections::BTreeSet;

use super::{Done, OriginArgs, look, operate, print};
use crate::cli::journals::Opened;
use crate::cli::rows::{self, short};
use crate::cli::{CliError, Context, Exit, Result, catch_up};
use crate::event::Sequence;
use crate::memory::query::{self, BranchSummary, Difference, MemoryDiff, MemorySide};
use crate::memory::{Forked, MemoryError};
use crate::output::stream::Colour;
use crate::output::wire::OfJournal;
use crate::output::{escape, time};

/// Branches, oldest first
#[derive(clap::Args, Debug)]
pub struct Branches {
    /// Only this branch and what was forked from it
    #[arg(value_name = "BRANCH")]
    below: Option<String>,
}

impl Branches {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        let found = look::each(context, |one| {
            let mut all = query::branches(&one.view)?;
            if let Some(name) = &self.below {
                let top = query::branch_of(&one.view, name)?;
                all = top.map(|top| below(all, top)).unwrap_or_default();
            }
            Ok(all.into_iter().map(|row| OfJournal::of(one.journal, row)).collect::<Vec<_>>())
        })?;
        let found: Vec<OfJournal<BranchSummary>> = found.into_iter().flatten().collect();
        if let (Some(name), true) = (&self.below, found.is_empty()) {
            return Err(MemoryError::NoBranch { name: name.clone() }.into());
        }
        let titles =
            ["branch", "parent", "node", "forked", ">children", ">core", ">recall", ">archival"];
        let cells = |it: BranchSummary, context: &Context| {
            let node = it.node.filter(|node| *node != it.branch).unwrap_or_default();
            let forked = time::local(it.created_ms, &context.zone);
            let [children, core, recall, archival] =
                [it.children, it.core, it.recall, it.archival].map(|count| count.to_string());
            let parent = it.parent.unwrap_or_default();
            (None, [it.branch, parent, node, forked, children, core, recall, archival])
        };
        let none = "Nothing is remembered yet. Next: annals memory fork NAME";
        rows::listed(found, &titles, none, cells, context)
    }
}

/// A branch and what was forked from it, in the order in which all stand. A parent stands before its
/// children.
fn below(all: Vec<BranchSummary>, top: String) -> Vec<BranchSummary> {
    let mut inside = BTreeSet::from([top]);
    let mut found = Vec::new();
    for branch in all {
        let under = branch.parent.as_ref().is_some_and(|parent| inside.contains(parent));
        if under || inside.contains(&branch.branch) {
            inside.insert(branch.branch.clone());
            found.push(branch);
        }
    }
    found
}

/// Fork a branch; with --at, from its state then
///
/// The same once more changes nothing. With --at the new branch is a root that holds copies of what its
/// origin saw at that moment, under new numbers, at their own times.
#[derive(clap::Args, Debug)]
pub struct Fork {
    /// The new branch's name
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

impl Fork {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        let done = match context.at.clone() {
            Some(at) => self.fork_of_the_past(&at, context)?,
            None => self.now(context)?,
        };
        let forked = &done.done;
        let from = forked.parent.as_ref().map(|parent| format!(" from {parent}"));
        let from = from.unwrap_or_default();
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
        done.tell(&sentence, context)
    }

    fn now(&self, context: &mut Context) -> Result<Done<Forked>> {
        let (name, from) = (self.name.as_str(), self.from.as_deref());
        operate(&self.origin, context, |op| match self.origin.node.as_deref() {
            Some(node) if self.chain.is_empty() => {
                op.primitive(|op| op.create_branch(from, Some(node), name))
            }
            _ => op.mem_node_fork(from, name, &self.chain, None),
        })
    }

    fn fork_of_the_past(&self, at: &str, context: &mut Context) -> Result<Done<Forked>> {
        let Some(from) = self.from.as_deref().filter(|_| self.chain.is_empty()) else {
            let what = "--at copies what another branch saw: name it with --from, without --chain";
            return Err(CliError::Refused { what });
        };
        let (then, through) = then(context)?;
        let no_branch = || MemoryError::NoBranch { name: from.to_owned() };
        let memory = then.stores.memory()?.ok_or_else(no_branch)?;
        context.at = None;
        let node = self.origin.node.as_deref();
        let done = operate(&self.origin, context, |op| {
            op.fork_at(&self.name, node, from, &memory.view(), through)
        });
        context.at = Some(at.to_owned());
        done
    }
}

/// The project's stores as they were, and the last event that they know.
pub fn then(context: &mut Context) -> Result<(Opened, Sequence)> {
    let mut opened = catch_up::open_all(context)?;
    let only = opened.pop().filter(|_| opened.is_empty());
    let what = "--at asks about one project: give one --dir";
    let only = only.ok_or(CliError::Refused { what })?;
    let through = only.at.ok_or(CliError::Refused { what: "--at names no moment" })?;
    Ok((only, through))
}

/// Compare what two branches see: keys, events, records
#[derive(clap::Args, Debug)]
pub struct Diff {
    /// A branch, or the node it stands for
    a: String,
    /// The other
    b: String,
    /// End with 1 where they differ
    #[arg(long)]
    exit_code: bool,
}

impl Diff {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        let found = look::each(context, |one| {
            let (a, b) = (one.named(&self.a)?, one.named(&self.b)?);
            let side = |branch| MemorySide { view: one.view, branch, now_ms: one.now_ms };
            Ok(query::diff(&side(&a), &side(&b))?)
        })?;
        if found.is_empty() {
            return Err(MemoryError::NoBranch { name: self.a }.into());
        }
        if !context.output.as_json_of_journals(&found)? {
            for one in &found {
                print_diff(one, context)?;
            }
        }
        let alike = found.iter().all(MemoryDiff::is_empty);
        Ok(if self.exit_code && !alike { Exit::Findings } else { Exit::Fine })
    }
}

fn print_diff(one: &MemoryDiff, context: &mut Context) -> Result<()> {
    if one.is_empty() {
        context.output.line(escape::line(&format!("{} and {} see the same", one.a, one.b)))?;
        return Ok(());
    }
    let zone = context.zone.clone();
    let at = |at_ms: u64| time::local(at_ms, &zone);
    let keys = sides(&one.core, |it| format!("{}: {}", it.key, short(&it.value)));
    let events =
        sides(&one.recall, |it| format!("{} [{}] {}", at(it.at_ms), it.kind, short(&it.text)));
    let summaries = sides(&one.summaries, |it| format!("[{}] {}", it.kind, short(&it.text)));
    let records = sides(&one.archival, |it| format!("{} {}", at(it.at_ms), short(&it.text)));
    let parts =
        [("keys", keys), ("events", events), ("summaries", summaries), ("records", records)];
    for (what, lines) in parts.into_iter().filter(|(_, lines)| !lines.is_empty()) {
        print::heading(what, context)?;
        for (sign, text) in lines {
            let colour = if sign == '-' { Colour::Red } else { Colour::Green };
            let line = format!("  {sign} {}", escape::line(&text));
            context.output.coloured(colour, &line)?;
        }
    }
    let text = format!("- only {} sees, + only {}", one.a, one.b);
    Ok(context.output.coloured(Colour::Dim, escape::line(&text))?)
}

/// Whether only the first sees it (`-`) or only the second (`+`), and what.
type Side = (char, String);

fn sides<T>(difference: &Difference<T>, told: impl Fn(&T) -> String) -> Vec<Side> {
    let mut lines: Vec<Side> = difference.only_a.iter().map(|it| ('-', told(it))).collect();
    for pair in &difference.different {
        lines.extend([('-', told(&pair.a)), ('+', told(&pair.b))]);
    }
    lines.extend(difference.only_b.iter().map(|it| ('+', told(it))));
    lines
}
