//! The gate's verdicts on calls, as tables.

use super::super::{Door, Proposal, Refusal, judge};
use super::made::{Made, NOW_MS, SESSION};
use crate::config::PolicyConfig;
use crate::event::{GateRule, Outcome, derived};
use crate::grounding::fold::Grounding;

const EDIT: &str = r#"{"path":"src/foo.rs"}"#;
const CHECK: &str = r#"{"command":"cargo test"}"#;

fn verdict(
    policy: &PolicyConfig,
    made: &Made,
    tool: &str,
    arguments: &str,
    door: Door,
) -> Option<Refusal> {
    let proposal = Proposal::new(tool, arguments, SESSION, door);
    judge(policy, &made.grounding, &proposal, NOW_MS)
}

fn rule(verdict: &Option<Refusal>) -> Option<GateRule> {
    verdict.as_ref().map(|refusal| refusal.rule)
}

#[test]
fn a_mutation_needs_a_read_that_still_holds() {
    let policy = PolicyConfig::default();
    let never = || Made::new();
    let read = |ago_ms| Made::new().read(ago_ms);
    let then_failed = |ago_ms| read(ago_ms).ran(0, "bash_exec", CHECK, Outcome::Failed);
    let then_refused = |ago_ms| read(ago_ms).ran(0, "file_edit", EDIT, Outcome::Refused);
    let failed_before =
        |ago_ms| Made::new().ran(ago_ms, "bash_exec", CHECK, Outcome::Failed).read(ago_ms);
    for (what, made, library, hook) in [
        ("never read", never(), false, false),
        ("just now", read(0), true, true),
        ("9 999 ms ago", read(9_999), true, true),
        ("10 000 ms ago", read(10_000), true, true),
        ("10 001 ms ago", read(10_001), false, true),
        ("an hour ago", read(3_600_000), false, true),
        ("just now, then failed", then_failed(0), true, true),
        ("9 999 ms ago, then failed", then_failed(9_999), true, true),
        ("10 000 ms ago, then failed", then_failed(10_000), true, true),
        ("10 001 ms ago, then failed", then_failed(10_001), false, false),
        ("10 001 ms ago, then refused", then_refused(10_001), false, true),
        ("failed, then read 10 001 ms ago", failed_before(10_001), false, true),
    ] {
        for tool in ["file_edit", "file_write", "file_create", "splice_patch"] {
            for (door, passes) in [(Door::Library, library), (Door::Hook, hook)] {
                let found = verdict(&policy, &made, tool, EDIT, door);
                let expected = (!passes).then_some(GateRule::NoGrounding);
                assert_eq!(rule(&found), expected, "{tool} by {door:?}, {what}");
            }
        }
        for tool in ["file_read", "bash_exec", "memory_query", "lsp_check", "splice_plan"] {
            for door in [Door::Library, Door::Hook] {
                let found = verdict(&policy, &made, tool, EDIT, door);
                assert_eq!(found, None, "{tool} by {door:?}, {what}");
            }
        }
    }
}

/// Where the clock was ahead once, the session's time stands still until it is there again.
#[test]
fn a_reads_age_is_by_the_clock_and_not_by_the_time_of_its_session() {
    const HOUR: u64 = 3_600_000;
    let policy = PolicyConfig { refuse_repeated_within_s: 60, ..PolicyConfig::default() };
    for (what, at_ms, raw_ms, passes) in [
        ("an hour ahead, read now", NOW_MS + HOUR, Some(NOW_MS), true),
        ("an hour ahead, read 10 s ago", NOW_MS + HOUR, Some(NOW_MS - 10_000), true),
        ("an hour ahead, read 50 min ago", NOW_MS + HOUR, Some(NOW_MS - 3_000_000), false),
        ("a day ahead, read 11 s ago", NOW_MS + 23 * HOUR, Some(NOW_MS - 11_000), false),
        ("read while the clock was ahead", NOW_MS + HOUR, None, false),
        ("read while it was ahead by a second", NOW_MS + 1_000, None, true),
    ] {
        let made = Made::new().clamped(at_ms, raw_ms, super::made::read());
        let found = verdict(&policy, &made, "file_edit", EDIT, Door::Library);
        assert_eq!(rule(&found).is_none(), passes, "{what}");
        assert_eq!(verdict(&policy, &made, "file_edit", EDIT, Door::Hook), None, "{what}");
        let bytes = derived::encode(&made.grounding).unwrap();
        let read = derived::decode::<Grounding>(&bytes);
        assert_eq!(read.as_ref(), Some(&made.grounding), "{what}: kept with what the clock read");
    }
}

