//! What `--at` means in a journal: the last event that is to be known.

use super::opened::Opened;
use super::{CliError, Context};
use crate::event::Sequence;
use crate::execution::query::Reference;
use crate::journal::{Source, clock};
use crate::output::time;

/// The event that `--at` names in this journal, whose stores are open as it stands; `None` where it
/// was not given.
pub fn resolve(
    source: &Source,
    now: &Opened,
    several: bool,
    context: &Context,
) -> Result<Option<Sequence>, CliError> {
    let Some(text) = context.at.as_deref() else { return Ok(None) };
    if let Ok(time_ms) = time::parse(text, clock::now_ms(), &context.zone) {
        // What was recorded in that millisecond was there then.
        let after = time_ms.saturating_add(1);
        return Ok(Some(crate::store::evidence::sequence_before(
            &source.journal,
            now.reading(),
            after,
        )?));
    }
    let refused = |why: String| CliError::At { text: text.to_owned(), why };
    let reference = Reference::parse(text).map_err(|error| refused(error.to_string()))?;
    if several {
        return Err(refused("of several journals only a time can be asked".to_owned()));
    }
    let at = match reference {
        Reference::Sequence(at) => at,
        reference => Sequence(now.stores.resolve(&reference)?.sequence),
    };
    let last = crate::store::evidence::sequence_before(&source.journal, now.reading(), u64::MAX)?;
    match at > last {
        true => Err(refused(format!("the journal ends with {last}"))),
        false => Ok(Some(at)),
    }
}
