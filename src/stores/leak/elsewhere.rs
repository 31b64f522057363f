//! What annals wrote where its user said, as far as that is remembered, and what it remembers outside of projects.

use std::collections::BTreeSet;
use std::path::Path;

use super::Found;
use super::held::{Held, everywhere, in_path};
use crate::config::environment;
use crate::event::{RedactedRecord, Sequence};
use crate::journal::order::leaves_of;
use crate::journal::trust::written;
use crate::journal::{JournalReader, Project, Reading, is_bundle};
use crate::redact::value::Values;

pub use crate::journal::trust::written::Written;

const LIST: &str = "list of what was written";
const SHOWN: [&str; 2] = ["/proc", "/sys"];

/// One that is still there, as far as that can be known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    pub written: Written,
    pub is_bundle: bool,
    /// Whether it holds what went; `None` where nobody can say: records were named, and no value.
    pub holds: Option<bool>,
    /// Why it, or a part of it, could not be looked at.
    pub unread: Option<String>,
}

/// Looks over what was written from a journal for the values that were found; where there are none, over bundles
/// for these records.
pub fn elsewhere(journal: &[u8; 16], found: &Found, records: &[RedactedRecord]) -> Vec<Elsewhere> {
    let values = found.values.as_ref().and_then(|_| as_written(&found.bytes));
    let mut written = written::all(journal);
    // What a system shows of itself nobody wrote, and it may have no end.
    let is_shown = |path: &Path| SHOWN.iter().any(|folder| path.starts_with(folder));
    let is_there = |path: &Path| written::is_served(path) || path.symlink_metadata().is_ok();
    written.retain(|it| !is_shown(&it.path) && is_there(&it.path));
    let mut looked = BTreeSet::new();
    written.retain(|it| looked.insert(it.path.clone()));
    let unread = written::unread(journal).map(|path| Elsewhere {
        written: Written { path, what: LIST.to_owned(), at_ms: 0 },
        is_bundle: false,
        holds: None,
        unread: Some("it cannot be read, so nothing of it was".to_owned()),
    });
    let looked = written.into_iter().map(|it| look(it, values.as_ref(), records));
    looked.chain(unread).collect()
}

/// Values as they stand in JSON and text, in a page, in a cell of CSV, and in a command that is shown.
fn as_written(values: &[Vec<u8>]) -> Option<Values> {
    let mut all = values.to_vec();
    let quoted = values.iter().filter_map(|it| std::str::from_utf8(it).ok());
    let quoted: Vec<_> = quoted.map(|it| it.replace('\'', "'\\''").into_bytes()).collect();
    for value in values.iter().chain(&quoted) {
        let Ok(text) = std::str::from_utf8(value) else { continue };
        let mut page = text.replace('&', "&amp;");
        for (plain, written) in
            [("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&#39;"), ("`", "&#96;")]
        {
            page = page.replace(plain, written);
        }
        all.extend([page, text.replace('"', "\"\""), text.to_owned()].map(String::into_bytes));
    }
    all.sort();
    all.dedup();
    Values::new(&all)
}

fn look(written: Written, values: Option<&Values>, records: &[RedactedRecord]) -> Elsewhere {
    if written::is_served(&written.path) {
        let unread = Some("it was sent there, and nobody can look".to_owned());
        return Elsewhere { written, is_bundle: false, holds: None, unread };
    }
    let is_bundle = is_bundle(&written.path);
    let mut found = Elsewhere { written, is_bundle, holds: None, unread: None };
    let path = &found.written.path;
    match values {
        Some(values) => {
            let held = in_place(path, values);
            found.unread = held.iter().find_map(|it| it.unread.clone());
            found.holds = Some(held.iter().any(|it| it.unread.is_none()));
        }
        None if is_bundle => match has_any(path, records) {
            Ok(has) => found.holds = Some(has),
            Err(why) => found.unread = Some(why),
        },
        None => {}
    }
    found
}

/// Of a project what annals wrote in it, and of everything else all.
fn in_place(path: &Path, values: &Values) -> Vec<Held> {
    match Project::open(path) {
        Ok(project) if project.root() == path => {
            let (mut held, _) = everywhere(&project, values);
            // The user's cache and published files are looked at for who asks.
            held.retain(|it| it.path.starts_with(path));
            held
        }
        _ => in_path(path, values),
    }
}

fn has_any(bundle: &Path, records: &[RedactedRecord]) -> Result<bool, String> {
    let told = |error: crate::journal::JournalError| error.to_string();
    let reader = JournalReader::reading(bundle, Reading::Evidence).map_err(told)?;
    let named = records.iter().map(|it| Sequence(it.sequence)).collect();
    let there = leaves_of(&reader, &named).map_err(told)?;
    let is_whole =
        |it: &RedactedRecord| there.get(&Sequence(it.sequence)) == Some(&(it.leaf, false));
    Ok(records.iter().any(is_whole))
}

/// Where the user's state, which names projects and files by their paths, holds a value.
pub fn in_state(values: &Values) -> Vec<Held> {
    environment::state_folder().map_or(Vec::new(), |folder| in_path(&folder, values))
}
