//! Debug memory (spec 002), read from `index.db`.

mod filter;
mod find;
mod helped;
mod list;
mod record;
mod retention;
mod rows;
mod session;
mod similar;
mod similar_search;
mod template;
mod view;

pub use filter::DebugFilter;
pub use helped::{failure_key, helping_fix};
pub use record::{DebugRecord, PendingFix, UncountedTemplate};
pub use retention::{DueSession, RetentionRules};
pub use session::DebugSession;
pub use similar::{DebugResolution, Likeness, SCORE_MAX, Similar, SimilarAsked};
pub use template::{FixTemplate, TEMPLATE_EFFECTIVENESS};
pub use view::DebugView;

#[cfg(test)]
mod tests;
