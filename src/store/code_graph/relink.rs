//! Edges made anew, after what they led to was indexed again.

use super::{CodeGraph, ExecutionNode, FileKey, Link};
use crate::store::StoreError;

impl CodeGraph {
    /// Replaces the edges of an execution; `false` where it has no entity. What became of stubs is
    /// for [`Self::drop_unused_stubs`].
    pub fn relink(
        &mut self,
        node: &ExecutionNode<'_>,
        files: &[FileKey],
        links: &[Link<'_>],
    ) -> Result<bool, StoreError> {
        let mut relinked = || -> rusqlite::Result<bool> {
            let Some(id) = self.find_execution(node.execution_id)? else { return Ok(false) };
            self.conn
                .prepare_cached("DELETE FROM graph_edges WHERE from_id = ?1")?
                .execute([id])?;
            self.add_edges(id, node.execution_id, files, links)?;
            Ok(true)
        };
        relinked().map_err(|source| self.failed("linking an execution again", source))
    }

    /// Takes out the stubs that nothing leads to any more.
    pub fn drop_unused_stubs(&mut self) -> Result<(), StoreError> {
        self.run(
            "DELETE FROM graph_entities WHERE kind = 'annals_stub' AND NOT EXISTS \
             (SELECT 1 FROM graph_edges WHERE to_id = graph_entities.id)",
            "taking out stubs",
        )
    }

    /// The executions that have a diagnostic whose file has one of these last names.
    pub fn executions_diagnosing(
        &self,
        is_meant: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>, StoreError> {
        let found = || -> rusqlite::Result<Vec<String>> {
            let mut diagnostics = self.conn.prepare_cached(
                "SELECT id, file_path FROM graph_entities WHERE kind = 'diagnostic' \
                 AND file_path IS NOT NULL",
            )?;
            let mut executions = self.conn.prepare_cached(
                "SELECT DISTINCT x.name FROM graph_edges p JOIN graph_entities x \
                 ON x.id = p.from_id WHERE p.to_id = ?1 AND p.edge_type = 'PRODUCED'",
            )?;
            let mut names = Vec::new();
            let mut rows = diagnostics.query([])?;
            while let Some(row) = rows.next()? {
                let file: String = row.get(1)?;
                if is_meant(&file) {
                    let found = executions.query_map([row.get::<_, i64>(0)?], |row| row.get(0))?;
                    names.extend(found.collect::<rusqlite::Result<Vec<String>>>()?);
                }
            }
            Ok(names)
        };
        found().map_err(|source| self.failed("looking for executions", source))
    }
}
