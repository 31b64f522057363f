//! What is redacted in a journal, held to what its events order.

use std::collections::BTreeSet;

use annals_journal_format::Position;
use annals_journal_format::verify::{RedactedCommit, RedactedFrame, VerifyReport};

use super::Orders;
use crate::event::{Kind, Sequence};
use crate::journal::{Finding, JournalReader, Verdict};

/// What is known of a journal besides its bytes.
pub(in crate::journal) struct Known<'a> {
    /// It is here to its end: an order may not stand in what is missing.
    pub is_whole: bool,
    /// A bundle that was written without what agents said.
    pub is_without_answers: bool,
    /// One that was rewritten without what was redacted since.
    pub is_without_records: bool,
    /// To look a record up that was not walked over.
    pub reader: Option<&'a JournalReader>,
}

/// What does not agree: frames that nobody ordered to go, records that are not what was vouched for, and payloads
/// that are there although they were ordered to go.
pub(in crate::journal) fn disagreements(
    report: &VerifyReport,
    orders: &Orders,
    known: &Known<'_>,
) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut redacted = BTreeSet::new();
    for commit in &report.redacted_commits {
        let is_own = |order: &super::Ordered| order.journal == report.journal.0;
        found.extend(broken(commit, orders, report.journal.0));
        for frame in &commit.frames {
            let sequence = Sequence(frame.sequence.0);
            let ordered = orders.records.get(&sequence);
            let told = ordered.or_else(|| orders.beside.get(&sequence));
            if let Some((leaf, at)) = told {
                let is_own = orders.orders.get(*at).is_some_and(is_own);
                let is_its = match is_own {
                    true => frame.leaf.leaf() == *leaf,
                    false => frame.leaf.is_or_was(leaf),
                };
                found.extend((!is_its).then(|| finding(frame, Verdict::LeafChanged)));
            }
            if !frame.is_redacted {
                continue;
            }
            redacted.insert(sequence);
            let is_left_out = known.is_without_records
                || known.is_without_answers && Kind::ANSWERS.contains(&Kind(frame.kind));
            if ordered.is_none() && known.is_whole && !is_left_out {
                found.push(finding(frame, Verdict::Unordered));
            }
        }
    }
    let left = orders.records.keys().filter(|it| !redacted.contains(it));
    found.extend(left.filter_map(|it| known.left(*it)));
    found
}

/// Whether a commit goes on from what an event gives for it.
fn broken(commit: &RedactedCommit, orders: &Orders, journal: [u8; 16]) -> Option<Finding> {
    let (link, at) = orders.links.get(&Sequence(commit.first.0))?;
    // Of one that this was salvaged from: its chains are not here.
    let is_own = orders.orders.get(*at)?.journal == journal;
    commit.before.filter(|it| is_own && it.0 != *link)?;
    let bytes = commit.frames.iter().map(|frame| frame.bytes).sum();
    let verdict = Verdict::ChainBroken;
    Some(Finding { verdict, at: commit.at, bytes, lost: None, exact: true })
}

fn finding(frame: &RedactedFrame, verdict: Verdict) -> Finding {
    let lost = Some((frame.sequence, frame.sequence));
    Finding { verdict, at: frame.at, bytes: frame.bytes, lost, exact: true }
}

impl Known<'_> {
    /// A record that was ordered to go and still has what it held.
    fn left(&self, at: Sequence) -> Option<Finding> {
        // What cannot be read is told by the walk.
        let (position, kind, is_redacted) = self.reader?.stands(at).ok()??;
        let stays = is_redacted || kind.is_of_journal();
        let sequence = annals_journal_format::Sequence(at.0);
        let at: Position = position;
        let (verdict, lost) = (Verdict::NotRedacted, Some((sequence, sequence)));
        (!stays).then_some(Finding { verdict, at, bytes: 0, lost, exact: true })
    }
}
