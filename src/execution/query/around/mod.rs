//! Everything around an execution: what came before and after it, in its session and on its files,
//! what it ran inside, what it was asked for, and what corrects it.

#[cfg(test)]
mod tests;

use rusqlite::Row;
use serde::Serialize;

use super::execution::EXECUTIONS;
use super::{ExecutionSummary, Link, PathRole, QueryError, Reference, Stores};
use crate::event::{ExecutionId, wire};
use crate::store::Ask;
use crate::store::columns::columns;

/// Files whose neighbours are listed.
const FILES_LEN_MAX: usize = 8;
/// Executions that ran inside, at most listed.
const CHILDREN_LEN_MAX: usize = 20;
const NEIGHBOURS_LEN_MAX: usize = 100;

/// Everything around an execution. Lists are in order of time; corrected executions stand in them
/// by their corrections.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Around {
    pub execution: ExecutionSummary,
    /// The prompt that it served: the session's last before it began.
    pub prompt: Option<ServedPrompt>,
    /// The execution that it ran inside.
    pub parent: Option<ExecutionSummary>,
    /// What ran inside it, the first ones.
    pub children: Vec<ExecutionSummary>,
    pub children_more: bool,
    pub corrects: Option<ExecutionSummary>,
    pub corrected_by: Option<ExecutionSummary>,
    /// Just before it in its session.
    pub before: Vec<ExecutionSummary>,
    /// Just after it in its session.
    pub after: Vec<ExecutionSummary>,
    /// The files it had to do with, the first ones, and what came before and after on each.
    pub files: Vec<FileNeighbours>,
    pub files_more: bool,
    /// Its edges in the graph; none where the graph cannot be read or has none.
    pub links: Vec<Link>,
}

/// A prompt as it begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ServedPrompt {
    pub sequence: u64,
    /// Unix milliseconds.
    #[serde(rename = "at", serialize_with = "wire::utc")]
    pub at_ms: u64,
    pub text: String,
}

/// A file, and what came just before and after an execution on it, in whichever session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileNeighbours {
    pub path: String,
    pub role: PathRole,
    pub before: Vec<ExecutionSummary>,
    pub after: Vec<ExecutionSummary>,
}

struct Spot {
    number: i64,
    session: Option<i64>,
    parent: Option<String>,
    began_seq: i64,
    actor: Option<String>,
    at_ms: i64,
    at_seq: i64,
}

impl Stores {
    /// Everything around the execution that a reference names, with so many neighbours on each side
    /// of every list.
    pub fn around(&self, reference: &Reference, span: usize) -> Result<Around, QueryError> {
        let execution = self.resolve(reference)?;
        let id = execution.id.to_string();
        let span = i64::try_from(span.min(NEIGHBOURS_LEN_MAX)).unwrap_or(0);
        let Some(spot) = self.spot(&id)? else {
            return Err(QueryError::NotFound { reference: reference.to_string() });
        };
        let by_id = |id: Option<String>| match id {
            Some(id) => self.summary_of(&id),
            None => Ok(None),
        };
        let inside = [Ask::Text(id.clone()), Ask::Number(CHILDREN_LEN_MAX as i64 + 1)];
        let mut children = self.summaries(&format!("{EXECUTIONS} {CHILDREN}"), &inside)?;
        let children_more = children.len() > CHILDREN_LEN_MAX;
        children.truncate(CHILDREN_LEN_MAX);
        let (before, after) = match spot.session {
            Some(session) => self.neighbours(OF_SESSION, session, &spot, span)?,
            None => (Vec::new(), Vec::new()),
        };
        let (files, files_more) = self.files_around(&spot, span)?;
        let links = match self.graph() {
            Ok(graph) => graph.links_of(&execution.tool, execution.id)?,
            Err(_) => Vec::new(),
        };
        Ok(Around {
            prompt: self.prompt_of(&spot)?,
            parent: by_id(spot.parent.clone())?,
            children,
            children_more,
            corrects: by_id(execution.corrects.map(|id| id.to_string()))?,
            corrected_by: by_id(execution.corrected_by.map(|id| id.to_string()))?,
            before,
            after,
            files,
            files_more,
            links,
            execution,
        })
    }

