//! Reads what an agent tells, as much of it as can be meant.

use std::io::{self, Read};

/// An agent's own limits on a tool's output are far below.
pub const INPUT_BYTES_MAX: u64 = 64 << 20;

/// What can be wrong with what an agent tells.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    #[error("its standard input cannot be read")]
    Read(#[from] io::Error),
    #[error("its standard input is empty: an agent's hook is told by JSON what happened")]
    Empty,
    #[error("its standard input is longer than {} MiB", INPUT_BYTES_MAX >> 20)]
    TooLong,
    #[error("its standard input is not JSON as hooks are told: {reason}")]
    NotJson { reason: String },
}

/// Everything there is to read, at most [`INPUT_BYTES_MAX`].
pub fn read(from: impl Read) -> Result<Vec<u8>, InputError> {
    let mut bytes = Vec::with_capacity(16 << 10);
    from.take(INPUT_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > INPUT_BYTES_MAX {
        return Err(InputError::TooLong);
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(InputError::Empty);
    }
    Ok(bytes)
}
