//! What is done besides the journal's own: bundles, transcripts, and the last look.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde::Serialize;

use super::super::import::past;
use super::super::{Context, Result, with_causes};
use super::elsewhere::ElsewhereTold;
use super::outcome::{FileTold, Remaining, Told};
use crate::event::wire::utc_text;
use crate::event::{RedactedRecord, Sequence};
use crate::journal::bundle::BundleOrder;
use crate::journal::order::leaves_of;
use crate::journal::{JournalError, JournalReader, Project, Reading};
use crate::redact::Redactor;
use crate::stores::leak::elsewhere::in_state;
use crate::stores::leak::held::{everywhere, in_path};
use crate::stores::leak::transcripts::{Named, look, transcripts};
use crate::stores::leak::{self, Found, Given};

#[derive(Debug, Serialize)]
pub struct BundleTold {
    pub path: String,
    pub journal: String,
    /// What was redacted in it.
    pub records: Vec<u64>,
    /// Of the new file; null where it stayed as it was.
    pub bytes: Option<u64>,
    /// Why it could not be rewritten.
    pub why: Option<String>,
}

impl BundleTold {
    pub fn failed(path: &Path, why: String) -> Self {
        let (path, journal) = (path.to_string_lossy().into_owned(), String::new());
        Self { path, journal, records: Vec::new(), bytes: None, why: Some(why) }
    }
}

pub struct Rest {
    bundles: Vec<PathBuf>,
    transcripts: Vec<PathBuf>,
    files: Vec<PathBuf>,
}

impl Rest {
    /// Read before anything goes: records name the files that they were about.
    pub fn of(
        bundles: &[PathBuf],
        transcript: &[PathBuf],
        project: &Project,
        reader: &JournalReader,
        found: &Found,
    ) -> Self {
        let named = match found.values {
            Some(_) => Named::of(reader, project, &found.records),
            None => Named::imported(project),
        };
        let mut told = named.transcripts;
        told.extend(transcript.iter().cloned());
        let transcripts = transcripts(&past(project.root()), &told);
        let mut files: Vec<_> = named.files.into_iter().collect();
        files.retain(|path| !transcripts.contains(path));
        Self { bundles: bundles.to_vec(), transcripts, files }
    }

    /// Names what is not annals' own and holds a value; with `rewrite` covers it in transcripts.
    pub fn look(&self, found: &Found, rewrite: bool, told: &mut Told) {
        let Some(values) = &found.values else {
            if !found.records.is_empty() {
                let paths = self.transcripts.iter().map(|it| it.to_string_lossy().into_owned());
                told.not_looked = paths.collect();
            }
            return;
        };
        let held = look(values, &self.transcripts, true, rewrite);
        let held = held.into_iter().chain(look(values, &self.files, false, false));
        told.files.extend(held.map(|it| FileTold::of(&it)));
    }

    /// Rewrites the bundles that hold any of it.
    pub fn bundles(&self, found: &Found, given: &Given, told: &mut Told) {
        for path in &self.bundles {
            let records = told.leaves.clone();
            let bundle = match bundle(path.clone(), found, given, &records) {
                Ok(bundle) => bundle,
                Err(error) => BundleTold::failed(path, with_causes(&error)),
            };
            told.bundles.push(bundle);
        }
    }
}

/// One bundle without what a value or a leaf names in it.
pub fn bundle(
    path: PathBuf,
    found: &Found,
    given: &Given,
    leaves: &[RedactedRecord],
) -> Result<BundleTold, JournalError> {
    let reader = Rc::new(JournalReader::reading(&path, Reading::Evidence)?);
    let mut records = BTreeSet::new();
    if let Some(values) = &found.values {
        records = reader.occurrences(values, &Redactor::new(&[]))?.records;
    }
    let named: BTreeSet<_> = leaves.iter().map(|it| Sequence(it.sequence)).collect();
    let there = leaves_of(&reader, &named)?;
    for record in leaves {
        if there.get(&Sequence(record.sequence)) == Some(&(record.leaf, false)) {
            records.insert(Sequence(record.sequence));
        }
    }
    let order = BundleOrder {
        id: given.order.to_string(),
        frames: 0,
        at: utc_text(given.at_ms).unwrap_or_default(),
        by: given.by.clone(),
        reason: given.reason.clone(),
    };
    let written = reader.redact_bundle(&records, order)?;
    Ok(BundleTold {
        path: path.to_string_lossy().into_owned(),
        journal: crate::event::wire::hex_text(&reader.id()),
        records: records.iter().map(|it| it.0).collect(),
        bytes: written.map(|it| it.bytes),
        why: None,
    })
}

/// Carries out what was found in a project's own journal and stores.
pub fn take_out(
    project: &Project,
    reader: &Rc<JournalReader>,
    found: &Found,
    given: &Given,
    told: &mut Told,
    context: &Context,
) -> Result<()> {
    let done = leak::take_out(project, found, given, &context.cache)?;
    told.unkept = done.unkept;
    told.before = done.plan.gone.iter().map(|it| it.0).collect();
    if !done.plan.is_empty() {
        told.order = Some(given.order.to_string());
    }
    told.redacted = done.plan.records.iter().map(|it| it.sequence).collect();
    told.leaves = done.plan.records;
    // What went before is in bundles as it was.
    let gone: BTreeSet<_> = done.plan.gone.into_iter().collect();
    let before = leaves_of(reader, &gone)?.into_iter();
    told.leaves.extend(before.map(|(at, (leaf, _))| RedactedRecord { sequence: at.0, leaf }));
    let redacted = done.redacted;
    let shown = |path: &PathBuf| path.to_string_lossy().into_owned();
    told.fetched.clone_from(&redacted.journal.fetched);
    told.cleaned =
        redacted.cleaned.iter().map(|it| format!("{}: {}", it.what, shown(&it.path))).collect();
    told.left =
        redacted.may_hold().iter().map(|it| format!("{}: {}", shown(&it.path), it.why)).collect();
    Ok(())
}

/// Looks through everything that annals wrote once more.
pub fn look_again(project: &Project, found: &Found, told: &mut Told) {
    let Some(values) = &found.values else { return };
    let (mut held, bytes) = everywhere(project, values);
    held.extend(in_state(values));
    for bundle in &told.bundles {
        held.extend(in_path(&PathBuf::from(&bundle.path), values));
    }
    told.scanned_bytes = bytes;
    told.remaining = held.iter().map(Remaining::of).collect();
    let is_elsewhere = told.elsewhere.iter().any(ElsewhereTold::is_open);
    told.is_clean = Some(told.remaining.is_empty() && told.left.is_empty() && !is_elsewhere);
}

/// Looks over what was written from this journal where a person said.
pub fn elsewhere(reader: &JournalReader, found: &Found, told: &mut Told) -> Result<()> {
    if told.dry_run && found.values.is_none() {
        let there = leaves_of(reader, &found.records)?.into_iter();
        told.leaves.extend(there.map(|(at, (leaf, _))| RedactedRecord { sequence: at.0, leaf }));
    }
    if found.values.is_none() && told.leaves.is_empty() {
        return Ok(());
    }
    let looked = leak::elsewhere::elsewhere(&reader.id(), found, &told.leaves);
    told.elsewhere = looked.iter().map(ElsewhereTold::of).collect();
    Ok(())
}
