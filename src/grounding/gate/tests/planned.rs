//! Plans, as tables.

use super::super::{check_plan, unreadable_plan};
use crate::event::{PlanChecked, tool};

fn judged(plan: &str) -> PlanChecked {
    let is_declared = |tool: &str| tool::CONTRACT.contains(&tool) || tool == "mcp__db__query";
    check_plan(is_declared, plan)
        .unwrap_or_else(|error| unreadable_plan(plan.as_bytes(), error.to_string()))
}

fn faults(plan: &str) -> Vec<(u64, String)> {
    judged(plan).faults.into_iter().map(|fault| (fault.step, fault.tool)).collect()
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
fn a_step_that_nobody_can_tell_the_effect_of_is_refused() {
    for (step, why) in [
        (r#""Frobnicate""#, "nobody knows"),
        (r#"{"tool":"mcp__evil__memory_query"}"#, "nobody knows"),
        (r#""mcp__db__query""#, ""),
        (r#""Task""#, "nobody knows"),
        (r#""TodoWrite""#, ""),
        (r#"{"tool":"update_plan"}"#, ""),
        (r#"{"tool":"file_read","arguments":5}"#, "no JSON object"),
        (r#"{"tool":"file_read","arguments":"src/a.rs"}"#, "no JSON object"),
        (r#"{"tool":"file_read","arguments":null}"#, ""),
        (r#"{"tool":"Bash"}"#, "names no command"),
        (r#"{"tool":"exec_command","input":{"argv":"ls"}}"#, "names no command"),
        (r#"{"tool":"exec_command","input":{"cmd":"ls"}}"#, ""),
        (r#"{"tool":"exec_command","input":{"cmd":"touch a.rs"}}"#, "memory_query"),
        (r#"{"tool":"Bash","input":{"command":"echo 'a"}}"#, "cannot be read"),
        (r#"{"tool":"Bash","input":{"command":""}}"#, "cannot be read"),
        (r#"{"tool":"Bash","input":{"command":"sed -i s/a/b/ a.rs"}}"#, "memory_query"),
        (r#"{"tool":"Bash","input":{"command":"cat a > b.rs"}}"#, "memory_query"),
        (r#"{"tool":"Bash","input":{"command":"git checkout -- a.rs"}}"#, "memory_query"),
        (
            r#"{"tool":"shell","input":{"command":["bash","-lc","sed -i s/a/b/ a.rs"]}}"#,
            "memory_query",
        ),
        (r#"{"tool":"Bash","input":{"command":"ls"}}"#, ""),
        (r#"{"tool":"memory_query","arguments":{"query":"x"}}"#, "asks nothing"),
        (r#"{"tool":"memory_query","arguments":{"where":"here"}}"#, "asks nothing"),
        (r#"{"tool":"memory_query","arguments":{"query":"timeline_summary, last=3"}}"#, ""),
        (r#"{"tool":"file_read","steps":[{"tool":"file_edit"}]}"#, "steps of its own"),
        (r#"{"tool":"file_read","then":[{"do":{"tool_name":"Edit"}}]}"#, "steps of its own"),
        (r#"{"tool":"file_read","then":["Edit"]}"#, "steps of its own"),
        (r#"{"tool":"file_read","then":{"name":"Edit","input":{}}}"#, "steps of its own"),
        (r#"{"function":{"name":"file_read","steps":["Edit"]}}"#, "steps of its own"),
        (r#"{"tool":"file_read","id":"1","meta":{"name":"look","tags":["a"]}}"#, ""),
        (
            r#"{"tool":"Bash","input":{"command":"python3 -c \"open('a.py','w').close()\""}}"#,
            "memory_query",
        ),
        (
            r#"{"tool":"Bash","input":{"command":"python3 - <<'E'\nimport pathlib\npathlib.Path('a').write_text('')\nE"}}"#,
            "memory_query",
        ),
        (
            r#"{"tool":"Bash","input":{"command":"cd x && python3.11 <<E | tail\nopen('a', mode=\"a\")\nE\nls"}}"#,
            "memory_query",
        ),
        (
            r#"{"tool":"Bash","input":{"command":"bash <<E\nsed -i s/a/b/ a.rs\nE"}}"#,
            "memory_query",
        ),
        (
            r#"{"tool":"Bash","input":{"command":"node -e 'fs.writeFileSync(1,2)'"}}"#,
            "memory_query",
        ),
        (r#"{"tool":"Bash","input":{"command":"python3 -c 'print(open(\"a\").read())'"}}"#, ""),
        (r#"{"tool":"Bash","input":{"command":"cat <<E\nopen('a','w')\nE"}}"#, ""),
    ] {
        let faults = judged(&format!("[{step}]")).faults;
        let found = faults.first().map(|fault| &*fault.reason).unwrap_or_default();
        assert!(found.contains(why) && found.is_empty() == why.is_empty(), "{step}: {found}");
    }
    // It may have run anything: what comes of it is to be read.
    assert_eq!(faults(r#"["memory_query","Frobnicate","Edit"]"#).len(), 2);
}

#[test]
fn a_plan_has_its_steps_in_its_list_alone() {
    for (plan, refused) in [
        (r#"{"steps":["Read"],"then":[{"tool":"Edit"}]}"#, true),
        (r#"{"steps":["Read"],"then":{"steps":["Edit"]}}"#, true),
        (r#"{"steps":["Read"],"finally":["Edit"]}"#, true),
        (r#"{"steps":["Read"],"tool":"Edit"}"#, true),
        (r#"{"steps":["Read"],"goal":"mend it","tags":["a",{"name":"b"}]}"#, false),
    ] {
        let found = judged(plan).faults;
        assert_eq!(
            found.iter().any(|it| it.reason.contains("outside its list")),
            refused,
            "{plan}"
        );
        assert_eq!(found.is_empty(), !refused, "{plan}");
    }
}

#[test]
fn what_is_no_plan_is_refused() {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let long = format!("[{}1]", "1,".repeat(1_000));
    let large = format!("[\"{}\"]", "x".repeat(1 << 20));
    for (plan, why) in [
        ("", "JSON"),
        ("{", "JSON"),
        (&deep, "JSON"),
        ("5", "no list of steps"),
        ("{}", "no list of steps"),
        (r#"{"steps":{"tool":"file_edit"}}"#, "no list of steps"),
        (&long, "more than 1000 steps"),
        (&large, "bytes"),
    ] {
        let verdict = judged(plan);
        assert_eq!((verdict.steps, verdict.faults.len()), (0, 1), "{plan:.40}");
        let fault = &verdict.faults[0];
        assert!(fault.step == 0 && fault.reason.contains(why), "{plan:.40}: {fault:?}");
    }
    let same = |plan| judged(plan).digest;
    assert_eq!(same(r#"[{"tool":"a","args":{}}]"#), same(r#"[ {"args":{}, "tool":"a"} ]"#));
}
