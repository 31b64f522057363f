//! Events of branch memory in words.

use super::text::{list, output};
use super::{Bounds, Lines, WHOLE};
use crate::cli::counted;
use crate::event::{Body, MemoryOrigin, MemoryQuery, PressureLevel};
use crate::execution::replay::Contents;
use crate::output::stream::Colour;

/// The head of an event of branch memory; `None` of any other.
pub fn told(
    body: &Body,
    contents: &Contents,
    bounds: Bounds,
    lines: &mut Lines,
) -> Option<(Option<Colour>, String)> {
    let head = match body {
        Body::BranchForked(b) => {
            lines.field("node", b.node.as_deref());
            if let Some(from) = &b.copied_from {
                lines.say(None, &format!("copied from {} @{}", from.branch, from.through_sequence));
            }
            let from = b.parent.as_ref().map(|it| format!(" from {it}")).unwrap_or_default();
            let auto = if b.auto_created { " (an ancestor that a fork named)" } else { "" };
            (None, format!("memory   fork {}{from}{auto}", b.branch))
        }
        Body::CoreSet(b) => {
            lines.quote(&b.value, bounds);
            let ttl = b.ttl.as_ref().map(|it| format!(", for {it} s")).unwrap_or_default();
            lines.say(None, &format!("importance {}{ttl}", b.importance));
            (None, format!("memory   {}: core {} is set", b.branch, b.key))
        }
        Body::CoreDeleted(b) => {
            lines.field("why", Some(&b.reason));
            (None, format!("memory   {}: core {} is deleted", b.branch, b.key))
        }
        Body::CoreEvicted(b) => {
            lines.field("why", Some(b.cause.as_str()));
            let (branch, key, record) = (&b.branch, &b.key, b.record);
            (None, format!("memory   {branch}: core {key} goes to the archive as {record}"))
        }
        Body::RecallAppended(b) => {
            lines.quote(&b.text, bounds);
            list("tags", &b.tags, lines);
            (None, format!("memory   {}: event {} [{}]", b.branch, b.id, b.kind))
        }
        Body::RecallEvicted(b) => {
            lines.say(None, &format!("archived as {}", numbers(&b.records)));
            (None, format!("memory   {}: events {} go", b.branch, numbers(&b.ids)))
        }
        Body::RecallConsolidated(b) => {
            for group in &b.groups {
                let ids = numbers(&group.ids);
                lines.say(None, &format!("[{}] {ids} are record {}", group.kind, group.record));
            }
            let (kept, total) = (b.kept, counted(b.total, "event"));
            (None, format!("memory   {}: of {total} {kept} stay, the rest is summed up", b.branch))
        }
        Body::InheritedConsolidated(b) => {
            for group in &b.groups {
                let ids = numbers(&group.ids);
                lines
                    .say(None, &format!("[{}] {ids} are summary {}", group.kind, group.summary_id));
                lines.quote(&group.summary, bounds);
            }
            let (kept, total) = (b.kept, counted(b.total, "inherited event"));
            (None, format!("memory   {}: of {total} {kept} stay, the rest is summed up", b.branch))
        }
        Body::ArchivalWritten(b) => {
            lines.quote(&b.text, bounds);
            list("tags", &b.tags, lines);
            if let Some(whole) = &b.whole {
                output(Some("whole"), whole, contents, bounds, lines);
            }
            (None, format!("memory   {}: record {} is archived", b.branch, b.id))
        }
        Body::ArchivalUpdated(b) => {
            b.text.iter().for_each(|text| lines.quote(text, bounds));
            b.tags.iter().for_each(|tags| list("tags", tags, lines));
            if let Some(whole) = &b.whole {
                output(Some("whole"), whole, contents, bounds, lines);
            }
            (None, format!("memory   {}: record {} is changed", b.branch, b.id))
        }
        Body::MemoryRead(b) => {
            (None, format!("memory   {}: read {} ({})", b.branch, asked(&b.query), b.results))
        }
        Body::UpdatesApplied(b) => {
            lines.quote(&b.operations.0, bounds);
            let asked = b.asked.join(", ");
            (Some(Colour::Green), format!("memory   {}: a model's update: {asked}", b.branch))
        }
        Body::PromptRendered(b) => {
            output(None, &b.rendered, contents, WHOLE, lines);
            let hint = b.task_hint.as_ref().map(|it| format!(" for {it}")).unwrap_or_default();
            let chars = counted(b.rendered_chars, "character");
            let head = format!("memory   {}: {chars} for a prompt{hint}", b.branch);
            (Some(Colour::Green), head)
        }
        Body::PressureChecked(b) => {
            list("do", &b.recommendations, lines);
            let share = format!("{}.{} %", b.overall_permille / 10, b.overall_permille % 10);
            let head = format!("memory   {}: pressure {} ({share})", b.branch, b.level.as_str());
            (level(b.level), head)
        }
        Body::ImportanceEvaluated(b) => {
            for item in &b.items {
                lines.say(None, &format!("{} is worth {}: {}", item.key, item.score, item.reason));
            }
            (None, format!("memory   {}: what matters", b.branch))
        }
        Body::MemoryEmbedded(b) => {
            let numbers = counted(b.vector.len() as u64, "number");
            (None, format!("memory   {}: record {} as a vector of {numbers}", b.branch, b.record))
        }
        Body::MemoryConsolidated(b) => {
            list("did", &b.actions, lines);
            let (was, is) = (b.level.as_str(), b.new_level.as_str());
            let freed = counted(b.freed_chars, "character");
            let head = format!("memory   {}: put in order, {was} to {is}, {freed} freed", b.branch);
            (level(b.new_level), head)
        }
        Body::KvPut(b) => {
            let key = named(&b.namespace, &b.key);
            lines.quote(&b.value.0, bounds);
            (None, format!("memory   {}: {key} has version {}", b.branch, b.version))
        }
        Body::KvDeleted(b) => {
            (None, format!("memory   {}: {} is deleted", b.branch, named(&b.namespace, &b.key)))
        }
        Body::MessageAppended(b) => {
            lines.quote(&b.content.0, bounds);
            let what = format!("{} says message {} of {}", b.role, b.number, b.thread);
            (None, format!("memory   {}: {what}", b.branch))
        }
        Body::MessagePopped(b) => {
            let what = format!("message {} of {} is taken back", b.number, b.thread);
            (None, format!("memory   {}: {what}", b.branch))
        }
        Body::ThreadCleared(b) => {
            (None, format!("memory   {}: {} begins anew", b.branch, b.thread))
        }
        _ => return None,
    };
    if let Some(asked) = body.memory_origin() {
        origin(asked, lines);
    }
    Some(head)
}

