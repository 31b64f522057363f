//! Whole frames in bytes that do not count.

use std::io;
use std::path::Path;

use super::report::Voided;
use crate::frame::{CrcSeed, FrameView, open_payload};
use crate::scan::{Bytes, Window, next_header};
use crate::segment::SegmentHeader;
use crate::storage::{OpenHow, Storage, StorageFile, write_full};
use crate::units::{Offset, Position};

/// The folder of payloads kept aside.
pub const VOIDED_NAME: &str = "voided";

/// Writes the payloads of whole event frames from `from` on into `folder`.
pub fn keep_voided<S: Storage>(
    storage: &S,
    path: &Path,
    header: &SegmentHeader,
    from: Offset,
    folder: &Path,
) -> io::Result<Vec<Voided>> {
    let file = storage.open(path, OpenHow::Read)?;
    let mut window = Window::new(&file)?;
    let (end, seed) = (Offset(window.len()), CrcSeed::new(&header.nonce));
    let (mut kept, mut at) = (Vec::new(), from);
    // Forged headers may claim long frames that overlap: no more is summed than this.
    let mut budget = 4 * end.0.saturating_sub(from.0);
    while let Some((offset, found)) = next_header(&mut window, &seed, at, end)? {
        at = Offset(offset.0 + 8);
        let frame_bytes = found.frame_bytes() as u64;
        if frame_bytes > budget {
            continue;
        }
        budget -= frame_bytes;
        let bytes = window.bytes(offset.0, found.frame_bytes())?;
        let Ok(frame) = FrameView::parse(bytes, &seed, offset) else { continue };
        at = Offset(offset.0 + frame_bytes);
        let Ok(payload) = open_payload(&found, frame.stored) else { continue };
        if found.is_control() {
            continue;
        }
        if kept.is_empty() {
            storage.create_folder(&folder.join(VOIDED_NAME))?;
        }
        let name = format!("{:010}-{:020}.bin", header.number.0, offset.0);
        let out = storage.open(&folder.join(VOIDED_NAME).join(&name), OpenHow::CreateNew)?;
        write_full(&out, &payload, 0)?;
        out.sync_data()?;
        kept.push(Voided {
            at: Position { segment: header.number, offset },
            sequence: found.sequence,
            kind: found.kind,
            version: found.version,
            time_ms: found.time_ms,
            file: name,
        });
    }
    Ok(kept)
}
