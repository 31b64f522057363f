//! A bundle opened: what lies where in it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::manifest::{MANIFEST_BYTES_MAX, unhex};
use super::ustar::{BLOCK_BYTES, Header};
use super::{BundleError, Extent, Fault, MANIFEST_NAME, Manifest};
use crate::limits::{BUNDLE_BLOBS_MAX, SEGMENTS_MAX};
use crate::segment::SegmentName;

/// Zeros that may follow the two blocks that end an archive: `tar` fills up its records.
const PADDING_BYTES_MAX: u64 = 20 * BLOCK_BYTES as u64;

/// A bundle opened: what lies where in it. Nothing of it was believed before it was checked:
/// every name is one of a bundle's own, none is there twice, and every extent lies in the file.
#[derive(Debug)]
pub struct Bundle {
    file: Arc<File>,
    pub manifest: Manifest,
    pub segments: BTreeMap<SegmentName, Extent>,
    /// By the blake3 that they are named by.
    pub blobs: BTreeMap<[u8; 32], Extent>,
}

/// Whether a file begins as a bundle does. What cannot be read is none.
pub fn is_bundle(path: &Path) -> bool {
    // Looked at before it is opened: a FIFO would make us wait.
    let is_file = fs::metadata(path).is_ok_and(|about| about.is_file());
    let mut begin = [0; MANIFEST_NAME.len() + 1];
    is_file
        && File::open(path).is_ok_and(|file| file.read_exact_at(&mut begin, 0).is_ok())
        && begin.strip_suffix(&[0]) == Some(MANIFEST_NAME.as_bytes())
}

/// What one entry is, by its name.
enum Named {
    Segment(SegmentName),
    Blob([u8; 32]),
}

impl Bundle {
    /// Reads every entry's header and the manifest; contents are read when they are asked for.
    pub fn open(path: &Path) -> Result<Self, BundleError> {
        let failed = |did| move |source| BundleError::Io { path: path.to_owned(), did, source };
        let file = File::open(path).map_err(failed("opened"))?;
        let len = file.metadata().map_err(failed("read"))?.len();
        let mut reading = Reading { file: &file, path, len, at: 0 };
        let manifest = reading.manifest()?;
        let (mut segments, mut blobs) = (BTreeMap::new(), BTreeMap::new());
        loop {
            let start = reading.at;
            let Some((header, extent)) = reading.next()? else { break };
            let name = header.name.clone();
            let known = match named(&header.name) {
                Some(Named::Segment(name)) => segments.insert(name, extent),
                Some(Named::Blob(hash)) => blobs.insert(hash, extent),
                None => return Err(reading.fault(start, Fault::Name { name })),
            };
            if known.is_some() {
                return Err(reading.fault(start, Fault::Twice { name }));
            }
            if segments.len() > SEGMENTS_MAX || blobs.len() > BUNDLE_BLOBS_MAX {
                return Err(reading.fault(start, Fault::TooMany));
            }
        }
        Ok(Self { file: Arc::new(file), manifest, segments, blobs })
    }

    /// The file that the extents lie in.
    pub fn file(&self) -> Arc<File> {
        Arc::clone(&self.file)
    }
}

fn named(name: &str) -> Option<Named> {
    let inside = name.strip_prefix("journal/")?;
    match inside.strip_prefix("blobs/") {
        Some(hash) => unhex(hash).map(Named::Blob),
        None => SegmentName::parse(inside).map(Named::Segment),
    }
}

struct Reading<'a> {
    file: &'a File,
    path: &'a Path,
    len: u64,
    at: u64,
}

impl Reading<'_> {
    fn manifest(&mut self) -> Result<Manifest, BundleError> {
        let no_manifest = |it: &Self| it.fault(0, Fault::Manifest);
        let Some((header, extent)) = self.next()? else { return Err(no_manifest(self)) };
        if header.name != MANIFEST_NAME || extent.bytes > MANIFEST_BYTES_MAX {
            return Err(no_manifest(self));
        }
        let mut text = vec![0; usize::try_from(extent.bytes).unwrap_or(0)];
        self.file.read_exact_at(&mut text, extent.offset).map_err(|error| self.failed(error))?;
        let text = String::from_utf8(text).map_err(|_| no_manifest(self))?;
        Manifest::parse(&text).ok_or_else(|| no_manifest(self))
    }

    /// The next entry; `None` at the archive's end.
    fn next(&mut self) -> Result<Option<(Header, Extent)>, BundleError> {
        let start = self.at;
        let block = self.block()?;
        if block == [0; BLOCK_BYTES] {
            return self.end().map(|()| None);
        }
        let header = Header::parse(&block).map_err(|fault| self.fault(start, fault))?;
        let extent = Extent { offset: self.at, bytes: header.bytes };
        match self.at.checked_add(header.padded()).filter(|end| *end <= self.len) {
            Some(end) => self.at = end,
            None => return Err(self.fault(start, Fault::Truncated)),
        }
        Ok(Some((header, extent)))
    }

    /// After the first zero block: a second one, and nothing else.
    fn end(&mut self) -> Result<(), BundleError> {
        if self.block()? != [0; BLOCK_BYTES] {
            return Err(self.fault(self.at, Fault::Trailing));
        }
        if self.len - self.at > PADDING_BYTES_MAX {
            return Err(self.fault(self.at, Fault::Trailing));
        }
        while self.at < self.len {
            if self.block()? != [0; BLOCK_BYTES] {
                return Err(self.fault(self.at, Fault::Trailing));
            }
        }
        Ok(())
    }

    fn block(&mut self) -> Result<[u8; BLOCK_BYTES], BundleError> {
        let mut block = [0; BLOCK_BYTES];
        if self.len - self.at < BLOCK_BYTES as u64 {
            return Err(self.fault(self.at, Fault::Truncated));
        }
        self.file.read_exact_at(&mut block, self.at).map_err(|error| self.failed(error))?;
        self.at += BLOCK_BYTES as u64;
        Ok(block)
    }

    fn fault(&self, at: u64, fault: Fault) -> BundleError {
        BundleError::Fault { path: self.path.to_owned(), at, fault }
    }

    fn failed(&self, source: io::Error) -> BundleError {
        BundleError::Io { path: PathBuf::from(self.path), did: "read", source }
    }
}
