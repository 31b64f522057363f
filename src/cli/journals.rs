//! The journals that are asked about, for what needs nothing but them: no store, no writing.

use std::path::PathBuf;

use super::{CliError, Context, catch_up};
use crate::event::Sequence;
use crate::execution::query::Reference;
use crate::execution::replay::{Asked, Bound, Window};
use crate::journal::{Reading, Source, clock};
use crate::output::time;

/// A journal to be read.
pub struct Named {
    /// What its rows are told from others' by; `None` where it is the only one.
    pub name: Option<String>,
    /// Its folder, one segment of it, or a bundle.
    pub journal: PathBuf,
    pub reading: Reading,
    pub source: Source,
}

/// Every journal that is asked about.
pub fn named(context: &Context) -> Result<Vec<Named>, CliError> {
    let sources = context.sources()?;
    let several = sources.len() > 1;
    let names = catch_up::names(&sources);
    let named = |(source, name): (Source, String)| Named {
        name: several.then_some(name),
        journal: source.journal.clone(),
        reading: source.reading(context.evidence),
        source,
    };
    Ok(sources.into_iter().zip(names).map(named).collect())
}

/// The part of a journal that is asked for, `--at` included.
pub fn window(
    asked: &Asked,
    journal: &std::path::Path,
    reading: Reading,
    context: &Context,
) -> Result<Window, CliError> {
    let mut window = asked.window(journal, reading)?;
    if let Some(at) = at(journal, reading, context)? {
        window.through = Some(window.through.map_or(at, |through| through.min(at)));
    }
    Ok(window)
}

fn at(
    journal: &std::path::Path,
    reading: Reading,
    context: &Context,
) -> Result<Option<Sequence>, CliError> {
    let Some(text) = context.at.as_deref() else { return Ok(None) };
    if let Ok(time_ms) = time::parse(text, clock::now_ms(), &context.zone) {
        // What was recorded in that millisecond was there then.
        let after = time_ms.saturating_add(1);
        return Ok(Some(crate::store::evidence::sequence_before(journal, reading, after)?));
    }
    let to = Some(Bound::Reference(Reference::parse(text)?));
    Ok(Asked { to, ..Asked::default() }.window(journal, reading)?.through)
}
