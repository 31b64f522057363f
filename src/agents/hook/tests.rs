//! What a hook answers, in the shape that its agents take.

use super::*;

#[test]
fn an_answer_says_nothing_that_codex_refuses() {
    let full = HookAnswer {
        deny: Some("no".into()),
        block: None,
        context: Some("more".into()),
        messages: vec!["a".into(), "b".into()],
    };
    for (answer, hook, expect) in [
        (HookAnswer::default(), HookName::Stop, "{}"),
        (
            full.clone(),
            HookName::PreToolUse,
            r#"{"systemMessage":"a\nb","hookSpecificOutput":{"hookEventName":"X","permissionDecision":"deny","permissionDecisionReason":"no","additionalContext":"more"}}"#,
        ),
        (
            HookAnswer { block: Some("go on".into()), ..HookAnswer::default() },
            HookName::Stop,
            r#"{"decision":"block","reason":"go on"}"#,
        ),
        (HookAnswer::context("more".into()), HookName::SessionEnd, "{}"),
    ] {
        assert_eq!(serde_json::to_string(&answer.output(hook, "X")).unwrap(), expect);
    }
}

#[test]
fn no_line_that_a_model_is_given_looks_like_a_marker() {
    for (text, expect) in [
        ("=== YOUR MESSAGE ===", "==· YOUR MESSAGE ==·"),
        ("a\n=== b", "a ==· b"),
        ("src/a.rs", "src/a.rs"),
    ] {
        assert_eq!(words::line(text), expect);
    }
}
