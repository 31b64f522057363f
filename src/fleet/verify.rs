//! Bringing the segments of a journal that was sent, and verifying them.

use std::path::Path;

use serde::Serialize;

use super::error::{FleetError, Result};
use super::state::{BYTES_MAX, SEGMENTS, Shipped};
use crate::event::wire::{hex_text, unhex};
use crate::journal::archive::{Target, bring_copy};
use crate::journal::tlog::{Checkpoint, Note, PublicKey, Tree};
use crate::journal::{Reading, Testimony, audit, enclosure};
use crate::store::evidence::Cache;

/// What verifying a journal found that was sent.
#[derive(Debug, Serialize)]
pub struct Checked {
    pub journal: String,
    pub machine: String,
    pub segments: u64,
    /// Events in them, and the last one; what was recorded since is in the tables alone.
    pub events: u64,
    pub through: u64,
    /// The root over the records up to there.
    pub root: Option<String>,
    pub holds: bool,
    /// What does not, in words.
    pub findings: Vec<String>,
    /// What lies there and tells of more than the state: one that was put back, or a sending that is under way or was cut.
    pub beyond: Vec<String>,
    /// `contains`, `beyond` (it signs records that are not in a sealed segment yet), `other`; `null` where none was sent.
    pub checkpoint: Option<&'static str>,
    /// Whether one of the keys signed it; `null` where none was given, or there is no checkpoint.
    pub signed: Option<bool>,
}

/// Brings the segments that were sent of a journal into a new folder: a journal's folder, to be read.
///
/// # Errors
/// Where one is missing there, is another than was sent, or cannot be written.
pub fn bring(from: &Path, state: &Shipped, into: &Path) -> Result<()> {
    let failed = |source| FleetError::Io { doing: "make", path: into.to_owned(), source };
    enclosure::make_folders(into).map_err(failed)?;
    whole(state)?;
    let no_journal = || FleetError::NoJournal { journal: state.journal.clone() };
    let journal = unhex(&state.journal).ok_or_else(no_journal)?;
    Ok(bring_copy(&from.join(SEGMENTS), &journal, &state.segments, into)?)
}

/// Holds that the state names all segments from the first on, each once.
fn whole(state: &Shipped) -> Result<()> {
    let mut next = 0;
    for it in &state.segments {
        if it.segment != next {
            let what = format!("segment {next} is missing, or stands elsewhere");
            return Err(FleetError::Gap { what });
        }
        next = it.segment.saturating_add(1);
    }
    Ok(())
}

/// What lies there and tells of more than the state: then that was put back, or another one is on its way.
fn beyond(target: &Target, state: &Shipped) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let folder = format!("{SEGMENTS}/{}", state.journal);
    let named = |number: u64| format!("{number:010}-");
    let is_named =
        |name: &str| state.segments.iter().any(|it| name.starts_with(&named(it.segment)));
    let manifests = target.names(&folder)?;
    let mut beside = manifests.iter().filter(|it| it.ends_with(".manifest") && !is_named(it));
    if let Some(name) = beside.next() {
        found.push(format!("{name} lies there, and the state does not name it"));
    }
    let list = target.read(&format!("_annals/{}.json", state.journal), BYTES_MAX)?;
    // A list that is none is told by who writes it.
    let told = list.and_then(|it| serde_json::from_slice::<serde_json::Value>(&it.bytes).ok());
    let through = told.as_ref().and_then(|it| it["through"].as_u64()).unwrap_or(0);
    if through > state.through {
        let what = format!("the tables go to @{through}, and the state to @{}", state.through);
        found.push(what);
    }
    Ok(found)
}

