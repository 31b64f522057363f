//! `memory.json` and lines of `summaries.jsonl`: as we write them, and as people may have edited them.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::Inherited;
use crate::event::{RepoHash, wire};
use crate::repo::entry::{Convention, Decision, Entry, Kind, Note};

/// The version that `memory.json` names.
pub const MEMORY_VERSION: u64 = 1;

/// What a repository remembers, as `memory.json` has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RepoMemory {
    pub version: u64,
    #[serde(serialize_with = "wire::text")]
    pub repo_hash: RepoHash,
    /// The working tree's top folder; `None` where the event that told it is lost.
    pub path: Option<String>,
    pub remote: Option<String>,
    pub branch: Option<String>,
    /// The repositories that it is linked with, whose memory is in here too.
    #[serde(serialize_with = "wire::texts")]
    pub linked: Vec<RepoHash>,
    pub conventions: Vec<Convention>,
    pub decisions: Vec<Decision>,
    pub notes: Vec<Note>,
    /// What other branches and working trees of the same repository remember; the file has none of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inherited: Vec<Inherited>,
}

/// What a step came to, as a line of `summaries.jsonl` has it. Times are Unix milliseconds, in JSON RFC
/// 3339.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    pub run_id: String,
    pub step_id: String,
    #[serde(rename = "createdAt", serialize_with = "written")]
    pub created_ms: u64,
    pub summary: String,
}

/// A moment near the last that has such a form, 9999-12-30T21:59:59.999Z: what is later is told as this.
const LAST_MS: i64 = 253_402_207_199_999;

/// Unix milliseconds as `2026-11-22T10:41:51.123Z`: unlike elsewhere always a time, since the file is
/// read again.
pub fn written<S: Serializer>(at_ms: &u64, to: S) -> Result<S::Ok, S::Error> {
    let at_ms = i64::try_from(*at_ms).unwrap_or(LAST_MS).min(LAST_MS);
    let at = Timestamp::from_millisecond(at_ms).unwrap_or_default();
    to.collect_str(&format_args!("{at:.3}"))
}

/// A field that is not what it must be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{field}: {why}")]
pub struct FieldError {
    /// Its way from the top: `conventions[2].title`; `line 3, column 7` where it is no JSON.
    pub field: String,
    pub why: String,
}

impl RepoMemory {
    pub fn to_json(&self) -> String {
        // Texts and numbers always serialise.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Every entry, in the order of the file.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        let conventions = self.conventions.iter().cloned().map(Entry::Convention);
        let decisions = self.decisions.iter().cloned().map(Entry::Decision);
        let notes = self.notes.iter().cloned().map(Entry::Note);
        conventions.chain(decisions).chain(notes)
    }

    /// Reads `memory.json`. Every field must be there but lists, which may be left out where they are
    /// empty, and none besides.
    pub fn parse(bytes: &[u8]) -> Result<Self, FieldError> {
        let mut top = Fields::of(value(bytes)?, String::new())?;
        let version = top.number("version")?;
        if version != MEMORY_VERSION {
            return Err(top.wrong("version", &format!("must be {MEMORY_VERSION}")));
        }
        let repo_hash = top.text("repoHash")?;
        let Some(repo_hash) = RepoHash::parse(&repo_hash) else {
            return Err(top.wrong("repoHash", "must be 64 hexadecimal digits"));
        };
        let (path, remote) = (top.optional("path")?, top.optional("remote")?);
        let branch = top.optional("branch")?;
        let mut linked = Vec::new();
        for (at, text) in top.texts("linked")?.iter().enumerate() {
            let Some(hash) = RepoHash::parse(text) else {
                return Err(top.wrong(&format!("linked[{at}]"), "must be 64 hexadecimal digits"));
            };
            linked.push(hash);
        }
        let conventions = top.list("conventions")?;
        let decisions = top.list("decisions")?;
        let notes = top.list("notes")?;
        top.end()?;
        once("conventions", &conventions)?;
        once("decisions", &decisions)?;
        once("notes", &notes)?;
        let version = MEMORY_VERSION;
        let inherited = Vec::new();
        Ok(Self {
            version,
            repo_hash,
            path,
            remote,
            branch,
            linked,
            conventions,
            decisions,
            notes,
            inherited,
        })
    }
}

impl Summary {
    /// Its line, the end of the line included.
    pub fn line(&self) -> String {
        // Texts and numbers always serialise.
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }

