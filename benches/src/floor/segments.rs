//! Walking the frames of a journal's segments, believing every length: what any reader must do.

use std::fs::{self, File};
use std::path::Path;

use annals_journal_format::frame::{Flags, kind, layout};
use annals_journal_format::limits::HEADER_PAGE_BYTES;
use memmap2::Mmap;

use crate::BenchError;

/// A journal's segments, mapped.
pub struct Segments(Vec<Mmap>);

/// One frame's bytes, header and all, and its payload.
pub struct WalkedFrame<'a> {
    pub bytes: &'a [u8],
    pub kind: u16,
    pub payload: &'a [u8],
}

impl Segments {
    pub fn map(journal: &Path) -> Result<Self, BenchError> {
        let io = BenchError::io("mapping a segment");
        let map = || -> std::io::Result<Vec<Mmap>> {
            let mut paths = Vec::new();
            for entry in fs::read_dir(journal)? {
                let path = entry?.path();
                if path.extension().is_some_and(|extension| extension == "seg") {
                    paths.push(path);
                }
            }
            paths.sort();
            paths.iter().map(|path| map_file(&File::open(path)?)).collect()
        };
        map().map(Self).map_err(io)
    }

    /// Bytes of all frames.
    pub fn bytes(&self) -> u64 {
        self.frames().map(|frame| frame.bytes.len() as u64).sum()
    }

    /// The segments' bytes, zeros at the end included.
    pub fn maps(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().map(|map| &map[..])
    }

    /// Every frame of an event in order.
    pub fn records(&self) -> impl Iterator<Item = WalkedFrame<'_>> {
        self.frames().filter(|frame| !kind::is_control(frame.kind))
    }

    /// Every frame in order.
    pub fn frames(&self) -> impl Iterator<Item = WalkedFrame<'_>> {
        self.0.iter().flat_map(|map| Walk { rest: &map[HEADER_PAGE_BYTES as usize..] })
    }
}

// SAFETY: this benchmark made the file, and no one writes to it while it is measured.
#[allow(unsafe_code)]
fn map_file(file: &File) -> std::io::Result<Mmap> {
    unsafe { Mmap::map(file) }
}

struct Walk<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Walk<'a> {
    type Item = WalkedFrame<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest;
        if !rest.starts_with(&layout::MARKER) {
            return None;
        }
        let len: [u8; 4] =
            rest.get(layout::PAYLOAD_LEN_AT..layout::PAYLOAD_LEN_AT + 4)?.try_into().ok()?;
        let payload_bytes = u32::from_le_bytes(len) as usize;
        let last = Flags(rest[layout::FLAGS_AT]).has(Flags::LAST);
        let bytes = rest.get(..layout::frame_bytes(payload_bytes, last))?;
        self.rest = &rest[bytes.len()..];
        let kind = u16::from_le_bytes([bytes[layout::KIND_AT], bytes[layout::KIND_AT + 1]]);
        let payload = &bytes[layout::HEADER_BYTES..layout::HEADER_BYTES + payload_bytes];
        Some(WalkedFrame { bytes, kind, payload })
    }
}
