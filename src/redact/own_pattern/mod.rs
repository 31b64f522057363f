//! A user's own pattern, checked when the settings are read, and what it may cost.

mod allowance;
mod search;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::config::Pattern;

pub(super) use allowance::{Allowance, Spent};

use search::Search;

/// A name in a marker.
const NAME_BYTES_MAX: usize = 64;
/// Patterns of a settings file: they count whoever wrote it, so that none may cost what it likes.
pub const PATTERNS_MAX: usize = 100;
/// Of one pattern, as it is written, and as what it is made into.
const REGEX_BYTES_MAX: usize = 1_024;
const MADE_BYTES_MAX: usize = 256 << 10;

/// A pattern of a settings file, whoever's: it adds to what is taken out.
#[derive(Clone, Debug)]
pub struct OwnPattern {
    name: String,
    written: String,
    search: Search,
    /// Of settings that the user neither wrote nor allowed.
    is_foreign: bool,
}

impl OwnPattern {
    /// # Errors
    /// Why it cannot be used.
    pub fn new(pattern: &Pattern) -> Result<Self, String> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
        let (name, written) = (pattern.name.clone(), pattern.regex.get_ref());
        if name.is_empty() || name.len() > NAME_BYTES_MAX || !name.bytes().all(plain) {
            return Err("its name is not 1 to 64 ASCII letters, digits and `_ - .`".to_owned());
        }
        let unusable = |reason: &str| Err(format!("the pattern `{name}` {reason}"));
        if written.len() > REGEX_BYTES_MAX {
            return unusable("has more than 1024 bytes");
        }
        let search = match Search::new(written, MADE_BYTES_MAX) {
            Ok(search) => search,
            Err(error) if error.size_limit().is_some() => return unusable("is too large"),
            Err(_) => return unusable("is not a regular expression"),
        };
        if search.matches_the_empty_text() {
            return unusable("matches the empty text, so it would match everywhere");
        }
        Ok(Self { name, written: written.clone(), search, is_foreign: false })
    }

    /// The same, of settings that the user neither wrote nor allowed.
    pub fn foreign(self) -> Self {
        Self { is_foreign: true, ..self }
    }

    pub fn is_foreign(&self) -> bool {
        self.is_foreign
    }

    /// Stands in the marker.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// As the settings have it.
    pub fn written(&self) -> &str {
        &self.written
    }

    /// Shows what is to be taken out of a text, in order and apart from each other.
    pub(super) fn each(
        &self,
        text: &[u8],
        allowance: &mut Allowance,
        mut seen: impl FnMut(Range<usize>, &mut Allowance) -> Result<(), Spent>,
    ) -> Result<(), Spent> {
        self.search.each(text, allowance, |found, allowance| match found.secret.is_empty() {
            true => Ok(()),
            false => seen(found.secret, allowance),
        })
    }
}
