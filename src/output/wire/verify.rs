//! What `verify` found, as it prints it.

use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Verified {
    pub path: String,
    pub journal: String,
    pub segments: u64,
    pub events: u64,
    pub commits: u64,
    /// Commits whose chain was computed again and held.
    pub commits_chained: u64,
    pub redacted: u64,
    /// The orders that its events tell of, in their order: what is redacted by which, when and why.
    pub redactions: Vec<Redaction>,
    /// What those are called in a bundle that was written without them.
    pub left_out: Option<String>,
    /// The orders that a bundle was written anew by, as it says itself.
    pub left_out_by: Vec<LeftOutBy>,
    /// The first and the last event read; `null` where there is none.
    pub first_sequence: Option<u64>,
    pub last_sequence: Option<u64>,
    pub bytes: Bytes,
    pub findings: Vec<Finding>,
    /// Findings in all; `findings` holds the first of them.
    pub findings_count: u64,
    /// What the disk did not give.
    pub unreadable: Vec<String>,
    /// Segments that are not here, and lie in an archive as an event says.
    pub archived: u64,
    /// Missing segments of which an event says where they were archived.
    pub archived_missing: Vec<ArchivedMissing>,
    /// Losses that events of the journal tell of: they stay.
    pub recorded: Vec<RecordedLoss>,
    /// What is wrong with its `LOCK`, of a project's own journal.
    pub lock: Option<String>,
    /// Why nothing may be appended to its newest segment, of a project's own journal.
    pub segment: Option<String>,
    /// Contents outside the segments that are missing, or not what was kept there.
    pub blobs: Vec<String>,
    /// Journals of the same id, among those given before, that go on otherwise.
    pub forks: Vec<Fork>,
    /// How it is not the journal that was seen: `cut`, `rewritten`, `forked` or `replaced`, and where; `null` where it is.
    pub contradiction: Option<Contradicted>,
    /// Why nothing that is seen can be remembered; `null` where it can.
    pub unseen: Option<String>,
    /// What a checkpoint says of it; `null` where none was given.
    pub checkpoint: Option<Held>,
    pub clean: bool,
    /// Something that was durable once is lost or changed, and no event tells of it; a torn tail is
    /// not that.
    pub damaged: bool,
}

/// An order of redaction that an event of the journal tells of.
#[derive(Debug, Serialize)]
pub struct Redaction {
    /// The event.
    pub sequence: u64,
    pub order: String,
    /// When it was given, UTC.
    pub at: Option<String>,
    pub by: String,
    pub reason: String,
    /// The rule of redaction that found the records, if one did.
    pub rule: Option<String>,
    /// How many records it names.
    pub records: u64,
    /// Whether this user has what keeps them from being recorded again.
    pub withheld: bool,
}

/// An order that a bundle was written anew by.
#[derive(Debug, Serialize)]
pub struct LeftOutBy {
    pub order: String,
    /// When it was given, UTC.
    pub at: String,
    pub by: String,
    pub reason: String,
    pub records: u64,
}

/// A segment that is missing, note and all, and that an event says was archived.
#[derive(Debug, Serialize)]
pub struct ArchivedMissing {
    pub segment: u64,
    /// The event.
    pub sequence: u64,
    /// The journal's folder in the archive.
    pub folder: String,
}

/// What a checkpoint says of a journal.
#[derive(Debug, Serialize)]
pub struct Held {
    /// `contains`; `cut`, `rewritten`, `forked`, `other journal`; `wrong key` (nobody that is believed signed it),
    /// `expired key`, `witness missing`; `unknown signing`: all is there, and the journal does not know that it was
    /// signed; `re-signed later`: it was signed at another time than the journal tells.
    pub verdict: &'static str,
    /// Signed by somebody who is believed, and all that it vouches for is there.
    pub is_contained: bool,
    /// The verdict is `contains`.
    pub holds: bool,
    /// Records that it vouches for.
    pub size: u64,
    /// Of those the ones that are redacted since, with their leaves as they were.
    pub redacted: u64,
    pub signed_by: Option<String>,
    /// When, as the signature says; `null` where it does not.
    pub signed_at: Option<String>,
    /// Witnesses that are believed and signed it.
    pub witnesses: Vec<String>,
    pub message: String,
}

/// A journal that does not contain what was seen of it.
#[derive(Debug, Serialize)]
pub struct Contradicted {
    /// `cut`, `rewritten`, `forked` or `replaced`.
    pub change: &'static str,
    /// The last event that was seen.
    pub seen_sequence: u64,
    /// The folder that it was seen in.
    pub seen_in: String,
    pub end_sequence: u64,
    /// The last event up to which it is known to be what was seen; `null` where nothing says so.
    pub shared_sequence: Option<u64>,
    /// The file of `--seen` says so, and nothing that was seen here.
    pub by_file: bool,
    pub message: String,
}

/// Where the bytes are; the sum is the files' length.
#[derive(Debug, Serialize)]
pub struct Bytes {
    pub header: u64,
    pub frames: u64,
    pub control: u64,
    pub damaged: u64,
    pub void: u64,
    pub free: u64,
}

/// Something wrong, with its place and what it costs.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// `damage`, `torn tail`, `unsynced hole`, `acknowledged loss`, `chain broken`, …
    pub verdict: String,
    /// `loss`, `cut` (an append that was never acknowledged), `flaw` (nothing is lost by it) or `note`
    /// (nothing is wrong).
    pub kind: &'static str,
    pub segment: u64,
    /// A byte offset in the segment.
    pub offset: u64,
    pub bytes: u64,
    /// The events that are lost or in doubt; `null` where none is.
    pub first_sequence: Option<u64>,
    pub last_sequence: Option<u64>,
    /// Whether those two are exact; at a damaged tail only the first is known.
    pub exact: bool,
}

/// A loss that an event of the journal tells of.
#[derive(Debug, Serialize)]
pub struct RecordedLoss {
    pub sequence: u64,
    pub verdict: String,
    pub segment: u64,
    pub offset: u64,
    /// 0 where nobody knows how many.
    pub bytes: u64,
    pub first_sequence: Option<u64>,
    pub last_sequence: Option<u64>,
    /// It was seen to be gone, and the journal accepted as it is (`annals seen forget`).
    pub accepted: bool,
    pub message: String,
}

/// Another journal of the same id whose chain differs.
#[derive(Debug, Serialize)]
pub struct Fork {
    pub with: String,
    /// The last event that both have; 0 where there is none.
    pub after: u64,
}
