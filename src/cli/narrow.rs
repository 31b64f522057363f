//! The flags that narrow a question, whatever was asked: how much, since when, from where to where.

use super::{Context, Exit, Result};
use crate::execution::query::{After, Reference};
use crate::execution::replay::{Asked, Bound};
use crate::journal::clock;
use crate::output::time;

/// Which part of an answer
#[derive(clap::Args, Debug, Default)]
pub struct NarrowArgs {
    /// How many, the newest
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20)]
    pub number: usize,
    /// Only this session: its id, the beginning of it, or the agent's own name for it
    #[arg(long, value_name = "SESSION")]
    pub session: Option<String>,
    /// Only since then: an age (2h, 3d), a date or an RFC 3339 time
    #[arg(long, value_name = "TIME")]
    pub since: Option<String>,
    /// Only until then: as --since
    #[arg(long, value_name = "TIME")]
    pub until: Option<String>,
    /// Only calls before this one: the `cursor` of the earliest row printed
    #[arg(long, value_name = "CURSOR")]
    pub before: Option<After>,
    /// Exit with 1 if something is found
    #[arg(long)]
    pub exit_code: bool,
}

#[derive(Clone, Debug)]
pub struct Narrow {
    pub session: Option<String>,
    pub since_ms: Option<u64>,
    pub until_ms: Option<u64>,
}

impl NarrowArgs {
    /// What the flags mean.
    pub fn resolved(&self, context: &Context) -> Result<Narrow> {
        let read = |text: &Option<String>| {
            let read = |text| time::parse(text, clock::now_ms(), &context.zone);
            text.as_deref().map(read).transpose()
        };
        Ok(Narrow {
            session: self.session.clone(),
            since_ms: read(&self.since)?,
            until_ms: read(&self.until)?,
        })
    }

    pub fn exit(&self, found: bool) -> Exit {
        if found && self.exit_code { Exit::Findings } else { Exit::Fine }
    }
}

/// Gives a builder what the flags say.
macro_rules! narrowed {
    ($query:expr, $narrow:expr) => {{
        let mut query = $query;
        if let Some(session) = &$narrow.session {
            query = query.with_session(session);
        }
        if let Some(at_ms) = $narrow.since_ms {
            query = query.after_timestamp(at_ms);
        }
        if let Some(at_ms) = $narrow.until_ms {
            query = query.before_timestamp(at_ms);
        }
        query
    }};
}
pub(super) use narrowed;

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
    pub fn asked(&self, context: &Context) -> Result<Asked> {
        let bound =
            |text: &Option<String>| text.as_deref().map(|text| bound(text, context)).transpose();
        Ok(Asked { session: self.session.clone(), from: bound(&self.from)?, to: bound(&self.to)? })
    }
}

/// Reads one bound. What could be both a time and an id's beginning (`100d`, `2026-01-31`) is a
/// time, unless it has the eight digits that an id's first group has.
pub fn bound(text: &str, context: &Context) -> Result<Bound> {
    let id = text.len() >= 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let read = time::parse(text, clock::now_ms(), &context.zone);
    match (read, Reference::parse(text)) {
        (Ok(_), Ok(reference)) if id => Ok(Bound::Reference(reference)),
        (Ok(at_ms), _) => Ok(Bound::Time(at_ms)),
        (Err(_), Ok(reference)) => Ok(Bound::Reference(reference)),
        (Err(_), Err(error)) => Err(error.into()),
    }
}
