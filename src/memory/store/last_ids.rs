//! The numbers given last.

/// The highest number ever given in each table that numbers its rows; 0 before the first. A number is
/// never given twice, also where its row is gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LastIds {
    pub events: u64,
    pub archival: u64,
    pub inherited_summaries: u64,
}
