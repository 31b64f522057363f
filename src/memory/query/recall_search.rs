//! Events that have one of some words: what happened is looked for wider than what was put away.

use super::recall::Visible;
use super::search::Terms;
use super::{RecallEvent, chain};
use crate::execution::query::QueryError;
use crate::memory::store::MemoryView;

/// The newest events that a branch sees and that have one of the words of a query, in their kind,
/// text or tags, at most `k`. A query without a word finds every event.
pub fn recall_search(
    view: &MemoryView<'_>,
    branch: &str,
    query: &str,
    k: usize,
) -> Result<Vec<RecallEvent>, QueryError> {
    let terms = Terms::of(query);
    let mut visible = Visible::of(view, &chain(view, branch)?, 0)?;
    let mut found = Vec::new();
    while found.len() < k
        && let Some(event) = visible.take()?
    {
        let texts = [&event.kind, &event.text].into_iter().chain(&event.tags);
        if terms.is_any_in(texts.map(String::as_str)) {
            found.push(event);
        }
    }
    Ok(found)
}
