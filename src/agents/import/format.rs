//! Tells a transcript's format by its content; a file's name says nothing.

use std::fmt;

use super::limits::SNIFF_BYTES_MAX;
use super::transcript::Dialect;
use super::{claude_code, codex};

/// A transcript's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    ClaudeCode,
    Codex,
    SweAgent,
    OpenHands,
    Zstd,
}

impl Format {
    /// The format of this name; `auto` is none.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "claude-code" | "claude" => Some(Self::ClaudeCode),
            "codex" => Some(Self::Codex),
            _ => None,
        }
    }

    /// The agent's name in sessions and call keys, where its transcripts are read.
    pub fn agent(self) -> Option<&'static str> {
        match self {
            Self::ClaudeCode => Some(claude_code::AGENT),
            Self::Codex => Some(codex::AGENT),
            Self::SweAgent | Self::OpenHands | Self::Zstd => None,
        }
    }

    /// How its records are read.
    pub(super) fn dialect(self) -> Dialect {
        match self {
            Self::Codex => Dialect::Codex(Box::default()),
            _ => Dialect::ClaudeCode,
        }
    }

    /// The format of a file that begins so; `None` where nothing is recognised. At most
    /// [`SNIFF_BYTES_MAX`] are looked at, and a first line may be damaged or cut.
    pub fn sniff(head: &[u8]) -> Option<Self> {
        let head = &head[..head.len().min(SNIFF_BYTES_MAX)];
        if head.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) {
            return Some(Self::Zstd);
        }
        if claude_code::is_transcript(head) {
            return Some(Self::ClaudeCode);
        }
        if codex::is_rollout(head) {
            return Some(Self::Codex);
        }
        let text = String::from_utf8_lossy(head);
        let has = |key: &str| text.contains(key);
        if has("\"trajectory\"") && (has("\"observation\"") || has("\"environment\"")) {
            return Some(Self::SweAgent);
        }
        let event = has("\"timestamp\"") && has("\"source\"");
        (event && (has("\"action\"") || has("\"observation\"") || has("\"kind\"")))
            .then_some(Self::OpenHands)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
            Self::SweAgent => "SWE-agent",
            Self::OpenHands => "OpenHands",
            Self::Zstd => "zstd-compressed",
        })
    }
}
