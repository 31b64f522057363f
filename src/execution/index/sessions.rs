//! Sessions, prompts, declared tools, flaws of transcripts.

use rusqlite::params;

use super::Index;
use crate::event::limits::{INLINE_BYTES_MAX, REPEATED_BYTES_MIN};
use crate::event::{
    Body, Content, PromptSubmitted, Recorded, RecordedLoss, SessionStarted, ToolsDeclared,
    TranscriptFlaw, TranscriptFlawed, tool,
};
use crate::execution::closed::{plain, signed};
use crate::parse::content;
use crate::store::columns::insert;
use crate::store::{AnomalyKind, StoreError};

/// Of a prompt's text the index keeps this much; the journal has it all.
const PROMPT_BYTES_MAX: usize = 16 << 10;
/// Sessions remembered before they are written back.
const SESSIONS_MAX: usize = 4096;
/// Names of tools remembered; the rest are looked up.
const NATIVE_TOOLS_MAX: usize = 256;

#[derive(Clone, Copy, Debug)]
pub(super) struct Touched {
    number: u64,
    last_seq: u64,
    last_ms: i64,
}

impl Index {
    /// The session's number, and its last event moved forward.
    pub(super) fn touch(&mut self, recorded: &Recorded) -> Result<Option<u64>, StoreError> {
        let Some(session) = recorded.event.envelope.session else { return Ok(None) };
        let (seq, at_ms) = (recorded.sequence.0, signed(recorded.event.envelope.at_ms));
        if let Some(touched) = self.sessions.get_mut(&session.0) {
            touched.last_seq = touched.last_seq.max(seq);
            touched.last_ms = touched.last_ms.max(at_ms);
            return Ok(Some(touched.number));
        }
        if self.sessions.len() >= SESSIONS_MAX {
            self.write_sessions()?;
        }
        let number = self.session(&session.to_string(), seq, at_ms)?;
        self.sessions.insert(session.0, Touched { number, last_seq: seq, last_ms: at_ms });
        Ok(Some(number))
    }

    fn session(&self, id: &str, seq: u64, at_ms: i64) -> Result<u64, StoreError> {
        let doing = "looking a session up";
        let find = "SELECT number FROM sessions WHERE id = ?1";
        if let Some(number) = self.find(doing, find, [id], |row| row.get(0))? {
            return Ok(number);
        }
        let insert = "INSERT INTO sessions (id, first_seq, first_ms, last_seq, last_ms) \
                      VALUES (?1, ?2, ?3, ?2, ?3)";
        self.write(doing, insert, params![id, seq, at_ms])?;
        Ok(self.conn.last_insert_rowid().unsigned_abs())
    }

    pub(super) fn write_sessions(&mut self) -> Result<(), StoreError> {
        for Touched { number, last_seq, last_ms } in
            std::mem::take(&mut self.sessions).into_values()
        {
            let sql = "UPDATE sessions SET last_seq = max(last_seq, ?2), \
                       last_ms = max(last_ms, ?3) WHERE number = ?1";
            self.write("moving a session forward", sql, params![number, last_seq, last_ms])?;
        }
        Ok(())
    }

    /// Notes contents that later events may refer to. One that was brought from where it first
    /// stood is known from there.
    pub(super) fn contents(&mut self, recorded: &Recorded) -> Result<(), StoreError> {
        for content in recorded.event.body.contents() {
            if let Content::Inline(bytes) = content
                && (REPEATED_BYTES_MIN..INLINE_BYTES_MAX).contains(&bytes.len())
            {
                let (key, seq) = (content_key(blake3::hash(bytes).as_bytes()), recorded.sequence.0);
                insert!(self, "INSERT OR IGNORE INTO", contents { key, seq })?;
            }
        }
        Ok(())
    }

    pub(super) fn fact(
        &mut self,
        recorded: &Recorded,
        body: &Body,
        session: Option<u64>,
    ) -> Result<(), StoreError> {
        match (body, session) {
            (Body::SessionStarted(started), Some(number)) => self.describe(number, started),
            (Body::SessionEnded(ended), Some(number)) => {
                let sql = "UPDATE sessions SET ended_seq = ?2, end_reason = ?3 WHERE number = ?1";
                let values = params![number, recorded.sequence.0, ended.reason];
                self.write("ending a session", sql, values).map(drop)
            }
            (Body::PromptSubmitted(prompt), _) => self.prompt(recorded, prompt, session),
            (Body::AssistantSaid(said), _) => self.message(recorded, said, session),
            (Body::ModelChanged(_) | Body::Compacted(_), _) => self.mark(recorded, session),
            (Body::RecoveryPerformed(_), _) => match RecordedLoss::of(recorded) {
                Some(loss) => self.loss(recorded, &loss),
                None => Ok(()),
            },
            (Body::TranscriptFlawed(flawed), _) => self.flaw(recorded, flawed),
            _ => Ok(()),
        }
    }

