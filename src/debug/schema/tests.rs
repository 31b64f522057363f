//! The schema is the contract's; what it refuses and what it does not name.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use super::*;

const CONTRACT: &str = include_str!("../../../tests/fixtures/spec/002-debug-memory.schema.yaml");

#[test]
fn the_schema_is_the_contracts_word_for_word() {
    let ours: Value = serde_json::from_str(SCHEMA).unwrap();
    let theirs: Value = serde_saphyr::from_str(CONTRACT).unwrap();
    let of_the_contract_alone =
        ["indexing", "retention", "queries", "hooks", "examples", "references"];
    let mut left = theirs.as_object().unwrap().clone();
    for name in of_the_contract_alone {
        left.remove(name).unwrap();
    }
    assert_eq!(ours, Value::Object(left));
}

/// A document with every member that the schema names.
pub(crate) fn everything() -> Value {
    json!({
        "session_id": "019a0000-0000-7000-8000-000000000001",
        "file_path": "src/a.rs",
        "created_at": "2026-01-25T15:00:00Z",
        "updated_at": "2026-01-25T15:02:00Z",
        "status": "escalated",
        "executions": [{
            "attempt": 1,
            "timestamp": "2026-01-25T15:00:00Z",
            "code_hash": "abc",
            "code_snapshot": "fn a() {}",
            "environment": {
                "runtime": "rust", "runtime_version": "1.91", "test_framework": "cargo test",
                "os": "linux", "additional": {"anything": {"at": ["all", 1]}}
            },
            "test_results": {
                "total": 3, "passed": 1, "failed": 1, "errors": 1, "skipped": 0,
                "duration_ms": 12, "coverage_percent": 33.3
            },
            "failures": [{
                "test_name": "t", "test_file": "tests/a.rs", "test_line": 4,
                "error_type": "AssertionError", "error_message": "left != right",
                "stack_trace": "at a", "expected": "1", "actual": "2",
                "source_location": {"file": "src/a.rs", "line": 1, "function": "a"}
            }],
            "analysis": {
                "root_cause": "a counts from one and not from nought",
                "root_cause_category": "off_by_one",
                "fix_strategy": "count from nought as the caller does",
                "confidence": 0.5,
                "related_failures": ["u"],
                "similar_past_issues": [{"session_id": "x", "file": "src/b.rs", "resolution": "r"}]
            },
            "fix_applied": {
                "description": "counted from nought", "diff_summary": "+1/-1 lines",
                "files_changed": ["src/a.rs"], "diff": "-1\n+0", "verification": "failed"
            }
        }],
        "learnings": {
            "patterns_identified": [{
                "pattern": "p", "category": "off_by_one", "frequency": 2,
                "fix_template": "count from nought", "effectiveness": 0.5
            }],
            "recurring_failures": [{
                "test": "t", "occurrences": 2, "resolution": "wont_fix", "notes": "n"
            }],
            "code_quality_issues": [{
                "issue": "i", "location": "src/a.rs:1", "severity": "minor", "addressed": false
            }],
            "recommendations": ["count"]
        },
        "metadata": {"agent": "a", "task_id": "t", "ralph_iteration": 7}
    })
}

#[test]
fn a_document_with_everything_is_as_the_schema_has_it() {
    for strict in [false, true] {
        let schema = DebugSchema::new(strict).unwrap();
        assert_eq!(schema.faults(&everything()), []);
        assert_eq!(schema.unnamed(&everything()), Vec::<String>::new());
    }
}

/// What is put where, and where the fault is found then.
const FAULTS: &[(&str, &str, &str)] = &[
    ("/status", "\"done\"", "/status"),
    ("/file_path", "null", "/file_path"),
    ("/executions", "{}", "/executions"),
    ("/executions/0/attempt", "0", "/executions/0/attempt"),
    ("/executions/0/attempt", "1.5", "/executions/0/attempt"),
    ("/executions/0/test_results", "{\"total\":1,\"passed\":1}", "/executions/0/test_results"),
    ("/executions/0/test_results/total", "-1", "/executions/0/test_results/total"),
    (
        "/executions/0/test_results/coverage_percent",
        "100.1",
        "/executions/0/test_results/coverage_percent",
    ),
    ("/executions/0/failures/0/error_type", "\"Oops\"", "/executions/0/failures/0/error_type"),
    ("/executions/0/analysis/root_cause", "\"too short\"", "/executions/0/analysis/root_cause"),
    ("/executions/0/analysis/confidence", "1.01", "/executions/0/analysis/confidence"),
    (
        "/executions/0/fix_applied/verification",
        "\"perhaps\"",
        "/executions/0/fix_applied/verification",
    ),
    (
        "/learnings/patterns_identified/0/frequency",
        "0",
        "/learnings/patterns_identified/0/frequency",
    ),
    (
        "/learnings/recurring_failures/0/resolution",
        "\"gone\"",
        "/learnings/recurring_failures/0/resolution",
    ),
    ("/metadata/ralph_iteration", "\"7\"", "/metadata/ralph_iteration"),
];

