//! What is due: the one list that a repair carries out and a dry run tells. Looking for it changes
//! nothing.

use std::path::Path;

use super::{RepairError, RepairReport, RepairStep, left_open, stores};
use crate::event::{RecordedLoss, Sequence};
use crate::journal::{
    Audit, Barred, InTheWay, Project, Reading, Recovery, Source, Verdict, enclosure, foreign_files,
    redaction, tells_of,
};
use crate::output::remedy;
use crate::repo::files::{
    FolderReport, Publish, PublishError, REPO_MEMORY, RepoFiles, publish_repos,
};
use crate::store::evidence::{Cache, evidence_stores};
use crate::store::look::look_at_blobs;
use crate::store::verify::audit;
use crate::store::{Bound, Quarantined};

pub(super) fn plan(
    project: &Project,
    cache: &Cache,
    bound: Bound,
) -> Result<RepairReport, RepairError> {
    let mut plan = RepairReport { dry_run: true, ..RepairReport::default() };
    let source = Source::of(project.root())?;
    let found = audit(Some(&source), &source.journal, Reading::Live, cache)?;
    let found_in_the_way = InTheWay::all(&project.annals_dir());
    let foreign = foreign_files(&project.annals_dir(), &found_in_the_way);
    for found in found_in_the_way {
        match found.is_foreign() {
            true => plan.in_the_way.push(found.told()),
            false => plan.steps.push(RepairStep::MovedAside { found, aside: None }),
        }
    }
    plan.in_the_way.extend(foreign);
    note_blobs(&source, &found, cache, &mut plan);
    if let Some(Barred { segment, error }) = Barred::of(&project.journal_dir()) {
        note_damage(&found, &[], &mut plan);
        plan.barred = Some(segment);
        return Ok(blocked(plan, super::with_sources(&error)));
    }
    let aside = cache.private()?;
    let mended = match found.report.is_clean() {
        // Then opening it for writing finds nothing to mend either.
        true => Ok(Vec::new()),
        false => project.rehearsed(aside.root()),
    };
    let mended = match mended {
        Err(error) if error.is_unwritable() => {
            // What stores still have may be all that is left: they stay as they are.
            note_damage(&found, &[], &mut plan);
            let (copy, journal) = (aside.root().to_string_lossy(), project.journal_dir());
            let why = super::with_sources(&error).replace(&*copy, &journal.to_string_lossy());
            return Ok(blocked(plan, why));
        }
        mended => mended?,
    };
    drop(aside);
    plan.steps.extend(crate::stores::repair::look(project));
    plan.steps.extend(mended.iter().map(|it| {
        let finding = it.finding().to_string();
        match it.verdict.is_cut() {
            true => RepairStep::TailCut { finding },
            false => RepairStep::LossRecorded { finding },
        }
    }));
    note_damage(&found, &mended, &mut plan);
    let records = found.report.count(Verdict::NotRedacted) as u64;
    if records > 0 || redaction::is_unfinished(project) {
        plan.steps.push(RepairStep::Redacted { records });
    }

    let places = crate::stores::places(project.root());
    let beyond = match enclosure::is_folder(&places.quarantine) {
        true => Quarantined::beyond(&places.quarantine, bound)?,
        false => Quarantined::default(),
    };
    let Quarantined { files, bytes, .. } = beyond;
    if files > 0 {
        plan.steps.push(RepairStep::Emptied { files, bytes });
    }
    let built = evidence_stores(places.list, &source.journal, Reading::Live, None, cache)?;
    let behind = stores::look(&source, &places, &built, cache, &mut plan)?;
    let count = left_open(&project.owners_dir(), &built.places)?;
    if count > 0 {
        plan.steps.push(RepairStep::Interrupted { count });
    }
    plan.steps.extend(behind);
    look_at_repos(project, built.places.index(), &mut plan);
    Ok(plan)
}

/// Where the journal cannot be appended to, nothing at all is due.
fn blocked(plan: RepairReport, why: String) -> RepairReport {
    RepairReport { steps: Vec::new(), blocked: Some(why), ..plan }
}

pub(super) fn note_blobs(source: &Source, found: &Audit, cache: &Cache, report: &mut RepairReport) {
    let wounds = look_at_blobs(source, &found.blobs, cache);
    report.damage.extend(wounds.into_iter().map(|wound| wound.text));
}

/// What no event of the journal tells of, nor will.
pub(super) fn note_damage(found: &Audit, mended: &[Recovery], report: &mut RepairReport) {
    let told: Vec<_> = mended.iter().filter(|it| it.verdict.is_loss()).map(told).collect();
    let stays = found.losses().filter(|loss| !told.iter().any(|told| tells_of(told, loss)));
    report.damage.extend(stays.map(ToString::to_string));
    report.damage.extend(found.report.unreadable.iter().map(ToString::to_string));
}

fn told(recovery: &Recovery) -> RecordedLoss {
    RecordedLoss {
        at: Sequence(0),
        segment: recovery.segment.0,
        offset: recovery.offset.0,
        verdict: recovery.verdict.to_string(),
        bytes: recovery.bytes_lost,
        lost: recovery.lost.map(|(first, last)| (Sequence(first.0), Sequence(last.0))),
    }
}

pub(super) fn publish(project: &Project, report: &mut RepairReport) {
    let published = match publish_repos(project, Publish::All) {
        Ok(published) => published,
        Err(error) => return lags(&error, report),
    };
    report.locked |= published.is_locked();
    for folder in published.folders {
        let files = folder.written();
        match folder.lag().as_ref().map(remedy::problem) {
            Some(why) if folder.outcome.is_err() => report.lags.push((REPO_MEMORY, why)),
            why => report.left.extend(why),
        }
        let FolderReport { path, .. } = folder;
        if files > 0 {
            report.steps.push(RepairStep::Published { path, files });
        }
    }
}

/// What [`publish`] would do, by an index that has everything.
pub(super) fn look_at_repos(project: &Project, index: &Path, report: &mut RepairReport) {
    let looked = RepoFiles::of(project).and_then(|files| match files {
        Some(files) => files.with_index(index).status(),
        None => Ok(Vec::new()),
    });
    let folders = match looked {
        Ok(folders) => folders,
        Err(error) => return lags(&error, report),
    };
    for folder in folders {
        if folder.files_behind > 0 {
            let (path, files) = (folder.path, folder.files_behind);
            report.steps.push(RepairStep::Published { path, files });
        }
        report.left.extend(folder.problem.as_ref().map(remedy::problem));
    }
}

fn lags(error: &PublishError, report: &mut RepairReport) {
    report.locked |= error.is_locked();
    report.lags.push((REPO_MEMORY, error.to_string()));
}
