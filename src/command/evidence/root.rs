//! The folder that a journal was recorded in: a copy lies elsewhere, and its paths are told from
//! there.

use std::path::{Path, PathBuf};

use crate::command::feed::{Feed, Step};
use crate::event::{Body, Sequence};

/// Events that are looked at, the first ones.
const EVENTS_MAX: u64 = 1_000;

/// The project's root on the machine where the journal was recorded: the folder of the project's
/// name that the first working folder is, or lies in; where the name is lost, that working folder.
pub(super) fn recorded(feed: &dyn Feed) -> Option<PathBuf> {
    let through = Sequence(feed.through().sequence.0.min(EVENTS_MAX));
    let mut project = None;
    let mut first = None;
    // What cannot be read tells no folder.
    for step in feed.replay(Sequence(0), through).ok()?.map_while(Result::ok) {
        let Step::Event(recorded) = step else { continue };
        let cwd = match recorded.event.body {
            Body::JournalCreated(created) => {
                project = Some(created.project);
                continue;
            }
            Body::SessionStarted(session) => session.cwd,
            Body::ExecutionStarted(started) => started.cwd,
            _ => continue,
        };
        let Some(cwd) = cwd.filter(|cwd| cwd.starts_with('/')) else { continue };
        if let Some(root) = project.as_deref().and_then(|name| named(Path::new(&cwd), name)) {
            return Some(root);
        }
        first.get_or_insert(cwd);
    }
    first.filter(|_| project.is_none()).map(PathBuf::from)
}

/// The folder of that name on the way to `cwd`, the first one.
fn named(cwd: &Path, name: &str) -> Option<PathBuf> {
    let folders: Vec<&Path> = cwd.ancestors().collect();
    let is_it = |folder: &&&Path| folder.file_name().is_some_and(|last| last == name);
    folders.iter().rev().find(is_it).map(|folder| (*folder).to_owned())
}
