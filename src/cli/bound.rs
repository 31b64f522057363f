//! `--from` and `--to`: an execution, an event, a session, or a time.

use super::{CliError, Context};
use crate::execution::query::Reference;
use crate::execution::replay::{Asked, Bound};
use crate::journal::clock;
use crate::output::time;

/// Which part of a journal
#[derive(clap::Args, Debug, Default)]
pub struct BoundArgs {
    /// Only this session: its id, the beginning of it, or the agent's own name for it
    #[arg(long, value_name = "SESSION")]
    pub session: Option<String>,
    /// From here on: 142 (its number in `annals log`), @4711 (an event's sequence), the beginning
    /// of an execution's or a session's id, `last`, or a time (2h, 2026-01-31, RFC 3339)
    #[arg(long, value_name = "REF")]
    pub from: Option<String>,
    /// Up to here, inclusive: as --from
    #[arg(long, value_name = "REF")]
    pub to: Option<String>,
}

impl BoundArgs {
    /// What they ask.
    pub fn asked(&self, context: &Context) -> Result<Asked, CliError> {
        let bound =
            |text: &Option<String>| text.as_deref().map(|text| bound(text, context)).transpose();
        Ok(Asked { session: self.session.clone(), from: bound(&self.from)?, to: bound(&self.to)? })
    }
}

/// Reads one bound. What could be both a time and an id's beginning (`100d`, `2026-01-31`) is a
/// time, unless it has the eight digits that an id's first group has.
pub fn bound(text: &str, context: &Context) -> Result<Bound, CliError> {
    let id = text.len() >= 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let read = time::parse(text, clock::now_ms(), &context.zone);
    match (read, Reference::parse(text)) {
        (Ok(_), Ok(reference)) if id => Ok(Bound::Reference(reference)),
        (Ok(at_ms), _) => Ok(Bound::Time(at_ms)),
        (Err(_), Ok(reference)) => Ok(Bound::Reference(reference)),
        (Err(_), Err(error)) => Err(error.into()),
    }
}
