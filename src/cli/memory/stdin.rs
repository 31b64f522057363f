//! Text from standard input, within a bound.

use std::io::Read;

use crate::cli::CliError;
use crate::parse::reply::ReplyError;
use crate::parse::reply::limits::REPLY_BYTES_MAX;

/// What is counted of an input that is too long, bytes: it may never end.
const COUNTED_BYTES_MAX: u64 = 1 << 30;

/// All of standard input.
///
/// # Errors
/// Where it cannot be read, is longer than a reply may be, or is no UTF-8.
pub fn text() -> Result<String, CliError> {
    let mut input = std::io::stdin().lock();
    let mut bytes = Vec::new();
    let bytes_max = REPLY_BYTES_MAX as u64;
    let begin = input.by_ref().take(bytes_max + 1).read_to_end(&mut bytes);
    let mut size = begin.map_err(CliError::Input)? as u64;
    if size > bytes_max {
        let mut rest = input.take(COUNTED_BYTES_MAX);
        size += std::io::copy(&mut rest, &mut std::io::sink()).map_err(CliError::Input)?;
        let (what, bytes) = ("input", usize::try_from(size).unwrap_or(usize::MAX));
        return Err(ReplyError::TooLarge { what, bytes, bytes_max: REPLY_BYTES_MAX }.into());
    }
    String::from_utf8(bytes).map_err(|_| CliError::Refused {
        what: "standard input is no UTF-8 text: convert it (iconv -t UTF-8), or keep the bytes in a \
               file and give its name",
    })
}

/// A text that was given, standard input where it is `-`.
///
/// # Errors
/// As [`text`].
pub fn or_given(given: String) -> Result<String, CliError> {
    if given == "-" { Ok(text()?.trim_end_matches('\n').to_owned()) } else { Ok(given) }
}
