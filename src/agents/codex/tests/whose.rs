//! Whose prompts and sessions they are.

use super::*;

#[test]
fn prompts_are_what_was_typed_and_told_once() {
    for (names, expect) in [
        (&["whole.jsonl"] as &[_], &["Make the cents signed"] as &[&str]),
        (&["paginated.jsonl"], &["Tidy up"]),
        (&["bare.jsonl"], &["say hello", "again"]),
        (&["compacted.jsonl"], &["Go on"]),
        // The fork's copy is the same prompt; typed anew after the fork it is another.
        (&["whole.jsonl", "fork.jsonl"], &["Make the cents signed", "Make the cents signed"]),
    ] {
        let (_, events) = read(names);
        assert_eq!(prompts(&events), expect, "{names:?}");
    }
}

#[test]
fn sessions_know_what_began_them() {
    let (_, events) = read(&["whole.jsonl", "subagent.jsonl", "fork.jsonl", "paginated.jsonl"]);
    let of = |native: &str| {
        let mut all = sessions(&events).into_iter().filter(|s| s.native_id.ends_with(native));
        all.next_back().unwrap()
    };
    let main = of("aa");
    let known = (main.model.as_deref(), main.agent_version.as_deref(), main.cwd.as_deref());
    assert_eq!(known, (Some("gpt-5-codex"), Some("0.46.0"), Some("/w/shop")));
    let parent = crate::event::SessionId::parse(&main.native_id);
    assert_eq!((main.parent, of("ff").parent, of("ee").parent), (None, parent, parent));
    assert_eq!(of("dd").title.as_deref(), Some("Tidy the shop"));
}

#[test]
fn a_fork_leaves_its_copy_to_what_it_was_forked_from() {
    let (_, events) = read(&["whole.jsonl", "fork.jsonl"]);
    let session = |call: &str| {
        let is = |e: &&Event| matches!(&e.body, Body::ExecutionStarted(b) if b.call.as_ref().unwrap().call == call);
        events.iter().find(is).unwrap().envelope.session.unwrap().to_string()
    };
    assert!(session(&id("test")).ends_with("aa"));
    assert!(session(&id("fork")).ends_with("ee"));
}
