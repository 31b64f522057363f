//! Taking out what is ours.

use super::CodeGraph;
use crate::store::{Rows, StoreError};

/// Edges of ours, also those that somebody's deletions left hanging; of the others none, even where
/// one leads to a row of ours.
const OURS: &str = "
    DELETE FROM graph_edges
        WHERE edge_type IN ('EXECUTED_ON', 'AFFECTED', 'REFERENCED', 'PRODUCED');
    DELETE FROM graph_entities WHERE kind IN ('execution', 'diagnostic', 'annals_stub');
    DELETE FROM annals_targets;
    DELETE FROM annals_cursor;
";

impl CodeGraph {
    /// Takes every row of ours out, inside a transaction; what follows is a load.
    pub fn clear(&mut self) -> Result<(), StoreError> {
        self.run(OURS, "taking out the old rows")?;
        self.declared.clear();
        self.tell_from("");
        self.rows = Rows::default();
        self.forget(true);
        Ok(())
    }
}
