//! What is known of a journal's beginning, so that it need not be read.

use crate::event::{CallKey, CheckList, ExecutionId, Sequence, SessionId, TranscriptFlawed};
use crate::journal::{JournalReader, Project};

use super::{ExecutionFact, MessageFact, SessionFact, TurnFact};

/// Why an account of the journal could not be asked.
pub type PastFault = Box<dyn std::error::Error + Send + Sync>;

/// An account of a journal up to one of its events. Recording never depends on it: without one, or where
/// one fails, the journal is read from its first event on.
pub trait Past: Send {
    /// The last event that the answers know of.
    fn through(&self) -> Sequence;
    /// What is asked from now on need not be of one moment.
    fn let_go(&self) -> Result<(), PastFault>;
    /// The tools that were declared.
    fn tools(&self) -> Result<Vec<String>, PastFault>;
    /// The project's own checks that were declared.
    fn checks(&self) -> Result<CheckList, PastFault>;
    fn call(&self, call: &CallKey) -> Result<Option<ExecutionId>, PastFault>;
    fn execution(&self, execution: ExecutionId) -> Result<Option<ExecutionFact>, PastFault>;
    /// The executions that have begun and not ended.
    fn open_executions(&self) -> Result<Vec<(ExecutionId, ExecutionFact)>, PastFault>;
    fn session(&self, session: SessionId) -> Result<Option<SessionFact>, PastFault>;
    fn turn(&self, session: SessionId) -> Result<TurnFact, PastFault>;
    /// Whether a prompt of this native id was submitted.
    fn has_prompt(&self, native_id: &str) -> Result<bool, PastFault>;
    /// What is on record of an agent's message.
    fn message(&self, native_id: &str) -> Result<Option<MessageFact>, PastFault>;
    /// Whether the change of a model, or a summary of what was said, is on record.
    fn has_mark(&self, kind: &str, native_id: &str) -> Result<bool, PastFault>;
    fn has_flaw(&self, flaw: &TranscriptFlawed) -> Result<bool, PastFault>;
    /// The event that holds a content, by its hash.
    fn content(&self, hash: &[u8; 32]) -> Result<Option<Sequence>, PastFault>;
}

/// Opens the account of a project's journal; `None` where there is none that can be asked.
pub type OpenPast = fn(&Project, &JournalReader) -> Option<Box<dyn Past>>;