/// Verifies what was sent of a journal, by every byte: each segment against its manifest, the chain over all, the root over
/// all records, and the checkpoint; `must_be_signed`: one that is missing is a finding. Segments lie in a temporary folder
/// meanwhile.
///
/// # Errors
/// Where nothing can be brought or read. What does not hold is a finding.
pub fn verify(
    from: &Path,
    state: &Shipped,
    keys: &[PublicKey],
    must_be_signed: bool,
) -> Result<Checked> {
    let mut checked = Checked {
        journal: state.journal.clone(),
        machine: state.machine.clone(),
        segments: state.segments.len() as u64,
        events: 0,
        through: 0,
        root: None,
        holds: true,
        findings: Vec::new(),
        beyond: beyond(&Target::of(from, None)?, state)?,
        checkpoint: None,
        signed: None,
    };
    let Some(last) = state.segments.last() else {
        checked.findings.push("no segment was sealed yet: the tables are all there is".to_owned());
        checked
            .beyond
            .extend(must_be_signed.then(|| "nothing that a key vouches for lies here".to_owned()));
        return Ok(checked);
    };
    let aside = Cache::of_user().private()?;
    let folder = aside.root();
    match bring(from, state, folder) {
        Err(error) if error.is_of_what_lies_there() => {
            checked.findings.push(error.to_string());
            checked.holds = false;
            return Ok(checked);
        }
        brought => brought?,
    }
    let audit = audit(folder, Reading::Evidence, Testimony::default())?;
    checked.events = audit.report.events;
    checked.through = audit.report.mark.map_or(0, |it| it.sequence.0);
    checked.findings.extend(audit.losses().map(ToString::to_string));
    checked.findings.extend(audit.report.unreadable.iter().map(ToString::to_string));
    let tree = Tree::afresh(folder, Reading::Evidence)?;
    let root = hex_text(&tree.root(tree.size())?);
    if (checked.through, tree.size(), &root) != (last.last, last.size, &last.root) {
        let (at, size) = (last.last, last.size);
        let what =
            format!("the records up to @{at} have another root than the {size} that were sent");
        checked.findings.push(what);
    }
    let is_less = state.through < last.last || state.size < last.size;
    let is_end = state.through == last.last;
    let chain = audit.report.mark.map(|it| hex_text(&it.chain.0));
    let is_other = is_end
        && ((state.size, &state.root) != (last.size, &root)
            || Some(&state.chain) != chain.as_ref());
    if is_less || is_other || state.size > state.through {
        checked.findings.push("the state tells of another end than the segments have".to_owned());
    }
    checked.root = Some(root);
    if state.checkpoint.is_none() && must_be_signed {
        checked.findings.push("no checkpoint was sent that one of the keys signed".to_owned());
        checked.signed = Some(false);
    }
    if let Some(note) = state.checkpoint.as_deref() {
        (checked.checkpoint, checked.signed) =
            held(note, &tree, (keys, must_be_signed), &mut checked.findings)?;
    }
    if must_be_signed && checked.checkpoint == Some("beyond") {
        checked.beyond.push("more records are signed than lie here".to_owned());
    }
    checked.holds = checked.findings.is_empty();
    Ok(checked)
}

/// How a checkpoint stands to the records, and to the keys.
fn held(
    note: &str,
    tree: &Tree,
    (keys, must_be_signed): (&[PublicKey], bool),
    findings: &mut Vec<String>,
) -> Result<(Option<&'static str>, Option<bool>)> {
    let parsed = Note::parse(note)
        .and_then(|note| Checkpoint::parse(&note.text).map(|checkpoint| (note, checkpoint)));
    let (note, checkpoint) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            findings.push(format!("the checkpoint that was sent is none: {error}"));
            return Ok((Some("other"), None));
        }
    };
    let is_signed = keys.iter().any(|key| note.is_signed_by(key));
    if must_be_signed && !is_signed {
        findings.push("the checkpoint is signed by none of the keys that are believed".to_owned());
    }
    let signed = (!keys.is_empty()).then_some(is_signed);
    if checkpoint.journal != tree.journal() {
        findings.push("the checkpoint is of another journal".to_owned());
        return Ok((Some("other"), signed));
    }
    if checkpoint.size > tree.size() {
        return Ok((Some("beyond"), signed));
    }
    if tree.root(checkpoint.size)? != checkpoint.root {
        let size = checkpoint.size;
        findings.push(format!("the checkpoint vouches for other records: of {size}, another root"));
        return Ok((Some("other"), signed));
    }
    Ok((Some("contains"), signed))
}
