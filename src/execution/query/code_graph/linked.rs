//! The entities that a path or a symbol's name means, and the executions whose edges lead to them: a page of
//! them, in bounded time.
//!
//! Only an execution's entity tells its time, so that order in time means reading all that a file
//! has. Where that is much, the newest are found by the order in which edges were recorded.

use std::collections::BTreeMap;

use super::{CodeGraph, ExecutionNode};
use crate::event::Ordered;
use crate::execution::query::log::literal;
use crate::execution::query::{After, QueryError, text};
use crate::store::Ask;

/// Edges that are read and sorted by time; of more, the order of recording decides.
const SORTED_EDGES_MAX: i64 = 2_048;
/// Edges looked at for one page.
const EDGES_MAX: usize = 20_000;
const STEP_EDGES: i64 = 256;

/// Executions in order of time, and where the older ones begin.
type Part = (Vec<ExecutionNode>, Option<After>);

/// An edge, and the execution that it comes from where that is as the contract says.
type EdgeTo = (i64, Option<ExecutionNode>);

impl CodeGraph {
    /// The newest executions linked to a target, each once, of those before `before` and after the
    /// place where the last page ended. A place without a time is an edge's.
    pub(super) fn linked_to(
        &self,
        targets: &Targets,
        limit: usize,
        before: Option<(u64, u64)>,
        after: Option<After>,
    ) -> Result<Part, QueryError> {
        match after {
            Some(After { at_ms: 0, sequence }) => {
                let below = i64::try_from(sequence).unwrap_or(i64::MAX);
                self.as_recorded(targets, limit, before, below)
            }
            None if !self.is_few(targets)? => self.as_recorded(targets, limit, before, i64::MAX),
            after => self.in_time(targets, limit, before, after),
        }
    }

    fn is_few(&self, targets: &Targets) -> Result<bool, QueryError> {
        let mut edges = 0;
        for id in targets.direct.iter().chain(&targets.defining) {
            let asked = [*id, SORTED_EDGES_MAX + 1].map(Ask::Number);
            let found: Vec<i64> = self.graph.answer(super::EDGES, &asked, |row| row.get(0))?;
            edges += found.first().copied().unwrap_or(0);
        }
        Ok(edges <= SORTED_EDGES_MAX)
    }

    fn in_time(
        &self,
        targets: &Targets,
        limit: usize,
        before: Option<(u64, u64)>,
        after: Option<After>,
    ) -> Result<Part, QueryError> {
        let after = after.map(|after| (after.at_ms, after.sequence));
        let bound = before.into_iter().chain(after).min();
        let mut found = BTreeMap::new();
        let all = i64::try_from(EDGES_MAX).unwrap_or(i64::MAX);
        for (id, sql) in leading_to(targets) {
            let executions = self.edges_to(id, sql, all, i64::MAX)?;
            let executions = executions.into_iter().filter_map(|(_, execution)| execution);
            let within = |one: &ExecutionNode| bound.is_none_or(|bound| one.at() < bound);
            found.extend(executions.filter(within).map(|one| (one.at(), one)));
        }
        let surplus = found.len().saturating_sub(limit);
        let page: Vec<_> = found.into_values().skip(surplus).collect();
        let next = page.first().filter(|_| surplus > 0).map(|first| {
            let (at_ms, sequence) = first.at();
            After { at_ms, sequence }
        });
        Ok((page, next))
    }

    fn as_recorded(
        &self,
        targets: &Targets,
        limit: usize,
        before: Option<(u64, u64)>,
        mut below: i64,
    ) -> Result<Part, QueryError> {
        let mut found = BTreeMap::new();
        let mut looked_at = 0;
        let mut next = None;
        'page: loop {
            let (edges, more) = self.step(targets, below)?;
            looked_at += edges.len();
            for (edge, execution) in edges {
                if let Some(one) = execution.filter(|one| before.is_none_or(|at| one.at() < at)) {
                    if found.len() == limit && !found.contains_key(&one.at()) {
                        next = Some(below);
                        break 'page;
                    }
                    found.insert(one.at(), one);
                }
                below = edge;
            }
            if !more {
                break;
            }
            if looked_at >= EDGES_MAX {
                next = Some(below);
                break;
            }
        }
        let place = |edge| After { at_ms: 0, sequence: u64::try_from(edge).unwrap_or(0) };
        Ok((found.into_values().collect(), next.map(place)))
    }

    /// The next edges to any of the targets, recorded last first; and whether there are more.
    fn step(&self, targets: &Targets, below: i64) -> Result<(Vec<EdgeTo>, bool), QueryError> {
        let (mut edges, mut floor) = (Vec::new(), None);
        for (id, sql) in leading_to(targets) {
            let some = self.edges_to(id, sql, STEP_EDGES, below)?;
            if some.len() as i64 == STEP_EDGES {
                // What lies lower was read of the others only.
                floor = floor.max(some.last().map(|(edge, _)| *edge));
            }
            edges.extend(some);
        }
        edges.retain(|(edge, _)| floor.is_none_or(|floor| *edge >= floor));
        edges.order_by_key(|(edge, _)| std::cmp::Reverse(*edge));
        Ok((edges, floor.is_some()))
    }

    fn edges_to(
        &self,
        id: i64,
        sql: &str,
        limit: i64,
        below: i64,
    ) -> Result<Vec<EdgeTo>, QueryError> {
        Ok(self.graph.answer(sql, &[id, limit, below].map(Ask::Number), |row| {
            let execution = ExecutionNode::read(row.get(0)?, &row.get::<_, String>(1)?);
            Ok((row.get(2)?, execution))
        })?)
    }
}

