//! The code at an attempt: its hash, and where it is wanted, the code itself.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::debug::limits::SNAPSHOT_BYTES_MAX;

const CHUNK_BYTES: usize = 64 << 10;

/// A file as it was read.
pub struct Code {
    /// SHA-256, hexadecimal digits.
    pub hash: String,
    /// `None` where it was not wanted, or is too large to be kept.
    pub snapshot: Option<Vec<u8>>,
}

impl Code {
    /// Reads a file once through.
    ///
    /// # Errors
    /// Where it cannot be read, or is no file.
    pub fn of(path: &Path, wants_snapshot: bool) -> io::Result<Self> {
        if !path.metadata()?.is_file() {
            return Err(io::Error::new(ErrorKind::InvalidInput, "it is no regular file"));
        }
        let mut file = File::open(path)?;
        let (mut hash, mut kept) = (Sha256::new(), wants_snapshot.then(Vec::new));
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            let count = match file.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            hash.update(&chunk[..count]);
            if let Some(bytes) = &mut kept {
                bytes.extend_from_slice(&chunk[..count]);
            }
            kept = kept.filter(|bytes| bytes.len() <= SNAPSHOT_BYTES_MAX);
        }
        let hash = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { hash, snapshot: kept })
    }
}
