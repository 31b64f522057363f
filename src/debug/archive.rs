//! A debug session with everything that it rests on, in one piece.

use std::io;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::error::Result;
use super::hooks::EXPORTS_FOLDER;
use super::query::{DebugRecord, DebugView, DueSession, RetentionRules};
use super::{DebugError, DebugExport, DebugWriter, ExpiredSession};
use crate::config::DebugConfig;
use crate::config::environment::user_home;
use crate::event::{Body, DebugSessionExpired, DebugSessionId, debug_time};
use crate::execution::AskedStores;
use crate::execution::query::{ExecutionDetail, QueryError, Reference};
use crate::journal::enclosure::OpenHow;
use crate::journal::{clock, enclosure, id};
use crate::store::JournalFeed;
use crate::store::StorePlaces;
use crate::store::catch_up::catch_up_executions;
use crate::store::doubt::settle_project;
use crate::store::evidence::Cache;

pub(super) const FORMAT: &str = "annals/debug-export/v1";
/// Of one thing that an execution printed, bytes of JSON that are told.
const ARTIFACT_BYTES_MAX: usize = 1 << 20;
/// Of all of them together, the last attempts' first.
const PRINTED_BYTES_MAX: usize = 32 << 20;

impl DebugWriter<'_, '_> {
    pub fn export(&self, session: DebugSessionId) -> Result<DebugExport> {
        self.export_of(&self.record(session)?)
    }

    pub(super) fn export_of(&self, record: &DebugRecord) -> Result<DebugExport> {
        let places = StorePlaces::of(self.project);
        settle_project(self.project, &Cache::of_user());
        let report = catch_up_executions(&places, &JournalFeed::of(self.project)?);
        let stores = AskedStores::after(self.project, &report, &Cache::of_user())?;
        let (mut executions, mut left) = (Vec::new(), PRINTED_BYTES_MAX);
        for (attempt, id) in record.beside.executions.iter().rev() {
            executions.push(match stores.show(&Reference::Id(id.clone())) {
                Ok(detail) => told(*attempt, &detail, &mut left),
                // It was named, and is not recorded.
                Err(QueryError::NotFound { .. }) => json!({"attempt": attempt, "id": id}),
                Err(error) => return Err(error.into()),
            });
        }
        executions.reverse();
        let events = stores.debug().events(record.session.id)?;
        let reader = self.project.reader()?;
        let mark = reader.mark();
        Ok(DebugExport {
            format: FORMAT,
            exported_at: debug_time(clock::now_ms()),
            document: record.document.clone(),
            effectiveness: json!(record.beside.tallies),
            executions,
            journal: json!({
                "id": uuid::Uuid::from_bytes(reader.id()).to_string(),
                "sequence": mark.sequence.0,
                "chain": mark.chain.map(|byte| format!("{byte:02x}")).concat(),
                "first": events.map(|(first, _)| first.0),
                "last": events.map(|(_, last)| last.0),
            }),
        })
    }
}

fn told(attempt: u32, detail: &ExecutionDetail, left: &mut usize) -> Value {
    let it = &detail.summary;
    let mut parsed = |json: &String| parsed(json, left);
    let arguments = detail.arguments_json.as_ref().map(&mut parsed);
    let mut value = json!({
        "attempt": attempt,
        "id": it.id.to_string(),
        "ordinal": it.ordinal,
        "sequence": it.sequence,
        "at": debug_time(it.at_ms),
        "tool": it.tool,
        "target": it.target,
        "cwd": it.cwd,
        "branch": it.branch,
        "outcome": it.outcome.map(|outcome| outcome.as_str()),
        "exit_code": it.exit_code,
        "duration_ms": it.duration_ms,
        "arguments": arguments,
        "error": detail.error_message,
    });
    for (kind, content) in &detail.artifacts {
        value[kind.as_str()] = parsed(content);
    }
    value
}

/// JSON as it is stored; of what is too long its beginning, and how much there is.
fn parsed(json: &str, left: &mut usize) -> Value {
    let most = ARTIFACT_BYTES_MAX.min(*left);
    *left -= json.len().min(most);
    if json.len() <= most {
        return serde_json::from_str(json).unwrap_or_else(|_| json.into());
    }
    let begin = &json[..json.floor_char_boundary(most)];
    json!({"begins": begin, "bytes": json.len()})
}

