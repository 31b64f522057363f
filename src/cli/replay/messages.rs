//! What agents said, in words.

use super::text::output;
use super::{Lines, WHOLE};
use crate::event::{Body, Usage};
use crate::execution::replay::Contents;
use crate::output::stream::Colour;

/// The head of what an agent said, or of a turn of its conversation; `None` of any other.
pub fn told(
    body: &Body,
    contents: &Contents,
    lines: &mut Lines,
) -> Option<(Option<Colour>, String)> {
    Some(match body {
        Body::AssistantSaid(b) => {
            if let Some(thinking) = &b.thinking {
                output(Some("thinking"), thinking, contents, WHOLE, lines);
            }
            if !b.text.is_empty() {
                output(None, &b.text, contents, WHOLE, lines);
            }
            lines.field("tokens", tokens(&b.usage).as_deref());
            lines.field("inside", b.parent.map(|parent| parent.to_string()).as_deref());
            let by = b.actor.as_ref().map(|actor| format!(" by {actor}")).unwrap_or_default();
            let model = b.model.as_ref().map(|model| format!(" ({model})")).unwrap_or_default();
            (None, format!("answer{by}{model}"))
        }
        Body::ModelChanged(b) => {
            let from = b.from.as_deref().unwrap_or("?");
            (None, format!("model    {from} → {}", b.to))
        }
        Body::Compacted(b) => {
            if !b.summary.is_empty() {
                output(None, &b.summary, contents, WHOLE, lines);
            }
            let why = b.trigger.as_ref().map(|it| format!(" ({it})")).unwrap_or_default();
            let of = b.tokens_before.map(|it| format!(" of {it} tokens")).unwrap_or_default();
            (None, format!("what was said{of} became a summary{why}"))
        }
        _ => return None,
    })
}

/// `8 read, 24490 from the cache, 2743 into it, 321 written`.
pub fn tokens(usage: &Usage) -> Option<String> {
    let told = [
        (usage.input, "read"),
        (usage.cache_read, "from the cache"),
        (usage.cache_write, "into it"),
        (usage.output, "written"),
    ];
    let told = told.into_iter().filter_map(|(count, what)| Some(format!("{} {what}", count?)));
    let told = told.collect::<Vec<_>>().join(", ");
    (!told.is_empty()).then_some(told)
}
