//! Known values in a stream of any length, and in files, where they can be put out of sight.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;

use super::stream::Places;
use super::{BEHIND_BYTES, BLOCK_BYTES, neither};
use crate::redact::value::{ValueFound, Values};

/// A value in a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueHit {
    /// Its first byte, from 0.
    pub offset: u64,
    pub bytes: u64,
    /// From 1.
    pub line: u64,
    pub form: &'static str,
}

/// Hands every value in what `input` gives to `take`, in order; how many bytes there were. Memory does
/// not grow with the stream.
pub fn scan_values(
    values: &Values,
    input: &mut dyn Read,
    take: &mut dyn FnMut(ValueHit),
) -> io::Result<u64> {
    let overlap = (4 * values.form_bytes_max()).max(BEHIND_BYTES);
    let (mut bytes, mut base, mut fresh) = (Vec::new(), 0_u64, 0_usize);
    let (mut places, mut taken) = (Places::default(), 0_u64);
    loop {
        let had = bytes.len();
        let read = input.take((BLOCK_BYTES + overlap) as u64).read_to_end(&mut bytes);
        // What came before a failure is looked at all the same.
        for ValueFound { range, written, .. } in values.find(&bytes) {
            let (start, end) = (base + range.start as u64, base + range.end as u64);
            if range.end > fresh && start >= taken {
                let (line, _) = places.of(start, &bytes, base);
                take(ValueHit { offset: start, bytes: end - start, line, form: written.name() });
                taken = end;
            }
        }
        if read? == 0 && bytes.len() == had {
            return Ok(base + bytes.len() as u64);
        }
        let from = bytes.len().saturating_sub(overlap);
        places.of(base + from as u64, &bytes, base);
        bytes.drain(..from);
        base += from as u64;
        fresh = bytes.len();
    }
}

/// What stands in the place of a value: as long as it was, and nothing that JSON or base 64 minds.
const GONE: u8 = b'X';
/// A larger file is looked through, and not written.
pub const COVERED_BYTES_MAX: u64 = 1 << 30;
/// How often a file may grow while it is written.
const ROUNDS_MAX: usize = 8;

/// Puts every value in a file out of sight, where it stands, byte for byte: whoever appends to the file
/// meanwhile loses nothing, and what was appended is looked at as well. Its time stays as it was, unless it grew. Nothing
/// of it is kept elsewhere. How many places there were.
///
/// # Errors
/// Where it is no plain file of the user's own, is too large, or a line of it would be JSON no more: then nothing of
/// that line is changed.
pub fn cover_values(values: &Values, path: &Path) -> io::Result<u64> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let flags = i32::try_from(flags.bits()).map_err(io::Error::other)?;
    let mut file = OpenOptions::new().read(true).write(true).custom_flags(flags).open(path)?;
    let before = file.metadata()?;
    if !before.is_file() {
        return Err(neither());
    }
    if before.uid() != rustix::process::geteuid().as_raw() {
        return Err(ErrorKind::PermissionDenied.into());
    }
    if before.len() > COVERED_BYTES_MAX {
        return Err(io::Error::new(ErrorKind::FileTooLarge, "it is too large to be rewritten"));
    }
    let mut places = 0;
    for _ in 0..ROUNDS_MAX {
        let bytes = whole(&mut file)?;
        let found = values.find(&bytes);
        if found.is_empty() {
            break;
        }
        must_stay_json(&bytes, &found)?;
        for ValueFound { range, .. } in &found {
            file.write_all_at(&vec![GONE; range.len()], range.start as u64)?;
        }
        places += found.len() as u64;
        file.sync_all()?;
    }
    let after = file.metadata()?;
    if let (true, true, Ok(modified)) = (places > 0, after.len() == before.len(), before.modified())
    {
        file.set_modified(modified)?;
    }
    Ok(places)
}

fn whole(file: &mut File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut at = 0;
    let mut block = vec![0; BLOCK_BYTES];
    loop {
        match file.read_at(&mut block, at)? {
            0 => return Ok(bytes),
            read => {
                bytes.extend_from_slice(&block[..read]);
                at += read as u64;
            }
        }
        if at > COVERED_BYTES_MAX {
            return Err(io::Error::new(
                ErrorKind::FileTooLarge,
                "it grew too large to be rewritten",
            ));
        }
    }
}

/// Fails where a line that is JSON would be none without its values.
fn must_stay_json(bytes: &[u8], found: &[ValueFound]) -> io::Result<()> {
    let mut covered = bytes.to_vec();
    found.iter().for_each(|it| covered[it.range.clone()].fill(GONE));
    let is_json = |line: &[u8]| serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok();
    let mut line = 0..0;
    for it in found {
        if it.range.start < line.end {
            continue;
        }
        let start = memchr::memrchr(b'\n', &bytes[..it.range.start]).map_or(0, |at| at + 1);
        let end = memchr::memchr(b'\n', &bytes[it.range.end..]);
        line = start..end.map_or(bytes.len(), |at| it.range.end + at);
        if is_json(&bytes[line.clone()]) && !is_json(&covered[line.clone()]) {
            let what = "a value in it is part of its JSON and not of a text";
            return Err(io::Error::new(ErrorKind::InvalidData, what));
        }
    }
    Ok(())
}
