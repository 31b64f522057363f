//! Text from standard input, within a bound.

use std::io::Read;

use crate::command::reply::limits::REPLY_BYTES_MAX;
use crate::surface::cli::CliError;

/// All of standard input; a byte more than a reply may have, so that it is refused.
///
/// # Errors
/// Where it cannot be read, or is no text.
pub fn text() -> Result<String, CliError> {
    let mut text = String::new();
    let bytes_max = REPLY_BYTES_MAX as u64 + 1;
    std::io::stdin().take(bytes_max).read_to_string(&mut text).map_err(CliError::Input)?;
    Ok(text)
}

/// A text that was given, standard input where it is `-`.
///
/// # Errors
/// As [`text`].
pub fn or_given(given: String) -> Result<String, CliError> {
    if given == "-" { Ok(text()?.trim_end_matches('\n').to_owned()) } else { Ok(given) }
}
