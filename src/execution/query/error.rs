//! Why a question has no answer.

use crate::event::{DebugSessionId, EventError, ExecutionId};
use crate::fault::{Class, Fault, Listing, Remedy, Sorted};
use crate::store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("nothing is recorded under {reference:?}")]
    NotFound { reference: String },
    #[error(
        "no session {name:?} is on record: give its id, the beginning of it, or the agent's own name for it"
    )]
    NoSession { name: String },
    #[error("no call of a tool {name:?} is on record: names are told apart by case")]
    NoTool { name: String },
    #[error("{reference:?} begins {count} ids or more; give more of it")]
    Ambiguous { reference: String, count: usize },
    #[error("{prefix:?} begins no repository's hash; give four digits of it or more")]
    NoRepository { prefix: String },
    #[error(
        "{text:?} names no debug session: give its UUID or the first four digits of it or more, or \
         `last`"
    )]
    NoDebugSession { text: String },
    #[error("the index's document of debug session {session} cannot be read ({why})")]
    DebugDocument { session: DebugSessionId, why: String },
    #[error("there is no graph to ask ({why}); it is made with the next recorded execution")]
    NoGraph { why: String },
    #[error(
        "the graph has no diagnostic {id:?}: give a code (E0425), a name (diagnostic:E0425:…) or an \
         entity's id"
    )]
    NoDiagnostic { id: String },
    #[error(
        "{text:?} names no execution: give its number (142), an event (@4711), a UUID or its beginning, \
         or `last`"
    )]
    NoReference { text: String },
    #[error(
        "{text:?} is not where a page ended: give what `cursor` or `next` said, MILLISECONDS:SEQUENCE"
    )]
    NoCursor { text: String },
    #[error(
        "{text:?} is no memory query: {why}; write memory_query(timeline_summary, last=10), or \
         memory_query(tool=\"lsp_check\", success=true, after_id=142)"
    )]
    NoMemoryQuery { text: String, why: String },
    #[error("the arguments cannot be read: give a JSON object")]
    Arguments { source: EventError },
    #[error("the arguments are {text}: give a JSON object")]
    NoObject { text: String },
    #[error(
        "this action is a known antipattern: {tool} failed {failures} times in a row with the same \
         arguments, last as {last} ({why}); try another way"
    )]
    KnownAntiPattern {
        tool: String,
        /// In a row and within the time asked about, as far as they were counted.
        failures: usize,
        /// The last of them, as `annals show` takes it.
        last: String,
        why: String,
        /// The executions themselves, the newest first.
        executions: Vec<ExecutionId>,
    },
}

impl Fault for QueryError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Store(error) => error.sorted(),
            Self::NoSession { .. } => Class::Missing.with(Remedy::List(Listing::Sessions)),
            Self::NoTool { .. } => Class::Missing.alone(),
            Self::NotFound { .. } => Class::Missing.with(Remedy::List(Listing::Executions)),
            Self::NoRepository { .. } => Class::Missing.with(Remedy::List(Listing::Repositories)),
            Self::NoDebugSession { .. } => {
                Class::Missing.with(Remedy::List(Listing::DebugSessions))
            }
            Self::DebugDocument { .. } => Class::Findings.with(Remedy::Rebuild(Some("index"))),
            _ => Class::Refused.with(Remedy::List(Listing::Executions)),
        }
    }
}
