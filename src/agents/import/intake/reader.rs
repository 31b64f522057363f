//! All transcripts are read by one thread, a little ahead of who records what they say, on from one to the next.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use crate::agents::import::item::{Item, Part};
use crate::agents::import::read_on::{Look, Stop, Stops};
use crate::agents::import::source_file::SourceFile;
use crate::agents::import::stream::{Fed, Feed, OpenFailed};
use crate::journal::Project;
use crate::redact::Redactor;

/// Of each group of files that are read together: how it begins, what is read, how it ended.
pub(super) enum Step {
    Began(Vec<GoneOn>),
    Read(Vec<Fed>),
    Ended(Box<Feed>, Result<(), OpenFailed>),
    Failed(OpenFailed),
}

/// How a file was before it was read, and where the import before stopped in it.
pub(super) struct GoneOn {
    pub number: usize,
    pub look: Option<Look>,
    pub stop: Option<Stop>,
}

/// Batches that wait to be taken.
const BATCHES_MAX: usize = 4;

/// Gives `take` what is read of these groups, in their order.
pub(super) fn ahead<T>(
    project: &Project,
    files: Vec<SourceFile>,
    groups: &[(usize, Vec<usize>)],
    stops: Option<&Stops<'_>>,
    take: impl FnOnce(Receiver<Step>) -> T,
) -> T {
    let (full, steps) = sync_channel(BATCHES_MAX);
    thread::scope(|scope| {
        scope.spawn(move || read(project, files, groups, stops, &full));
        take(steps)
    })
}

/// `None`: who takes no more has an error of their own to tell.
fn read(
    project: &Project,
    mut files: Vec<SourceFile>,
    groups: &[(usize, Vec<usize>)],
    stops: Option<&Stops<'_>>,
    full: &SyncSender<Step>,
) -> Option<()> {
    let give = |step| full.send(step).ok(); // as above
    for (main, beside) in groups {
        give(Step::Began(go_on(&mut files, (*main, beside), stops)))?;
        match Feed::open(&files, *main, beside) {
            Ok(mut feed) => {
                let ended = feed.read(|batch| {
                    look_ahead(&batch, &project.redactor());
                    give(Step::Read(batch)).is_some()
                });
                give(Step::Ended(Box::new(feed), ended))?;
            }
            Err(failed) => give(Step::Failed(failed))?,
        }
    }
    Some(())
}

/// Looks through the texts that are redacted before they are recorded.
fn look_ahead(batch: &[Fed], redactor: &Redactor) {
    let records = batch.iter().filter_map(|fed| match &fed.item {
        Item::Record(record) => Some(&record.parts),
        _ => None,
    });
    for part in records.flatten() {
        match part {
            Part::Call(call) => redactor.look_ahead_json(&call.arguments),
            Part::Result(result) => {
                let printed = [&result.stdout, &result.stderr].into_iter().flatten();
                printed.for_each(|it| redactor.look_ahead(it));
            }
            Part::Said(said) => redactor.look_ahead(said.text.as_bytes()),
            Part::Compacted(compaction) => redactor.look_ahead(compaction.summary.as_bytes()),
            Part::Prompt(_) | Part::Title(_) | Part::Unread(_) => {}
        }
    }
}

/// Sets from where files that are read together are read.
fn go_on(
    files: &mut [SourceFile],
    (main, beside): (usize, &[usize]),
    stops: Option<&Stops<'_>>,
) -> Vec<GoneOn> {
    let (mut all, Some(stops)) = (Vec::new(), stops) else { return Vec::new() };
    // The session's own last: what follows is its.
    for number in beside.iter().copied().chain([main]) {
        let Some(file) = files.get_mut(number) else { continue };
        let (look, stop) = (Stops::look(file), stops.find(file));
        file.rest = stop.as_ref().map(|stop| stop.rest.clone()).or(file.rest.take());
        all.push(GoneOn { number, look, stop });
    }
    all
}
