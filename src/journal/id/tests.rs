//! Ids: versions, and that derived ones stay the same.

use super::*;

fn call(scope: Option<&str>, call: &str) -> CallKey {
    CallKey { agent: "claude-code".into(), scope: scope.map(Into::into), call: call.into() }
}

#[test]
fn every_execution_id_is_one_the_contract_accepts() {
    for id in [
        execution(1_735_036_800_000),
        imported_execution(1_735_036_800_000, &call(None, "toolu_1")),
        correction(1_735_036_800_000, execution(5)),
    ] {
        assert_eq!(ExecutionId::parse(&id.to_string()), Some(id));
        assert_eq!(id.to_string().as_bytes()[14], b'7');
    }
    assert_ne!(execution(7), execution(7));
}

#[test]
fn an_imported_calls_id_depends_on_the_call_and_nothing_else() {
    let id = |scope, name| imported_execution(9, &call(scope, name));
    assert_eq!(id(None, "toolu_1"), id(None, "toolu_1"));
    assert_ne!(id(None, "toolu_1"), id(None, "toolu_2"));
    assert_ne!(id(None, "toolu_1"), id(Some("s"), "toolu_1"));
}

#[test]
fn a_session_keeps_its_own_uuid_or_gets_a_derived_one() {
    let own = "0a1b2c3d-4e5f-4a6b-8c7d-8e9f0a1b2c3d";
    assert_eq!(session("claude-code", own).to_string(), own);
    let derived = session("annals", "default");
    assert_eq!(derived, session("annals", "default"));
    assert_ne!(derived, session("codex", "default"));
    assert_eq!(derived.to_string().as_bytes()[14], b'8');
}
