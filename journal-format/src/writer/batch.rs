//! Commits laid side by side, waiting to be placed and written in one call.

use super::{AppendError, Appended, Record, WriterOptions};
use crate::entropy::Entropy;
use crate::frame::{self, Carried, Draft, Flags, layout};
use crate::limits::{COMMIT_BYTES_MAX, COMMIT_FRAMES_MAX, PAYLOAD_BYTES_MAX};
use crate::units::{Offset, SegmentNumber, Sequence};

/// One commit in a batch.
#[derive(Clone, Debug)]
pub(super) struct Laid {
    /// Where it starts in the batch's bytes, and how long it is.
    pub start: usize,
    pub bytes: usize,
    /// How many sequences it takes.
    pub events: u64,
    pub placed: Option<Placed>,
}

/// Where a commit of a batch was written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub segment: SegmentNumber,
    pub offset: Offset,
    pub appended: Appended,
}

/// Commits waiting to be written, the last perhaps still open.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub bytes: Vec<u8>,
    pub commits: Vec<Laid>,
    /// Where the journal must end for the batch to be written at all.
    pub after: Option<Sequence>,
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    start: usize,
    last: usize,
    events: u64,
}

impl Batch {
    /// One that is written only where the journal ends there.
    pub fn after(last: Sequence) -> Self {
        Self { after: Some(last), ..Self::default() }
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
        self.commits.clear();
        self.after = None;
        self.open = None;
    }

    pub fn is_empty(&self) -> bool {
        self.commits.is_empty() && self.open.is_none()
    }

