//! How many rows `execution_log.db` will have, told without it.
//!
//! Every execution that ends under a tool in force gets the next number, once. That an execution
//! ended before is known of the newest few hundred of the whole journal: recorders keep repeats
//! out, and what slips between two of them lies close together.

use std::collections::{BTreeSet, VecDeque};

use super::{Hex, push};
use crate::event::derived::{Decode, Encode};
use crate::event::{CallKey, ExecutionId, SessionId, ToolsDeclared, tool};

#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Ordinals {
    count: u64,
    /// Tools in force besides the contract's own, as tags.
    declared: BTreeSet<u64>,
    rows: Rows,
    /// Ids of starts that do not count, and whose they are.
    aliases: VecDeque<(u64, u64)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Row {
    pub id: u64,
    /// 0 where it has none.
    pub call: u64,
    pub session: u64,
    pub state: RowState,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub enum RowState {
    #[default]
    Open,
    /// It ended under a tool that nobody had declared.
    Ended,
    Numbered,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The execution that it ends, by tag.
    pub row: Row,
    pub ordinal: Option<u64>,
    /// It had ended before: this says nothing new.
    pub again: bool,
}

pub(crate) const ROWS_MAX: usize = 256;
const ALIASES_MAX: usize = 64;
/// Declared tools that are remembered; a contract is short.
const DECLARED_MAX: usize = 1_024;

impl Ordinals {
    /// As they stood when `count` were given, under these tools; the newest executions last, and
    /// the newest starts that do not count, by tag, with whose they are.
    pub fn seeded(
        count: u64,
        declared: &[String],
        newest: impl IntoIterator<Item = Row>,
        aliases: impl IntoIterator<Item = (u64, u64)>,
    ) -> Self {
        let mut ordinals = Self { count, ..Self::default() };
        declared.iter().for_each(|name| ordinals.declare_one(name));
        newest.into_iter().for_each(|row| ordinals.rows.push(row));
        aliases.into_iter().for_each(|(id, first)| ordinals.alias(id, first));
        ordinals
    }

    fn alias(&mut self, id: u64, first: u64) {
        push(&mut self.aliases, (id, first), ALIASES_MAX);
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    pub fn in_force(&self, name: &str) -> bool {
        tool::CONTRACT.contains(&name) || self.declared.contains(&tool_tag(name))
    }

    pub(crate) fn declare(&mut self, declared: &ToolsDeclared) {
        for name in declared.tools.iter().filter(|name| tool::is_valid(name)) {
            self.declare_one(name);
        }
    }

    fn declare_one(&mut self, name: &str) {
        if !tool::CONTRACT.contains(&name) && self.declared.len() < DECLARED_MAX {
            self.declared.insert(tool_tag(name));
        }
    }

    /// An execution begins; `false` where it, or its call, is known already.
    pub(crate) fn start(
        &mut self,
        id: ExecutionId,
        call: Option<&CallKey>,
        session: Option<SessionId>,
    ) -> bool {
        let (id, call) = (tag(id), call.map_or(0, call_tag));
        let known = self.find(id).or_else(|| self.rows.newest(|row| call != 0 && row.call == call));
        if let Some(known) = known {
            self.alias(id, known.id);
            return false;
        }
        let session = session.map_or(0, session_tag);
        self.rows.push(Row { id, call, session, state: RowState::Open });
        true
    }

    /// An execution ends. A correction is a row of its own id, whatever else that id was.
    pub(crate) fn end(
        &mut self,
        id: ExecutionId,
        tool: &str,
        corrects: Option<ExecutionId>,
        session: Option<SessionId>,
    ) -> Ended {
        let known = match corrects {
            Some(_) => self.rows.newest(|row| row.id == tag(id)),
            None => self.find(tag(id)),
        };
        if let Some(row) = known.filter(|row| row.state == RowState::Numbered) {
            return Ended { row, ordinal: None, again: true };
        }
        let row = known.unwrap_or_else(|| {
            let corrected = corrects.and_then(|id| self.find(tag(id)));
            let session = match corrected {
                Some(corrected) => corrected.session,
                None => session.map_or(0, session_tag),
            };
            let row = Row { id: tag(id), call: 0, session, state: RowState::Open };
            self.rows.push(row);
            row
        });
        let in_force = self.in_force(tool);
        self.rows.put(row.id, if in_force { RowState::Numbered } else { RowState::Ended });
        self.count = self.count.saturating_add(u64::from(in_force));
        let ordinal = in_force.then_some(self.count);
        Ended { row, ordinal, again: row.state != RowState::Open }
    }

    fn find(&self, id: u64) -> Option<Row> {
        let own = self.rows.newest(|row| row.id == id);
        own.or_else(|| {
            let (_, first) = self.aliases.iter().find(|(alias, _)| *alias == id)?;
            self.rows.newest(|row| row.id == *first)
        })
    }

    /// What is counted and in force, and nothing of single executions.
    #[cfg(test)]
    pub fn counted(self) -> Self {
        Self { count: self.count, declared: self.declared, ..Self::default() }
    }

    pub(crate) fn is_bounded(&self) -> bool {
        self.declared.len() <= DECLARED_MAX
            && self.aliases.len() <= ALIASES_MAX
            && self.rows.0.len() <= ROWS_MAX
    }
}

pub fn tag(id: ExecutionId) -> u64 {
    Hex::from(id).tag()
}

pub fn session_tag(id: SessionId) -> u64 {
    Hex::from(id).tag()
}

/// What a call is remembered by; never 0.
pub fn call_tag(call: &CallKey) -> u64 {
    Hex::of_call(call).call_tag()
}

fn tool_tag(name: &str) -> u64 {
    Hex::of_text("tool", name).tag()
}

/// The newest executions of a journal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub(crate) struct Rows(VecDeque<Row>);

impl Rows {
    pub fn push(&mut self, row: Row) {
        push(&mut self.0, row, ROWS_MAX);
    }

    pub fn newest(&self, is_it: impl Fn(&Row) -> bool) -> Option<Row> {
        self.0.iter().rev().find(|row| is_it(row)).copied()
    }

    pub fn put(&mut self, id: u64, state: RowState) {
        if let Some(row) = self.0.iter_mut().rev().find(|row| row.id == id) {
            row.state = state;
        }
    }
}