#[test]
fn each_fault_is_told_with_its_place() {
    let schema = DebugSchema::new(false).unwrap();
    for (at, bad, told) in FAULTS {
        let mut document = everything();
        *document.pointer_mut(at).unwrap() = serde_json::from_str(bad).unwrap();
        let faults = schema.faults(&document);
        assert_eq!(faults.iter().map(|it| it.at.as_str()).collect::<Vec<_>>(), [*told], "{bad}");
        assert!(!faults[0].why.is_empty());
    }
}

#[test]
fn formats_are_asserted_only_where_it_is_strict() {
    let (lax, strict) = (DebugSchema::new(false).unwrap(), DebugSchema::new(true).unwrap());
    for (at, bad) in [("/session_id", "dm-001-example"), ("/created_at", "yesterday")] {
        let mut document = everything();
        *document.pointer_mut(at).unwrap() = json!(bad);
        assert_eq!(lax.faults(&document), []);
        let faults = strict.faults(&document);
        assert_eq!(faults.iter().map(|it| it.at.as_str()).collect::<Vec<_>>(), [at]);
    }
}

#[test]
fn what_the_schema_does_not_name_is_told_and_not_refused() {
    let schema = DebugSchema::new(true).unwrap();
    let mut document = everything();
    document["mood"] = json!("good");
    document["executions"][0]["a/b"] = json!([1]);
    document["executions"][0]["environment"]["shell"] = json!("sh");
    document["executions"][0]["environment"]["additional"]["more"] = json!("of anything");
    assert_eq!(schema.faults(&document), []);
    let told = ["/executions/0/a~1b", "/executions/0/environment/shell", "/mood"];
    assert_eq!(schema.unnamed(&document), told);
}

#[test]
fn a_document_of_faults_is_told_in_bounds() {
    let schema = DebugSchema::new(true).unwrap();
    let huge = "x".repeat(1 << 16);
    let mut document = everything();
    let mut executions = vec![json!({ "mood": 1 }); 2_000];
    executions[0] = json!({ huge: 1 });
    document["executions"] = Value::Array(executions);
    let faults = schema.faults(&document);
    assert_eq!(faults.len(), 20);
    assert!(faults.iter().all(|it| it.why.len() + it.at.len() < 2_000));
    assert_eq!(schema.unnamed(&document).len(), 20);
}

/// What is put anywhere in a document.
fn odd_value() -> impl Strategy<Value = Value> {
    let texts = prop_oneof![
        Just("2026-01-25T15:00:00Z".to_owned()),
        Just("2026-01-25t15:00:00.123+01:00".to_owned()),
        Just("2026-01-25 15:00:00Z".to_owned()),
        Just("2026-01-25T15:00:00".to_owned()),
        Just("2026-13-25T15:00:00Z".to_owned()),
        Just("2026-02-30T15:00:00Z".to_owned()),
        Just("2026-01-25T25:00:00Z".to_owned()),
        Just("2026-01-25T15:00:00.Z".to_owned()),
        Just("2026-01-25T15:00:00Z[UTC]".to_owned()),
        Just("019a0000-0000-7000-8000-000000000001".to_owned()),
        Just("019A0000-0000-7000-8000-000000000001".to_owned()),
        Just("{019a0000-0000-7000-8000-000000000001}".to_owned()),
        Just("019a00000000700080000000000000010000".to_owned()),
        Just("ä".repeat(19)),
        Just("ä".repeat(20)),
        Just("passed".to_owned()),
        "[ -~]{0,40}",
    ];
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        prop_oneof![Just(0.0), Just(1.0), Just(1.5), Just(100.5), Just(-1.0), Just(1e300)]
            .prop_map(Value::from),
        prop_oneof![Just(0_i64), Just(1), Just(-1), Just(101), any::<i64>()].prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        texts.prop_map(Value::from),
        Just(json!([])),
        Just(json!({})),
        Just(json!([{}, 1, "x", null])),
    ]
}

/// Every place in a document, as a JSON pointer.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, it)| places(it, &format!("{at}/{name}"), found));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, it)| places(it, &format!("{at}/{i}"), found));
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_document_is_judged_as_a_validator_of_json_schema_judges_it(
        changes in vec((any::<Index>(), odd_value(), any::<bool>()), 1..5),
        strict: bool,
    ) {
        let mut document = everything();
        for (place, value, is_gone) in changes {
            let mut found = Vec::new();
            places(&document, "", &mut found);
            let at = place.get(&found);
            match (is_gone, at.rsplit_once('/')) {
                (true, Some((parent, name))) => match document.pointer_mut(parent).unwrap() {
                    Value::Object(members) => drop(members.remove(name)),
                    other => *other = value,
                },
                _ => *document.pointer_mut(at).unwrap() = value,
            }
        }
        let schema: Value = serde_json::from_str(SCHEMA).unwrap();
        let theirs = jsonschema::options().with_draft(jsonschema::Draft::Draft202012);
        let theirs = theirs.should_validate_formats(strict).build(&schema).unwrap();
        let mut expected: Vec<String> =
            theirs.iter_errors(&document).map(|it| it.instance_path().to_string()).collect();
        let faults = DebugSchema::new(strict).unwrap().faults(&document);
        let mut found: Vec<String> = faults.into_iter().map(|it| it.at).collect();
        expected.sort();
        found.sort();
        expected.truncate(20);
        prop_assert!(found == expected || expected.len() == 20, "{found:?}, not {expected:?}");
    }
}
