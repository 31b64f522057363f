//! Sending a journal: segments that are sealed, the tables, and at last the state that says so.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::{FleetError, Result};
use super::state::{self, BYTES_MAX, FORKS, SEGMENTS, STATES, Shipped};
use crate::event::Sequence;
use crate::event::wire::hex_text;
use crate::journal::archive::{self, CopyHow, Target};
use crate::journal::project::home::machine_label;
use crate::journal::redaction::was_redacted;
use crate::journal::tlog::{self, Checkpoint, Note, Occasion, Sealed, Tree};
use crate::journal::{Audit, JournalReader, Project, Reading, clock};
use crate::store::sql::ExportedJournal;
use crate::stores::exported;

/// A journal on its way.
pub struct Ship<'a> {
    project: &'a Project,
    to: PathBuf,
    patience: Duration,
    anew: bool,
    target: Target,
    before: Option<Shipped>,
    version: Option<String>,
    name: String,
    /// Keeps every other that sends the same journal out; in a bucket the state does.
    _lock: Option<File>,
}

/// What was sent.
#[derive(Debug)]
pub struct Sent {
    pub state: Shipped,
    /// Segments that were sent now.
    pub segments: u64,
    /// Whether the journal is the one that was seen.
    pub is_the_seen: bool,
}

impl<'a> Ship<'a> {
    /// Looks at what lies there. `patience`: how long a bucket is asked again that is away or busy; `anew`: whatever lies
    /// there is made anew, also a state that is none.
    ///
    /// # Errors
    /// Where another history of this journal was sent before: then that is noted there, for whoever asks.
    pub fn begin(project: &'a Project, to: &Path, patience: Duration, anew: bool) -> Result<Self> {
        must_lie_elsewhere(to, project)?;
        let target = Target::of(to, Some(patience))?;
        let reader = project.reader()?;
        let lock = target.lock(&format!("{STATES}/{}.lock", hex_text(&reader.id())))?;
        let name = state::name_of(&hex_text(&reader.id()));
        let kept = target.read(&name, BYTES_MAX)?;
        let version = kept.as_ref().and_then(|it| it.version.clone());
        let parsed = kept.map(|it| Shipped::parse(&it.bytes, &target.path(&name))).transpose();
        let before = match parsed {
            Err(FleetError::State { .. }) if anew => None,
            parsed => parsed?,
        };
        let to = to.to_owned();
        let ship = Self { _lock: lock, project, to, patience, anew, target, before, version, name };
        match &ship.before {
            // What was not seen here is told by who ends.
            Some(before) if project.must_contain_seen().is_ok() && !before.is_of(&reader)? => {
                match reader.mark().sequence < Sequence(before.through) {
                    true => Err(FleetError::Older {
                        path: ship.target.path(&ship.name),
                        at: Sequence(before.through),
                        end: reader.mark().sequence,
                    }),
                    false => ship.note_fork(before, &reader),
                }
            }
            _ => Ok(ship),
        }
    }

    /// Of two histories of one journal the first stays. The other is noted, by its chain where they both were.
    fn note_fork(&self, before: &Shipped, reader: &JournalReader) -> Result<Self> {
        let at = Sequence(before.through);
        let mark = reader.mark_at(at)?.unwrap_or_else(|| reader.mark());
        let mut state = self.state(reader, Some(mark.sequence))?;
        (state.through, state.chain) = (mark.sequence.0, hex_text(&mark.chain));
        let name = format!("{FORKS}/{}-{}.json", state.journal, &state.chain[..16]);
        self.target.put(&name, &state.journal, &state.to_bytes())?;
        let (path, machine) = (self.target.path(&self.name), before.host.clone());
        Err(FleetError::Forked { path, at, machine })
    }

    /// Ends the segment that is appended to where its first record is from before a time, or something was redacted since
    /// (what is sealed has to have the order), with a checkpoint of all before it where there is a key that asks nobody.
    ///
    /// # Errors
    /// As [`tlog::seal`].
    pub fn seal(&self, before_ms: u64) -> Result<Option<Sealed>> {
        let before_ms = if self.was_redacted()? { u64::MAX } else { before_ms };
        if !tlog::is_due(self.project, before_ms)? {
            return Ok(None);
        }
        // Before, since that is a record as well. Whoever has to be asked for a key is not here: the root is in the seal.
        tlog::sign_by_itself(self.project, Occasion::End)?;
        Ok(tlog::seal(self.project)?)
    }

    /// Writes the tables there, in a build that writes Parquet, and counts what does not fit: the last event that is in the
    /// tables then, and the counts by kind.
    ///
    /// # Errors
    /// Where the stores cannot be asked, or the tables not be written.
    pub fn tables(
        &self,
        journal: &ExportedJournal<'_>,
    ) -> Result<(Option<u64>, BTreeMap<String, u64>)> {
        let findings = exported::findings_by_kind(journal)
            .map_err(|error| FleetError::Asked { message: error.to_string() })?;
        #[cfg(feature = "parquet")]
        {
            let reader = self.project.reader()?;
            let report = exported::folder::export(&self.target, journal, &reader, self.anew)?;
            Ok((Some(report.through.0), findings))
        }
        #[cfg(not(feature = "parquet"))]
        Ok((None, findings))
    }

