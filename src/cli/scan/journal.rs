//! The events of a journal, looked over field by field.

use std::io;
use std::path::Path;

use super::super::{Context, Result, damage, quote, with_causes};
use super::Scan;
use super::tally::Secret;
use crate::event::{Event, Recorded};
use crate::execution::replay::{Contents, Walk, What, Window};
use crate::journal::scan::{FieldText, open, texts};
use crate::journal::{FOLDER, Reading, Source};
use crate::stores::source::reading;

impl Scan<'_> {
    pub(super) fn journal(&mut self, path: &Path, context: &mut Context) -> Result<()> {
        let shown = self.redactor.redact_text(&path.to_string_lossy());
        let mut walk = match Walk::events(path, as_it_lies(path, self.evidence), Window::default())
        {
            Ok(walk) => walk,
            Err(error) => {
                self.tally.unreadable(&shown, with_causes(&error), context);
                return self.segments(path, context);
            }
        };
        self.tally.told.journals += 1;
        if let Ok(source) = Source::of(project_of(path)) {
            damage::ask(&source, context);
        }
        while let Some(step) = walk.next() {
            let step = match step {
                Ok(step) => step,
                Err(error) => {
                    self.tally.unreadable(&shown, with_causes(&error), context);
                    break;
                }
            };
            let why = match &step.what {
                What::Event(recorded) => {
                    if let Some(error) = walk.contents().missing(&recorded.event.body) {
                        let place = format!("{shown} @{}", recorded.sequence.0);
                        self.tally.unreadable(&place, with_causes(&error), context);
                    }
                    self.event(&shown, recorded, walk.contents(), context)?;
                    continue;
                }
                What::Redacted { .. } => continue,
                What::Unknown { .. } => "of a kind that this version does not know".to_owned(),
                What::Undecodable { problem, .. } => problem.clone(),
                What::Lost(finding) => {
                    format!("{} bytes: {}", finding.bytes, finding.verdict.as_str())
                }
            };
            let place = step.sequence().map_or(shown.clone(), |at| format!("{shown} @{}", at.0));
            self.tally.unreadable(&place, why, context);
        }
        Ok(())
    }

    /// What is no journal after all, by its bytes.
    fn segments(&mut self, path: &Path, context: &mut Context) -> Result<()> {
        let mut paths = vec![path.to_owned()];
        if path.is_dir() {
            let listed = std::fs::read_dir(path).and_then(|entries| {
                entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()
            });
            paths = match listed {
                Ok(paths) => paths,
                Err(error) => {
                    self.unreadable(path, &error, context)?;
                    Vec::new()
                }
            };
            paths.retain(|path| path.extension().is_some_and(|it| it == "seg"));
            paths.sort_unstable();
        }
        for path in paths {
            match open(&path) {
                Ok(mut file) => {
                    let named = self.named(&path, context)?;
                    self.stream(&named, &mut file, context)?;
                }
                Err(error) => self.unreadable(&path, &error, context)?,
            }
        }
        Ok(())
    }

    fn event(
        &mut self,
        shown: &str,
        recorded: &Recorded,
        contents: &Contents,
        context: &mut Context,
    ) -> Result<()> {
        let Event { envelope, body } = &recorded.event;
        self.tally.told.events += 1;
        self.tally.told.redacted +=
            envelope.redactions.iter().map(|one| u64::from(one.count)).sum::<u64>();
        let body = serde_json::to_value(contents.with(body)).map_err(io::Error::from)?;
        for (name, text) in texts(body) {
            self.field(shown, recorded, name, &text, context)?;
        }
        Ok(())
    }

    fn field(
        &mut self,
        shown: &str,
        recorded: &Recorded,
        name: String,
        text: &FieldText,
        context: &mut Context,
    ) -> Result<()> {
        let (bytes, before) = text.bytes();
        self.tally.told.bytes += bytes.len() as u64;
        self.progress.inc(bytes.len() as u64);
        let found = text.find(self.redactor, &bytes);
        for one in found {
            let secret = Secret {
                rule: one.rule.to_owned(),
                path: shown.to_owned(),
                place: "event",
                sequence: Some(recorded.sequence.0),
                kind: Some(recorded.event.body.name().to_owned()),
                field: Some(name.clone()),
                offset: one.range.start.saturating_sub(before) as u64,
                bytes: one.range.len() as u64,
                next: next(shown, recorded.sequence.0),
                ..Secret::default()
            };
            let tally = &mut self.tally;
            self.progress.suspend(|| tally.found(secret, context))?;
        }
        Ok(())
    }
}

/// Live where others may be writing to it, else as evidence.
fn as_it_lies(path: &Path, evidence: bool) -> Reading {
    reading(project_of(path), evidence)
}

/// The project that a journal is of; the journal where it lies alone.
pub fn project_of(path: &Path) -> &Path {
    let annals = path.parent().filter(|it| it.file_name().is_some_and(|name| name == FOLDER));
    match annals.and_then(Path::parent) {
        Some(here) if here.as_os_str().is_empty() => Path::new("."),
        project => project.unwrap_or(path),
    }
}

/// What is to be done about what a journal holds; a copy's is looked at, and its project's is redacted.
fn next(path: &str, sequence: u64) -> String {
    let project = project_of(Path::new(path));
    let words = match project == Path::new(path) {
        true => format!("replay --from @{sequence} --to @{sequence}"),
        false => "redact --from-scan --reason WHY".to_owned(),
    };
    let project = quote::word(&project.to_string_lossy());
    format!("revoke it where it was issued; annals --dir {project} {words}")
}
