//! A look at memory that writes nothing: as it is, as it was, in a copy, in several journals.

use std::path::Path;

use super::{OriginArgs, operate_after};
use crate::cli::journals::Opened;
use crate::cli::{CliError, Context, Result, catch_up};
use crate::config::MemoryConfig;
use crate::execution::query::Stores;
use crate::journal::{Reading, clock, trust};
use crate::memory::query::{self, NodeMemory, NodeScope, Pressure};
use crate::memory::store::MemoryView;
use crate::memory::{Memory, MemoryError, Operation};
use crate::output::wire::OfJournal;

pub struct Look<'v> {
    /// The journal's name, where there are several.
    pub journal: Option<&'v str>,
    /// Where its events are read, and how.
    pub path: &'v Path,
    pub reading: Reading,
    pub stores: &'v Stores,
    pub view: MemoryView<'v>,
    /// When it is looked at: values whose time is over are not there.
    pub now_ms: u64,
    pub config: &'v MemoryConfig,
}

impl Look<'_> {
    pub fn named(&self, name: &str) -> Result<String> {
        let found = query::branch_of(&self.view, name)?;
        Ok(found.ok_or_else(|| MemoryError::NoBranch { name: name.to_owned() })?)
    }

    pub fn pressure(&self, branch: &str) -> Result<Pressure> {
        Ok(query::pressure(&self.view, branch, self.config, self.now_ms)?)
    }

    /// What a branch sees, its newest `records` of the archive.
    pub fn layers(&self, branch: &str, scope: NodeScope, records: u64) -> Result<NodeMemory> {
        let sizes = (size(self.config.recall_max_events), size(records));
        let found = query::node_read(&self.view, branch, scope, sizes, self.now_ms)?;
        Ok(found.ok_or_else(|| MemoryError::NoBranch { name: branch.to_owned() })?)
    }
}

/// Whether what was asked for is only to be looked at: the past, a copy, several journals.
pub fn is_asked(context: &Context) -> bool {
    context.must_write().is_err() || context.project().is_ok_and(|project| !project.is_at_home())
}

/// Looks at the memory of every journal that was asked about, as of `--at` where that was given.
pub fn each<T>(
    context: &mut Context,
    mut look: impl FnMut(&Look<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let opened = catch_up::open_all(context)?;
    let mut found = Vec::with_capacity(opened.len());
    for one in &opened {
        let Some(memory) = one.stores.memory()? else { continue };
        let view = memory.view_beside(&one.stores.index)?;
        // The past is looked at as it was then.
        let now_ms = if one.at.is_some() { view.last_ms()? } else { clock::now_ms() };
        let config = config(one);
        let journal = one.name.as_deref();
        let (path, reading, stores) = (one.journal.as_path(), one.reading(), &one.stores);
        let config = &config;
        found.push(look(&Look { journal, path, reading, stores, view, now_ms, config })?);
    }
    Ok(found)
}

/// Looks at a branch wherever there is one of this name.
pub fn branch<T>(
    name: &str,
    context: &mut Context,
    mut look: impl FnMut(&Look<'_>, &str) -> Result<T>,
) -> Result<Vec<T>> {
    let found = each(context, |one| match query::branch_of(&one.view, name)? {
        Some(branch) => look(one, &branch).map(Some),
        None => Ok(None),
    })?;
    let found: Vec<T> = found.into_iter().flatten().collect();
    if !found.is_empty() {
        return Ok(found);
    }
    Err(nowhere(name, context)?)
}

/// Why no branch of this name was found.
fn nowhere(name: &str, context: &mut Context) -> Result<CliError> {
    let name = name.to_owned();
    // The past may not have it yet.
    let Some(at) = context.at.take() else { return Ok(MemoryError::NoBranch { name }.into()) };
    let now = each(context, |one| Ok(query::branch_of(&one.view, &name)?.is_some()));
    context.at = Some(at.clone());
    Ok(match now?.contains(&true) {
        true => MemoryError::NotYet { name, at }.into(),
        false => MemoryError::NoBranch { name }.into(),
    })
}

/// What a branch sees: looked at where nothing may be recorded, else asked for, which is recorded.
pub fn seen<T>(
    name: &str,
    origin: &OriginArgs,
    context: &mut Context,
    look: impl FnMut(&Look<'_>, &str) -> Result<T>,
    ask: impl FnOnce(&mut Operation<'_>) -> Result<T, MemoryError>,
) -> Result<Vec<OfJournal<T>>, CliError> {
    seen_after(|_| Ok(None), name, origin, context, look, ask)
}

/// As [`seen`]; before what is asked for, a model is asked. Where nothing may be recorded none is.
pub fn seen_after<T>(
    before: impl FnOnce(&mut Memory<'_>) -> Result<Option<String>, MemoryError>,
    name: &str,
    origin: &OriginArgs,
    context: &mut Context,
    mut look: impl FnMut(&Look<'_>, &str) -> Result<T>,
    ask: impl FnOnce(&mut Operation<'_>) -> Result<T, MemoryError>,
) -> Result<Vec<OfJournal<T>>, CliError> {
    if !is_asked(context) {
        return Ok(vec![OfJournal::only(operate_after(before, origin, context, ask)?.done)]);
    }
    branch(name, context, |one, branch| Ok(OfJournal::of(one.journal, look(one, branch)?)))
}

/// The settings of the journal's project, the built-in ones where it has none that can be read.
fn config(opened: &Opened) -> MemoryConfig {
    let folder = opened.journal.parent();
    let read = folder.map(|folder| trust::config_at(&folder.join("config.toml")));
    // Sizes alone are asked for: no model is.
    let memory = read.map(|read| read.config.memory).unwrap_or_default();
    MemoryConfig { importance_model: None, embed: None, ..memory }
}

/// A number of the settings as a size.
pub fn size(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
