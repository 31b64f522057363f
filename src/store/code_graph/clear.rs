//! Taking out what is ours.

use super::CodeGraph;
use crate::store::{Rows, StoreError};

/// Edges first, while what they belong to is known. Edges of ours that somebody's deletions left
/// hanging go with them.
const OURS: &str = "
    DELETE FROM graph_edges WHERE from_id IN
        (SELECT id FROM graph_entities WHERE kind = 'execution');
    DELETE FROM graph_edges WHERE to_id IN
        (SELECT id FROM graph_entities WHERE kind IN ('execution', 'diagnostic', 'annals_stub'));
    DELETE FROM graph_edges
        WHERE edge_type IN ('EXECUTED_ON', 'AFFECTED', 'REFERENCED', 'PRODUCED')
        AND NOT EXISTS (SELECT 1 FROM graph_entities e WHERE e.id = from_id);
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
