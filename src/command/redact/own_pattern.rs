//! A user's own pattern, checked when the settings are read.

use std::ops::Range;
use std::path::Path;

use regex::bytes::{Regex, RegexBuilder};

use super::RedactError;
use crate::config::Pattern;

/// A name in a marker.
const NAME_BYTES_MAX: usize = 64;
/// Patterns of a settings file: they count whoever wrote it, so that none may cost what it likes.
pub(super) const PATTERNS_MAX: usize = 100;
/// Of one pattern, as it is written, and as what it is made into.
const REGEX_BYTES_MAX: usize = 1_024;
const MADE_BYTES_MAX: usize = 256 << 10;

/// A user's own pattern.
pub(super) struct OwnPattern {
    name: String,
    regex: Regex,
}

impl OwnPattern {
    /// `number` counts from 1, and `path` is the settings file: both are named in errors.
    pub(super) fn new(pattern: &Pattern, number: usize, path: &Path) -> Result<Self, RedactError> {
        let unusable = |reason| RedactError::Unusable { path: path.to_owned(), number, reason };
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
        let name = pattern.name.clone();
        if name.is_empty() || name.len() > NAME_BYTES_MAX || !name.bytes().all(plain) {
            return Err(unusable("its name is not 1 to 64 ASCII letters, digits and `_ - .`"));
        }
        if pattern.regex.len() > REGEX_BYTES_MAX {
            return Err(unusable("it has more than 1024 bytes"));
        }
        let mut made = RegexBuilder::new(&pattern.regex);
        let made = made.size_limit(MADE_BYTES_MAX).build();
        let regex = made.map_err(|source| RedactError::Pattern {
            path: path.to_owned(),
            number,
            name: name.clone(),
            source: Box::new(source),
        })?;
        if regex.is_match(b"") {
            return Err(unusable("it matches the empty text, so it would match everywhere"));
        }
        Ok(Self { name, regex })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn find<'t>(&'t self, text: &'t [u8]) -> impl Iterator<Item = Range<usize>> + 't {
        let secret = |captures: regex::bytes::Captures<'_>| {
            captures.name("secret").or_else(|| captures.get(0)).map(|found| found.range())
        };
        let empty = |range: &Range<usize>| !range.is_empty();
        self.regex.captures_iter(text).filter_map(secret).filter(empty)
    }
}
