//! What a field of an entry may hold.

use super::RepoError;

// Characters are Unicode scalar values.

pub(super) const ID_CHARS_MAX: usize = 128;
pub(super) const TITLE_CHARS_MAX: usize = 200;
pub(super) const DECISION_CHARS_MAX: usize = 500;
/// A convention's or a note's content, a decision's rationale.
pub(super) const TEXT_BYTES_MAX: usize = 16 << 10;
pub(super) const TAGS_MAX: usize = 32;
pub(super) const TAG_CHARS_MAX: usize = 64;
pub(super) const PATHS_MAX: usize = 64;
pub(super) const PATH_BYTES_MAX: usize = 1 << 10;
pub(super) const RUN_CHARS_MAX: usize = 256;
type Checked = Result<(), RepoError>;

/// `1 to 128 of A-Z a-z 0-9 . _ : -`
pub(super) fn id(text: &str) -> Checked {
    let is_of_id = |c: char| c.is_ascii_alphanumeric() || "._:-".contains(c);
    if (1..=ID_CHARS_MAX).contains(&text.len()) && text.chars().all(is_of_id) {
        return Ok(());
    }
    refused("id", &format!("must be 1 to {ID_CHARS_MAX} letters, digits and `. _ : -`"))
}

pub(super) fn title(text: &str) -> Checked {
    line("title", text, TITLE_CHARS_MAX)
}

pub(super) fn decision_summary(text: &str) -> Checked {
    line("summary", text, DECISION_CHARS_MAX)
}

/// A text of several lines.
pub(super) fn text(field: &str, text: &str) -> Checked {
    match text.len() {
        _ if text.trim().is_empty() => refused(field, "is empty: say something"),
        bytes if bytes > TEXT_BYTES_MAX => {
            refused(field, &format!("has {bytes} bytes; {TEXT_BYTES_MAX} at most"))
        }
        _ => Ok(()),
    }
}

pub(super) fn tags(tags: &[String]) -> Checked {
    if tags.len() > TAGS_MAX {
        return refused("tags", &format!("are {}; {TAGS_MAX} at most", tags.len()));
    }
    tags.iter()
        .enumerate()
        .try_for_each(|(at, tag)| line(&format!("tags[{at}]"), tag, TAG_CHARS_MAX))
}

pub(super) fn paths(paths: &[String]) -> Checked {
    if paths.len() > PATHS_MAX {
        let why =
            format!("are {}; {PATHS_MAX} at most, and a pattern stands for many", paths.len());
        return refused("impactedPaths", &why);
    }
    paths.iter().enumerate().try_for_each(|(at, text)| {
        let why = match text.as_str() {
            "" => "is empty",
            path if path.len() > PATH_BYTES_MAX => "is too long",
            path if path.chars().any(char::is_control) => "has a control character",
            path if path.contains('\\') => "has a `\\`: folders are parted by `/`",
            path if path.starts_with(['/', '~']) => "must be relative to the repository's top",
            path if path.split('/').any(|part| part == "..") => "must not lead out by `..`",
            _ => return Ok(()),
        };
        refused(&format!("impactedPaths[{at}]"), why)
    })
}

pub(super) fn run(field: &str, text: &str) -> Checked {
    line(field, text, RUN_CHARS_MAX)
}

fn line(field: &str, text: &str, chars_max: usize) -> Checked {
    if text.trim().is_empty() {
        return refused(field, "is empty: say something");
    }
    if text.chars().any(char::is_control) {
        return refused(field, "must be one line without control characters");
    }
    match text.chars().count() {
        chars if chars > chars_max => {
            refused(field, &format!("has {chars} characters; {chars_max} at most"))
        }
        _ => Ok(()),
    }
}

pub(super) fn refused<T>(field: &str, why: &str) -> Result<T, RepoError> {
    Err(RepoError::Field { field: field.to_owned(), why: why.to_owned() })
}

/// What was given of a text, else what was there: of an entry that is new it must be given.
pub(super) fn given(
    field: &str,
    given: Option<String>,
    was: Option<&String>,
) -> Result<String, RepoError> {
    match given.or_else(|| was.cloned()) {
        Some(text) => Ok(text),
        None => refused(field, "is missing"),
    }
}