    fn spot(&self, id: &str) -> Result<Option<Spot>, QueryError> {
        let mut found = self.index.rows(SPOT, [id], |row| {
            columns!(row => Spot { number, session, parent, began_seq, actor, at_ms, at_seq })
        })?;
        Ok(found.pop())
    }

    /// The nearest before it, and the nearest after it, in order of time.
    fn neighbours(
        &self,
        of: Neighbourhood,
        number: i64,
        spot: &Spot,
        span: i64,
    ) -> Result<(Vec<ExecutionSummary>, Vec<ExecutionSummary>), QueryError> {
        let asked = [number, spot.at_ms, spot.at_seq, span].map(Ask::Number);
        let mut before = self.summaries(&of.side("<", " DESC"), &asked)?;
        before.reverse();
        Ok((before, self.summaries(&of.side(">", ""), &asked)?))
    }

    fn files_around(
        &self,
        spot: &Spot,
        span: i64,
    ) -> Result<(Vec<FileNeighbours>, bool), QueryError> {
        let mut paths: Vec<(i64, String, PathRole)> =
            self.index.all(FILES, [spot.number, FILES_LEN_MAX as i64 + 1])?;
        let more = paths.len() > FILES_LEN_MAX;
        paths.truncate(FILES_LEN_MAX);
        let mut files = Vec::with_capacity(paths.len());
        for (number, path, role) in paths {
            let (before, after) = self.neighbours(OF_FILE, number, spot, span)?;
            files.push(FileNeighbours { path, role, before, after });
        }
        Ok((files, more))
    }

    /// What an execution was asked for.
    pub(crate) fn prompt_for(&self, id: ExecutionId) -> Result<Option<ServedPrompt>, QueryError> {
        let spot = self.spot(&id.to_string())?;
        spot.map_or(Ok(None), |spot| self.prompt_of(&spot))
    }

    /// A subagent's last prompt; where it has none of its own, the session's.
    fn prompt_of(&self, spot: &Spot) -> Result<Option<ServedPrompt>, QueryError> {
        let Some(session) = spot.session else { return Ok(None) };
        for actor in [spot.actor.as_deref().unwrap_or_default(), ""] {
            let asked = (session, spot.began_seq, actor);
            let prompt = |row: &Row<'_>| columns!(row => ServedPrompt { sequence, at_ms, text });
            if let Some(prompt) = self.index.rows(PROMPT, asked, prompt)?.pop() {
                return Ok(Some(prompt));
            }
        }
        Ok(None)
    }
}

const SPOT: &str = "SELECT e.seq, e.session, e.parent, coalesce(e.started_seq, e.seq), \
     e.actor, e.at_ms, e.at_seq FROM executions e WHERE e.id = ?1";

const CHILDREN: &str =
    "WHERE e.parent = ?1 AND e.corrected_by IS NULL ORDER BY e.at_ms, e.at_seq LIMIT ?2";

/// What an execution has neighbours in: where their rows are found, and which row tells the time.
#[derive(Clone, Copy)]
struct Neighbourhood {
    from: &'static str,
    row: char,
}

const OF_SESSION: Neighbourhood = Neighbourhood {
    from: "executions e LEFT JOIN sessions s ON s.number = e.session WHERE e.session = ?1",
    row: 'e',
};
const OF_FILE: Neighbourhood = Neighbourhood {
    from: "execution_paths x CROSS JOIN executions e ON e.seq = x.execution \
           LEFT JOIN sessions s ON s.number = e.session WHERE x.path = ?1",
    row: 'x',
};

impl Neighbourhood {
    /// Those on one side, the nearest first.
    fn side(self, beyond: &str, order: &str) -> String {
        let Self { from, row } = self;
        format!(
            "{from} AND ({row}.at_ms, {row}.at_seq) {beyond} (?2, ?3) AND e.corrected_by IS NULL \
             ORDER BY {row}.at_ms{order}, {row}.at_seq{order} LIMIT ?4"
        )
    }
}

/// The files it had to do with, those it changed first.
const FILES: &str = "SELECT x.path, p.path, x.role FROM execution_paths x \
     CROSS JOIN paths p ON p.number = x.path WHERE x.execution = ?1 \
     ORDER BY x.role DESC, x.path LIMIT ?2";

const PROMPT: &str = "SELECT seq, at_ms, text FROM prompts \
     WHERE session = ?1 AND seq < ?2 AND coalesce(actor, '') = ?3 ORDER BY seq DESC LIMIT 1";