    /// Whether records of this many bytes would still fit into the open commit.
    pub fn takes(&self, records: &[Record<'_>], commit_bytes_max: usize) -> bool {
        let Some(open) = &self.open else { return true };
        let bytes = self.bytes.len() - open.start + commit_bytes(records) as usize;
        let frames = open.events as usize + records.len();
        bytes <= commit_bytes_max && frames <= COMMIT_FRAMES_MAX
    }

    /// Lays records into the open commit, opening one where there is none.
    pub fn push(&mut self, records: &[Record<'_>], entropy: &mut Entropy, options: &WriterOptions) {
        let start = self.bytes.len();
        let open = self.open.get_or_insert(Open { start, last: start, events: 0 });
        for record in records {
            let salt = entropy.take();
            let stored = frame::store_payload(record.payload, &salt, options.compress_bytes_min);
            let flags =
                if record.skippable { stored.flags.with(Flags::SKIPPABLE) } else { stored.flags };
            let draft = Draft {
                kind: record.kind,
                version: record.version,
                flags,
                time_ms: record.time_ms,
                salt,
                stored: &stored.bytes,
                rest: &[],
            };
            open.last = self.bytes.len();
            open.events += 1;
            frame::lay_frame(&draft, &mut self.bytes);
        }
    }

    /// As [`Self::push`], frames of other journals.
    pub fn push_carried(&mut self, carried: &[Carried]) {
        let start = self.bytes.len();
        let open = self.open.get_or_insert(Open { start, last: start, events: 0 });
        for frame in carried {
            open.last = self.bytes.len();
            open.events += 1;
            frame.lay(&mut self.bytes);
        }
    }

    /// Closes the open commit; nothing more is added to it.
    pub fn close(&mut self) {
        if let Some(open) = self.open.take() {
            frame::close_commit(&mut self.bytes, open.last);
            let bytes = self.bytes.len() - open.start;
            self.commits.push(Laid { start: open.start, bytes, events: open.events, placed: None });
        }
    }

    /// How many commits have a place.
    pub fn placed(&self) -> usize {
        self.commits.iter().filter(|laid| laid.placed.is_some()).count()
    }

    /// The highest sequence that any of them took.
    pub fn last_sequence(&self) -> Option<Sequence> {
        self.commits.iter().filter_map(|laid| laid.placed).map(|it| it.appended.last).max()
    }

    pub fn forget_places(&mut self) {
        self.commits.iter_mut().for_each(|laid| laid.placed = None);
    }

    /// What the commits became, up to the first that became nothing.
    pub fn appended(&self) -> Vec<Appended> {
        self.commits.iter().map_while(|laid| laid.placed).map(|placed| placed.appended).collect()
    }

    /// The bytes of the commit that was placed at an offset.
    pub fn commit_at(&self, segment: SegmentNumber, offset: Offset) -> Option<&[u8]> {
        let here = |placed: &Placed| placed.segment == segment && placed.offset == offset;
        let laid = self.commits.iter().find(|laid| laid.placed.as_ref().is_some_and(here))?;
        Some(self.commit(laid))
    }

    /// The salt of a commit's first frame: tells it from any other.
    pub fn salt(&self, laid: &Laid) -> &[u8] {
        &self.commit(laid)[layout::SALT_AT..layout::HEADER_BYTES]
    }

    /// Bytes of a commit's first frame.
    pub fn first_frame_bytes(&self, laid: &Laid) -> u64 {
        let commit = self.commit(laid);
        let mut len = [0; 4];
        len.copy_from_slice(&commit[layout::PAYLOAD_LEN_AT..layout::KIND_AT]);
        let payload_bytes = u32::from_le_bytes(len) as usize;
        layout::frame_bytes(payload_bytes, Flags(commit[layout::FLAGS_AT]).has(Flags::LAST)) as u64
    }

    /// The bytes of one commit.
    pub fn commit(&self, laid: &Laid) -> &[u8] {
        &self.bytes[laid.start..laid.start + laid.bytes]
    }
}

/// Whether records may form one commit at all.
pub(super) fn check(records: &[Record<'_>]) -> Result<(), AppendError> {
    if records.is_empty() {
        return Err(AppendError::Empty);
    }
    let too_large = |what, size: u64, size_max| AppendError::TooLarge { what, size, size_max };
    if records.len() > COMMIT_FRAMES_MAX {
        let size = records.len() as u64;
        return Err(too_large("count of records", size, COMMIT_FRAMES_MAX as u64));
    }
    for record in records {
        if frame::kind::is_control(record.kind) {
            return Err(AppendError::ReservedKind { kind: record.kind });
        }
        let size = record.payload.len() as u64;
        if size > PAYLOAD_BYTES_MAX {
            return Err(too_large("payload in bytes", size, PAYLOAD_BYTES_MAX));
        }
    }
    let size = commit_bytes(records);
    if size > COMMIT_BYTES_MAX {
        return Err(too_large("commit in bytes", size, COMMIT_BYTES_MAX));
    }
    Ok(())
}

/// As [`check`], of a record with frames of other journals behind it.
pub(super) fn check_carried(first: &Record<'_>, carried: &[Carried]) -> Result<(), AppendError> {
    check(std::slice::from_ref(first))?;
    let bytes: usize = carried.iter().map(Carried::frame_bytes).sum();
    let limits = [
        ("count of records", carried.len() as u64 + 1, COMMIT_FRAMES_MAX as u64),
        (
            "commit in bytes",
            commit_bytes(std::slice::from_ref(first)) + bytes as u64,
            COMMIT_BYTES_MAX,
        ),
    ];
    match limits.into_iter().find(|(_, size, size_max)| size > size_max) {
        Some((what, size, size_max)) => Err(AppendError::TooLarge { what, size, size_max }),
        None => match carried.iter().find(|it| frame::kind::is_control(it.kind)) {
            Some(it) => Err(AppendError::ReservedKind { kind: it.kind }),
            None => Ok(()),
        },
    }
}

/// At most so many bytes will these records' commit have.
fn commit_bytes(records: &[Record<'_>]) -> u64 {
    let frames: usize =
        records.iter().map(|record| layout::frame_bytes(record.payload.len(), false)).sum();
    (frames + layout::TRAILER_BYTES) as u64
}
