//! Orders of redaction: signed notes that name leaves, applied to many journals, with a receipt each.
//!
//! ```text
//! annals redaction order v1
//! order 019ac1d2-5be0-7c51-b8a1-6f6f0e7f9a10
//! given 2026-11-26T21:58:26.000Z
//! by me@laptop
//! rule github-token                                  where a rule found it
//! reason the deploy token was printed
//! journal 9a3a59e82a0636b43853a1399637d6e9
//! leaf 4711 6fa1…                                    a record, and its leaf
//!
//! — me@laptop Az3grlgtzPICa5OS8npVmf1Myq/5IZni…
//! ```
//!
//! A leaf is of a salted hash: it says nothing of what the record held.

mod applied;
mod receipt;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::event::wire::{hex_text, of_utc_text, unhex, utc_text};
use crate::event::{OrderId, RedactedRecord};
use crate::journal::tlog::{Note, PublicKey};

pub use applied::{Applied, leaves_of};
pub use receipt::Receipt;

const FIRST_LINE: &str = "annals redaction order v1";
/// An order names no more records.
const RECORDS_MAX: usize = 1 << 20;

/// A longer file is no order.
pub const ORDER_BYTES_MAX: u64 = 128 << 20;

#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    #[error("this is no order of redaction: {0}")]
    NotOrder(&'static str),
    #[error("no key that this user trusts signed the order: --key LINE names one more")]
    Stranger,
    #[error("this is not the order that {by} signed: its text was changed")]
    Changed { by: String },
    #[error(
        "the order is of journal {}, and {path} is journal {journal}: nothing was redacted, the value must come as well (--value-stdin)",
        named.join(", ")
    )]
    OtherJournal { path: String, journal: String, named: Vec<String> },
}

impl crate::fault::Fault for OrderError {
    fn sorted(&self) -> crate::fault::Sorted {
        crate::fault::Class::Refused.alone()
    }
}

/// What is to go, in which journals, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedOrder {
    pub order: OrderId,
    pub at_ms: u64,
    pub by: String,
    pub reason: String,
    pub rule: Option<String>,
    /// Of each journal its records, in order.
    pub records: BTreeMap<[u8; 16], Vec<RedactedRecord>>,
}

impl SignedOrder {
    pub fn text(&self) -> String {
        let line = |text: &str| text.replace(|it: char| it.is_control(), " ");
        let mut text = format!(
            "{FIRST_LINE}\norder {}\ngiven {}\nby {}\n",
            self.order,
            utc_text(self.at_ms).unwrap_or_default(),
            line(&self.by)
        );
        if let Some(rule) = &self.rule {
            text += &format!("rule {}\n", line(rule));
        }
        text += &format!("reason {}\n", line(&self.reason));
        for (journal, records) in &self.records {
            text += &format!("journal {}\n", hex_text(journal));
            for record in records {
                text += &format!("leaf {} {}\n", record.sequence, hex_text(&record.leaf));
            }
        }
        text
    }

    /// Reads an order; one that is not exactly as [`Self::text`] writes it is none.
    pub fn parse(text: &str) -> Result<Self, OrderError> {
        let bad = OrderError::NotOrder;
        let mut lines = text.lines().peekable();
        if lines.next() != Some(FIRST_LINE) {
            return Err(bad("its first line is another"));
        }
        let mut value = |name: &str| {
            let found = lines.peek()?.strip_prefix(name)?.strip_prefix(' ')?;
            lines.next();
            Some(found.to_owned())
        };
        let order = value("order").and_then(|it| OrderId::parse(&it));
        let order = order.ok_or(bad("it has no id"))?;
        let given = value("given").and_then(|it| of_utc_text(&it));
        let at_ms = given.ok_or(bad("it does not say when it was given"))?;
        let by = value("by").ok_or(bad("it does not say by whom it was given"))?;
        let rule = value("rule");
        let reason = value("reason").ok_or(bad("it does not say why it was given"))?;
        let (mut records, mut count) = (BTreeMap::<[u8; 16], Vec<RedactedRecord>>::new(), 0);
        let mut journal = None;
        for line in lines {
            let what = bad("a line of it is neither a journal nor a leaf");
            match line.split_once(' ') {
                Some(("journal", id)) => journal = Some(unhex::<16>(id).ok_or(what)?),
                Some(("leaf", leaf)) => {
                    let leaf = leaf.split_once(' ').and_then(|(sequence, leaf)| {
                        let sequence = sequence.parse().ok()?; // as told
                        Some(RedactedRecord { sequence, leaf: unhex(leaf)? })
                    });
                    let (journal, leaf) = journal.zip(leaf).ok_or(what)?;
                    records.entry(journal).or_default().push(leaf);
                    count += 1;
                    if count > RECORDS_MAX {
                        return Err(bad("it names too many records"));
                    }
                }
                _ => return Err(what),
            }
        }
        let parsed = Self { order, at_ms, by, reason, rule, records };
        match parsed.text() == text {
            true => Ok(parsed),
            false => Err(bad("it is not written as orders are")),
        }
    }

    /// Reads a signed note that one of these keys signed.
    pub fn of_note(text: &str, keys: &[PublicKey]) -> Result<Self, OrderError> {
        let note = Note::parse(text).map_err(|_| OrderError::NotOrder("it is no signed note"))?;
        let order = Self::parse(&note.text)?;
        if keys.iter().any(|key| note.is_signed_by(key)) {
            return Ok(order);
        }
        let named = keys.iter().find(|key| note.names(key));
        Err(named.map_or(OrderError::Stranger, |key| OrderError::Changed { by: note.name_of(key) }))
    }

    /// Holds that it names records of a journal, which lies at a path.
    pub fn must_name(&self, journal: &[u8; 16], path: &str) -> Result<(), OrderError> {
        if self.records.contains_key(journal) {
            return Ok(());
        }
        let named = self.records.keys().map(|it| hex_text(it)).collect();
        Err(OrderError::OtherJournal { path: path.to_owned(), journal: hex_text(journal), named })
    }
}
