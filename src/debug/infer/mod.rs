//! Debug sessions worked out of agents' sessions that are in the journal: runs of one runner's tests in
//! one folder, from the first that failed till those tests pass, are the attempts, and what was edited
//! between them the fixes. Nobody recorded the code: an attempt's `code_hash` is the SHA-256 of the
//! session and of every edit so far.
//!
//! Everything comes from what was recorded, and so do the ids: worked out twice, nothing is added; where
//! the agent went on, what is new is. What is to be learnt is; no command of the settings runs: nobody is
//! to be called about what is past.

mod again;
mod bookmark;
mod chain;
mod edit;
mod fix;
mod reading;
mod recording;
mod run;

use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::DebugWriter;
use super::error::Result;
use super::query::DebugView;
use crate::event::{DebugSessionId, DebugStatus, ExecutionId, Sequence, SessionId, wire};
use crate::execution::index::IndexReader;
use crate::execution::live_recorder;
use crate::execution::query::QueryError;
use crate::execution::replay::{Asked, Walk, What, Window};
use crate::journal::{Project, Reading as How};
use crate::store::{Cursor, Feed, JournalFeed, StorePlaces};
pub(crate) use again::FLAKY;
use bookmark::Kept;
pub(super) use fix::{described, is_worked_out};
use reading::Reading;
pub(super) use recording::Past;
use recording::record;

/// Works debug sessions out of one agent's session (its id, the beginning of it, or the agent's own
/// name of it), `None`: out of what is recorded since it was done last. `dry_run` records nothing and tells
/// what would be.
pub fn infer(project: &Project, session: Option<&str>, dry_run: bool) -> Result<InferDone> {
    project.journal()?.sync()?;
    let journal = project.journal_dir();
    let wanted = match session {
        Some(session) => {
            let asked = Asked { session: Some(session.to_owned()), from: None, to: None };
            asked.window(&journal, How::Live)?.sessions
        }
        None => None,
    };
    let mut recorder = live_recorder(project);
    let mut writer = DebugWriter::new(project, &mut recorder, None).of_past();
    let _turn = writer.turn()?;
    let index = writer.index()?;
    let mut done = work(&mut writer, &index, wanted.as_deref(), dry_run, None)?;
    let sql = "SELECT coalesce(sum(attempts_failed), 0) FROM debug_sessions \
               WHERE json_extract(beside, '$.executions') IS NOT NULL";
    done.known = index.cell(sql, []).map_err(QueryError::from)?.unwrap_or_default();
    Ok(done)
}

/// The same of what was recorded since it was done last, as far as that goes until then, and where the index
/// has all of it; the rest is left to who asks next.
pub fn keep_up(project: &Project, until: Instant) -> Result<()> {
    let feed = JournalFeed::asked(project)?;
    let index = IndexReader::open(StorePlaces::of(project).index())?;
    let is_behind = |it: Cursor| it.position.sequence < feed.through().sequence.0;
    if Instant::now() >= until || index.cursor()?.is_none_or(is_behind) {
        return Ok(());
    }
    let mut recorder = live_recorder(project);
    let mut writer = DebugWriter::new(project, &mut recorder, None).of_past();
    let _turn = writer.turn_within(Duration::ZERO)?;
    work(&mut writer, &index, None, false, Some(until)).map(drop)
}

/// Events after which who has little time looks whether there is any left.
const BATCH: u64 = 64;

fn work(
    writer: &mut DebugWriter<'_, '_>,
    index: &IndexReader,
    wanted: Option<&[SessionId]>,
    dry_run: bool,
    until: Option<Instant>,
) -> Result<InferDone> {
    let project = writer.project;
    // What is recorded here is counted beside the index, which somebody else may catch up meanwhile.
    index.keep_moment()?;
    let Some(Cursor { position, .. }) = index.cursor()? else { return Ok(InferDone::default()) };
    let mut kept = match wanted {
        None => Kept::read(project, position.journal),
        Some(_) => Kept::default(),
    };
    let view = DebugView::of(index);
    let others = view.attempts_of_others(kept.through)?;
    let from = Some(Sequence(kept.through + 1));
    let mut walk =
        Walk::events(&project.journal_dir(), How::Live, Window { from, ..Window::default() })?;
    let contents = walk.contents().clone();
    let sessions = std::mem::take(&mut kept.sessions);
    let mut reading = Reading::new(project.root(), wanted, &others, sessions);
    let mut read = 0;
    while let Some(step) = walk.next() {
        let What::Event(recorded) = step?.what else { continue };
        if recorded.sequence.0 > position.sequence {
            break;
        }
        for at in reading.open_at(&recorded) {
            if let Some(begun) = walk.get(Sequence(at))? {
                reading.take(&begun, &contents);
            }
        }
        reading.take(&recorded, &contents);
        kept.through = recorded.sequence.0;
        read += 1;
        if read % BATCH == 0 && until.is_some_and(|until| Instant::now() >= until) {
            break;
        }
    }
    let mut done = InferDone::default();
    for chain in &reading.news() {
        done.found.extend(record(writer, view, chain, dry_run)?);
    }
    if !dry_run && wanted.is_none() && read > 0 {
        kept.sessions = reading.kept(kept.through);
        kept.write(project);
    }
    Ok(done)
}

