//! Whether the journal holds, how large it is, and what vouches for it.

use serde::Serialize;

use super::Bounded;
use super::gather::Subject;
use super::limits::{CHECKPOINTS_MAX, FINDINGS_MAX};
use crate::event::wire::hex_text;
use crate::event::{CheckpointSigned, Sequence, wire};
use crate::execution::replay::{Unshown, Window, verdict};
use crate::journal::JournalError;
use crate::journal::tlog::Tree;

#[derive(Clone, Debug, Serialize)]
pub struct Integrity {
    /// Everything that verifying holds it to holds.
    pub holds: bool,
    /// Something that was durable is lost or changed.
    pub damaged: bool,
    pub events: u64,
    pub commits: u64,
    /// Commits whose chain was computed anew and came out the same.
    pub commits_chained: u64,
    pub segments: u64,
    pub seals: u64,
    pub bytes: u64,
    /// Records whose payload is gone.
    pub redacted: u64,
    pub findings: Bounded<String>,
    pub unreadable: Vec<String>,
    /// Records that the root is over, and the root (RFC 6962, SHA-256); `null` where a record is missing.
    pub size: Option<u64>,
    pub root: Option<String>,
    pub no_root: Option<String>,
    /// The last event, and the chain there (blake3).
    pub sequence: Option<u64>,
    pub chain: Option<String>,
    /// The newest last.
    pub checkpoints: Vec<SignedSize>,
    /// So many earlier ones.
    pub checkpoints_left_out: u64,
    /// What could not be shown of it.
    pub not_shown: Unshown,
}

/// A checkpoint that was signed.
#[derive(Clone, Debug, Serialize)]
pub struct SignedSize {
    pub sequence: u64,
    #[serde(rename = "at", serialize_with = "wire::utc")]
    pub at_ms: u64,
    pub size: u64,
    pub root: String,
    pub key: String,
    /// The journal still has that root over its first records; `null` where none can be made.
    pub is_contained: Option<bool>,
}

impl Integrity {
    pub fn of(
        subject: &Subject<'_>,
        through: Option<Sequence>,
        mut signed: Vec<(u64, u64, CheckpointSigned)>,
        not_shown: Unshown,
    ) -> Result<Self, JournalError> {
        let (source, reading) = (subject.source, subject.reading);
        let found = verdict(source, reading, &Window::default(), subject.cache)?;
        let (holds, damaged, report) = (found.is_clean(), found.is_damaged(), found.report);
        let tree = Tree::of(&source.journal, reading, None, through);
        let root = tree.as_ref().map(|tree| (tree, tree.root(tree.size())));
        let (size, root, no_root) = match root {
            Ok((tree, Ok(root))) => (Some(tree.size()), Some(hex_text(&root)), None),
            Ok((_, Err(error))) => (None, None, Some(error.to_string())),
            Err(error) => (None, None, Some(error.to_string())),
        };
        let mark = tree.as_ref().map(Tree::mark).ok(); // told above
        let mark = mark.map(|it| (it.sequence.0, it.chain));
        let mark = mark.or(report.mark.map(|it| (it.sequence.0, it.chain.0)));
        let left_out = signed.len().saturating_sub(CHECKPOINTS_MAX);
        let contained = |it: &CheckpointSigned| {
            let tree = tree.as_ref().ok().filter(|tree| it.tree_size <= tree.size())?; // told above
            tree.root(it.tree_size).ok().map(|root| root == it.root) // a tile is missing: nobody knows
        };
        let checkpoints = signed.drain(left_out..).map(|(sequence, at_ms, it)| SignedSize {
            sequence,
            at_ms,
            size: it.tree_size,
            root: hex_text(&it.root),
            is_contained: contained(&it),
            key: it.key,
        });
        let checkpoints = checkpoints.collect();
        let mut findings = Bounded::default();
        for finding in &report.findings {
            findings.push(finding.to_string(), FINDINGS_MAX);
        }
        findings.left_out += report.findings_count - report.findings.len() as u64;
        let bytes = report.bytes;
        Ok(Self {
            holds,
            damaged,
            events: report.events,
            commits: report.commits,
            commits_chained: report.commits_chained,
            segments: report.segments.len() as u64,
            seals: report.seals.len() as u64,
            bytes: bytes.header + bytes.frames + bytes.control,
            redacted: report.redacted,
            findings,
            unreadable: report.unreadable.iter().map(ToString::to_string).collect(),
            size,
            root,
            no_root,
            sequence: mark.map(|it| it.0),
            chain: mark.map(|it| hex_text(&it.1)),
            checkpoints,
            checkpoints_left_out: left_out as u64,
            not_shown,
        })
    }
}
