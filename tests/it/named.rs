//! Names that nobody has, and the beginning of a session's id wherever a session is asked for.

use crate::project::{Project, Ran};

const SESSIONS: [&str; 3] = [
    "aaaaaaaa-1111-4222-8333-444444444444",
    "aaaaaaaa-2222-4222-8333-444444444444",
    "bbbbbbbb-1111-4222-8333-444444444444",
];

/// A check that passed in each session, and a call that failed in the last.
fn filled() -> Project {
    let project = Project::new();
    let ran = |session: &str, tool: &str, command: &str, exit_code: i32| {
        let line = format!(
            r#"{{"tool":"{tool}","arguments":{{"command":"{command}"}},"exit_code":{exit_code},"session":"{session}"}}"#
        );
        Ran::of(project.command().arg("record").write_stdin(line)).code(0);
    };
    SESSIONS.iter().for_each(|session| ran(session, "bash_exec", "cargo test", 0));
    ran(SESSIONS[2], "bash_exec", "./deploy", 1);
    project
}

#[test]
fn a_name_that_nobody_has_is_no_empty_answer() {
    let project = filled();
    for (arguments, why) in [
        (&["log", "--session", "zzz"][..], "no session \"zzz\" is on record"),
        (&["log", "--session", "zzz", "--json"], "no session \"zzz\" is on record"),
        (&["failures", "--session", "cccc"], "no session \"cccc\" is on record"),
        (&["timeline", "--session", "zzz"], "no session \"zzz\" is on record"),
        (&["log", "--tool", "Bash_exec"], "no call of a tool \"Bash_exec\" is on record"),
        (&["failures", "--tool", "zzz"], "no call of a tool \"zzz\" is on record"),
        (&["timeline", "--session", "aaaa"], "\"aaaa\" begins 2 ids or more; give more of it"),
        (&["log", "--session", "aaaa"], "\"aaaa\" begins 2 ids or more; give more of it"),
        (&["failures", "--session", "aaaa"], "\"aaaa\" begins 2 ids or more; give more of it"),
    ] {
        project.annals(arguments).code(2).says(why);
    }
    for (arguments, answer) in [
        (&["failures", "--session", "aaaaaaaa-1"][..], "Nothing failed"),
        (&["failures", "--tool", "lsp_check"], "Nothing failed"),
        (&["log", "--session", "aaaaaaaa-1"], "cargo test"),
        (&["log", "--session", "bbbb", "--tool", "file_edit"], "Nothing matches"),
    ] {
        project.annals(arguments).code(0).says(answer);
    }
}

#[test]
fn a_session_is_named_by_its_beginning_to_the_gate_as_to_questions() {
    let project = filled();
    let sessions =
        || project.annals(["sessions", "--json"]).code(0).json().as_array().map(Vec::len);
    let before = sessions();
    project
        .annals(["claim", "all tests pass", "--session", "aaaaaaaa-1"])
        .code(0)
        .says("passed after")
        .says(&format!("{} is meant by \"aaaaaaaa-1\"", SESSIONS[0]));
    project.annals(["claim", "all tests pass", "--session", "bbbb"]).code(1);
    project.annals(["step", "begin", "--session", "aaaaaaaa-1"]).code(0).says("Step 1 begins");
    project
        .annals(["claim", "all is done", "--session", "aaaa"])
        .code(2)
        .says("begins 2 ids or more");
    assert_eq!(sessions(), before, "none was begun");
    project.annals(["step", "begin", "--session", "cafe"]).code(0);
    assert_ne!(sessions(), before, "a name that nobody has begins one");
}

#[test]
fn sessions_that_are_not_shown_are_told_of() {
    let project = filled();
    project.annals(["sessions", "-n", "2"]).code(0).says("There are earlier ones");
    let all = project.annals(["sessions", "--json"]).code(0).json();
    let two = project.annals(["sessions", "-n", "2", "--json"]).code(0).json();
    assert_eq!(two.as_array(), all.as_array().map(|it| it[1..].to_vec()).as_ref());
    assert!(!project.annals(["sessions", "-n", "3"]).code(0).out().contains("earlier"));
}
