//! Reads `memory.json` and lines of `summaries.jsonl`, which people may have edited.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{Convention, Decision, MEMORY_VERSION, Note, RepoMemory, Summary, time};
use crate::event::{NoteSource, RepoHash};

/// A field that is not what it must be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {why}")]
pub struct FieldError {
    /// Its way from the top: `conventions[2].title`; `line 3, column 7` where it is no JSON.
    pub field: String,
    pub why: String,
}

impl RepoMemory {
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
        let conventions = top.list("conventions", convention)?;
        let decisions = top.list("decisions", decision)?;
        let notes = top.list("notes", note)?;
        top.end()?;
        once("conventions", conventions.iter().map(|it| it.id.as_str()))?;
        once("decisions", decisions.iter().map(|it| it.id.as_str()))?;
        once("notes", notes.iter().map(|it| it.id.as_str()))?;
        let version = MEMORY_VERSION;
        Ok(Self { version, repo_hash, path, remote, branch, linked, conventions, decisions, notes })
    }
}

impl Summary {
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
fn once<'a>(list: &str, ids: impl Iterator<Item = &'a str>) -> Result<(), FieldError> {
    let mut seen = BTreeSet::new();
    for (at, id) in ids.enumerate() {
        if !seen.insert(id) {
            let (field, why) = (format!("{list}[{at}].id"), format!("`{id}` is there twice"));
            return Err(FieldError { field, why });
        }
    }
    Ok(())
}

fn convention(mut fields: Fields) -> Result<Convention, FieldError> {
    let (id, title, content) = (fields.text("id")?, fields.text("title")?, fields.text("content")?);
    let tags = fields.texts("tags")?;
    let (created_ms, updated_ms) = (fields.time("createdAt")?, fields.time("updatedAt")?);
    fields.end()?;
    Ok(Convention { id, title, content, tags, created_ms, updated_ms })
}

fn decision(mut fields: Fields) -> Result<Decision, FieldError> {
    let (id, summary) = (fields.text("id")?, fields.text("summary")?);
    let (rationale, impacted_paths) = (fields.text("rationale")?, fields.texts("impactedPaths")?);
    let created_ms = fields.time("createdAt")?;
    fields.end()?;
    Ok(Decision { id, summary, rationale, impacted_paths, created_ms })
}

fn note(mut fields: Fields) -> Result<Note, FieldError> {
    let (id, content, source) =
        (fields.text("id")?, fields.text("content")?, fields.text("source")?);
    let Some(source) = NoteSource::parse(&source) else {
        return Err(fields.wrong("source", "must be manual, agent or tool"));
    };
    let created_ms = fields.time("createdAt")?;
    fields.end()?;
    Ok(Note { id, content, source, created_ms })
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
struct Fields {
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

    fn text(&mut self, name: &str) -> Result<String, FieldError> {
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

    fn time(&mut self, name: &str) -> Result<u64, FieldError> {
        let at = time::parse(&self.text(name)?);
        at.ok_or_else(|| self.wrong(name, "must be an RFC 3339 time, as 2026-01-31T09:30:00.000Z"))
    }

    fn array(&mut self, name: &str) -> Result<Vec<Value>, FieldError> {
        match self.members.remove(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(values)) => Ok(values),
            Some(_) => Err(self.wrong(name, "must be a list")),
        }
    }

    fn texts(&mut self, name: &str) -> Result<Vec<String>, FieldError> {
        let mut texts = Vec::new();
        for (at, value) in self.array(name)?.into_iter().enumerate() {
            let Value::String(text) = value else {
                return Err(self.wrong(&format!("{name}[{at}]"), "must be a text"));
            };
            texts.push(text);
        }
        Ok(texts)
    }

    fn list<T>(
        &mut self,
        name: &str,
        read: fn(Fields) -> Result<T, FieldError>,
    ) -> Result<Vec<T>, FieldError> {
        let values = self.array(name)?.into_iter().enumerate();
        values.map(|(at, value)| read(Self::of(value, format!("{name}[{at}]"))?)).collect()
    }

    fn end(self) -> Result<(), FieldError> {
        match self.members.keys().next() {
            None => Ok(()),
            Some(name) => Err(self.wrong(name, "is not known")),
        }
    }

    fn wrong(&self, name: &str, why: &str) -> FieldError {
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
