//! What parts of a summary hold together.

use proptest::prelude::*;

use super::*;

proptest! {
    /// Where a part ends inside an event, the next one begins with the very next character.
    #[test]
    fn parts_without_their_headings_are_the_events(
        texts in prop::collection::vec("(a|b|\n){0,300}", 1..6),
    ) {
        let told = |(id, text): (u64, String)| RecallEvent {
            id,
            branch: String::new(),
            kind: "note".to_owned(),
            text,
            tags: Vec::new(),
            at_ms: 1_000,
            task_hint: None,
            memory_size: None,
        };
        let events: Vec<RecallEvent> = (1..).zip(texts).map(told).collect();
        let parts = parts("note", "earlier events", &events, 200);
        let mut joined = String::new();
        let mut ids: Vec<u64> = Vec::new();
        for part in &parts {
            let (_, body) = part.text.split_once(":\n").unwrap();
            if !part.ids.is_empty() && body.starts_with("- ") && !joined.is_empty() {
                joined.push('\n');
            }
            joined.push_str(body);
            ids.extend(&part.ids);
        }
        let lines: Vec<String> = events.iter().map(|event| format!("- {}", event.text)).collect();
        prop_assert_eq!(joined, lines.join("\n"));
        prop_assert_eq!(ids, events.iter().map(|event| event.id).collect::<Vec<_>>());
    }
}
