//! Context packs, and the map of a tree. Fields are named as spec 004 names its own.

use serde::Serialize;

use crate::repo::pack::{PackSection, PackTold};

/// A context pack.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Pack {
    /// Which of several journals it is of; `null` where one was asked.
    pub journal: Option<String>,
    /// The last event that it knows of.
    pub sequence: u64,
    /// Whose memory; `null` where the journal has none.
    pub repo_hash: Option<String>,
    pub path: Option<String>,
    pub remote: Option<String>,
    pub branch: Option<String>,
    /// Whose failures and position; `null`: the whole project's.
    pub session: Option<String>,
    pub max_chars: usize,
    /// Of the text.
    pub chars: usize,
    pub text: String,
    /// In the order of the text.
    pub sections: Vec<PackPart>,
    /// It came with a clone: no advice of this user's, unless `annals trust` says so.
    pub foreign: bool,
    /// Why the map of the tree is not up to date; only where it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub map_lag: Option<String>,
}

/// A part of a pack.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PackPart {
    /// `conventions`, `decisions`, `notes`, `summaries`, `pending_failures`, `position`, `repo_map`.
    pub section: &'static str,
    /// Each of them whole.
    pub items: Vec<String>,
    /// Items that there was no room for, that were not asked for, or that are not at hand.
    pub left_out: u64,
    /// Names of some of these, conventions' titles and decisions' summaries, as there was room.
    pub left_out_names: Vec<String>,
}

impl Pack {
    pub fn of(told: &PackTold, journal: Option<&str>) -> Self {
        let part = |section: &PackSection| PackPart {
            section: section.name.as_str(),
            items: section.items.clone(),
            left_out: section.left_out,
            left_out_names: section.named.clone(),
        };
        let told = told.clone();
        Self {
            journal: journal.map(str::to_owned),
            sequence: told.sequence,
            repo_hash: told.repo,
            path: told.path,
            remote: told.remote,
            branch: told.branch,
            session: told.session,
            max_chars: told.chars_max,
            chars: told.pack.chars,
            sections: told.pack.sections.iter().map(part).collect(),
            text: told.pack.text,
            foreign: false,
            map_lag: None,
        }
    }
}