/// A key behind the labels of its namespace.
fn named(namespace: &[String], key: &str) -> String {
    namespace.iter().map(String::as_str).chain([key]).collect::<Vec<_>>().join("/")
}

fn level(level: PressureLevel) -> Option<Colour> {
    match level {
        PressureLevel::Low => None,
        PressureLevel::Medium => Some(Colour::Yellow),
        PressureLevel::High | PressureLevel::Critical => Some(Colour::Red),
    }
}

fn asked(query: &MemoryQuery) -> String {
    match query {
        MemoryQuery::Core { keys } if keys.is_empty() => "all of core".to_owned(),
        MemoryQuery::Core { keys } => format!("core {}", keys.join(", ")),
        MemoryQuery::Recall { query, .. } => format!("recall \"{query}\""),
        MemoryQuery::Archival { query, tags, .. } if tags.is_empty() => {
            format!("archive \"{query}\"")
        }
        MemoryQuery::Archival { query, tags, .. } => {
            format!("archive \"{query}\" tagged {}", tags.join(", "))
        }
        MemoryQuery::Record { id } => format!("record {id}"),
        MemoryQuery::Node { scope } => format!("the node: {scope}"),
    }
}

/// `1, 2, 3 and 40 more`
fn numbers(ids: &[u64]) -> String {
    const SHOWN_MAX: usize = 20;
    let shown: Vec<String> = ids.iter().take(SHOWN_MAX).map(u64::to_string).collect();
    let more = ids.len().saturating_sub(SHOWN_MAX);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{}{more}", shown.join(", "))
}

/// Who asked, and during what.
fn origin(origin: &MemoryOrigin, lines: &mut Lines) {
    let mut parts = vec![format!("by {}", origin.by.as_str())];
    let execution = origin.execution.map(|id| id.to_string());
    for (name, value) in [
        ("run", &origin.run),
        ("node", &origin.node),
        ("phase", &origin.phase),
        ("execution", &execution),
    ] {
        parts.extend(value.as_ref().map(|value| format!("{name} {value}")));
    }
    lines.say(Some(Colour::Dim), &parts.join(", "));
}
