//! What became of an order in one journal or bundle.

use serde::Serialize;

use crate::event::wire::{hex_text, utc_text};
use crate::event::{OrderId, RedactedRecord};
use crate::journal::clock;

/// A receipt: which leaves were there, which went now and which before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Receipt {
    pub order: OrderId,
    /// The journal's id.
    pub journal: String,
    /// Where it lies: a project or a bundle.
    pub path: String,
    /// When it was applied, UTC.
    pub at: String,
    pub redacted: Vec<RedactedRecord>,
    pub before: Vec<RedactedRecord>,
    pub absent: Vec<RedactedRecord>,
    /// A signed note that says the same, where there is a key.
    pub note: Option<String>,
}

impl Receipt {
    pub fn new(order: OrderId, journal: [u8; 16], path: String) -> Self {
        let (redacted, before, absent) = (Vec::new(), Vec::new(), Vec::new());
        let at = utc_text(clock::now_ms()).unwrap_or_default();
        let journal = hex_text(&journal);
        Self { order, journal, path, at, redacted, before, absent, note: None }
    }

    /// What is signed: nothing of where it lies.
    pub fn text(&self) -> String {
        let mut text = format!(
            "annals redaction receipt v1\norder {}\njournal {}\nat {}\n",
            self.order, self.journal, self.at
        );
        let lists =
            [("redacted", &self.redacted), ("before", &self.before), ("absent", &self.absent)];
        for (what, records) in lists {
            for it in records {
                text += &format!("{what} {} {}\n", it.sequence, hex_text(&it.leaf));
            }
        }
        text
    }
}