    /// Sends segments and tiles, and then the state. Of a journal that does not hold, or is not the one that was seen,
    /// nothing is sent but that: what lies there is from when it did. `findings`: what else there is to say of it, by kind;
    /// `tables`: the last event that is in the tables there.
    ///
    /// # Errors
    /// Where something could not be read, or sent: the next one goes on where this one was.
    pub fn finish(
        self,
        audit: &Audit,
        findings: BTreeMap<String, u64>,
        tables: Option<u64>,
    ) -> Result<Sent> {
        let reader = self.project.reader()?;
        let mut state = self.state(&reader, None)?;
        state.findings.extend(findings);
        let told = told(audit);
        let is_another = self.project.must_contain_seen().is_err();
        let holds = !audit.is_damaged() && !is_another;
        state.findings.extend(told);
        if is_another {
            state.findings.insert("not the journal that was seen".to_owned(), 1);
        }
        let before = self.before.as_ref();
        let known = before.map_or(&[][..], |it| &it.segments);
        state.damaged = audit.is_damaged();
        let mut sent = 0;
        if holds {
            let again = self.was_redacted()?;
            let to = self.to.join(SEGMENTS);
            self.target.make_folder(SEGMENTS)?;
            let how = CopyHow { again, anew: self.anew, patience: self.patience };
            match archive::copy(self.project, &to, known, how) {
                Ok(copied) => (state.segments, sent) = (copied.segments, copied.sent),
                Err(error) if error.is_of_the_segment() => {
                    state.segments = known.to_vec();
                    let kind = "a segment that cannot be copied as it is";
                    state.findings.insert(kind.to_owned(), 1);
                    state.damaged = true;
                }
                Err(error) => return Err(error.into()),
            }
            state.tables = tables.or(before.and_then(|it| it.tables));
            let size = state.segments.last().map_or(0, |it| it.size);
            let told = before.and_then(|it| it.checkpoint.clone());
            // The one that vouches for what is sealed says more there than a newer one.
            if !state.checkpoint.as_deref().is_some_and(|it| is_within(it, size))
                && told.as_deref().is_some_and(|it| is_within(it, size))
            {
                state.checkpoint = told;
            }
        } else if let Some(before) = before {
            // As far as it held: the next one goes on from there.
            let now = std::mem::replace(&mut state, before.clone());
            (state.findings, state.damaged) = (now.findings, now.damaged);
            (state.at_ms, state.host) = (now.at_ms, now.host);
        }
        let version = self.version.as_deref();
        self.target.write_list(&self.name, &state.journal, state.to_bytes(), version)?;
        Ok(Sent { state, segments: sent, is_the_seen: !is_another })
    }

    /// Whether something of what was sent may be redacted by now.
    fn was_redacted(&self) -> Result<bool> {
        let sent = self.before.as_ref().filter(|it| !it.segments.is_empty());
        let since = sent.map(|it| Sequence(it.through));
        let reader = self.project.reader()?;
        Ok(since.map(|since| was_redacted(&reader, since)).transpose()?.unwrap_or(false))
    }

    /// What there is to say of the journal, but for what was sent of it.
    fn state(&self, reader: &JournalReader, through: Option<Sequence>) -> Result<Shipped> {
        let machine = reader.created().map(|it| it.machine).unwrap_or_default();
        let mut state = Shipped::new(hex_text(&reader.id()), machine, machine_label());
        let mark = reader.mark();
        state.at_ms = clock::now_ms();
        (state.through, state.chain) = (mark.sequence.0, hex_text(&mark.chain));
        let last = through.unwrap_or(mark.sequence);
        state.last_event_ms = reader.get(last)?.map(|it| it.recorded_ms);
        let (dir, folder) = (self.project.journal_dir(), self.project.tlog_dir());
        // Where it cannot be made the findings say why.
        if let Ok(tree) = Tree::of(&dir, Reading::Live, Some(folder), Some(last)) {
            state.size = tree.size();
            state.root = tree.root(tree.size()).map(|it| hex_text(&it)).unwrap_or_default();
        }
        state.checkpoint = tlog::last(&dir, &reader.id()).map(|(_, note)| note.to_string());
        Ok(state)
    }
}

/// Whether a checkpoint vouches for no more than so many records.
fn is_within(note: &str, size: u64) -> bool {
    let note = Note::parse(note);
    note.and_then(|note| Checkpoint::parse(&note.text)).is_ok_and(|it| it.size <= size)
}

/// What lies in `.annals` is not elsewhere. Nothing was written yet.
fn must_lie_elsewhere(to: &Path, project: &Project) -> Result<()> {
    let there = std::path::absolute(to).ok(); // told by who writes there
    let real = there.iter().flat_map(|it| it.ancestors()).find_map(|it| it.canonicalize().ok());
    let own = project.annals_dir().canonicalize().ok(); // as above
    match real.zip(own).is_some_and(|(real, own)| real.starts_with(own)) {
        true => Err(FleetError::Within { path: to.to_owned() }),
        false => Ok(()),
    }
}

/// What verifying found, by kind.
fn told(audit: &Audit) -> BTreeMap<String, u64> {
    let counts = [
        ("lost or changed, and not on record", audit.losses().count()),
        ("a loss on record", audit.recorded.len()),
        ("unreadable", audit.report.unreadable.len()),
    ];
    let told = counts.into_iter().filter(|(_, count)| *count > 0);
    told.map(|(kind, count)| (kind.to_owned(), count as u64)).collect()
}
