//! Which of the fixes that were tried against a failure is learnt: by the same rule by which a failing call is answered.

use super::success::Met;
use crate::debug::error::Result;
use crate::debug::infer::described;
use crate::debug::query::{Causes, DebugRecord, DebugView, FixTrial, cause_of, tried_against};
use crate::event::Fix;
use crate::parse::change::{
    FailedBy, FailureKind, Hunk, is_alike, is_judged, of_diff, remedy, renamed,
};

/// The fix after which a failure was gone, and its trials in this session. One that was made from a template
/// teaches nothing new: its trials are counted where it was learnt.
pub(super) fn helped(
    view: DebugView<'_>,
    record: &DebugRecord,
    causes: &Causes,
    met: &Met<'_>,
) -> Result<Option<(String, Vec<(u32, bool)>)>> {
    let tried = tried_against(&record.document, &record.beside, causes, &met.key);
    let Some(last) = tried.last().filter(|it| it.is_gone) else { return Ok(None) };
    let origin = record.beside.fixes.get(&last.of.attempt);
    if origin.is_some_and(|origin| origin.template.is_some()) {
        return Ok(None);
    }
    let Some(commands) = commands(view, record, last)? else { return Ok(None) };
    let fix = last.of.fix_applied.as_ref();
    let Some((text, change)) = fix.and_then(|it| learnt(it, met, &commands)) else {
        return Ok(None);
    };
    let is_same = |it: &&FixTrial<'_>| {
        let Some(fix) = &it.of.fix_applied else { return false };
        template(fix) == text
            || is_alike(&change, &of_diff(fix.diff.as_deref().unwrap_or_default()))
    };
    let trials = tried.iter().filter(is_same).map(|it| (it.of.attempt, it.helped)).collect();
    Ok(Some((text, trials)))
}

/// What a shell ran while a fix was tried; `None` where the tests are not known to have run again.
fn commands(
    view: DebugView<'_>,
    record: &DebugRecord,
    trial: &FixTrial<'_>,
) -> Result<Option<Vec<String>>> {
    let execution = |attempt| record.beside.executions.get(&attempt);
    let diff = trial.of.fix_applied.as_ref().and_then(|it| it.diff.as_deref());
    let renamed = renamed(&of_diff(diff.unwrap_or_default()));
    match execution(trial.of.attempt).zip(execution(trial.by.attempt)) {
        Some((failed, by)) => Ok(view.commands_until(failed, by, &renamed)?),
        None => Ok(Some(Vec::new())),
    }
}

/// What is told of a fix, and what of it may have ended the failure; `None` where nothing may. Of one that somebody
/// described, and whose lines nobody knows, the words stand.
fn learnt(fix: &Fix, met: &Met<'_>, commands: &[String]) -> Option<(String, Vec<Hunk>)> {
    let Some(diff) = &fix.diff else { return Some((template(fix), Vec::new())) };
    let (cause, failure) = (cause_of(met.failure), met.failure);
    let source = failure.source_location.as_ref().and_then(|it| it.file.as_ref());
    let said = [failure.stack_trace.as_ref(), failure.test_file.as_ref(), source];
    let said =
        said.into_iter().flatten().fold(failure.error_message.clone(), |all, it| all + "\n" + it);
    let kind = if cause.is_of_test { FailureKind::OfTest } else { FailureKind::OfCode };
    let of = FailedBy { kind, said: &said, names: &cause.names };
    let mut hunks = of_diff(diff);
    // What files held that were written over nobody recorded.
    let is_over = fix.diff_summary.as_ref().is_some_and(|it| it.contains("/-?"));
    hunks.iter_mut().for_each(|it| it.is_whole |= is_over && it.removed.is_empty());
    let judged = commands.iter().filter(|it| is_judged(it, of));
    let judged = judged.map(|it| Hunk::of_command("", it));
    let change = remedy(hunks.iter().cloned().chain(judged).collect(), of);
    if change.is_empty() {
        return None;
    }
    let is_told = |it: &Hunk| change.iter().any(|other| other.file == it.file);
    match hunks.iter().all(is_told) {
        true => Some((template(fix), change)),
        false => Some((described(fix, &change), change)),
    }
}

fn template(fix: &Fix) -> String {
    match &fix.diff_summary {
        Some(summary) if !fix.description.contains(summary.as_str()) => {
            format!("{} ({summary})", fix.description)
        }
        _ => fix.description.clone(),
    }
}