const BATCH: usize = 256;

impl DebugWriter<'_, '_> {
    /// Lets go of the sessions that were kept as long as the settings say, those changed first first;
    /// archived before where the settings say where. `dry_run`: only tells which.
    pub fn expire(&mut self, dry_run: bool) -> Result<Vec<ExpiredSession>> {
        let config = self.project.config().debug.clone();
        let archive = archive_of(&config, self.project.root())?;
        let _turn = self.turn()?;
        let due = DebugView::of(&self.index()?).due(self.now_ms(), &rules_of(&config))?;
        let told = |due: &DueSession| ExpiredSession {
            session: due.session.id,
            file_path: due.session.file_path.clone(),
            updated_ms: due.session.updated_ms,
            days: due.days,
            archived: archive.as_deref().map(|folder| archived_as(folder, due.session.id)),
            left: self.left(due.session.id),
        };
        let due: Vec<ExpiredSession> = due.iter().map(told).collect();
        if dry_run {
            return Ok(due);
        }
        for batch in due.chunks(BATCH) {
            if let Some(folder) = &archive {
                batch.iter().try_for_each(|it| self.archived(folder, it.session))?;
            }
            let expired = |it: &ExpiredSession| {
                Body::DebugSessionExpired(DebugSessionExpired {
                    session: it.session,
                    updated_ms: it.updated_ms,
                    days: it.days,
                    archived: it.archived.clone(),
                })
            };
            self.commit(batch.iter().map(expired).collect())?;
        }
        Ok(due)
    }

    fn left(&self, session: DebugSessionId) -> Option<String> {
        let path = format!("{EXPORTS_FOLDER}/{session}.json");
        let is_there = self.project.annals_dir().join(&path).is_file();
        is_there.then(|| format!(".annals/{path}"))
    }

    fn archived(&self, folder: &Path, session: DebugSessionId) -> Result<()> {
        let record = self.record(session)?;
        let unwritten = |source: serde_json::Error| DebugError::Unreadable {
            what: format!("the debug session {session}"),
            why: source.to_string(),
        };
        let mut text = serde_json::to_string_pretty(&record.document).map_err(unwritten)?;
        text.push('\n');
        if !record.beside.tallies.is_empty() {
            let mut text =
                serde_json::to_string_pretty(&record.beside.tallies).map_err(unwritten)?;
            text.push('\n');
            let path = folder.join("effectiveness").join(format!("{session}.json"));
            write(&path, text.as_bytes())?;
        }
        write(&folder.join(format!("{session}.json")), text.as_bytes())
    }
}

pub fn rules_of(config: &DebugConfig) -> RetentionRules {
    RetentionRules {
        days: config.retention_days,
        escalated_days: config.retention_escalated_days,
        learned_days: config.retention_learned_days,
    }
}

fn archive_of(config: &DebugConfig, root: &Path) -> Result<Option<PathBuf>> {
    let Some(named) = config.archive.as_deref().filter(|named| !named.is_empty()) else {
        return Ok(None);
    };
    let Some(below) = named.strip_prefix("~/") else { return Ok(Some(root.join(named))) };
    match user_home() {
        Some(home) => Ok(Some(home.join(below))),
        None => {
            let field = "debug.archive".to_owned();
            let why = "lies below the user's home, and there is none: set HOME".to_owned();
            Err(DebugError::Field { field, why })
        }
    }
}

fn archived_as(folder: &Path, session: DebugSessionId) -> String {
    folder.join(format!("{session}.json")).to_string_lossy().into_owned()
}

/// Puts bytes in place of a file that only its owner reads. Its folder is made where it is missing.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let failed = |source| DebugError::File { path: path.to_owned(), did: "written", source };
    replace(path, bytes).map_err(failed)
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    enclosure::make_folders(folder)?;
    let number: String = id::entropy().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let temporary = folder.join(format!(".new-{number}"));
    let mut file = enclosure::open(&temporary, OpenHow::CreateNew)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    let written = written.and_then(|()| enclosure::rename(&temporary, path));
    if written.is_err() {
        // The error that stopped it is the one to tell.
        drop(enclosure::remove(&temporary));
    }
    written.and_then(|()| enclosure::folder(folder)?.sync_all())
}
