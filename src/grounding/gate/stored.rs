//! What a session's file holds.

use serde::{Deserialize, Serialize};

use crate::event::SessionId;
use crate::grounding::fold::{Grounding, GroundingRules, Hex};
use crate::journal::{Bookmark, Mark};

/// What a session's file holds.
pub(super) struct Stored {
    pub grounding: Grounding,
    pub bookmark: Bookmark,
}

/// The file's shape.
#[derive(Serialize, Deserialize)]
struct Shape<G> {
    version: u32,
    /// What the fold was told of the project's settings.
    rules: Hex,
    journal: Hex,
    segment: u64,
    /// Where the last commit that was folded ends in it, bytes.
    end: u64,
    sequence: u64,
    /// The chain there, in two halves.
    chain: [Hex; 2],
    grounding: G,
}

/// Another number where the shape became another.
const VERSION: u32 = 1;

impl Stored {
    /// More than a fold ever takes.
    pub const BYTES_MAX: u64 = 1 << 20;
    /// How far a time may lie ahead: of two clocks one is late. Further ahead, a read would open the
    /// gate for as long.
    const AHEAD_MS_MAX: u64 = 60_000;

    /// What a text says; `None` where it is none of ours, or another session's or fold's.
    /// `now_ms` bounds the times that it may tell of.
    pub fn parse(
        text: &str,
        session: SessionId,
        rules: &GroundingRules,
        now_ms: u64,
    ) -> Option<Self> {
        let shape: Shape<Grounding> = serde_json::from_str(text).ok()?; // no fold of ours
        let Shape { version, journal, segment, end, sequence, chain, grounding, .. } = shape;
        let usable = version == VERSION
            && shape.rules == rules.digest()
            && grounding.session() == session
            && grounding.through().0 <= sequence
            && grounding.is_bounded(now_ms.saturating_add(Self::AHEAD_MS_MAX));
        let mut whole = [0; 32];
        whole[..16].copy_from_slice(&chain[0].0);
        whole[16..].copy_from_slice(&chain[1].0);
        let mark = Mark { sequence: crate::event::Sequence(sequence), chain: whole };
        let bookmark = Bookmark { journal: journal.0, segment, end, mark };
        usable.then_some(Self { grounding, bookmark })
    }

    pub fn text(
        grounding: &Grounding,
        bookmark: &Bookmark,
        rules: &GroundingRules,
    ) -> Result<String, serde_json::Error> {
        let half = |at: usize| {
            let mut half = [0; 16];
            half.copy_from_slice(&bookmark.mark.chain[at..at + 16]);
            Hex(half)
        };
        serde_json::to_string(&Shape {
            version: VERSION,
            rules: rules.digest(),
            journal: Hex(bookmark.journal),
            segment: bookmark.segment,
            end: bookmark.end,
            sequence: bookmark.mark.sequence.0,
            chain: [half(0), half(16)],
            grounding,
        })
    }
}
