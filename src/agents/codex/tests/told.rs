//! What each fixture tells.

use super::*;

#[test]
fn every_rollout_gives_its_counts() {
    // records, glued, unreadable, sessions, prompts, calls, results, failed, refused, interrupted,
    // without call, repeated
    let table: &[(&[&str], [u64; 12])] = &[
        (&["whole.jsonl"], [25, 0, 0, 1, 1, 7, 7, 2, 0, 0, 0, 0]),
        (&["shapes.jsonl"], [36, 0, 0, 1, 1, 16, 14, 4, 4, 2, 0, 0]),
        (&["events.jsonl"], [15, 0, 0, 1, 1, 4, 4, 1, 0, 0, 0, 0]),
        (&["paginated.jsonl"], [17, 0, 0, 1, 1, 6, 6, 2, 0, 0, 0, 0]),
        (&["fork.jsonl"], [31, 0, 0, 1, 2, 8, 8, 2, 0, 0, 0, 0]),
        (&["whole.jsonl", "fork.jsonl"], [56, 0, 0, 2, 2, 8, 8, 2, 0, 0, 0, 15]),
        (&["subagent.jsonl"], [6, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0]),
        (&["compacted.jsonl"], [11, 0, 0, 1, 1, 2, 2, 1, 0, 0, 0, 0]),
        (&["bare.jsonl"], [9, 0, 0, 1, 2, 1, 1, 0, 0, 0, 0, 0]),
        (&["short.jsonl"], [9, 0, 0, 1, 1, 3, 1, 0, 0, 2, 0, 0]),
        (&["short-grown.jsonl"], [12, 0, 0, 1, 1, 4, 4, 2, 0, 0, 0, 0]),
        (&["damaged.jsonl"], [9, 1, 4, 1, 0, 2, 2, 0, 0, 0, 1, 1]),
    ];
    for (names, expect) in table {
        let (r, _) = read(names);
        let got = [
            r.records,
            r.glued_lines,
            r.unreadable_lines,
            r.sessions,
            r.prompts,
            r.calls,
            r.results,
            r.failed,
            r.refused,
            r.interrupted,
            r.results_without_call,
            r.duplicates,
        ];
        assert_eq!(got, *expect, "{names:?}: {:?}", r.findings);
    }
}

#[test]
fn a_result_has_its_exit_code_time_and_output_in_every_form() {
    // rollout, call, tool → outcome, exit code, milliseconds, error, stdout, stderr
    let stopped = "stopped by the user before it ended";
    for (name, call, tool, outcome, exit_code, ms, error, stdout, stderr) in [
        (
            "whole",
            "list",
            "bash_exec",
            Outcome::Ok,
            Some(0),
            Some(0),
            "-",
            "new.rs\nprice.rs\nround.rs\n",
            "-",
        ),
        (
            "whole",
            "test",
            "bash_exec",
            Outcome::Failed,
            Some(101),
            Some(4200),
            "Exit code 101\nerror[E0308]: mismatched types",
            "-",
            "error[E0308]: mismatched types\n",
        ),
        ("whole", "plan", "update_plan", Outcome::Ok, None, None, "-", "Plan updated", "-"),
        (
            "whole",
            "docs",
            "docs__search",
            Outcome::Failed,
            None,
            Some(750),
            "no such page",
            "-",
            "[{\"type\":\"text\",\"text\":\"no such page\"}]",
        ),
        (
            "whole",
            "image",
            "view_image",
            Outcome::Ok,
            None,
            None,
            "-",
            "[image, 30 bytes not kept]",
            "-",
        ),
        (
            "shapes",
            "sc",
            "bash_exec",
            Outcome::Failed,
            Some(1),
            Some(2500),
            "Exit code 1\nwarning: unused\nerror: one",
            "-",
            "warning: unused\nerror: one\n",
        ),
        ("shapes", "ok", "bash_exec", Outcome::Ok, Some(0), Some(52), "-", "clean\n", "-"),
        (
            "shapes",
            "long",
            "bash_exec",
            Outcome::Failed,
            Some(101),
            None,
            "Exit code 101\ncompiling\nrunning\ntest failed",
            "-",
            "compiling\nrunning\ntest failed\n",
        ),
        ("shapes", "poll2", "write_stdin", Outcome::Ok, None, Some(500), "-", "test failed\n", "-"),
        (
            "shapes",
            "srv",
            "bash_exec",
            Outcome::Interrupted,
            None,
            None,
            "it still ran when its transcript ended",
            "listening\n",
            "-",
        ),
        (
            "shapes",
            "no",
            "bash_exec",
            Outcome::Refused,
            None,
            None,
            "exec command rejected by user",
            "-",
            "-",
        ),
        (
            "shapes",
            "nop",
            "file_edit",
            Outcome::Refused,
            None,
            None,
            "patch rejected by user",
            "-",
            "-",
        ),
        ("shapes", "stop", "bash_exec", Outcome::Failed, None, Some(5000), stopped, "-", "-"),
        ("shapes", "loc", "bash_exec", Outcome::Ok, Some(0), Some(300), "-", "/w/shop\n", "-"),
        (
            "events",
            "run",
            "bash_exec",
            Outcome::Failed,
            Some(2),
            Some(850),
            "Exit code 2\nmade\nwarning: old",
            "made\n",
            "warning: old\n",
        ),
        ("events", "usr", "bash_exec", Outcome::Ok, Some(0), Some(5), "-", "commit 1\n", "-"),
        ("events", "early", "bash_exec", Outcome::Ok, Some(0), Some(3), "-", "hi\n", "-"),
        ("events", "bg", "bash_exec", Outcome::Ok, Some(0), Some(5000), "-", "start\nend\n", "-"),
        ("paginated", "cell", "exec", Outcome::Ok, None, Some(2000), "-", "nothing there", "-"),
        (
            "paginated",
            "cell2",
            "exec",
            Outcome::Failed,
            None,
            Some(100),
            "Uncaught 1",
            "-",
            "Uncaught 1",
        ),
    ] {
        let (_, events) = read(&[&format!("{name}.jsonl")]);
        let (started, got) = (started(&events, &id(call)), closing(&events, &id(call)));
        let error_is = got.error.as_deref().unwrap_or("-");
        assert_eq!(started.tool, tool, "{name} {call}");
        assert_eq!(
            (got.outcome, got.exit_code, got.duration_ms),
            (outcome, exit_code, ms),
            "{name} {call}"
        );
        let got = (error_is, text(&got.stdout), text(&got.stderr));
        assert_eq!(got, (error, stdout, stderr), "{name} {call}");
    }
}

