//! The four sorts of edge that an execution has.

/// The four sorts of edge that an execution has (spec 000 §2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeType {
    /// execution → file: `operation` says what was done.
    ExecutedOn,
    /// execution → file: `change_type` says how it was changed.
    Affected,
    /// execution → symbol: `query_type` says what was asked of it.
    Referenced,
    /// execution → diagnostic: `code` says which.
    Produced,
}

impl EdgeType {
    /// `graph_edges.edge_type`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ExecutedOn => "EXECUTED_ON",
            Self::Affected => "AFFECTED",
            Self::Referenced => "REFERENCED",
            Self::Produced => "PRODUCED",
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        [Self::ExecutedOn, Self::Affected, Self::Referenced, Self::Produced]
            .into_iter()
            .find(|edge| edge.as_str() == text)
    }
}
