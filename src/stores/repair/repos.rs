//! The files of repositories' memory: what they lack is written, what a person edited is left.

use std::path::Path;

use super::{RepairReport, RepairStep};
use crate::journal::Project;
use crate::repo::files::{
    FolderReport, Publish, PublishError, REPO_MEMORY, RepoFiles, publish_repos,
};

pub(super) fn publish(project: &Project, report: &mut RepairReport) {
    let published = match publish_repos(project, Publish::All) {
        Ok(published) => published,
        Err(error) => return lags(&error, report),
    };
    report.locked |= published.is_locked();
    for folder in published.folders {
        let files = folder.written();
        match folder.lag() {
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
pub(super) fn look(project: &Project, index: &Path, report: &mut RepairReport) {
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
        report.left.extend(folder.problem);
    }
}

fn lags(error: &PublishError, report: &mut RepairReport) {
    report.locked |= error.is_locked();
    report.lags.push((REPO_MEMORY, error.to_string()));
}
