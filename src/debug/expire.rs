//! Sessions that were kept as long as the settings say.

use std::path::{Path, PathBuf};

use super::hooks::EXPORTS_FOLDER;
use super::{DebugError, DebugWriter, ExpiredSession, durable_file};
use crate::config::DebugConfig;
use crate::config::environment::user_home;
use crate::debug::query::{DebugView, DueSession, RetentionRules};
use crate::event::{Body, DebugSessionExpired, DebugSessionId};

/// Sessions that are let go of in one commit.
const BATCH: usize = 256;

impl DebugWriter<'_, '_> {
    /// Lets go of the sessions that were kept as long as the settings say, those changed first first;
    /// archived before where the settings say where. `dry_run`: only tells which.
    pub fn expire(&mut self, dry_run: bool) -> Result<Vec<ExpiredSession>, DebugError> {
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

    /// What the escalation of a session left in a file.
    fn left(&self, session: DebugSessionId) -> Option<String> {
        let path = format!("{EXPORTS_FOLDER}/{session}.json");
        let is_there = self.project.annals_dir().join(&path).is_file();
        is_there.then(|| format!(".annals/{path}"))
    }

    fn archived(&self, folder: &Path, session: DebugSessionId) -> Result<(), DebugError> {
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
            durable_file::write(&path, text.as_bytes())?;
        }
        durable_file::write(&folder.join(format!("{session}.json")), text.as_bytes())
    }
}

/// How long documents are kept, by the settings.
pub fn rules_of(config: &DebugConfig) -> RetentionRules {
    RetentionRules {
        days: config.retention_days,
        escalated_days: config.retention_escalated_days,
        learned_days: config.retention_learned_days,
    }
}

/// The folder that documents are archived in.
fn archive_of(config: &DebugConfig, root: &Path) -> Result<Option<PathBuf>, DebugError> {
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