    /// Fills what a session's row left empty. A title given later replaces an earlier one.
    fn describe(&self, number: u64, started: &SessionStarted) -> Result<(), StoreError> {
        self.write(
            "describing a session",
            "UPDATE sessions SET native_id = CASE WHEN agent = '' THEN ?3 ELSE native_id END, \
             agent = CASE WHEN agent = '' THEN ?2 ELSE agent END, \
             agent_version = coalesce(agent_version, ?4), model = coalesce(model, ?5), \
             parent = coalesce(parent, ?6), cwd = coalesce(cwd, ?7), \
             branch = coalesce(branch, ?8), title = coalesce(title, ?9) WHERE number = ?1",
            params![
                number,
                started.agent,
                started.native_id,
                started.agent_version,
                started.model,
                started.parent.map(|id| id.to_string()),
                started.cwd,
                started.branch,
                started.title
            ],
        )
        .map(drop)
    }

    fn prompt(
        &self,
        recorded: &Recorded,
        prompt: &PromptSubmitted,
        session: Option<u64>,
    ) -> Result<(), StoreError> {
        let text = content::text(&prompt.text, PROMPT_BYTES_MAX).unwrap_or_default();
        insert!(
            self,
            prompts {
                seq: recorded.sequence.0,
                session,
                at_ms: signed(recorded.event.envelope.at_ms),
                native_id: prompt.native_id,
                actor: prompt.actor,
                digest: digest(&prompt.text),
                text: plain(&text),
            }
        )
        .map(drop)
    }

    fn loss(&mut self, recorded: &Recorded, loss: &RecordedLoss) -> Result<(), StoreError> {
        // What is missing there is told by this, once.
        if let Some((first, last)) = loss.lost {
            let sql = "DELETE FROM anomalies WHERE kind = ?1 AND seq BETWEEN ?2 AND ?3";
            let values = params![AnomalyKind::Lost.as_str(), first.0, last.0];
            self.write("deleting an anomaly", sql, values)?;
        }
        self.anomaly(recorded, AnomalyKind::RecordedLoss, None, loss.to_string())
    }

    fn flaw(&mut self, recorded: &Recorded, flawed: &TranscriptFlawed) -> Result<(), StoreError> {
        let TranscriptFlawed { file, line, flaw, detail, .. } = flawed;
        let noted = insert!(
            self,
            "INSERT OR IGNORE INTO",
            flaws { file, line: signed(*line), flaw: flaw.as_str(), detail }
        )?;
        if noted == 0 {
            return Ok(());
        }
        let kind = match flaw {
            TranscriptFlaw::Unreadable => AnomalyKind::UnreadableLine,
            TranscriptFlaw::ResultWithoutCall => AnomalyKind::ResultWithoutCall,
            TranscriptFlaw::OddTime => AnomalyKind::OddTime,
            TranscriptFlaw::PartUnread => AnomalyKind::PartUnread,
        };
        let message = format!("{file}, line {line}: {detail}");
        self.anomaly(recorded, kind, None, message)
    }

    pub(super) fn declare(
        &mut self,
        recorded: &Recorded,
        declared: &ToolsDeclared,
    ) -> Result<(), StoreError> {
        for name in &declared.tools {
            if tool::CONTRACT.contains(&name.as_str()) || self.declared.contains(name) {
                continue;
            }
            if !tool::is_valid(name) {
                let message = format!("{name:?} cannot be a tool's name; it was not declared");
                self.anomaly(recorded, AnomalyKind::InvalidToolName, None, message)?;
                continue;
            }
            insert!(self, tools { name, seq: recorded.sequence.0, declared_by: declared.by })?;
            self.declared.push(name.clone());
        }
        Ok(())
    }

    pub(super) fn name_tool(
        &mut self,
        native_tool: Option<&str>,
        tool: &str,
    ) -> Result<(), StoreError> {
        let Some(native_tool) = native_tool else { return Ok(()) };
        let known = |(native, named): &(String, String)| native == native_tool && named == tool;
        if self.native_tools.iter().any(known) {
            return Ok(());
        }
        if self.native_tools.len() < NATIVE_TOOLS_MAX {
            self.native_tools.insert((native_tool.to_owned(), tool.to_owned()));
        }
        insert!(self, "INSERT OR IGNORE INTO", native_tools { native_tool, tool }).map(drop)
    }
}

/// The blake3 of a prompt's whole text, hex: how an importer knows it again.
fn digest(content: &Content) -> String {
    let hash = match content {
        Content::Inline(bytes) => blake3::hash(bytes),
        Content::Blob { hash, .. } | Content::Repeated { hash, .. } => {
            blake3::Hash::from_bytes(*hash)
        }
        Content::Truncated { head, tail, len } => {
            let mut hash = blake3::Hasher::new();
            hash.update(head).update(tail).update(&len.to_le_bytes());
            hash.finalize()
        }
    };
    hash.to_hex().to_string()
}

pub fn content_key(hash: &[u8; 32]) -> i64 {
    let mut key = [0; 8];
    key.copy_from_slice(&hash[..8]);
    i64::from_le_bytes(key)
}
