//! Whole replies: where their block and their answer are, and what is said of those that have none.

use proptest::prelude::*;

use super::limits::{REPLY_BYTES_MAX, RESULTS_CHARS_MAX};
use super::{
    FoundEvent, FoundRecord, Phase1Step, ReadResults, ReplyError, answer, extract_memory_updates,
    parse_phase1_iterative_response, updates_of,
};

/// What became of a reply, in a word: the keys set, and what is left; or the error's kind.
fn told(reply: &str) -> String {
    match extract_memory_updates(reply, true) {
        Err(error) => error.kind().to_owned(),
        Ok(it) => {
            let keys = it.updates.unwrap().core.into_iter().map(|it| it.key);
            format!("{}|{}", keys.collect::<Vec<_>>().join(","), it.rest)
        }
    }
}

#[test]
fn the_first_block_is_found_wherever_it_stands() {
    let cases = [
        // a reply, what became of it
        ("<memory_update>{\"core\":{\"a\":\"1\"}}</memory_update>rest", "a|rest"),
        ("<memory_update>\n{}\n</memory_update>\nrest\n", "|rest"),
        ("<memory_update></memory_update>", "|"),
        ("<memory_update>\r\n{\"core\":{\"a\":\"1\"}}\r\n</memory_update>\r\nrest", "a|rest"),
        ("words <memory_update>{}</memory_update> more", "|words\nmore"),
        ("```\n<memory_update>{}</memory_update>\n```", "|```\n```"),
        ("<memory_update>```json\n{\"core\":{\"a\":1}}\n```</memory_update>", "a|"),
        ("<memory_update>\n```\n{\"core\":{\"a\":1}}\n```\n</memory_update>", "a|"),
        ("<memory_update kind=\"x\">{\"core\":{\"a\":1}}</memory_update>", "a|"),
        // Only the first counts.
        (
            "<memory_update>{\"core\":{\"a\":1}}</memory_update><memory_update>{\"core\":{\"b\":1}}</memory_update>",
            "a|<memory_update>{\"core\":{\"b\":1}}</memory_update>",
        ),
        // One in a text of the block, or of what comes before it, is none.
        (r#"<memory_update>{"core":{"a":"</memory_update>"}}</memory_update>x"#, "a|x"),
        (
            r#"{"x":"<memory_update>{}</memory_update>"}<memory_update>{"core":{"b":1}}</memory_update>"#,
            r#"b|{"x":"<memory_update>{}</memory_update>"}"#,
        ),
        (r#"{"x":"<memory_update>{}</memory_update>"}"#, "missing_memory_update"),
        // A brace in a sentence is no object.
        (
            "use { with care <memory_update>{\"core\":{\"a\":1}}</memory_update>",
            "a|use { with care",
        ),
        ("", "missing_memory_update"),
        ("{\"phase_artifacts\":{}}", "missing_memory_update"),
        ("<memory_updates>{}</memory_updates>", "missing_memory_update"),
        ("</memory_update>", "missing_memory_update"),
        ("<memory_update", "missing_memory_update"),
        ("<memory_update>{}", "unclosed_memory_update"),
        ("<memory_update>", "unclosed_memory_update"),
        ("<memory_update>{\"core\":{\"a\":\"</memory_update>\"}}", "malformed_memory_update"),
        ("<memory_update>{\"core\":</memory_update>", "malformed_memory_update"),
        ("<memory_update>[1]</memory_update>", "malformed_memory_update"),
        ("<memory_update>\"text\"</memory_update>", "malformed_memory_update"),
        ("<memory_update>{} {}</memory_update>", "malformed_memory_update"),
        ("<memory_update>{\"core\":{\"a\":NaN}}</memory_update>", "malformed_memory_update"),
        ("<memory_update>{\"core\":5}</memory_update>", "invalid"),
    ];
    for (reply, want) in cases {
        assert_eq!(told(reply), want, "{reply}");
    }
    let none = extract_memory_updates("  words ", false).unwrap();
    assert_eq!((none.updates, none.rest.as_str()), (None, "words"));
}

#[test]
fn a_reply_or_the_object_alone_may_be_handed_over() {
    let large = format!("{{\"core\":{{\"a\":\"{}\"}}}}", "x".repeat(1 << 20));
    let cases = [
        // what is handed over, what is said of it
        (r#"{"core":{"a":"1"}}"#, "a"),
        (r#" {"core":{"a":"<memory_update>"}} "#, "a"),
        ("{}", ""),
        (r#"<memory_update>{"core":{"a":1}}</memory_update>{"phase_artifacts":{}}"#, "a"),
        (r#"{"x":1} <memory_update>{"core":{"a":1}}</memory_update>"#, "a"),
        ("", "the reply has no <memory_update> block"),
        ("\n", "the reply has no <memory_update> block"),
        ("words", "the reply has no <memory_update> block"),
        (r#"words {"core":{"a":1}}"#, "the reply has no <memory_update> block"),
        (r#"{"phase_artifacts":{}}"#, "the reply has no <memory_update> block"),
        (r#"{"command":"ls","done":false}"#, "the reply has no <memory_update> block"),
        (r#"{"core":"#, "the input is no JSON object"),
        ("[1]", "the input is no JSON object: it is a list"),
        (r#"{"archivl":[]}"#, "`archivl` means nothing in a <memory_update>, whose keys are core,"),
        (&large, "the input has 1048593 bytes; at most 1048576"),
    ];
    for (given, want) in cases {
        let begins: String = given.chars().take(60).collect();
        match updates_of(given) {
            Ok(updates) => {
                let keys: Vec<_> = updates.core.iter().map(|it| it.key.as_str()).collect();
                assert_eq!(keys.join(","), want, "{begins}");
            }
            Err(error) => {
                let said = error.to_string();
                assert!(!want.is_empty() && said.contains(want), "{begins}: {said}");
            }
        }
    }
}

#[test]
fn hostile_replies_are_refused_in_time() {
    let deep = |open: &str, close: &str| {
        let (open, close) = (open.repeat(10_000), close.repeat(10_000));
        format!("<memory_update>{{\"core\":{{\"a\":{open}1{close}}}}}</memory_update>")
    };
    let many = |what: String| format!("<memory_update>{what}</memory_update>");
    let keys: Vec<String> = (0..1_001).map(|at| format!("\"k{at}\":1")).collect();
    let cases = [
        (deep("[", "]"), "malformed_memory_update"),
        (deep("{\"x\":", "}"), "malformed_memory_update"),
        ("{".repeat(1 << 20), "missing_memory_update"),
        ("{\"".repeat(1 << 20), "missing_memory_update"),
        ("<memory_update>".repeat(100_000), "unclosed_memory_update"),
        ("{<memory_update>".repeat(50_000), "unclosed_memory_update"),
        ("x".repeat(REPLY_BYTES_MAX + 1), "too_large"),
        (many(format!("{{\"core\":{{\"a\":\"{}\"}}}}", "x".repeat(1 << 20))), "too_large"),
        (many(format!("{{\"core\":{{{}}}}}", keys.join(","))), "too_large"),
        (many(format!("{{\"core_get\":[{}1]}}", "1,".repeat(1_000))), "too_large"),
        (many(r#"{"core":{"a":"\u0000"}}"#.to_owned()), "invalid"),
        (many("{\"core\":{\"a\":\"\0\"}}".to_owned()), "malformed_memory_update"),
        (many(r#"{"core":{"a\u0000":"b"}}"#.to_owned()), "invalid"),
        // Half a character is replaced: agents that cut texts write them.
        (many(r#"{"core":{"a":"\ud800"}}"#.to_owned()), "a|"),
        (many(r#"{"core":{"a":1},"core":{"b":1}}"#.to_owned()), "b|"),
        (many(r#"{"core":{"a":1},"mem_core_set":{"b":1}}"#.to_owned()), "two_names"),
    ];
    for (reply, want) in cases {
        let begins: String = reply.chars().take(60).collect();
        assert_eq!(told(&reply), want, "{begins}");
    }
}

#[test]
fn a_step_is_read_from_whatever_is_around_it() {
    let step = |command: &str, done: bool, notes: &str| {
        Ok(Phase1Step { command: command.to_owned(), done, notes: notes.to_owned() })
    };
    let cases = [
        (
            r#"{"command":"pip install x","done":false,"notes":"n"}"#,
            step("pip install x", false, "n"),
        ),
        ("```json\n{\"command\": \" ls \"}\n```", step("ls", false, "")),
        (r#"Well: {"command":"","done":true}"#, step("", true, "")),
        (r#"{"done":true,"command":null,"notes":null}"#, step("", true, "")),
        (r#"{"a":1} {"command":"x"}"#, step("x", false, "")),
        ("", Err("missing_answer")),
        ("done", Err("missing_answer")),
        (r#"{"a":1}"#, Err("missing_answer")),
        (r#"{"command":"x""#, Err("malformed_answer")),
        (r#"{command: x}"#, Err("malformed_answer")),
        (r#"{"command":"","done":false}"#, Err("invalid")),
        (r#"{"command":5}"#, Err("invalid")),
        (r#"{"command":"x","done":"no"}"#, Err("invalid")),
    ];
    for (reply, want) in cases {
        let read = parse_phase1_iterative_response(reply).map_err(|error| error.kind());
        assert_eq!(read, want, "{reply}");
    }
}

#[test]
fn every_error_says_what_to_do_and_nothing_was_applied() {
    let errors = [
        extract_memory_updates("x", true).unwrap_err(),
        extract_memory_updates("<memory_update>", true).unwrap_err(),
        extract_memory_updates("<memory_update>[]</memory_update>", true).unwrap_err(),
        answer("x", "`a`", |_| true).unwrap_err(),
        ReplyError::ReadOnly,
    ];
    let mut kinds: Vec<&str> = errors.iter().map(ReplyError::kind).collect();
    kinds.dedup();
    assert_eq!(kinds.len(), errors.len(), "each an error of its own");
    for error in errors {
        let feedback = error.feedback();
        assert!(feedback.contains(&error.to_string()), "{feedback}");
        assert!(feedback.contains("Nothing of it was applied"), "{feedback}");
    }
}

#[test]
fn results_are_told_within_bounds_and_cannot_forge_a_heading() {
    let results = ReadResults {
        core_get: Some(vec![("a".into(), Some("1\n# Memory".into())), ("b".into(), None)]),
        archival_search: Some(vec![FoundRecord {
            id: 7,
            text: "t".into(),
            tags: vec!["X".into(), "Y".into()],
        }]),
        recall_search: Some(vec![FoundEvent {
            id: 9,
            kind: "k".into(),
            summary: "s".into(),
            tags: Vec::new(),
            at_ms: 5,
        }]),
    };
    let want = "Core memory:\n- a: 1\n    # Memory\n- b: (not set)\n\nArchival search:\n- [7] t (tags: X, Y)\n\nRecall search:\n- [9] (k) s";
    assert_eq!(results.for_prompt(), want);
    let none = ReadResults { archival_search: Some(Vec::new()), ..ReadResults::default() };
    assert_eq!(none.for_prompt(), "Archival search:\n- (nothing found)");
    assert!(!none.is_empty() && ReadResults::default().is_empty());

    let long = |id| FoundRecord { id, text: "ü".repeat(5_000), tags: Vec::new() };
    let many = ReadResults { archival_search: Some((0..50).map(long).collect()), ..none };
    let text = many.for_prompt();
    assert!(text.chars().count() <= RESULTS_CHARS_MAX + 100, "{}", text.chars().count());
    assert!(text.ends_with("more lines: ask for less at once"), "{}", &text[text.len() - 80..]);
    assert!(text.contains("more characters)"));
    assert_eq!(text, many.for_prompt());
}

proptest! {
    #[test]
    fn no_reply_panics(text in ".{0,200}", json in "[\\[\\]{}\":,a-z\\\\ \n<>/_]{0,200}") {
        let wrapped = format!("{text}<memory_update>{json}</memory_update>{text}");
        for reply in [text.as_str(), json.as_str(), wrapped.as_str()] {
            let _ = extract_memory_updates(reply, true);
            let _ = parse_phase1_iterative_response(reply);
        }
    }

    #[test]
    fn whatever_a_value_is_it_comes_out_as_it_went_in(value in "[^\0]{0,80}", rest in "[a-z ]{0,20}") {
        let json = serde_json::json!({ "core": { "k": value.clone() } });
        let reply = format!("<memory_update>{json}</memory_update>{rest}");
        let read = extract_memory_updates(&reply, true).unwrap();
        prop_assert_eq!(&read.updates.unwrap().core[0].value, &value);
        prop_assert_eq!(read.rest, rest.trim());
    }
}
