//! What a rollout has said of its session so far.

use std::path::Path;
use std::{fs, io};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::payload::Payload;
use super::{GRAMMAR, Line, SOURCE};
use crate::agents::import::item::Head;
use crate::agents::import::limits::COPY_MS_MAX;
use crate::agents::import::loose::{Text, parsed};
use crate::agents::import::source_file::{SourceFile, logs_in};
use crate::agents::import::transcript::holds_record;

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Session {
    id: Option<String>,
    parent: Option<String>,
    cwd: Option<String>,
    branch: Option<String>,
    version: Option<String>,
    model: Option<String>,
    began_ms: Option<u64>,
    /// The session whose history this one began with a copy of.
    copied_from: Option<String>,
}

impl Session {
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Takes what the first line says. A further one is a copy: a fork repeats the lines of what it
    /// was forked from, that one's first line among them.
    pub fn take_meta(&mut self, meta: &Payload<'_>, at_ms: Option<u64>) {
        let Some(id) = meta.id.to_text().or_else(|| meta.session_id.to_text()) else { return };
        if self.id.as_ref().is_some_and(|own| *own != id) {
            self.copied_from = Some(id);
            return;
        }
        self.parent = spawned_by(meta)
            .or_else(|| meta.parent_thread_id.to_text())
            .or_else(|| meta.forked_from_id.to_text())
            .filter(|parent| *parent != id);
        self.id = Some(id);
        self.cwd = meta.cwd.to_text().as_deref().map(path);
        self.branch = meta.git.0.as_ref().and_then(|git| git.branch.to_text());
        self.version = meta.cli_version.to_text();
        self.began_ms = at_ms.or_else(|| meta.timestamp.to_unix_ms());
    }

    pub fn take_turn(&mut self, turn: &Payload<'_>) {
        let fill = |known: &mut Option<String>, said: Option<String>| {
            if said.is_some() {
                *known = said;
            }
        };
        fill(&mut self.cwd, turn.cwd.to_text().as_deref().map(path));
        fill(&mut self.model, turn.model.to_text());
    }

    /// The head of a record at this time that says something.
    pub fn head(&self, at_ms: Option<u64>) -> Head {
        Head {
            session: self.id.clone(),
            at_ms,
            cwd: self.cwd.clone(),
            branch: self.branch.clone(),
            agent_version: self.version.clone(),
            model: self.model.clone(),
            parent_session: self.parent.clone(),
            ..Head::default()
        }
    }

    /// What the `number`th prompt, or another thing of a `kind`, is known by, however often forks repeat it.
    ///
    /// A copy is written at once when the fork begins, before anybody can type.
    pub fn place(&self, kind: &str, number: u64, at_ms: Option<u64>) -> Option<String> {
        let own = self.id.as_ref()?;
        let since_ms = self.began_ms.zip(at_ms).and_then(|(from, at)| at.checked_sub(from));
        let copied = since_ms.is_none_or(|ms| ms <= COPY_MS_MAX);
        let of = self.copied_from.as_ref().filter(|_| copied).unwrap_or(own);
        Some(format!("{of}#{kind}{number}"))
    }
}

fn spawned_by(meta: &Payload<'_>) -> Option<String> {
    let source: Value = parsed(meta.source?.get().as_bytes())?;
    let parent = source.pointer("/subagent/thread_spawn/parent_thread_id")?.as_str()?;
    Some(parent.to_owned()).filter(|parent| !parent.is_empty())
}

/// A folder as a path; newer versions write a URL.
pub fn path(folder: &str) -> String {
    folder.strip_prefix("file://").unwrap_or(folder).to_owned()
}

/// The folders of Codex's own in which rollouts lie, by day and archived.
const FOLDERS: [&str; 2] = ["sessions", "archived_sessions"];

/// The rollouts of sessions that began in the project at `root`, or below it. Of each file only its
/// first line is read; one that cannot be read is none of them.
pub fn past_sessions(home: &Path, root: &Path) -> io::Result<Vec<SourceFile>> {
    let root = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
    let mut found = Vec::new();
    for folder in FOLDERS.map(|folder| home.join(folder)) {
        if folder.is_dir() {
            found.extend(logs_in(&folder, &[&SOURCE])?);
        }
    }
    found.retain(|file| {
        let cwd = file.head().map(|head| beginning(&head).cwd).unwrap_or_default();
        cwd.is_some_and(|cwd| lies_in(Path::new(&cwd), &root))
    });
    Ok(found)
}

/// Whether a folder is `root` or below it, whatever links lead there; one that is gone is judged by
/// its name.
fn lies_in(folder: &Path, root: &Path) -> bool {
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    folder.is_absolute() && folder.starts_with(root)
}

/// The line types of which one at least stands at the beginning of every rollout.
pub const KINDS: &[&str] =
    &["session_meta", "response_item", "event_msg", "turn_context", "compacted"];
/// The item types of which the oldest rollouts consist.
const BARE_KINDS: &[&str] = &["message", "reasoning", "function_call", "function_call_output"];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beginning {
    pub cwd: Option<String>,
    pub began_ms: Option<u64>,
}

pub fn is_rollout(head: &[u8]) -> bool {
    let is_kind = |text: &str| KINDS.iter().any(|kind| text.contains(&format!("\"{kind}\"")));
    let has_keys = |text: &str| text.contains("\"payload\":") && is_kind(text);
    holds_record(head, &GRAMMAR, is_record, has_keys)
}

fn is_record(bytes: &[u8]) -> bool {
    let Some(line) = parsed::<Line<'_>>(bytes) else { return false };
    let kind = line.kind.as_deref();
    if line.payload.0.is_some() {
        return kind.is_some_and(|kind| KINDS.contains(&kind));
    }
    let Some(bare) = parsed::<Payload<'_>>(bytes) else { return false };
    // Other agents' messages have another session's name, and nobody else's calls this id.
    let item = bare.role.as_deref().or(bare.call_id.as_deref()).is_some();
    kind.is_some_and(|kind| BARE_KINDS.contains(&kind)) && item
}

/// What a rollout's beginning says of its session, also where its first line, which may hold long
/// instructions, is cut.
pub fn beginning(head: &[u8]) -> Beginning {
    let first = head.split(|&byte| byte == b'\n').find(|line| !line.is_empty());
    let first = first.unwrap_or_default();
    let line = parsed::<Line<'_>>(first).unwrap_or_default();
    let meta = line.payload.0.or_else(|| parsed::<Payload<'_>>(first)).unwrap_or_default();
    let text = String::from_utf8_lossy(first);
    let cut = |key: &str| {
        let (_, rest) = text.split_once(&format!("\"{key}\":"))?;
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Text<'_>>();
        values.next()?.ok()?.0.map(|text| text.into_owned()) // a value that is cut says nothing
    };
    let time = |text: Option<String>| Text(text.map(Into::into)).to_unix_ms();
    Beginning {
        cwd: meta.cwd.to_text().or_else(|| cut("cwd")).as_deref().map(path),
        began_ms: line
            .timestamp
            .to_unix_ms()
            .or_else(|| meta.timestamp.to_unix_ms())
            .or_else(|| time(cut("timestamp"))),
    }
}
