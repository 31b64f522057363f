//! Plans, as tables.

use super::super::{PlanError, check_plan};
use crate::config::PolicyConfig;

fn faults(plan: &str) -> Vec<(u64, String)> {
    let policy = PolicyConfig { shell_mutations: true, ..PolicyConfig::default() };
    let verdict = check_plan(&policy, plan).unwrap_or_else(|error| panic!("{plan}: {error}"));
    verdict.faults.into_iter().map(|fault| (fault.step, fault.tool)).collect()
}

/// Steps by letters: r reads the timeline, e edits, c checks, s is a shell, w a shell that writes,
/// f reads a file.
fn plan_of(letters: &str) -> String {
    let step = |letter| match letter {
        'r' => r#"{"tool":"memory_query","arguments":{"last":5}}"#,
        'e' => r#"{"tool":"file_edit","arguments":{"path":"src/a.rs"}}"#,
        'c' => r#"{"tool":"lsp_check"}"#,
        's' => r#"{"tool":"bash_exec","arguments":{"command":"cargo test"}}"#,
        'w' => r#"{"tool":"bash_exec","arguments":{"command":"sed -i s/a/b/ src/a.rs"}}"#,
        _ => r#"{"tool":"file_read","arguments":{"path":"src/a.rs"}}"#,
    };
    format!("[{}]", letters.chars().map(step).collect::<Vec<_>>().join(","))
}

#[test]
fn an_edit_needs_a_read_before_it_and_after_each_check() {
    for (steps, refused) in [
        ("", &[0][..]),
        ("f", &[]),
        ("e", &[1]),
        ("re", &[]),
        ("fe", &[2]),
        ("rfe", &[]),
        ("reee", &[]),
        ("er", &[1]),
        ("ere", &[1]),
        ("rece", &[4]),
        ("recre", &[]),
        ("rese", &[4]),
        ("rce", &[3]),
        ("cre", &[]),
        ("w", &[1]),
        ("rw", &[]),
        ("rwe", &[3]),
        ("rwre", &[]),
        ("ecesew", &[1, 3, 5, 6]),
    ] {
        let found: Vec<u64> = faults(&plan_of(steps)).into_iter().map(|(step, _)| step).collect();
        assert_eq!(found, refused, "{steps}");
    }
}

#[test]
fn a_plan_is_understood_in_the_shapes_that_planners_write() {
    for plan in [
        r#"[{"tool":"file_edit"}]"#,
        r#"[{"name":"file_edit","input":{"path":"a"}}]"#,
        r#"[{"tool_name":"Edit","args":{"file_path":"a"}}]"#,
        r#"[{"action":"Edit","params":{}}]"#,
        r#"["Edit"]"#,
        r#"{"steps":[{"tool":"Edit"}]}"#,
        r#"{"goal":"mend it","plan":[{"tool":"Edit"}]}"#,
        r#"{"tool_calls":[{"id":"1","function":{"name":"Edit","arguments":"{\"file_path\":\"a\"}"}}]}"#,
        r#" [ { "why" : [1,{}] , "tool" : "file_edit" } ] "#,
    ] {
        assert_eq!(faults(plan), [(1, "file_edit".to_owned())], "{plan}");
    }
    for read in [
        r#""memory_query""#,
        r#"{"tool":"get_timeline_position"}"#,
        r#"{"tool":"Bash","input":{"command":"annals timeline"}}"#,
        r#"{"tool":"Bash","input":{"command":"annals tool memory_query --last 5"}}"#,
        r#"{"function":{"name":"memory_query","arguments":"{}"}}"#,
    ] {
        assert_eq!(faults(&format!(r#"[{read},"Edit"]"#)), [], "{read}");
    }
    for no_read in [
        r#"{"tool":"mcp__evil__memory_query"}"#,
        r#"{"tool":"Bash","input":{"command":"annals timeline --help"}}"#,
        r#"{"tool":"Bash","input":{"command":"annals timeline -n 0"}}"#,
        r#"{"tool":"Bash","input":{"command":"annals timeline | cat"}}"#,
    ] {
        assert_eq!(faults(&format!(r#"[{no_read},"Edit"]"#)).len(), 1, "{no_read}");
    }
    for edit in ["mcp__x__file_write", "mcp__x__Edit", "mcp__fs__edit_file"] {
        assert_eq!(faults(&format!("[{edit:?}]")), [(1, edit.to_owned())], "{edit}");
    }
    for double in [
        r#"{"tool":"file_edit","function":{"name":"file_read"}}"#,
        r#"{"function":{"name":"file_read","function":{"name":"file_edit"}}}"#,
    ] {
        assert_eq!(faults(&format!("[{double}]")).len(), 1, "{double}");
    }
    let not_alone =
        r#"[{"tool":"Bash","input":{"command":"annals timeline && cargo test"}},"Edit"]"#;
    assert_eq!(faults(not_alone).len(), 1);
    for nameless in ["[1]", "[null]", "[{}]", r#"[{"tool":5}]"#, r#"[{"tool":""}]"#, "[[]]"] {
        assert_eq!(faults(nameless), [(1, String::new())], "{nameless}");
    }
}

#[test]
fn what_is_no_plan_is_refused() {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let long = format!("[{}1]", "1,".repeat(1_000));
    let large = format!("[\"{}\"]", "x".repeat(1 << 20));
    for (plan, kind) in [
        ("", "json"),
        ("{", "json"),
        (&deep, "json"),
        ("5", "list"),
        ("{}", "list"),
        (r#"{"steps":{"tool":"file_edit"}}"#, "list"),
        (&long, "long"),
        (&large, "large"),
    ] {
        let found = match check_plan(&PolicyConfig::default(), plan) {
            Err(PlanError::Json(_)) => "json",
            Err(PlanError::NoList) => "list",
            Err(PlanError::TooLong { .. }) => "long",
            Err(PlanError::TooLarge { .. }) => "large",
            Err(error @ PlanError::Unread { .. }) => panic!("{error}"),
            Ok(verdict) => panic!("{verdict:?}"),
        };
        assert_eq!(found, kind, "{:.40}", plan);
    }
    let same = |plan| check_plan(&PolicyConfig::default(), plan).unwrap().digest;
    assert_eq!(same(r#"[{"tool":"a","args":{}}]"#), same(r#"[ {"args":{}, "tool":"a"} ]"#));
}
