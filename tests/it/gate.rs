//! The gate from the command line: check, plan, claim, steps; and its file under many processes.

use std::process::Stdio;

use crate::leash::Leash;
use crate::project::{Project, Ran};

const SESSION: &str = "s1";

/// Runs it in the session.
fn annals(project: &Project, arguments: &[&str]) -> Ran {
    Ran::of(project.command().env("ANNALS_SESSION", SESSION).args(arguments))
}

/// Records an execution of the session.
fn ran(project: &Project, tool: &str, target: &str, exit_code: i32) {
    let line = format!(
        r#"{{"tool":"{tool}","arguments":{target},"exit_code":{exit_code},"session":"{SESSION}"}}"#
    );
    Ran::of(project.command().arg("record").write_stdin(line)).code(0);
}

#[test]
fn a_session_is_refused_and_let_through_in_the_words_of_the_contract() {
    let project = Project::new();
    let check = ["gate", "check", "--tool", "Edit", "--path", "src/foo.rs"];
    let refused = annals(&project, &check).code(1);
    let refused = refused.says("Must call memory_query before mutation tool");
    refused.says("memory_query(timeline_summary)");
    let advised = [&check[..], &["--mode", "advise"]].concat();
    annals(&project, &advised).code(0).says("it would go on");
    annals(&project, &["gate", "check", "--tool", "Read", "--path", "src/foo.rs"]).code(0);
    annals(&project, &["claim", "I", "fixed", "it"])
        .code(1)
        .says("Must verify success via lsp_check");
    let cited = "Fixed the error from execution 999";
    annals(&project, &["claim", cited]).code(1).says("Execution 999 not found");
    annals(&project, &["step", "begin", "mend", "it"]).code(0).says("Step 1 begins: mend it");
    ran(&project, "file_edit", r#"{"path":"src/foo.rs"}"#, 0);
    ran(&project, "lsp_check", r#"{"path":"."}"#, 101);
    annals(&project, &["claim", "done"]).code(1).says("after_id=2");
    ran(&project, "lsp_check", r#"{"path":"."}"#, 0);
    annals(&project, &["claim", "done, see #3"]).code(0).says("#3 passed");
    let ended = annals(&project, &["step", "end", "--json"]).code(0).json();
    assert_eq!(ended["executions"], 3);
    assert_eq!(ended["failed"], 1);
    assert_eq!(ended["mutations"], 1);
    assert_eq!(ended["checks_passed"], 1);
    assert_eq!(ended["changed"][0], "src/foo.rs");
    let events = project.annals(["export", "jsonl", "events"]).code(0).out();
    for (kind, count) in [
        ("GateRefused", 5),
        ("SuccessClaimed", 4),
        ("StepBegun", 1),
        ("StepEnded", 1),
        ("TimelineQueried", 0),
    ] {
        let found = events.lines().filter(|line| line.contains(&format!("\"{kind}\""))).count();
        assert_eq!(found, count, "{kind}");
    }
}

#[test]
fn a_plan_is_refused_with_its_step_and_recorded_where_there_is_a_session() {
    let project = Project::new();
    project.write("plan.json", r#"[{"tool":"file_read"},{"tool":"file_edit"}]"#);
    let refused = project.annals(["gate", "plan", "plan.json"]).code(1);
    refused.says("step 2 (file_edit): Must call memory_query before mutation tool");
    let good = r#"[{"tool":"memory_query"},{"tool":"file_edit"}]"#;
    let mut command = project.command();
    command.env("ANNALS_SESSION", SESSION).args(["gate", "plan", "-"]).write_stdin(good);
    Ran::of(&mut command).code(0);
    for wrong in ["", "{", "5", "{}", "[]", r#"{"steps":[]}"#] {
        Ran::of(project.command().args(["gate", "plan", "-"]).write_stdin(wrong)).code(1);
    }
    // What cannot be read is a finding like any other, in JSON too.
    for wrong in [&b""[..], b"{", b"5", b"[]", &[0xff, b'['], br#"[{"tool":"Frobnicate"}]"#] {
        let mut command = project.command();
        command.args(["--json", "gate", "plan", "-"]).write_stdin(wrong);
        let told = Ran::of(&mut command).code(1).json();
        assert_eq!(told["accepted"], false, "{told}");
        assert!(!told["faults"][0]["reason"].as_str().expect("why").is_empty(), "{told}");
    }
    let told = project.annals(["--json", "gate", "plan", "no-such-file"]).code(1).json();
    assert!(told["faults"][0]["reason"].as_str().expect("why").contains("no-such-file"), "{told}");
    Ran::of(project.command().args(["gate", "plan", "-"]).write_stdin(vec![0xff, b'['])).code(1);
    project.annals(["gate", "plan", "no-such-file"]).code(1);
    project.annals(["gate", "plan", "/dev/tty"]).code(1).says("no regular file");
    let pipe = project.root().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    project.annals(["gate", "plan", "pipe"]).code(1).says("no regular file");
    let events = project.annals(["export", "jsonl", "events"]).code(0).out();
    assert_eq!(events.lines().filter(|line| line.contains("\"PlanChecked\"")).count(), 1);
}

#[test]
fn processes_on_one_session_lose_no_step_whoever_is_killed() {
    let project = Project::new();
    let begin = || {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_annals"));
        command.args(["step", "begin"]).current_dir(project.root());
        command
            .env("ANNALS_SESSION", SESSION)
            .env("HOME", project.root())
            .env_remove("XDG_STATE_HOME")
            .env_remove("XDG_CACHE_HOME");
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().map(Leash::of).expect("the program runs")
    };
    for turn in 0..4_u64 {
        let mut all: Vec<_> = (0..4).map(|_| begin()).collect();
        std::thread::sleep(std::time::Duration::from_millis(8 * turn));
        let mut killed = all.pop().expect("a process");
        killed.kill().expect("killed");
        killed.wait().expect("ended");
        for mut one in all {
            assert!(one.wait().expect("ended").success());
        }
    }
    let count = || {
        let events = project.annals(["export", "jsonl", "events"]).code(0).out();
        events.lines().filter(|line| line.contains("\"StepBegun\"")).count() as u64
    };
    let before = count();
    assert!((12..=16).contains(&before), "{before}");
    let begun = annals(&project, &["step", "begin", "--json"]).code(0).json();
    assert_eq!(begun["step"], before + 1);
    std::fs::remove_dir_all(project.path(".annals/sessions")).expect("removed");
    let begun = annals(&project, &["step", "begin", "--json"]).code(0).json();
    assert_eq!(begun["step"], before + 2, "made anew, it says the same");
}

/// What a check printed, or left running, or that it was told to run none, outweighs an exit code of 0.
#[test]
fn a_claim_is_not_borne_out_by_a_check_that_ended_well_and_checked_nothing() {
    for (command, printed, code) in [
        ("cargo test", "running 2 tests\ntest result: ok. 2 passed; 0 failed", 0),
        ("cargo test", "running 2 tests\ntest result: FAILED. 1 passed; 1 failed", 1),
        ("bash -c 'cargo test &'", "", 1),
        ("env MAKEFLAGS=-n make test", "echo ok", 1),
        ("go test -c ./...", "", 1),
        ("go test -count=0 ./...", "ok  \tx\t0.1s", 1),
        ("tox --notest", "congratulations :)", 1),
        ("gradle build -x test", "BUILD SUCCESSFUL", 1),
        ("npx jest --passWithNoTests", "", 1),
        ("npx jest --passWithNoTests", "Tests: 12 passed, 12 total", 0),
        ("cargo nextest run --no-tests=pass", "", 1),
        ("npm test --ignore-scripts", "12 passing", 0),
    ] {
        let project = Project::new();
        ran(&project, "file_edit", r#"{"path":"src/a.rs"}"#, 0);
        let line = serde_json::json!({
            "tool": "bash_exec", "arguments": { "command": command }, "exit_code": 0,
            "stdout": printed, "session": SESSION,
        });
        Ran::of(project.command().arg("record").write_stdin(line.to_string())).code(0);
        let claim = annals(&project, &["claim", "fixed"]);
        assert_eq!(claim.output.status.code(), Some(code), "{command}: {printed}");
    }
}

#[test]
fn a_refused_claim_names_the_projects_own_check() {
    let none = "{\"scripts\":{\"test\":\"echo \\\"Error: no test specified\\\" && exit 1\"}}";
    for (name, text, check) in [
        ("Makefile", "test:\n\techo ok\n", "`make test`"),
        ("makefile", "all:\n\ntest: all\n\techo ok\n", "`make test`"),
        ("GNUmakefile", "test build: all\n\techo ok\n", "`make test`"),
        ("Makefile", "testing:\n\techo ok\n", ""),
        ("justfile", "default:\n  true\ntest:\n  true\n", "`just test`"),
        ("Justfile", "test *args:\n  true\n", "`just test`"),
        ("mise.toml", "[tasks.test]\nrun = \"go test ./...\"\n", "`mise run test`"),
        (".mise.toml", "[tasks]\ntest = \"pytest\"\n", "`mise run test`"),
        ("mise.toml", "[tools]\ngo = \"1.24\"\n", ""),
        ("package.json", "{\"scripts\":{\"test\":\"vitest run\"}}", "`npm test`"),
        ("package.json", "{\"scripts\":{\"build\":\"vite\"}}", ""),
        ("package.json", none, ""),
    ] {
        let project = Project::new();
        project.write(name, text);
        ran(&project, "file_edit", r#"{"path":"a.c"}"#, 0);
        let said = annals(&project, &["claim", "fixed"]).code(1).out();
        let expected = match check {
            "" => "Run this project's tests or its compiler's check in a shell;".to_owned(),
            check => format!("Run {check} in a shell"),
        };
        assert!(said.contains(&expected), "{name}: {text}: {said}");
    }
}

/// A clock that was ahead once keeps no read fresh until it is there again.
#[test]
fn a_read_grows_old_by_the_clock_where_the_session_is_ahead_of_it() {
    let project = Project::new();
    project.write(".annals/config.toml", "[policy]\nwindow_ms = 400\n");
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("a time");
    let ahead = u64::try_from(now.as_millis()).expect("milliseconds") + 23 * 3_600_000;
    let line = serde_json::json!({"tool": "bash_exec", "arguments": {"command": "true"},
        "exit_code": 0, "session": SESSION, "at": ahead});
    Ran::of(project.command().arg("record").write_stdin(line.to_string())).code(0);
    annals(&project, &["timeline"]).code(0);
    std::thread::sleep(std::time::Duration::from_millis(500));
    let check = ["gate", "check", "--tool", "Edit", "--path", "a"];
    annals(&project, &check).code(1).says("Must call memory_query before mutation tool");
    std::fs::remove_dir_all(project.path(".annals/sessions")).expect("removed");
    annals(&project, &check).code(1);
}

/// What a look failed at is not there by a check of something else, whatever words say so.
#[test]
fn what_a_look_failed_at_is_claimed_in_vain_until_it_is_seen() {
    let project = Project::new();
    project.annals(["tool", "declare", "WebFetch"]).code(0);
    ran(&project, "bash_exec", r#"{"command":"cargo test"}"#, 0);
    ran(&project, "WebFetch", r#"{"url":"http://localhost:3000/"}"#, 1);
    ran(&project, "file_read", r#"{"path":"out.txt"}"#, 1);
    annals(&project, &["claim", "the server is up"])
        .code(1)
        .says("WebFetch `http://localhost:3000/`");
    annals(&project, &["claim", "out.txt is generated"]).code(1).says("file_read `out.txt`");
    annals(&project, &["claim", "All tests pass."]).code(0);
    annals(&project, &["claim", "The config has two sections."]).code(0).says("claims no success");
    ran(&project, "bash_exec", r#"{"command":"cat out.txt"}"#, 0);
    ran(&project, "WebFetch", r#"{"url":"http://localhost:3000/"}"#, 0);
    annals(&project, &["claim", "the server is up"]).code(0);
    annals(&project, &["claim", "out.txt is generated"]).code(0);
}

/// Whoever is told what to run has not just run it, and is told why that did not count.
#[test]
fn a_refused_claim_says_why_a_check_did_not_count_and_names_another_command() {
    let empty = "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out";
    for (command, printed, why, named) in [
        ("cargo test zzz", empty, "#2 ran 0 tests", "Run `cargo test` in"),
        (
            "cargo test 2>&1 | tail -5",
            "",
            "how #2 ended cannot be told behind `| tail`",
            "Run `cargo test` in",
        ),
        ("bash -c 'cargo check; true'", "", "behind `; true`", "Run `cargo test` in"),
        ("cargo test >log 2>&1; echo done", "done", "behind `; echo`", "Run `cargo test` in"),
        ("cargo test", empty, "#2 ran 0 tests", "Run this project's tests or its compiler's check"),
        ("cd sub && cargo check | tail", "", "behind `| tail`", "Run `cargo test` in"),
        (
            "cargo test || true",
            "error: test failed",
            "what #2 printed tells a failure",
            "Run `cargo test` in",
        ),
    ] {
        let project = Project::new();
        project.write("Cargo.toml", "[package]\n");
        ran(&project, "file_edit", r#"{"path":"src/a.rs"}"#, 0);
        let line = serde_json::json!({
            "tool": "bash_exec", "arguments": { "command": command }, "exit_code": 0,
            "stdout": printed, "session": SESSION,
        });
        Ran::of(project.command().arg("record").write_stdin(line.to_string())).code(0);
        let said = annals(&project, &["claim", "All tests pass."]).code(1).out();
        assert!(said.contains(why) && said.contains(named), "{command}: {said}");
        assert!(!said.contains(&format!("Run `{command}`")), "{command}: {said}");
    }
}
