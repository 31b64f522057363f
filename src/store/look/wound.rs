//! Something that does not hold, in words and with its place.

use serde::{Deserialize, Serialize};

use crate::event::RecordedLoss;
use crate::journal::{Finding, Verdict, tells_of};
use crate::store::catch_up::RebuildReason;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wound {
    pub place: Place,
    pub kind: WoundKind,
    /// An event of the journal tells of it: it is no new damage.
    pub recorded: bool,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WoundKind {
    /// Something that was durable is lost or changed.
    Loss,
    /// An append that nobody was told of was cut short: the next writer, or a repair, cuts it.
    Cut,
    /// Bytes are not what was written, and nothing is lost by it.
    Flaw,
    /// Nothing is wrong: it is only worth knowing.
    Note,
}

impl WoundKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Cut => "cut",
            Self::Flaw => "flaw",
            Self::Note => "note",
        }
    }

    pub fn of(verdict: Verdict) -> Self {
        match verdict {
            it if it.is_loss() => Self::Loss,
            it if it.is_cut() => Self::Cut,
            it if it.is_note() => Self::Note,
            _ => Self::Flaw,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Place {
    Journal,
    Segment {
        number: u64,
        offset: u64,
    },
    Blob {
        name: String,
    },
    /// A store around it, which has read what the journal does not have.
    Store {
        name: String,
    },
}

impl Wound {
    pub(super) fn of(finding: &Finding, told: &[RecordedLoss]) -> Self {
        let (number, offset) = (finding.at.segment.0, finding.at.offset.0);
        let kind = WoundKind::of(finding.verdict);
        let recorded = told.iter().any(|it| tells_of(it, finding));
        let text = finding.to_string();
        Self { place: Place::Segment { number, offset }, kind, recorded, text }
    }

    pub(super) fn unreadable(text: String) -> Self {
        Self { place: Place::Journal, kind: WoundKind::Loss, recorded: false, text }
    }

    /// Of a segment in an archive that has something else.
    pub(super) fn archived(number: u64, text: String) -> Self {
        let place = Place::Segment { number, offset: 0 };
        Self { place, ..Self::unreadable(text) }
    }

    pub(super) fn store(name: &str, reason: RebuildReason) -> Self {
        let (text, name) = (format!("{name}: {reason}"), name.to_owned());
        Self { place: Place::Store { name }, kind: WoundKind::Loss, recorded: false, text }
    }

    pub(super) fn blob(name: &str, what: &str) -> Self {
        let text = format!("{what}: blob {name}");
        let place = Place::Blob { name: name.to_owned() };
        Self { place, kind: WoundKind::Loss, recorded: false, text }
    }
}
