//! Edges made anew, after what they led to was indexed again.

use rusqlite::types::ValueRef;

use super::node::StubOf;
use super::{CodeGraph, ExecutionNode, FileKey, Link};
use crate::store::StoreError;

impl CodeGraph {
    /// Replaces the edges of an execution; `false` where it has no entity. What became of stubs is
    /// for [`Self::settle_stubs`].
    pub fn relink(
        &mut self,
        node: &ExecutionNode<'_>,
        files: &[FileKey],
        links: &[Link<'_>],
    ) -> Result<bool, StoreError> {
        let mut relinked = || -> rusqlite::Result<bool> {
            let Some(id) = self.find_execution(node.execution_id)? else { return Ok(false) };
            self.conn
                .prepare_cached(
                    "DELETE FROM graph_edges WHERE from_id = ?1 AND edge_type IN \
                     ('EXECUTED_ON', 'AFFECTED', 'REFERENCED', 'PRODUCED')",
                )?
                .execute([id])?;
            self.add_edges(id, node.execution_id, files, links)?;
            Ok(true)
        };
        relinked().map_err(|source| self.failed("linking an execution again", source))
    }

    /// Brings the stubs into agreement with the edges made anew: each names the first execution that
    /// leads to it, and those that nothing leads to any more are taken out.
    pub fn settle_stubs(&mut self) -> Result<(), StoreError> {
        self.name_first().map_err(|source| self.failed("noting what led to stubs", source))?;
        self.run(
            "DELETE FROM graph_entities WHERE kind = 'annals_stub' AND NOT EXISTS \
             (SELECT 1 FROM graph_edges WHERE to_id = graph_entities.id)",
            "taking out stubs",
        )
    }

    /// A call that was new may have made a stub before an older one was led to it. Entities of
    /// executions have their ids in the order in which they were applied.
    fn name_first(&self) -> rusqlite::Result<()> {
        let sql = "SELECT s.id, s.file_path IS NOT NULL, s.data, x.name FROM graph_entities s \
                   JOIN graph_entities x ON x.id = (\
                       SELECT min(e.from_id) FROM graph_edges e WHERE e.to_id = s.id AND \
                       e.edge_type IN ('EXECUTED_ON', 'AFFECTED', 'REFERENCED', 'PRODUCED')) \
                   WHERE s.id IN (SELECT to_id FROM graph_edges WHERE id >= ?1) \
                   AND s.kind = 'annals_stub' AND x.kind = 'execution'";
        let mut find = self.conn.prepare_cached(sql)?;
        let mut rows = find.query([self.first_edge])?;
        let mut others: Vec<(i64, String)> = Vec::new();
        while let Some(row) = rows.next()? {
            let of = if row.get(1)? { StubOf::File } else { StubOf::Symbol };
            let name: String = row.get(3)?;
            let data = of.data(name.rsplit(':').next().unwrap_or_default());
            if row.get_ref(2)? != ValueRef::Text(data.as_bytes()) {
                others.push((row.get(0)?, data));
            }
        }
        let mut put =
            self.conn.prepare_cached("UPDATE graph_entities SET data = ?2 WHERE id = ?1")?;
        others.into_iter().try_for_each(|other| put.execute(other).map(drop))
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
