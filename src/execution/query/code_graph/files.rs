//! The files that an execution touched.

use super::{CodeGraph, EdgeType, GraphEntity};
use crate::event::ExecutionId;
use crate::execution::query::QueryError;

/// A file that an execution touched, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileTouch {
    pub path: String,
    /// What was done on it: `read`, `patch`, `check`, …; `None` where it was only changed.
    pub operation: Option<String>,
    /// `created` or `patched` where it was changed.
    pub change_type: Option<String>,
    pub entity: GraphEntity,
}

impl CodeGraph {
    /// The files that an execution was executed on or affected, in the order they were recorded;
    /// none where the graph does not know the execution.
    ///
    /// # Errors
    /// Where the graph cannot be read.
    pub fn files_touched_by_execution(
        &self,
        id: ExecutionId,
    ) -> Result<Vec<FileTouch>, QueryError> {
        let Some(execution) = self.execution(id)? else { return Ok(Vec::new()) };
        let (links, _) = self.links(execution.entity)?;
        let mut files: Vec<FileTouch> = Vec::new();
        for link in links {
            if !matches!(link.edge, EdgeType::ExecutedOn | EdgeType::Affected) {
                continue;
            }
            let at = files.iter().position(|file| file.entity.id == link.to.id);
            let at = at.unwrap_or_else(|| {
                files.push(FileTouch {
                    path: link.to.name.clone(),
                    operation: None,
                    change_type: None,
                    entity: link.to.clone(),
                });
                files.len() - 1
            });
            match link.edge {
                EdgeType::Affected => files[at].change_type = link.word,
                _ => files[at].operation = link.word,
            }
        }
        Ok(files)
    }
}
