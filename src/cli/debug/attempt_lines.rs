//! What an attempt came to, for who runs the tests.

use super::print::{failure, others, results};
use crate::cli::counted;
use crate::cli::rows::short;
use crate::debug::AttemptDone;
use crate::debug::query::groups;
use crate::event::DebugStatus;

const FAILURES_TOLD: usize = 5;
const SIMILAR_TOLD: usize = 3;

/// What an attempt came to, a line each, not escaped.
pub fn attempt_lines(it: &AttemptDone) -> Vec<String> {
    let session = it.done.session;
    let document = &it.done.document;
    let mut lines = Vec::new();
    let mine = document.executions.iter().find(|one| one.attempt == it.attempt);
    let told = mine.map(|one| results(&one.test_results)).unwrap_or_default();
    let begun = if it.opened { ", a new debug session" } else { "" };
    let status = it.status.as_str();
    lines.push(format!(
        "attempt {} of {}{begun}: {told}; the session is {status}",
        it.attempt, document.file_path
    ));
    if let Some((attempt, verification)) = it.verified {
        let word = verification.as_str();
        lines.push(format!("the fix after attempt {attempt}: {word}"));
    }
    let groups: Vec<_> =
        groups(document).into_iter().filter(|(group, _)| group.attempt == it.attempt).collect();
    for (group, one) in groups.iter().take(FAILURES_TOLD) {
        lines.push(failure(one));
        lines.extend(others(group));
    }
    let untold: u64 = groups.iter().skip(FAILURES_TOLD).map(|(group, _)| group.count).sum();
    if untold > 0 {
        lines.push(format!("… {untold} more"));
    }
    if it.left_out > 0 {
        lines.push(format!("{} more failed, of which nothing is kept", it.left_out));
    }
    for one in it.similar.iter().take(SIMILAR_TOLD) {
        let (file, id) = (&one.session.file_path, one.session.id);
        let fix = one.resolution.as_ref().and_then(|it| it.fix.as_ref());
        let helped = fix.map(|fix| format!(": {}", short(&fix.description))).unwrap_or_default();
        lines.push(format!("like {file} ({id}, {}){helped}", one.likeness.reasons().join(", ")));
    }
    if let Some((fix, _)) = &it.proposed {
        lines.push(format!("proposed fix: {}", short(&fix.description)));
    }
    for hook in &it.hooks {
        if let Some(why) = &hook.failed {
            lines.push(format!("{}: {why}", hook.hook));
        }
    }
    lines.push(match it.status {
        DebugStatus::Passed => format!("Next: annals debug show {session}"),
        DebugStatus::Escalated => {
            format!(
                "{} failed: a person is to look. Next: annals debug show {session}",
                counted(it.failed, "attempt")
            )
        }
        _ if it.proposed.is_some() => format!(
            "Next: apply the proposed fix and run the tests again; where something else was done, \
             annals debug fix {session} --description TEXT first"
        ),
        _ if it.similar.is_empty() => {
            format!("Next: annals debug fix {session} --description TEXT, then run the tests again")
        }
        _ => format!("Next: annals debug similar {session}"),
    });
    lines
}
