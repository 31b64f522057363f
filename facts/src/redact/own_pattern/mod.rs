//! A user's own pattern, checked when the settings are read, and what it may cost.

mod search;
#[cfg(test)]
mod tests;

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use search::Search;

/// Of a pattern.
const NAME_BYTES_MAX: usize = 64;
/// Patterns of a settings file: they count whoever wrote it, so that none may cost what it likes.
pub const PATTERNS_MAX: usize = 100;
/// Of one pattern, as it is written, and as what it is made into.
const REGEX_BYTES_MAX: usize = 1_024;
const MADE_BYTES_MAX: usize = 256 << 10;

/// A user's own redaction pattern.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// Stands in the marker `[REDACTED:name]`.
    pub name: String,
    /// In the syntax of the regex crate; a group named `secret` narrows what is taken out.
    pub regex: Spanned<String>,
}

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

// What a user's patterns may cost in one event: counted in steps and matches, by no clock, so that the
// same text ends the same way on every machine.
//
// The user's own have all of it, one after the other, and where it is used up the text goes whole: what
// they would have found is not known. A stranger's have each a share of what is left, and one that uses
// up its share stops there: it can take from a text what it finds, and no more by being slow.

/// Steps that an event has however little text it holds: a fraction of a second.
const STEPS: u64 = 1 << 25;
/// And more for each byte that patterns look at, all patterns together.
const STEPS_PER_BYTE: u64 = 64;
/// Markers that patterns leave in one event.
const MATCHES_MAX: u32 = 1 << 15;

/// The steps or the matches are used up.
#[derive(Debug, PartialEq, Eq)]
pub struct Spent;

/// What is left for the texts of one event.
pub struct Allowance {
    steps: u64,
    matches: u32,
    /// The pattern that it ended at, in the text that is looked at: that text goes whole.
    pub spent_by: Option<usize>,
    /// A stranger's pattern did not come to the end of the text that is looked at.
    pub stopped: bool,
}

impl Allowance {
    pub fn new() -> Self {
        Self { steps: STEPS, matches: MATCHES_MAX, spent_by: None, stopped: false }
    }

    /// Before patterns look at so many bytes.
    pub fn grant(&mut self, bytes: usize) {
        self.steps = self.steps.saturating_add(STEPS_PER_BYTE.saturating_mul(bytes as u64));
    }

    /// A share for the first of so many that are left.
    pub fn share(&mut self, of: usize) -> Self {
        let (steps, matches) = (self.steps / of.max(1) as u64, self.matches / of.max(1) as u32);
        self.steps -= steps;
        self.matches -= matches;
        Self { steps, matches, ..Self::new() }
    }

    /// Takes back what is left of a share.
    pub fn take_back(&mut self, share: &Self) {
        self.steps += share.steps;
        self.matches += share.matches;
    }

    fn step(&mut self, count: usize) -> Result<(), Spent> {
        self.steps = self.steps.checked_sub(count as u64).ok_or(Spent)?;
        Ok(())
    }

    pub fn matched(&mut self) -> Result<(), Spent> {
        self.matches = self.matches.checked_sub(1).ok_or(Spent)?;
        Ok(())
    }

    #[cfg(test)]
    fn steps(&self) -> u64 {
        self.steps
    }
}

// Markers that stand in a text already: no pattern takes the name of a rule out of one.

const BEGIN: &[u8] = b"[REDACTED:";
/// Longer names has no rule.
const RULE_BYTES_MAX: usize = 64;

/// Where markers of these rules stand, in order.
pub(super) fn markers(text: &[u8], is_rule: impl Fn(&[u8]) -> bool) -> Vec<Range<usize>> {
    let marker = |start: usize| {
        let behind = &text[start + BEGIN.len()..];
        let length = behind.iter().take(RULE_BYTES_MAX + 1).position(|byte| *byte == b']')?;
        is_rule(&behind[..length]).then(|| start..start + BEGIN.len() + length + 1)
    };
    let begins = text.iter().enumerate().filter(|(_, byte)| **byte == BEGIN[0]);
    let begins = begins.map(|(at, _)| at).filter(|at| text[*at..].starts_with(BEGIN));
    begins.filter_map(marker).collect()
}

/// A match with the whole of each marker that it cuts; nothing where it lies in one.
pub(super) fn with_markers(markers: &[Range<usize>], found: Range<usize>) -> Option<Range<usize>> {
    let first = markers.partition_point(|marker| marker.end <= found.start);
    let met = &markers[first..];
    let met = &met[..met.partition_point(|marker| marker.start < found.end)];
    let (Some(first), Some(last)) = (met.first(), met.last()) else { return Some(found) };
    let lies_in = first.start <= found.start && found.end <= first.end;
    (!lies_in).then(|| found.start.min(first.start)..found.end.max(last.end))
}
