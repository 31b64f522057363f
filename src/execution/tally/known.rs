//! What the tally remembers of an execution: little, since there may be millions; and which failures wait for
//! a success of the same tool on the same target in their session (ruling 10).

use std::collections::BTreeMap;

use crate::event::target::{Target, arguments_digest};
use crate::event::{ExecutionId, ExecutionStarted, Outcome, Recorded, SessionId};
use crate::execution::judged::Judged;
use crate::parse::check::coverage::{Coverage, Site};
use crate::parse::check::{self, CheckRules, diagnostic::cut};

/// An execution that has a row in the index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// Its start's sequence; 0 where that was lost.
    pub started: u64,
    /// `None` while it is open.
    pub outcome: Option<Outcome>,
    /// It has a row in `execution_log.db`.
    pub has_row: bool,
    /// It counts by its correction.
    pub corrected: bool,
}

/// What an open execution, or a correction, is about.
#[derive(Clone, Debug, Default)]
pub(super) struct About {
    pub session: Option<SessionId>,
    /// What makes two calls ones on the same target; zeros where no start tells.
    pub key: [u8; 16],
    /// In one line, for people.
    pub target: Option<String>,
    /// Its start, the arguments left out but those of a command that may be a check.
    pub start: Option<Box<ExecutionStarted>>,
    /// Whether it was a check by the list in force when it began, as the index has it.
    pub is_check: bool,
}

impl About {
    pub(super) fn of(
        recorded: &Recorded,
        started: &ExecutionStarted,
        own: &CheckRules,
        root: &str,
    ) -> Self {
        let target = Target::of(&started.arguments.0, &started.paths, &started.symbols);
        // Where nothing says what a call is about, its arguments do: as in the index.
        let digest = || arguments_digest(&started.arguments.0);
        let key = target.as_ref().map_or_else(digest, Target::key);
        let target = target.map(|target| cut(&target.shown, TARGET_BYTES_MAX).to_owned());
        let command = check::command_of(&started.arguments.0, own);
        let is_check = command.is_some();
        let site = Site { root, cwd: started.cwd.as_deref() };
        let key = check::call_key(key, command.as_deref(), site).0;
        // Another list may be in force when it ends, which the graph goes by.
        let may_be = is_check || check::may_be_one(&started.arguments.0);
        let start = ExecutionStarted {
            execution: started.execution,
            arguments: if may_be { started.arguments.clone() } else { Default::default() },
            tool: started.tool.clone(),
            paths: started.paths.clone(),
            symbols: started.symbols.clone(),
            cwd: started.cwd.clone(),
            ..ExecutionStarted::default()
        };
        let session = recorded.event.envelope.session;
        Self { session, key, target, start: Some(Box::new(start)), is_check }
    }

    /// What remembering it costs, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let texts = |texts: &[String]| texts.iter().map(|text| text.len() + 24).sum::<usize>();
        let start = self.start.as_ref().map_or(0, |start| {
            let cwd = start.cwd.as_ref().map_or(0, String::len);
            texts(&start.paths) + texts(&start.symbols) + start.arguments.0.len() + cwd
        });
        512 + start + self.target.as_ref().map_or(0, String::len)
    }
}

/// Of an open execution's target this much is remembered.
const TARGET_BYTES_MAX: usize = 400;

/// Sixteen bytes that stand for a text, so that a set of millions stays small.
pub(super) fn digest(parts: &[&[u8]]) -> [u8; 16] {
    let mut hash = blake3::Hasher::new();
    for part in parts {
        hash.update(&(part.len() as u64).to_le_bytes()).update(part);
    }
    let mut short = [0; 16];
    short.copy_from_slice(&hash.finalize().as_bytes()[..16]);
    short
}

fn pending_key(about: &About, tool: &str) -> [u8; 16] {
    let session = about.session.map(|session| session.0).unwrap_or_default();
    digest(&[&session, tool.as_bytes(), &about.key])
}

#[derive(Debug, Default)]
pub(super) struct Pending {
    waiting: BTreeMap<[u8; 16], Vec<ExecutionId>>,
    /// Of failed checks: in which session, and what must be looked at to show the newest.
    needs: BTreeMap<[u8; 16], (Option<SessionId>, Coverage)>,
    keys: BTreeMap<ExecutionId, [u8; 16]>,
}

impl Pending {
    pub(super) fn len(&self) -> u64 {
        self.keys.len() as u64
    }

    pub(super) fn wait(
        &mut self,
        about: &About,
        tool: &str,
        failed: ExecutionId,
        need: Option<Coverage>,
    ) {
        let key = pending_key(about, tool);
        match need {
            Some(need) => drop(self.needs.insert(key, (about.session, need))),
            None => drop(self.needs.remove(&key)),
        }
        self.waiting.entry(key).or_default().push(failed);
        self.keys.insert(failed, key);
    }

    /// A success, of a check with what it looked at.
    pub(super) fn resolve(
        &mut self,
        about: &About,
        tool: &str,
        judged: &Judged,
    ) -> Vec<ExecutionId> {
        let passed = judged.reached();
        let shows = |(session, need): &(Option<SessionId>, Coverage)| {
            *session == about.session && passed.iter().any(|it| it.covers(need))
        };
        let shown = self.needs.iter().filter(|(_, need)| shows(need)).map(|(key, _)| *key);
        let misses = |key: &[u8; 16]| {
            self.needs.get(key).is_some_and(|it| passed.iter().any(|own| own.misses(&it.1)))
        };
        let same = judged.ends_same().then(|| pending_key(about, tool));
        let same = same.filter(|key| !misses(key));
        let keys: Vec<_> = shown.chain(same).collect();
        let mut resolved = Vec::new();
        for key in keys {
            self.needs.remove(&key);
            resolved.extend(self.waiting.remove(&key).unwrap_or_default());
        }
        for failed in &resolved {
            self.keys.remove(failed);
        }
        resolved
    }

    /// It counts by its correction now.
    pub(super) fn withdraw(&mut self, corrected: ExecutionId) {
        let Some(key) = self.keys.remove(&corrected) else { return };
        if let Some(waiting) = self.waiting.get_mut(&key) {
            waiting.retain(|failed| *failed != corrected);
            if waiting.is_empty() {
                self.waiting.remove(&key);
                self.needs.remove(&key);
            }
        }
    }
}
