//! What models were given besides their timeline, and whether it was followed by its use.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Walk, What};
use crate::event::{Body, Closing, ExecutionId, Outcome, SessionId, tool};
use crate::journal::JournalError;

/// Texts given in one session that are looked after, and calls that are open side by side.
const GIVEN_MAX: usize = 1_000;
const OPEN_MAX: usize = 4_096;

/// How often something was given, and how often used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GivenUse {
    /// `failure met before`, `context pack`, `files`, `repeated failure`, `broken before`.
    pub what: String,
    pub given: u64,
    /// Of them, those that named files.
    pub named: u64,
    /// Of these, after which the session changed one of the files.
    pub followed: u64,
    /// All files that were named, and those of them that the session changed then.
    pub files: u64,
    pub files_changed: u64,
}

#[derive(Default)]
struct OfSession {
    /// Of each text its place in the answer, and its files with whether they were changed since.
    given: Vec<(String, Vec<(String, bool)>)>,
}

impl Walk {
    /// What was given in all of it, by name.
    pub fn given(self) -> Result<Vec<GivenUse>, JournalError> {
        let mut sessions: BTreeMap<Option<SessionId>, OfSession> = BTreeMap::new();
        let mut open: BTreeMap<ExecutionId, Vec<String>> = BTreeMap::new();
        let mut texts: BTreeMap<String, u64> = BTreeMap::new();
        for step in self {
            let What::Event(recorded) = step?.what else { continue };
            let session = recorded.event.envelope.session;
            let changed = match recorded.event.body {
                Body::ContextInjected(it) => {
                    *texts.entry(it.what.clone()).or_default() += 1;
                    let of = sessions.entry(session).or_default();
                    if of.given.len() < GIVEN_MAX && !it.files.is_empty() {
                        let files = it.files.into_iter().map(|file| (file, false)).collect();
                        of.given.push((it.what, files));
                    }
                    continue;
                }
                Body::ExecutionStarted(it) => {
                    if tool::is_mutation(&it.tool) && open.len() < OPEN_MAX {
                        open.insert(it.execution, it.paths);
                    }
                    continue;
                }
                Body::ExecutionFinished(it) => {
                    changed_files(open.remove(&it.execution), &it.closing)
                }
                Body::ExecutionCorrected(it) => {
                    changed_files(open.remove(&it.corrects), &it.closing)
                }
                _ => continue,
            };
            let Some(of) = sessions.get_mut(&session) else { continue };
            for (file, is_changed) in of.given.iter_mut().flat_map(|(_, files)| files) {
                *is_changed |= changed.iter().any(|path| is_file(path, file));
            }
        }
        Ok(summed(texts, sessions))
    }
}

fn summed(
    texts: BTreeMap<String, u64>,
    sessions: BTreeMap<Option<SessionId>, OfSession>,
) -> Vec<GivenUse> {
    let new = |(what, given): (String, u64)| {
        (what.clone(), GivenUse { what, given, ..GivenUse::default() })
    };
    let mut all: BTreeMap<String, GivenUse> = texts.into_iter().map(new).collect();
    for (what, files) in sessions.into_values().flat_map(|it| it.given) {
        let Some(of) = all.get_mut(&what) else { continue };
        let changed = files.iter().filter(|(_, is_changed)| *is_changed).count() as u64;
        of.named += 1;
        of.followed += u64::from(changed > 0);
        of.files += files.len() as u64;
        of.files_changed += changed;
    }
    all.into_values().collect()
}

/// The files that a call changed; `named`: by its start, where its tool changes what it names.
pub fn changed_files(named: Option<Vec<String>>, closing: &Closing) -> Vec<String> {
    let told = closing.changed.iter().map(|it| it.path.clone());
    let named = named.filter(|_| closing.outcome == Outcome::Ok && closing.changed.is_empty());
    told.chain(named.into_iter().flatten()).collect()
}

/// Whether a path, told from the root or from the top of the disk, is a file's.
fn is_file(path: &str, file: &str) -> bool {
    path.strip_suffix(file).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}
