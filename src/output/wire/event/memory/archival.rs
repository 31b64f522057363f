//! Events of archival memory in JSON.

use serde::Serialize;

use super::super::Content;
use super::Origin;
use crate::event;
use crate::execution::replay::Contents;

/// The fields of one kind.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Archival<'a> {
    /// `whole`: all of the text, where it had to be cut.
    Written {
        id: u64,
        branch: &'a str,
        text: &'a str,
        tags: &'a [String],
        whole: Option<Content>,
        origin: Origin<'a>,
    },
    /// What is `null` stays as it was.
    Updated {
        id: u64,
        branch: &'a str,
        text: Option<&'a str>,
        tags: Option<&'a [String]>,
        whole: Option<Content>,
        origin: Origin<'a>,
    },
}

pub fn written<'a>(b: &'a event::ArchivalWritten, contents: &Contents) -> Archival<'a> {
    Archival::Written {
        id: b.id,
        branch: &b.branch,
        text: &b.text,
        tags: &b.tags,
        whole: b.whole.as_ref().map(|whole| Content::of(whole, contents)),
        origin: Origin::of(&b.origin),
    }
}

pub fn updated<'a>(b: &'a event::ArchivalUpdated, contents: &Contents) -> Archival<'a> {
    Archival::Updated {
        id: b.id,
        branch: &b.branch,
        text: b.text.as_deref(),
        tags: b.tags.as_deref(),
        whole: b.whole.as_ref().map(|whole| Content::of(whole, contents)),
        origin: Origin::of(&b.origin),
    }
}
