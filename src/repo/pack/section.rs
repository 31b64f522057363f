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

    /// So many of its items, what matters most, go in before anything else does.
    pub(super) fn firsts(self) -> usize {
        if self == Self::Summaries { 2 } else { 0 }
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
    /// Names of some of these, what matters most first; none where they are only counted.
    #[serde(default)]
    pub named: Vec<String>,
}

/// A part of a pack before it is known what there is room for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Material {
    pub name: SectionName,
    /// In the order of the text.
    pub items: Vec<String>,
    /// Positions in `items`, what matters most first.
    pub order: Vec<usize>,
    /// What the items are called, each a line, in their order; empty where what is left out is only
    /// counted.
    pub names: Vec<String>,
    /// Items that were not asked for, or are not at hand.
    pub left_out: u64,
    /// What of these is known by name, what matters most first.
    pub absent: Vec<String>,
}

impl Material {
    /// Items of which the first matter most.
    pub fn first_first(name: SectionName, items: Vec<String>, left_out: u64) -> Self {
        let order = (0..items.len()).collect();
        Self { name, items, order, names: Vec::new(), left_out, absent: Vec::new() }
    }

    /// Items of which the last matter most.
    pub fn last_first(name: SectionName, items: Vec<String>, left_out: u64) -> Self {
        let order = (0..items.len()).rev().collect();
        Self { name, items, order, names: Vec::new(), left_out, absent: Vec::new() }
    }

    /// The same, with what is told of what is left out besides how much it is.
    pub fn named(self, names: Vec<String>, absent: Vec<String>) -> Self {
        Self { names, absent, ..self }
    }

    /// Whether anything that is left out could be told by name.
    pub fn has_names(&self) -> bool {
        !self.names.is_empty() || !self.absent.is_empty()
    }
}
