//! The files that an import reads.

use super::ImportRequest;
use crate::agents::import::report::{ImportReport, SkippedFile};
use crate::agents::import::source_file::{SourceFile, source_files};
use crate::agents::import::{ImportError, Result, Skip};
use crate::event::Ordered;
use crate::journal::Project;

/// The files that an import would read; none where there are no past sessions.
pub fn past_files(request: &ImportRequest) -> Result<Vec<SourceFile>> {
    match readable(request, &mut ImportReport::default()) {
        Err(
            ImportError::NoHome
            | ImportError::NoPastSessions { .. }
            | ImportError::NothingFound { .. },
        ) => Ok(Vec::new()),
        read => read,
    }
}

pub fn survey(request: &ImportRequest) -> Result<(u64, u64)> {
    let files = past_files(request)?;
    Ok((files.len() as u64, files.iter().map(|file| file.bytes).sum()))
}

/// The files to read; those of a foreign format are set aside. Rollouts come last and in the order their sessions
/// began, so that a fork comes after what it was forked from, whichever of them was written last.
pub(super) fn readable(
    request: &ImportRequest,
    report: &mut ImportReport,
) -> Result<Vec<SourceFile>> {
    let files = match request.paths.as_slice() {
        [] => past(request)?,
        paths => source_files(paths)?,
    };
    let (mut kept, mut rollouts) = (Vec::new(), Vec::new());
    for mut file in files {
        file.mapping.clone_from(&request.mapping);
        match file.check(request.format) {
            Ok(()) if file.source.began_ms.is_some() => rollouts.push(file),
            Ok(()) => kept.push(file),
            Err(Skip::Unknown) if file.may_be_foreign() => report.foreign += 1,
            Err(skip) => {
                let (file, reason) = (name(&file), skip.to_string());
                report.skipped.push(SkippedFile { file, reason });
            }
        }
    }
    rollouts.order_by_key(|file| file.began_ms);
    kept.append(&mut rollouts);
    Ok(kept)
}

/// Leaves this project's own log of executions: it is made of the journal.
pub(super) fn leave_own(project: &Project, files: &mut Vec<SourceFile>, report: &mut ImportReport) {
    let Ok(own) = project.execution_log_path().canonicalize() else { return }; // there is none
    files.retain(|file| {
        let is_own = file.path.canonicalize().is_ok_and(|path| path == own);
        if is_own && !file.is_found {
            let (file, reason) = (name(file), Skip::Own.to_string());
            report.skipped.push(SkippedFile { file, reason });
        }
        !is_own
    });
}

fn past(request: &ImportRequest) -> Result<Vec<SourceFile>> {
    let (mut files, mut places) = (Vec::new(), Vec::new());
    let Some(root) = &request.root else { return Err(ImportError::NoHome) };
    for (agent, home) in &request.homes {
        if request.format.is_some_and(|named| named != agent.source()) {
            continue;
        }
        let read = |source| ImportError::Read { path: home.clone(), source };
        let (place, mut found) = (agent.facts().past_sessions)(home, root).map_err(read)?;
        places.push(place.display().to_string());
        files.append(&mut found);
    }
    match (files.is_empty(), places.is_empty()) {
        (true, true) => Err(ImportError::NoHome),
        (true, false) => Err(ImportError::NoPastSessions { places: places.join(" and ") }),
        (false, _) => Ok(files),
    }
}

/// The name under which a file's findings are kept: whole, so that it is the same from anywhere.
pub(super) fn name(file: &SourceFile) -> String {
    file.whole_name()
}
