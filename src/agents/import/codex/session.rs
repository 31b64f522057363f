//! What a rollout has said of its session so far.

use super::payload::Payload;
use crate::agents::import::item::Head;
use crate::agents::import::limits::COPY_MS_MAX;
use crate::agents::import::loose::{Loose, Text, parsed};

/// What a rollout has said of its session so far.
#[derive(Debug, Default)]
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

/// Who began a session, where that was not a person.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
struct Source<'a> {
    #[serde(borrow)]
    subagent: Loose<Subagent<'a>>,
}

#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
struct Subagent<'a> {
    #[serde(borrow)]
    thread_spawn: Loose<Spawn<'a>>,
}

#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
struct Spawn<'a> {
    #[serde(borrow)]
    parent_thread_id: Text<'a>,
}

impl Session {
    /// The agent's own name for it.
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

    /// Takes what the beginning of a turn says.
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

    /// What the `number`th prompt is known by besides its text, however often forks repeat it.
    ///
    /// A copy is written at once when the fork begins, before anybody can type.
    pub fn prompt_place(&self, number: u64, at_ms: Option<u64>) -> Option<String> {
        let own = self.id.as_ref()?;
        let since_ms = self.began_ms.zip(at_ms).and_then(|(from, at)| at.checked_sub(from));
        let copied = since_ms.is_none_or(|ms| ms <= COPY_MS_MAX);
        let of = self.copied_from.as_ref().filter(|_| copied).unwrap_or(own);
        Some(format!("{of}#{number}"))
    }
}

fn spawned_by(meta: &Payload<'_>) -> Option<String> {
    let source: Loose<Source<'_>> = parsed(meta.source?.get().as_bytes())?;
    source.0?.subagent.0?.thread_spawn.0?.parent_thread_id.to_text()
}

/// A folder as a path; newer versions write a URL.
pub fn path(folder: &str) -> String {
    folder.strip_prefix("file://").unwrap_or(folder).to_owned()
}