    /// Reads a line of `summaries.jsonl`, its end left out of the place of an error: who has the line
    /// knows its number.
    pub fn parse(line: &[u8]) -> Result<Self, FieldError> {
        let line = value(line.trim_ascii_end()).map_err(|error| FieldError {
            field: error.field.trim_start_matches("line 1, ").to_owned(),
            ..error
        })?;
        let mut fields = Fields::of(line, String::new())?;
        let (run_id, step_id) = (fields.text("runId")?, fields.text("stepId")?);
        let (created_ms, summary) = (fields.time("createdAt")?, fields.text("summary")?);
        fields.end()?;
        Ok(Self { run_id, step_id, created_ms, summary })
    }
}

/// Holds that no two entries of a list have one id.
fn once(list: &str, entries: &[impl Kind]) -> Result<(), FieldError> {
    let mut seen = BTreeSet::new();
    for (at, entry) in entries.iter().enumerate() {
        let id = entry.id();
        if !seen.insert(id) {
            let (field, why) = (format!("{list}[{at}].id"), format!("`{id}` is there twice"));
            return Err(FieldError { field, why });
        }
    }
    Ok(())
}

fn value(bytes: &[u8]) -> Result<Value, FieldError> {
    serde_json::from_slice(bytes).map_err(|error| {
        let (line, column, why) = (error.line(), error.column(), error.to_string());
        // The place is told once.
        let why = why.trim_end_matches(&format!(" at line {line} column {column}"));
        FieldError {
            field: format!("line {line}, column {column}"),
            why: format!("this is no JSON: {why}"),
        }
    })
}

/// The members of an object, each taken out as it is read; what is left at the end is unknown.
pub struct Fields {
    members: Map<String, Value>,
    /// The object's own way from the top.
    at: String,
}

impl Fields {
    fn of(value: Value, at: String) -> Result<Self, FieldError> {
        match value {
            Value::Object(members) => Ok(Self { members, at }),
            _ => Err(FieldError { field: named(at), why: "must be an object".to_owned() }),
        }
    }

    fn take(&mut self, name: &str) -> Result<Value, FieldError> {
        self.members.remove(name).ok_or_else(|| self.wrong(name, "is missing"))
    }

    pub fn text(&mut self, name: &str) -> Result<String, FieldError> {
        match self.take(name)? {
            Value::String(text) => Ok(text),
            _ => Err(self.wrong(name, "must be a text")),
        }
    }

    fn optional(&mut self, name: &str) -> Result<Option<String>, FieldError> {
        match self.members.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.wrong(name, "must be a text, or null")),
        }
    }

    fn number(&mut self, name: &str) -> Result<u64, FieldError> {
        let number = self.take(name)?.as_u64();
        number.ok_or_else(|| self.wrong(name, "must be a whole number"))
    }

    pub fn time(&mut self, name: &str) -> Result<u64, FieldError> {
        // Any from 1970 on.
        let at: Option<Timestamp> = self.text(name)?.parse().ok(); // said below
        let at_ms = at.and_then(|at| u64::try_from(at.as_millisecond()).ok());
        at_ms.ok_or_else(|| {
            self.wrong(name, "must be an RFC 3339 time, as 2026-01-31T09:30:00.000Z")
        })
    }

    fn array(&mut self, name: &str) -> Result<Vec<Value>, FieldError> {
        match self.members.remove(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(values)) => Ok(values),
            Some(_) => Err(self.wrong(name, "must be a list")),
        }
    }

    pub fn texts(&mut self, name: &str) -> Result<Vec<String>, FieldError> {
        let mut texts = Vec::new();
        for (at, value) in self.array(name)?.into_iter().enumerate() {
            let Value::String(text) = value else {
                return Err(self.wrong(&format!("{name}[{at}]"), "must be a text"));
            };
            texts.push(text);
        }
        Ok(texts)
    }

    fn list<T: Kind>(&mut self, name: &str) -> Result<Vec<T>, FieldError> {
        let mut list = Vec::new();
        for (at, value) in self.array(name)?.into_iter().enumerate() {
            let mut fields = Self::of(value, format!("{name}[{at}]"))?;
            list.push(T::of_file(&mut fields)?);
            fields.end()?;
        }
        Ok(list)
    }

    fn end(self) -> Result<(), FieldError> {
        match self.members.keys().next() {
            None => Ok(()),
            Some(name) => Err(self.wrong(name, "is not known")),
        }
    }

    pub fn wrong(&self, name: &str, why: &str) -> FieldError {
        let field = match self.at.as_str() {
            "" => name.to_owned(),
            at => format!("{at}.{name}"),
        };
        FieldError { field, why: why.to_owned() }
    }
}

fn named(at: String) -> String {
    if at.is_empty() { "the whole of it".to_owned() } else { at }
}
