//! How an execution ended: the same result told again is nothing new, another one is no retry.

use super::{Key, key};
use crate::event::{Body, Closing, Content, Outcome};

/// How an execution ended, as the journal has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Told(Told),
    /// Its end lies there.
    At(u64),
    /// It did not end, or how is lost.
    Unknown,
}

/// What a result says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    outcome: Outcome,
    exit_code: Option<i32>,
    /// A digest of what it printed and of its error.
    output: Key,
}

impl Told {
    /// Of a result in the journal's shape, without secrets.
    pub fn of(closing: &Closing) -> Self {
        let printed = [&closing.stdout, &closing.stderr].map(|it| it.as_ref().map(digest));
        let [stdout, stderr] = printed.map(Option::unwrap_or_default);
        let output =
            key(&["output", closing.error.as_deref().unwrap_or_default(), &stdout, &stderr]);
        Self { outcome: closing.outcome, exit_code: closing.exit_code, output }
    }

    /// Of the event that ended an execution; `None` where it tells no result.
    pub fn of_body(body: &Body) -> Option<Self> {
        match body {
            Body::ExecutionFinished(finished) => Some(Self::of(&finished.closing)),
            Body::ExecutionCorrected(corrected) => Some(Self::of(&corrected.closing)),
            _ => None,
        }
    }

    /// In what this is another result than the one on record.
    pub fn differs_from(&self, recorded: &Self) -> Option<&'static str> {
        match recorded {
            it if it.outcome != self.outcome => Some("another outcome"),
            it if it.exit_code != self.exit_code => Some("another exit code"),
            it if it.output != self.output => Some("another output"),
            _ => None,
        }
    }
}

/// The same for the same bytes, wherever they lie.
fn digest(content: &Content) -> String {
    let hash = match content {
        Content::Inline(bytes) => *blake3::hash(bytes).as_bytes(),
        Content::Blob { hash, .. } | Content::Repeated { hash, .. } => *hash,
        Content::Truncated { head, tail, len } => {
            let mut hash = blake3::Hasher::new();
            hash.update(head).update(tail).update(&len.to_le_bytes());
            *hash.finalize().as_bytes()
        }
    };
    blake3::Hash::from_bytes(hash).to_hex().to_string()
}
