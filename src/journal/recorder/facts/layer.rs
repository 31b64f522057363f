//! What events say, by what it is found by.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::{ExecutionFact, Key, SessionFact};
use crate::event::{ExecutionId, SessionId};

/// What some events say.
#[derive(Default)]
pub(super) struct Layer {
    pub sessions: HashMap<SessionId, SessionFact>,
    pub calls: HashMap<Key, ExecutionId>,
    pub executions: HashMap<ExecutionId, ExecutionFact>,
    pub prompts: HashSet<Key>,
    pub flaws: HashSet<Key>,
    pub tools: BTreeSet<Arc<str>>,
}

impl Layer {
    /// Puts what later events say on top.
    pub fn add(&mut self, later: Self) {
        let Self { sessions, calls, executions, prompts, flaws, tools } = later;
        self.sessions.extend(sessions);
        calls.into_iter().for_each(|(call, first)| {
            self.calls.entry(call).or_insert(first);
        });
        self.executions.extend(executions);
        self.prompts.extend(prompts);
        self.flaws.extend(flaws);
        self.tools.extend(tools);
    }
}
