//! Facts about what an agent said: its messages, by which model, and where its history was made short.

use bincode::{Decode, Encode};
use serde::Serialize;

use super::{Body, Content, ExecutionId, Kind, wire};

/// An agent said something, or called tools without a word: one message, however many lines a transcript
/// has of it. Another one of the same id tells more of it, and stands in its place.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode, Serialize)]
pub struct AssistantSaid {
    /// The agent's own id of the message; with its session before it where it is unique there alone.
    pub native_id: String,
    /// The subagent that said it, and the execution that this one works for.
    pub actor: Option<String>,
    pub parent: Option<ExecutionId>,
    /// Empty where it only called tools.
    pub text: Content,
    /// Only where the settings ask for it.
    pub thinking: Option<Content>,
    pub model: Option<String>,
    pub stop_reason: Option<String>,
    pub usage: Usage,
}

impl Kind {
    /// What agents said, and the summaries made of it, which quote it.
    pub const ANSWERS: [Self; 3] = [Self(0x0208), Self(0x020a), Self(0x0a09)];
}

impl Body {
    pub fn is_answer(&self) -> bool {
        Kind::ANSWERS.contains(&self.kind())
    }
}

/// Tokens of one message: what the model read and wrote. Each is absent where the agent does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode, Serialize)]
pub struct Usage {
    /// Read, and neither from a cache nor into one.
    pub input: Option<u64>,
    pub output: Option<u64>,
    pub cache_read: Option<u64>,
    pub cache_write: Option<u64>,
}

/// Another model than before speaks in a session.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct ModelChanged {
    /// The first message that it said.
    pub native_id: String,
    pub from: Option<String>,
    pub to: String,
}

/// What was said so far became a summary, since it was too long for the model.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct Compacted {
    pub native_id: String,
    /// Who asked for it, in the agent's own word: `auto`, `manual`.
    pub trigger: Option<String>,
    pub tokens_before: Option<u64>,
    pub summary: Content,
}

/// A picture or document that came with a prompt; what is in it is not kept.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct Attachment {
    pub name: Option<String>,
    pub media_type: Option<String>,
    pub bytes: u64,
    /// The blake3 of the file's own bytes.
    #[serde(serialize_with = "wire::hex")]
    pub digest: [u8; 32],
}

impl Usage {
    /// Of two tellings of one message what both know: it grows while the message is written.
    pub fn grow(&mut self, later: &Self) {
        let Self { input, output, cache_read, cache_write } = later;
        self.input = self.input.max(*input);
        self.output = self.output.max(*output);
        self.cache_read = self.cache_read.max(*cache_read);
        self.cache_write = self.cache_write.max(*cache_write);
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
