//! Events of a repository's memory in words.

use super::text::{list, output};
use super::{Bounds, Lines};
use crate::cli::counted;
use crate::event::{Body, RepoHash};
use crate::execution::replay::Contents;
use crate::output::stream::Colour;
use crate::output::time;

/// The head of an event of a repository's memory; `None` of any other.
pub fn told(
    body: &Body,
    contents: &Contents,
    bounds: Bounds,
    lines: &mut Lines,
) -> Option<(Option<Colour>, String)> {
    let head = match body {
        Body::RepoIdentified(b) => {
            lines.field("folder", Some(&b.path));
            lines.field("remote", b.remote.as_deref());
            lines.field("branch", b.branch.as_deref());
            format!("repo     {} is met", b.repo)
        }
        Body::RepoLinked(b) => {
            lines.field("with", Some(&b.with.to_string()));
            format!("repo     {} shares its memory", short(b.repo))
        }
        Body::ConventionUpserted(b) => {
            lines.field("title", Some(&b.title));
            lines.quote(&b.content, bounds);
            list("tags", &b.tags, lines);
            made(b.created_ms, lines);
            format!("repo     {}: convention {}", short(b.repo), b.id)
        }
        Body::ConventionRemoved(b) => {
            format!("repo     {}: convention {} is removed", short(b.repo), b.id)
        }
        Body::DecisionRecorded(b) => {
            lines.field("decided", Some(&b.summary));
            lines.quote(&b.rationale, bounds);
            list("touches", &b.impacted_paths, lines);
            made(b.created_ms, lines);
            format!("repo     {}: decision {}", short(b.repo), b.id)
        }
        Body::DecisionRemoved(b) => {
            format!("repo     {}: decision {} is removed", short(b.repo), b.id)
        }
        Body::NoteAdded(b) => {
            lines.quote(&b.content, bounds);
            made(b.created_ms, lines);
            format!("repo     {}: note {} ({})", short(b.repo), b.id, b.source.as_str())
        }
        Body::NoteRemoved(b) => format!("repo     {}: note {} is removed", short(b.repo), b.id),
        Body::SummaryAppended(b) => {
            lines.quote(&b.summary, bounds);
            let through = b.through.map(|at| format!(" up to @{at}")).unwrap_or_default();
            lines.say(Some(Colour::Dim), &format!("made by {}{through}", b.made_by.as_str()));
            made(b.created_ms, lines);
            let head = format!("summary  of {}, run {}", b.step_id, b.run_id);
            return Some((Some(Colour::Green), head));
        }
        Body::IndexStored(b) => {
            output(None, &b.content, contents, bounds, lines);
            let files = counted(b.files, "file");
            format!("repo     {}: {} of {files}", short(b.repo), b.index.as_str())
        }
        _ => return None,
    };
    Some((None, head))
}

/// A repository by the first of its digits.
fn short(repo: RepoHash) -> String {
    repo.to_string().chars().take(12).collect()
}

/// When an entry was made that was taken over from elsewhere.
fn made(at_ms: Option<u64>, lines: &mut Lines) {
    lines.field("made", at_ms.and_then(time::utc).as_deref());
}
