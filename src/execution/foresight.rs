//! What of the folds depends on events alone: which calls are checks, what they came to, and what they failed for. It is
//! found once, for all of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::closed::Closed;
use super::json;
use super::judged::Judged;
use crate::event::{Body, CheckList, Content, ExecutionId, ExecutionStarted, Recorded, Sequence};
use crate::parse::check::cause::Cause;
use crate::parse::check::coverage::Site;
use crate::parse::check::{self, CheckRules};
use crate::store;

/// Bytes of open calls that are kept; what others end with is read by the fold.
const OPEN_BYTES_MAX: usize = 8 << 20;
const OVERHEAD_BYTES: usize = 64;

#[derive(Debug)]
struct Foreseen {
    at: Sequence,
    what: What,
}

#[derive(Debug)]
enum What {
    Called(Called),
    Ended(Box<Ended>),
}

/// What a call came to, as its start has it.
#[derive(Debug)]
pub(crate) struct Ended {
    /// That start. Who knows all of them may know that another one counts.
    start: Sequence,
    /// `None`: it is none.
    check: Option<Check>,
    pub judged: Judged,
    pub causes: Vec<Cause>,
}

/// A check that was begun.
#[derive(Debug)]
struct Check {
    command: String,
    cwd: Option<String>,
}

impl Ended {
    /// Whether that is the start which it is the end of.
    pub fn is_of(&self, start: &Recorded) -> bool {
        self.start == start.sequence
    }

    /// The command line, where that is a check's.
    pub fn command(&self) -> Option<&str> {
        self.check.as_ref().map(|it| it.command.as_str())
    }

    /// Where it ran.
    pub fn cwd(&self) -> Option<&str> {
        self.check.as_ref().and_then(|it| it.cwd.as_deref())
    }
}

/// What a call's arguments say.
#[derive(Clone, Debug)]
pub(super) struct Called {
    pub has_object: bool,
    /// Its command line, where that is a check's.
    pub command: Option<String>,
    pub asks: bool,
}

impl Called {
    pub fn of(arguments: &str, own: &CheckRules) -> Self {
        let (command, asks) = check::called(arguments, own);
        Self { has_object: json::is_object(arguments), command, asks }
    }
}

pub(super) struct Foresight {
    /// The project's own checks, as they are in force.
    own: CheckRules,
    /// The folder that the journal was begun in.
    root: String,
    open: BTreeMap<ExecutionId, (Sequence, Option<Check>)>,
    open_bytes: usize,
}

impl Default for Foresight {
    fn default() -> Self {
        let own = CheckList::default().into();
        Self { own, root: String::new(), open: BTreeMap::new(), open_bytes: 0 }
    }
}

impl store::Foresight for Foresight {
    fn of(&mut self, recorded: &Recorded, _: Option<&Recorded>) -> Option<store::Foreseen> {
        let what = match &recorded.event.body {
            Body::ChecksDeclared(declared) => {
                self.own = declared.list.clone().into();
                // What was begun by other rules is read by those that are in force when it ends.
                (self.open, self.open_bytes) = (BTreeMap::new(), 0);
                return None;
            }
            Body::JournalCreated(created) => {
                self.root.clone_from(&created.root);
                return None;
            }
            Body::ExecutionStarted(started) => {
                let called = Called::of(&started.arguments.0, &self.own);
                self.keep(recorded.sequence, started, called.command.as_ref());
                What::Called(called)
            }
            body => {
                let closed = Closed::of(recorded)?;
                let begun = self.take(closed.execution)?;
                // What lies elsewhere is brought for the fold.
                if body.contents().any(Content::lies_elsewhere) {
                    return None;
                }
                What::Ended(Box::new(self.ended(closed, begun)))
            }
        };
        Some(Arc::new(Foreseen { at: recorded.sequence, what }))
    }
}

impl Foresight {
    fn keep(&mut self, at: Sequence, started: &ExecutionStarted, command: Option<&String>) {
        let check = command.cloned().map(|command| Check { command, cwd: started.cwd.clone() });
        let bytes = self.open_bytes + bytes(check.as_ref());
        if bytes <= OPEN_BYTES_MAX && !self.open.contains_key(&started.execution) {
            self.open_bytes = bytes;
            self.open.insert(started.execution, (at, check));
        }
    }

    fn take(&mut self, execution: ExecutionId) -> Option<(Sequence, Option<Check>)> {
        let (start, check) = self.open.remove(&execution)?;
        self.open_bytes -= bytes(check.as_ref());
        Some((start, check))
    }

    fn ended(&self, closed: Closed<'_>, (start, check): (Sequence, Option<Check>)) -> Ended {
        let cwd = check.as_ref().and_then(|it| it.cwd.as_deref());
        let command = check.as_ref().map(|it| it.command.as_str());
        let judged = closed.judged(command, Site { root: &self.root, cwd }, &self.own);
        let causes = judged.causes();
        Ended { start, check, judged, causes }
    }
}

fn bytes(check: Option<&Check>) -> usize {
    let texts = check.map_or(0, |it| it.command.len() + it.cwd.as_ref().map_or(0, String::len));
    OVERHEAD_BYTES + texts
}

/// Whether something that was made ahead of an event is this.
pub(super) fn is_ours(foreseen: &store::Foreseen) -> bool {
    foreseen.is::<Foreseen>()
}

/// What a call's arguments say, where that was found ahead.
pub(super) fn called(foreseen: Option<&store::Foreseen>, at: Sequence) -> Option<&Called> {
    match of(foreseen, at)? {
        What::Called(called) => Some(called),
        What::Ended(_) => None,
    }
}

/// What a call came to, where that was found ahead.
pub(super) fn ended(foreseen: Option<&store::Foreseen>, at: Sequence) -> Option<&Ended> {
    match of(foreseen, at)? {
        What::Ended(ended) => Some(ended),
        What::Called(_) => None,
    }
}

fn of(foreseen: Option<&store::Foreseen>, at: Sequence) -> Option<&What> {
    let foreseen = foreseen?.downcast_ref::<Foreseen>()?;
    (foreseen.at == at).then_some(&foreseen.what)
}
