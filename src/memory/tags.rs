//! What a caller says of an event or a record, as tags.

use super::limits::{TAG_BYTES_MAX, TAGS_MAX};
use super::recall::RecallGiven;
use super::{Result, names};

/// The tags of a recall event: `RECALL_EVENT`, then what is known of it.
pub(super) fn of_recall(given: &RecallGiven, kind: &str) -> Vec<String> {
    let known = [
        ("run_id", given.run_id.as_deref()),
        ("node_id", given.node_id.as_deref()),
        ("phase", given.phase.as_deref()),
        ("kind", Some(kind)),
    ];
    let known = known.into_iter().filter_map(|(key, value)| Some((key, value?)));
    let refs = given.refs.iter().map(|to| ("ref", to.as_str()));
    let first = std::iter::once("RECALL_EVENT".to_owned());
    distinct(first.chain(said(known.chain(refs))).chain(given.tags.iter().cloned()))
}

/// A record's own tags, then what is said of it besides, as `key:value`. What it says of its branch
/// is no tag.
pub(super) fn with_meta(tags: &[String], meta: &[(String, String)]) -> Vec<String> {
    let meta = meta
        .iter()
        .map(|(key, value)| (key.as_str(), value.as_str()))
        .filter(|(key, _)| *key != "branch_id")
        .map(|(key, value)| (if key == "refs" { "ref" } else { key }, value));
    distinct(tags.iter().cloned().chain(said(meta)))
}

/// The value that is said of a key, if any.
pub(super) fn meta_of<'m>(meta: &'m [(String, String)], key: &str) -> Option<&'m str> {
    meta.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
}

fn said<'s>(pairs: impl Iterator<Item = (&'s str, &'s str)>) -> impl Iterator<Item = String> {
    pairs.filter(|(_, value)| !value.is_empty()).map(|(key, value)| format!("{key}:{value}"))
}

/// Each once, where it comes first.
fn distinct(tags: impl Iterator<Item = String>) -> Vec<String> {
    let mut known = std::collections::BTreeSet::new();
    tags.filter(|tag| known.insert(tag.clone())).collect()
}

/// Refuses tags that are too many or too long.
pub(super) fn check(tags: &[String]) -> Result<()> {
    names::check_count("tags", tags.len(), TAGS_MAX)?;
    tags.iter().try_for_each(|tag| names::check_len("a tag", tag.len(), TAG_BYTES_MAX))
}