const FOREIGN: [&str; 3] = ["site-packages", "node_modules", ".cargo"];
/// Letters of a file's ending at most.
const ENDING_CHARS_MAX: usize = 5;

/// A path that was named in a folder, from the root where it lies below it. In a folder elsewhere (the
/// project was moved since, or is a copy) it is told from that folder.
pub fn placed(root: &Path, path: &str, folder: &Path) -> String {
    // A name may hold anything; debug memory keeps lines.
    let line = |text: &str| text.replace(char::is_control, "\u{fffd}");
    let text = |path: &Path| line(&path.to_string_lossy());
    let whole = joined(folder, path);
    let Ok(below) = whole.strip_prefix(root) else {
        return whole.strip_prefix(folder).map_or_else(|_| line(path), text);
    };
    // Tools that know the root of a workspace name files from there, wherever they run.
    let from_root = folder
        .strip_prefix(root)
        .is_ok_and(|inner| !inner.as_os_str().is_empty() && Path::new(path).starts_with(inner));
    if from_root { line(path) } else { text(below) }
}

/// A path in a folder, without `.` and `..`.
pub fn joined(folder: &Path, path: &str) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in folder.join(path).components() {
        match part {
            Component::ParentDir => drop(whole.pop()),
            Component::CurDir => {}
            part => whole.push(part),
        }
    }
    whole
}

/// Whether a placed path is of the project's own files.
pub fn is_inside(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    let is_ours = |part: Component<'_>| match part {
        Component::Normal(name) => !FOREIGN.iter().any(|it| name == *it),
        Component::CurDir => true,
        Component::ParentDir | Component::RootDir | Component::Prefix(_) => false,
    };
    !path.is_empty() && !path.starts_with('~') && parts.all(is_ours)
}

/// Whether a word of a command is a file's name: it has an ending, and nothing that a name has not.
pub fn is_file(word: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "_./@+-".contains(c);
    let name = word.rsplit('/').next().unwrap_or_default();
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    let is_ending = (1..=ENDING_CHARS_MAX).contains(&ending.chars().count())
        && ending.starts_with(|first: char| first.is_ascii_alphabetic())
        && ending.chars().all(|c| c.is_ascii_alphanumeric());
    !word.starts_with('-') && !stem.is_empty() && is_ending && word.chars().all(plain)
}

/// Whether this is the debug session that begins with this run of an agent's.
pub(crate) fn is_inferred(first: ExecutionId, session: &str) -> bool {
    chain::Chain::id(first).to_string() == session
}

/// A debug session that was worked out of an agent's session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Inferred {
    #[serde(rename = "session_id")]
    pub session: DebugSessionId,
    #[serde(rename = "session", serialize_with = "wire::text")]
    pub of: SessionId,
    pub file_path: String,
    pub command: String,
    pub status: DebugStatus,
    /// Attempts and fixes that were recorded now.
    pub attempts: u32,
    pub fixes: u32,
    /// How often tests were seen to end otherwise with the same code.
    pub flaky: u32,
    pub attempts_all: u32,
    /// The last event; `None` where nothing was recorded, or nothing was to be.
    pub sequence: Option<Sequence>,
}

/// Bytes of a fix's diff.
pub const DIFF_BYTES_MAX: usize = 16 << 10;
/// Files that a fix names.
pub const FILES_MAX: usize = 64;
/// Characters of a line that a fix's description quotes.
pub const QUOTED_CHARS_MAX: usize = 120;
/// Calls of one session that are open side by side.
pub const OPEN_MAX: usize = 4_096;
/// Bytes of an output that are read for what the tests came to, of each stream.
pub const OUTPUT_BYTES_MAX: usize = 16 << 20;
/// Chains of one session that go on side by side.
pub const CHAINS_MAX: usize = 256;
/// Tests of one chain that are known to fail.
pub const FAILING_MAX: usize = 1_000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InferDone {
    /// Those of which something was recorded now, or is to be.
    pub found: Vec<Inferred>,
    /// Runs of tests that failed, and are attempts of debug sessions already.
    pub known: u64,
}

#[cfg(test)]
mod tests;
