//! Sessions, prompts, declared tools.

use super::{IndexProjector, SESSIONS_MAX, Touched};
use crate::event::limits::{INLINE_BYTES_MAX, REPEATED_BYTES_MIN};
use crate::event::{
    Body, Content, Recorded, RecordedLoss, ToolsDeclared, TranscriptFlaw, TranscriptFlawed, tool,
};
use crate::execution::closed::{plain, signed};
use crate::execution::index::SessionRow;
use crate::parse::content;
use crate::store::{AnomalyKind, StoreError};

/// Of a prompt's text the index keeps this much; the journal has it all.
const PROMPT_BYTES_MAX: usize = 16 << 10;

impl IndexProjector {
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
        let number = self.store.session(&session.to_string(), seq, at_ms)?;
        self.sessions.insert(session.0, Touched { number, last_seq: seq, last_ms: at_ms });
        Ok(Some(number))
    }

    /// Notes contents that later events may refer to. One that was brought from where it first
    /// stood is known from there.
    pub(super) fn contents(&mut self, recorded: &Recorded) -> Result<(), StoreError> {
        for content in recorded.event.body.contents() {
            if let Content::Inline(bytes) = content
                && (REPEATED_BYTES_MIN..INLINE_BYTES_MAX).contains(&bytes.len())
            {
                self.store.add_content(blake3::hash(bytes).as_bytes(), recorded.sequence.0)?;
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
        let seq = recorded.sequence.0;
        match (body, session) {
            (Body::SessionStarted(started), Some(number)) => {
                let parent = started.parent.map(|id| id.to_string());
                let row = SessionRow {
                    agent: &started.agent,
                    native_id: &started.native_id,
                    agent_version: started.agent_version.as_deref(),
                    model: started.model.as_deref(),
                    parent: parent.as_deref(),
                    cwd: started.cwd.as_deref(),
                    branch: started.branch.as_deref(),
                    title: started.title.as_deref(),
                };
                self.store.describe_session(number, &row)
            }
            (Body::SessionEnded(ended), Some(number)) => {
                self.store.end_session(number, seq, &ended.reason)
            }
            (Body::PromptSubmitted(prompt), _) => {
                let at_ms = signed(recorded.event.envelope.at_ms);
                let text = content::text(&prompt.text, PROMPT_BYTES_MAX).unwrap_or_default();
                let digest = digest(&prompt.text);
                let native_id = prompt.native_id.as_deref();
                let actor = prompt.actor.as_deref();
                let text = plain(&text);
                self.store.add_prompt(seq, session, at_ms, native_id, actor, &digest, &text)
            }
            (Body::RecoveryPerformed(_), _) => match RecordedLoss::of(recorded) {
                Some(loss) => {
                    // What is missing there is told by this, once.
                    if let Some((first, last)) = loss.lost {
                        let kind = AnomalyKind::Lost.as_str();
                        self.store.forget_anomalies(kind, first.0, last.0)?;
                    }
                    self.anomaly(recorded, AnomalyKind::RecordedLoss, None, loss.to_string())
                }
                None => Ok(()),
            },
            (Body::TranscriptFlawed(flawed), _) => self.flaw(recorded, flawed),
            _ => self.grounding(recorded, body, session),
        }
    }

    fn flaw(&mut self, recorded: &Recorded, flawed: &TranscriptFlawed) -> Result<(), StoreError> {
        let TranscriptFlawed { file, line, flaw, detail, .. } = flawed;
        if !self.store.add_flaw(file, *line, flaw.as_str(), detail)? {
            return Ok(());
        }
        let kind = match flaw {
            TranscriptFlaw::Unreadable => AnomalyKind::UnreadableLine,
            TranscriptFlaw::ResultWithoutCall => AnomalyKind::ResultWithoutCall,
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
            if tool::CONTRACT.contains(&name.as_str()) {
                continue;
            }
            if !tool::is_valid(name) {
                let message = format!("{name:?} cannot be a tool's name; it was not declared");
                self.anomaly(recorded, AnomalyKind::InvalidToolName, None, message)?;
                continue;
            }
            self.store.declare(name, recorded.sequence.0, &declared.by)?;
        }
        Ok(())
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