fn leading_to(targets: &Targets) -> impl Iterator<Item = (i64, &'static str)> {
    let direct = targets.direct.iter().map(|id| (*id, super::LINKED));
    direct.chain(targets.defining.iter().map(|id| (*id, super::LINKED_BY_CHANGE)))
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Targets {
    /// Entities whose every edge counts.
    pub direct: Vec<i64>,
    /// Files that define what is meant: what affected them affected it.
    pub defining: Vec<i64>,
}

impl Targets {
    pub fn is_empty(&self) -> bool {
        self.direct.is_empty()
    }
}

impl CodeGraph {
    /// The entities of a file, under whichever of its names the graph has it; where it has none, of
    /// files whose path ends with this one.
    pub(super) fn file_targets(&self, path: &str) -> Result<Targets, QueryError> {
        let roots = self.graph.roots();
        let key = roots.key(path, None);
        let mut direct = Vec::new();
        for name in roots.names(&key) {
            direct.extend(self.ids(super::FILE, &name)?);
        }
        direct.extend(self.ids(super::FILE_STUB, key.as_str())?);
        if direct.is_empty() {
            let end = format!("%/{}", literal(path.trim_start_matches("./")));
            for sql in [super::FILES_ENDING, super::FILE_STUBS_ENDING] {
                direct.extend(self.ids(sql, &end)?);
            }
        }
        direct.sort_unstable();
        direct.dedup();
        Ok(Targets { direct, defining: Vec::new() })
    }

    /// The entities of a symbol: `add`, or `Cart::add` where there are several; only those that
    /// `file` defines, where it is given.
    pub(super) fn symbol_targets(
        &self,
        symbol: &str,
        file: Option<&str>,
    ) -> Result<Targets, QueryError> {
        let last = symbol.rsplit([':', '.']).next().unwrap_or(symbol);
        let found: Vec<(i64, String)> =
            self.graph
                .answer(super::SYMBOLS, &[text(last)], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let within = file.map(|path| self.file_targets(path)).transpose()?;
        let mut targets = Targets::default();
        for (id, data) in found {
            let files = self.definers(id)?;
            let elsewhere =
                |within: &Targets| !files.iter().any(|file| within.direct.contains(file));
            if !is_meant(symbol, last, &data) || within.as_ref().is_some_and(elsewhere) {
                continue;
            }
            targets.direct.push(id);
            targets.defining.extend(files);
        }
        targets.direct.extend(self.ids(super::SYMBOL_STUB, symbol)?);
        targets.defining.sort_unstable();
        targets.defining.dedup();
        Ok(targets)
    }

    fn definers(&self, symbol: i64) -> Result<Vec<i64>, QueryError> {
        Ok(self.graph.answer(super::DEFINERS, &[Ask::Number(symbol)], |row| row.get(0))?)
    }

    pub(super) fn ids(&self, sql: &str, name: &str) -> Result<Vec<i64>, QueryError> {
        Ok(self.graph.answer(sql, &[text(name)], |row| row.get(0))?)
    }
}

/// Whether a symbol of the same last name is the one that is meant: a qualified name must be the end
/// of one by which the graph knows it.
fn is_meant(symbol: &str, last: &str, data: &str) -> bool {
    if symbol == last {
        return true;
    }
    // Data that is no object says nothing for it.
    let data: serde_json::Value = serde_json::from_str(data).unwrap_or_default();
    let asked = symbol.replace('.', "::");
    ["fqn", "display_fqn", "canonical_fqn"].iter().any(|key| {
        let known = data.get(key).and_then(|known| known.as_str()).unwrap_or_default();
        let known = known.replace('.', "::");
        known.strip_suffix(&asked).is_some_and(|rest| rest.is_empty() || rest.ends_with("::"))
    })
}