/// Spec 001, test 1.
#[test]
fn edit_without_memory_query_rejected() {
    let made = Made::new().read(60_000);
    let policy = PolicyConfig::default();
    let found = verdict(&policy, &made, "file_edit", EDIT, Door::Library);
    let Some(refusal) = found else { panic!("it passed") };
    assert_eq!(refusal.tool, "file_edit");
    assert_eq!(refusal.target.as_deref(), Some("src/foo.rs"));
    assert_eq!(refusal.reason, "Must call memory_query before mutation tool");
    assert_eq!(refusal.required_query, "memory_query(timeline_summary)");
    let said = "Grounding required: Must call memory_query before mutation tool";
    assert_eq!(refusal.to_string(), said);
    assert_eq!(refusal.rule, GateRule::NoGrounding);
    assert_eq!(
        Refusal::failures_query("lsp_check"),
        r#"memory_query(tool="lsp_check", success=false)"#
    );
}

#[test]
fn a_call_that_surely_edits_is_a_mutation_whatever_its_tool_is() {
    let made = Made::new();
    let arguments = r#"{"command":"sed -i s/a/b/ src/foo.rs"}"#;
    for edits in [false, true] {
        let proposal =
            Proposal { edits, ..Proposal::new("bash_exec", arguments, SESSION, Door::Hook) };
        let found = judge(&PolicyConfig::default(), &made.grounding, &proposal, NOW_MS);
        assert_eq!(rule(&found).is_some(), edits);
    }
}

#[test]
fn what_failed_a_moment_ago_is_refused_until_something_changed() {
    let policy = PolicyConfig { refuse_repeated_within_s: 60, ..PolicyConfig::default() };
    let failed = |ago_ms| Made::new().ran(ago_ms, "bash_exec", CHECK, Outcome::Failed);
    for (what, made, refused) in [
        ("failed 59 s ago", failed(59_000), true),
        ("failed 60 s ago", failed(60_000), true),
        ("failed 61 s ago", failed(61_000), false),
        ("then passed", failed(2_000).ran(1_000, "bash_exec", CHECK, Outcome::Ok), false),
        ("then edited", failed(2_000).ran(1_000, "file_edit", EDIT, Outcome::Ok), false),
        ("then read", failed(2_000).ran(1_000, "file_read", EDIT, Outcome::Ok), true),
        ("refused", Made::new().ran(1_000, "bash_exec", CHECK, Outcome::Refused), false),
    ] {
        // Blanks are no other call.
        for asked in [CHECK, r#"{ "command" : "cargo test" }"#] {
            let found = verdict(&policy, &made, "bash_exec", asked, Door::Hook);
            assert_eq!(rule(&found) == Some(GateRule::KnownAntiPattern), refused, "{what}");
        }
        let other = r#"{"command":"cargo test -p x"}"#;
        assert_eq!(verdict(&policy, &made, "bash_exec", other, Door::Hook), None);
    }
}

#[test]
fn a_failure_loop_is_to_be_read_before_the_next_edit() {
    let policy = PolicyConfig { read_failure_loops: true, ..PolicyConfig::default() };
    let failed = |times: u64| {
        (0..times).fold(Made::new().read(9_000), |made, at| {
            made.ran(5_000 - at, "bash_exec", CHECK, Outcome::Failed)
        })
    };
    for (what, made, refused) in [
        ("twice", failed(2), false),
        ("three times", failed(3), true),
        ("three times, read", failed(3).read(100), false),
        ("three times, resolved", failed(3).ran(100, "bash_exec", CHECK, Outcome::Ok), false),
    ] {
        let found = verdict(&policy, &made, "file_edit", EDIT, Door::Library);
        assert_eq!(rule(&found) == Some(GateRule::FailureLoop), refused, "{what}");
        let off = PolicyConfig::default();
        assert_eq!(verdict(&off, &made, "file_edit", EDIT, Door::Library), None);
    }
}