#[test]
fn a_patch_changes_what_it_names_whichever_way_it_comes() {
    let change = |path: &str, created| Change { path: path.to_owned(), created };
    for (name, call, tool, paths, changed) in [
        (
            "whole",
            id("patch"),
            "file_edit",
            &["src/price.rs", "src/round.rs", "src/old.rs", "src/new.rs", "src/gone.rs"] as &[_],
            // The event beside it knows the whole names.
            vec![
                change("/w/shop/src/gone.rs", false),
                change("/w/shop/src/old.rs", false),
                change("/w/shop/src/new.rs", true),
                change("/w/shop/src/price.rs", false),
                change("/w/shop/src/round.rs", true),
            ],
        ),
        ("shapes", id("here"), "file_create", &["notes.md"], vec![change("notes.md", true)]),
        ("shapes", id("cdh"), "file_edit", &["core/lib.rs"], vec![]),
        ("shapes", id("nop"), "file_edit", &["README"], vec![]),
        (
            "paginated",
            "exec-1a2b3c4d-0000-4000-8000-000000000002".to_owned(),
            "file_create",
            &["/w/shop/.gitignore"],
            vec![change("/w/shop/.gitignore", true)],
        ),
    ] {
        let (_, events) = read(&[&format!("{name}.jsonl")]);
        let call = call.as_str();
        let begun = started(&events, call);
        assert_eq!(
            (begun.tool.as_str(), begun.paths.as_slice()),
            (tool, paths.iter().map(|p| p.to_string()).collect::<Vec<_>>().as_slice()),
            "{name} {call}"
        );
        assert_eq!(closing(&events, call).changed, changed, "{name} {call}");
    }
}

#[test]
fn a_call_keeps_its_own_name_folder_and_arguments() {
    let (_, events) = read(&["whole.jsonl", "shapes.jsonl"]);
    let test = started(&events, &id("test"));
    assert_eq!(test.native_tool.as_deref(), Some("shell"));
    assert_eq!((test.cwd.as_deref(), test.branch.as_deref()), (Some("/w/shop/core"), Some("main")));
    let key = test.call.as_ref().unwrap();
    assert_eq!((key.agent.as_str(), &key.scope), ("codex", &None));
    let counted = started(&events, "functions.shell:0").call.as_ref().unwrap();
    assert_eq!(counted.scope.as_deref(), Some("0199a1b2-0002-7000-8000-0000000000bb"));
    let bad = &started(&events, &id("bad")).arguments.0;
    assert_eq!(bad, r#"{"arguments":"{\"command\": [\"ls\""}"#, "nothing of it is lost");
    assert_eq!(closing(&events, &id("bad")).outcome, Outcome::Refused);
}

#[test]
fn a_script_s_own_calls_are_executions_in_their_place() {
    let (_, events) = read(&["paginated.jsonl"]);
    let ran = "exec-1a2b3c4d-0000-4000-8000-000000000001";
    assert_eq!(started(&events, ran).cwd.as_deref(), Some("/w/shop"));
    let closing = closing(&events, ran);
    assert_eq!((closing.outcome, closing.exit_code), (Outcome::Failed, Some(2)));
    let served = started(&events, "exec-1a2b3c4d-0000-4000-8000-000000000003");
    assert_eq!(
        (served.tool.as_str(), served.arguments.0.as_str()),
        ("mcp__docs__read", "{\"page\":1}")
    );
    let at = |call: &str| {
        let is = |e: &Event| matches!(&e.body, Body::ExecutionStarted(b) if b.call.as_ref().unwrap().call == call);
        events.iter().position(is).unwrap()
    };
    assert!(at(&id("cell")) < at(ran) && at(ran) < at(&id("cell2")));
}
