//! What a user hears by a hook of a journal that is damaged, lost something or is not the one that was seen.

use super::{HookError, HookName};
use crate::journal::{Project, Source};
use crate::output::escape;
use crate::store::evidence::Cache;
use crate::store::look::{Depth, look};

pub fn told(project: &Project, name: HookName) -> Vec<HookError> {
    put_on_record(project).into_iter().chain(found(project, name)).collect()
}

/// What recording met and put on record: from then on it is no damage, and told here alone.
fn put_on_record(project: &Project) -> Option<HookError> {
    let losses = project.take_losses();
    let first = losses.first()?.to_string();
    Some(HookError::LossRecorded { what: and_more(&first, losses.len()) })
}

/// What a look at the journal finds, where the agent's user reads the answer and nobody waits for a call.
fn found(project: &Project, name: HookName) -> Vec<HookError> {
    if !matches!(name, HookName::SessionStart | HookName::Stop) {
        return Vec::new();
    }
    let source = Source::of_around(project.root(), project.around());
    let Ok(source) = source else { return Vec::new() }; // told by who reads it
    let look = look(&source, source.reading(false), Depth::Cheap, &Cache::of_user());
    let changed = look.contradiction.as_deref().map(ToString::to_string);
    let changed = changed.map(|what| HookError::NotTheSeen { what: and_more(&what, 1) });
    let losses: Vec<_> = look.losses().collect();
    let damaged = losses.first().map(|first| and_more(&first.text, losses.len()));
    changed.into_iter().chain(damaged.map(|what| HookError::Damaged { what })).collect()
}

fn and_more(first: &str, count: usize) -> String {
    let first = escape::line(first);
    match count {
        0 | 1 => first.into_owned(),
        _ => format!("{first}, and {} more", count - 1),
    }
}
