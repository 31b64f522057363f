//! Redaction by what stands around a value: escapes before it, the key that it is under.

use super::{WORD, random, redactor};
use crate::event::{
    Body, CoreSet, Envelope, Event, MemoryDoor, MemoryOrigin, RecallAppended, Source,
};

#[test]
fn a_secret_behind_an_escaped_line_is_found() {
    let redactor = redactor();
    let secret = format!("ghp_{}", random(WORD, 36));
    // Behind a letter or a digit as well: a shape that tells itself is one there too.
    for before in [
        "{\"content\":\"# keys\\n",
        "\\t",
        "\\u000a",
        "\\\\\\n",
        // JSON within JSON.
        "\\\\n",
        "\\\\u000a",
        "n",
        "\\w",
        "u000a",
        "key_",
    ] {
        let text = format!("{before}{secret}\\n\"}}");
        let clean = redactor.redact_text(&text);
        assert!(!clean.contains(&secret), "{text} became {clean}");
        assert!(clean.starts_with(before) && clean.ends_with("\\n\"}"), "{clean}");
    }
}

fn redacted(body: Body) -> Body {
    let mut event = Event { envelope: Envelope::new(None, Source::Live, 1), body };
    redactor().redact(&mut event);
    event.body
}

#[test]
fn the_value_of_a_core_key_that_names_a_secret_is_taken_out() {
    for (key, value, is_found) in [
        ("password", "hunter2topsecretpw", true),
        ("aws_secret_access_key", "wJalrXUtnFEMIK7MDENGbPxRfiCYzz", true),
        ("goal", "hunter2topsecretpw", false),
        ("token_budget", "4000", false),
    ] {
        let (branch, origin) = ("root".to_owned(), MemoryOrigin::by(MemoryDoor::Api));
        let (key, value) = (key.to_owned(), value.to_owned());
        let set = CoreSet { branch, key, value: value.clone(), importance: 3, ttl: None, origin };
        let Body::CoreSet(set) = redacted(Body::CoreSet(set)) else { unreachable!() };
        assert_eq!(!set.value.contains(&value), is_found, "{set:?}");
    }
}

#[test]
fn a_kind_of_event_is_a_text_as_well() {
    let kind = format!("ghp_{}", random(WORD, 36));
    let (branch, text) = ("root".to_owned(), "x".to_owned());
    let origin = MemoryOrigin::by(MemoryDoor::Model);
    let (id, tags, task_hint, memory_size) = (1, Vec::new(), None, None);
    let body = RecallAppended { id, branch, kind, text, tags, task_hint, memory_size, origin };
    let Body::RecallAppended(b) = redacted(Body::RecallAppended(body)) else { unreachable!() };
    assert_eq!(b.kind, "[REDACTED:github-token]");
}

#[test]
fn what_would_be_taken_out_is_found_where_it_stands() {
    let redactor = redactor();
    let token = format!("ghp_{}", random(WORD, 36));
    for (before, secret, after, rule) in [
        ("x ", token.as_str(), " y", "github-token"),
        (r#"{"password": [""#, "hunter2h", r#""], "a": 1}"#, "json-member"),
        (r#"{"a":{"b":1},"p\u0061ssword":""#, "hunter2h", r#""}"#, "json-member"),
        (r#"{"a":1}{"#, "", "", ""),
        (r#""\"\\"#, "", "", ""),
    ] {
        let text = format!("{before}{secret}{after}");
        let found = redactor.find_json(text.as_bytes());
        let found: Vec<_> = found.iter().map(|one| (&text[one.range.clone()], one.rule)).collect();
        let expect = (!secret.is_empty()).then_some((secret, rule));
        assert_eq!(found, expect.into_iter().collect::<Vec<_>>(), "{text}");
    }
}
