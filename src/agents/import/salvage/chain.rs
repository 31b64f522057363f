//! Which record follows on which, once some are lost.

use std::collections::{HashMap, HashSet};
use std::io;
use std::io::Write;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::agents::claude_code::block_ids;
use crate::agents::import::Flaw;
use crate::agents::import::limits::FINDINGS_MAX;
use crate::agents::import::loose::{Text, parsed};

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Link<'a> {
    #[serde(borrow)]
    pub uuid: Text<'a>,
    /// As it stands in the record: its place is where a new one is written.
    pub parent_uuid: Option<&'a RawValue>,
    pub is_sidechain: Option<&'a RawValue>,
}

#[derive(Debug)]
struct Node {
    uuid: Option<String>,
    parent: Option<String>,
    side: bool,
    line: u64,
    /// Pieces lost before it.
    lost_before: u64,
    calls: Vec<String>,
    results: Vec<String>,
}

#[derive(Debug, Default)]
pub struct Chain {
    nodes: Vec<Node>,
    by_uuid: HashMap<String, usize>,
    calls: HashSet<String>,
    results: HashSet<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewParent {
    pub from: String,
    pub to: Option<String>,
}

impl Chain {
    pub fn push(&mut self, line: u64, record: &[u8], lost_before: u64) {
        let link: Link<'_> = parsed(record).unwrap_or_default();
        let parent = link.parent_uuid.and_then(|raw| parsed::<Text<'_>>(raw.get().as_bytes()));
        let parent = parent.and_then(|Text(parent)| parent);
        let (calls, results) = block_ids(record);
        let uuid = link.uuid.to_text();
        if let Some(uuid) = &uuid {
            self.by_uuid.entry(uuid.clone()).or_insert(self.nodes.len());
        }
        self.calls.extend(calls.iter().cloned());
        self.results.extend(results.iter().cloned());
        self.nodes.push(Node {
            uuid,
            parent: parent.map(|parent| parent.into_owned()),
            side: link.is_sidechain.is_some_and(|side| side.get() == "true"),
            line,
            lost_before,
            calls,
            results,
        });
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The new parent of each record that needs one, by the record's number.
    ///
    /// A lost parent is replaced only where something was lost before the record: a transcript may
    /// follow on another file's records. The nearest record before it takes the place, but never a
    /// call or a result whose other half was lost, for a model's interface accepts neither alone;
    /// and what followed on such a result follows on what came before it.
    pub fn new_parents(&self) -> HashMap<usize, NewParent> {
        let mut new = HashMap::new();
        // The last record of each side that others may follow on, and what it was at each record.
        let mut last: [Option<usize>; 2] = [None, None];
        let mut before = Vec::with_capacity(self.nodes.len());
        for (at, node) in self.nodes.iter().enumerate() {
            let side = usize::from(node.side);
            before.push(last);
            if let Some(from) = node.parent.as_ref().filter(|_| node.lost_before > 0) {
                let to = match self.by_uuid.get(from) {
                    None => Some(last[side]),
                    Some(&parent) if self.lost_its_call(parent) => {
                        Some(before.get(parent).map_or(last[side], |then| then[side]))
                    }
                    Some(_) => None,
                };
                if let Some(to) = to {
                    let to = to.and_then(|to| self.nodes.get(to)).and_then(|to| to.uuid.clone());
                    new.insert(at, NewParent { from: from.clone(), to });
                }
            }
            if node.uuid.is_some() && !self.stands_alone(at) {
                last[side] = Some(at);
            }
        }
        new
    }

    fn lost_its_call(&self, at: usize) -> bool {
        self.nodes.get(at).is_some_and(|node| {
            node.lost_before > 0 && node.results.iter().any(|id| !self.calls.contains(id))
        })
    }

    fn stands_alone(&self, at: usize) -> bool {
        self.nodes.get(at).is_some_and(|node| {
            node.calls.iter().any(|id| !self.results.contains(id))
                || node.results.iter().any(|id| !self.calls.contains(id))
        })
    }

    /// Every call without result, then every result without call, with its line.
    pub fn unpaired(&self) -> [Vec<(u64, String)>; 2] {
        let calls = self.nodes.iter().flat_map(|n| n.calls.iter().map(move |id| (n.line, id)));
        let results = self.nodes.iter().flat_map(|n| n.results.iter().map(move |id| (n.line, id)));
        let owned = |(line, id): (u64, &String)| (line, id.clone());
        [
            calls.filter(|(_, id)| !self.results.contains(*id)).map(owned).collect(),
            results.filter(|(_, id)| !self.calls.contains(*id)).map(owned).collect(),
        ]
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TranscriptSalvage {
    pub lines: u64,
    pub records: u64,
    pub bytes_read: u64,
    pub bytes_written: u64,
    pub glued_lines: u64,
    pub bytes_lost: u64,
    /// What could not be saved, by place: the first [`FINDINGS_MAX`] of each list.
    pub lost: Vec<Lost>,
    pub lost_total: u64,
    /// Records whose lost parent was replaced by the nearest record before them. Nothing else of
    /// any record was changed.
    pub relinked: Vec<Relinked>,
    pub relinked_total: u64,
    /// Calls whose result is not in the file. The agent leaves them out when it resumes.
    pub calls_without_result: Vec<Unpaired>,
    /// Results whose call is not in the file. They are kept, but no record follows on them.
    pub results_without_call: Vec<Unpaired>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lost {
    pub line: u64,
    pub bytes: u64,
    pub reason: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Relinked {
    pub line: u64,
    pub uuid: Option<String>,
    pub from: String,
    /// `None`: there was no record before it.
    pub to: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unpaired {
    pub line: u64,
    pub call: String,
}

impl TranscriptSalvage {
    pub(super) fn lose(&mut self, line: u64, bytes: u64, flaw: Flaw) {
        self.lost_total += 1;
        self.bytes_lost += bytes;
        if self.lost.len() < FINDINGS_MAX {
            self.lost.push(Lost { line, bytes, reason: flaw.to_string() });
        }
    }

    pub(super) fn relink(&mut self, relinked: Relinked) {
        self.relinked_total += 1;
        if self.relinked.len() < FINDINGS_MAX {
            self.relinked.push(relinked);
        }
    }

    pub fn has_findings(&self) -> bool {
        self.lost_total + self.glued_lines + self.relinked_total > 0
    }

    /// The report as lines of text. The caller escapes what goes to a terminal.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { lines, records, glued_lines, lost_total, bytes_lost, .. } = self;
        writeln!(out, "read {lines} lines, saved {records} records, split {glued_lines} lines")?;
        writeln!(out, "lost {lost_total} pieces, {bytes_lost} bytes")?;
        for Lost { line, bytes, reason } in &self.lost {
            writeln!(out, "line {line}: lost {bytes} bytes: {reason}")?;
        }
        for Relinked { line, uuid, from, to } in &self.relinked {
            let (uuid, to) = (uuid.as_deref().unwrap_or("-"), to.as_deref().unwrap_or("nothing"));
            writeln!(out, "line {line}: record {uuid} follows on {to}: its parent {from} is lost")?;
        }
        for Unpaired { line, call } in &self.calls_without_result {
            writeln!(out, "line {line}: call {call} has no result; the agent leaves it out")?;
        }
        for Unpaired { line, call } in &self.results_without_call {
            writeln!(out, "line {line}: result of {call}, whose call is lost: kept beside")?;
        }
        Ok(())
    }
}
