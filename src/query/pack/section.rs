//! The parts of a pack.

use serde::{Deserialize, Serialize};

/// Which part of a pack: in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SectionName {
    Conventions,
    Decisions,
    Notes,
    Summaries,
    PendingFailures,
    Position,
    RepoMap,
}

impl SectionName {
    /// Every one, in the order of the text.
    pub const ALL: &'static [Self] = &[
        Self::Conventions,
        Self::Decisions,
        Self::Notes,
        Self::Summaries,
        Self::PendingFailures,
        Self::Position,
        Self::RepoMap,
    ];

    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Conventions => "conventions",
            Self::Decisions => "decisions",
            Self::Notes => "notes",
            Self::Summaries => "summaries",
            Self::PendingFailures => "pending_failures",
            Self::Position => "position",
            Self::RepoMap => "repo_map",
        }
    }

    /// The heading in the text, after `## `.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Conventions => "Conventions",
            Self::Decisions => "Decisions",
            Self::Notes => "Notes",
            Self::Summaries => "Latest summaries",
            Self::PendingFailures => "Pending failures",
            Self::Position => "Timeline position",
            Self::RepoMap => "Repo map",
        }
    }

    /// What its items are called, one and several.
    pub(super) fn noun(self) -> [&'static str; 2] {
        match self {
            Self::Conventions => ["convention", "conventions"],
            Self::Decisions => ["decision", "decisions"],
            Self::Notes => ["note", "notes"],
            Self::Summaries => ["summary", "summaries"],
            Self::PendingFailures => ["pending failure", "pending failures"],
            Self::Position => ["timeline position", "timeline positions"],
            Self::RepoMap => ["entry of the repo map", "entries of the repo map"],
        }
    }

    /// Of each thousand characters this many are its own; what it does not need is for all.
    pub(super) fn share(self) -> usize {
        match self {
            Self::Conventions => 250,
            Self::Decisions | Self::Summaries => 200,
            Self::Notes | Self::PendingFailures | Self::Position => 100,
            Self::RepoMap => 50,
        }
    }
}

/// A part of a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackSection {
    pub name: SectionName,
    /// What is told, as it stands in the text without the mark of a list.
    pub items: Vec<String>,
    /// Items that are not told.
    pub left_out: u64,
}

/// A part of a pack before it is known what there is room for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Material {
    pub name: SectionName,
    /// In the order of the text.
    pub items: Vec<String>,
    /// Positions in `items`, what matters most first.
    pub order: Vec<usize>,
    /// Items that were not asked for, or are not at hand.
    pub left_out: u64,
}

impl Material {
    /// Items of which the first matter most.
    pub fn first_first(name: SectionName, items: Vec<String>, left_out: u64) -> Self {
        Self { name, order: (0..items.len()).collect(), items, left_out }
    }

    /// Items of which the last matter most.
    pub fn last_first(name: SectionName, items: Vec<String>, left_out: u64) -> Self {
        Self { name, order: (0..items.len()).rev().collect(), items, left_out }
    }
}
