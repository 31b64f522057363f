//! Something that does not hold, in words and with its place.

use serde::{Deserialize, Serialize};

use crate::event::RecordedLoss;
use crate::journal::Finding;

/// Something that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wound {
    pub place: Place,
    /// Something that was durable is lost or changed; else an append that nobody was told of was cut
    /// short, or nothing is lost.
    pub loss: bool,
    /// An event of the journal tells of it: it is no new damage.
    pub recorded: bool,
    /// What and where.
    pub text: String,
}

/// Where it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Place {
    Journal,
    Segment { number: u64, offset: u64 },
    Blob { name: String },
}

impl Wound {
    pub(super) fn of(finding: &Finding, told: &[RecordedLoss]) -> Self {
        let (number, offset) = (finding.at.segment.0, finding.at.offset.0);
        let loss = finding.verdict.is_loss();
        let recorded = told.iter().any(|it| it.tells_of(finding));
        let text = finding.to_string();
        Self { place: Place::Segment { number, offset }, loss, recorded, text }
    }

    pub(super) fn unreadable(text: String) -> Self {
        Self { place: Place::Journal, loss: true, recorded: false, text }
    }

    pub(super) fn blob(name: &str, what: &str) -> Self {
        let text = format!("{what}: blob {name}");
        let place = Place::Blob { name: name.to_owned() };
        Self { place, loss: true, recorded: false, text }
    }
}
