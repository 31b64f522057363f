//! Bytes of a file or of standard input, within a bound.

use std::io::Read;
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::cli::CliError;
use crate::debug::given_json;

/// All of a file, `-`: of standard input. At most so many bytes.
///
/// # Errors
/// Where it cannot be read or has more.
pub fn bytes(path: &Path, bytes_max: u64) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        let mut from = std::io::stdin().lock().take(bytes_max + 1);
        from.read_to_end(&mut bytes).map_err(CliError::Input)?;
    } else {
        let opened =
            std::fs::File::open(path).map_err(|error| CliError::io("read", path, error))?;
        let mut from = opened.take(bytes_max + 1);
        from.read_to_end(&mut bytes).map_err(|error| CliError::io("read", path, error))?;
    }
    match bytes.len() as u64 > bytes_max {
        true => Err(CliError::TooLarge { path: path.to_owned(), bytes_max }),
        false => Ok(bytes),
    }
}

/// A text of the words of a command line; `-` reads it from standard input.
///
/// # Errors
/// As [`bytes`], and where it is no UTF-8.
pub fn text(given: String) -> Result<String, CliError> {
    crate::cli::memory::stdin::or_given(given)
}

/// JSON in the contract's shape, given as it is or as `-` for standard input.
///
/// # Errors
/// Where it is none of that shape: says where.
pub fn json<T: DeserializeOwned>(field: &str, given: &str) -> Result<T, CliError> {
    Ok(given_json(field, &text(given.to_owned())?)?)
}
