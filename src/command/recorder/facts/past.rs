//! What `index.db` knows; nothing until it is asked in place of the whole journal.

use std::sync::Arc;

use super::{ExecutionFact, SessionFact};
use crate::command::Project;
use crate::command::recorder::RecordError;
use crate::event::{CallKey, ExecutionId, Sequence, SessionId, TranscriptFlawed};
use crate::journal::JournalReader;

/// What `index.db` knows of the past, up to where it has read.
pub(in super::super) struct Past;

impl Past {
    pub(super) fn open(_: &Project, _: &JournalReader) -> Result<Self, RecordError> {
        Ok(Self)
    }

    pub(super) fn through(&self) -> Sequence {
        Sequence(0)
    }

    pub(super) fn tools(&self) -> Result<Vec<Arc<str>>, RecordError> {
        Ok(Vec::new())
    }

    pub(super) fn call(&self, _: &CallKey) -> Result<Option<ExecutionId>, RecordError> {
        Ok(None)
    }

    pub(super) fn execution(&self, _: ExecutionId) -> Result<Option<ExecutionFact>, RecordError> {
        Ok(None)
    }

    pub(super) fn session(&self, _: SessionId) -> Result<Option<SessionFact>, RecordError> {
        Ok(None)
    }

    pub(super) fn prompt_is_known(&self, _: &str) -> Result<bool, RecordError> {
        Ok(false)
    }

    pub(super) fn flaw_is_known(&self, _: &TranscriptFlawed) -> Result<bool, RecordError> {
        Ok(false)
    }

    pub(super) fn open_executions(&self) -> Result<Vec<(ExecutionId, ExecutionFact)>, RecordError> {
        Ok(Vec::new())
    }
}
