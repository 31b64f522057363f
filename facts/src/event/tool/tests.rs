//! Tool names: the locked list, validity, native names.

use super::*;

#[test]
fn the_contract_has_its_eleven_names_and_all_are_valid() {
    assert_eq!(CONTRACT.len(), 11);
    for name in CONTRACT.iter().chain(&DECLARED_BY_INIT) {
        assert!(is_valid(name), "{name}");
    }
    assert!(DECLARED_BY_INIT.iter().all(|name| !CONTRACT.contains(name)));
}

#[test]
fn a_name_is_valid_or_made_so() {
    for (name, valid) in [
        ("bash_exec", true),
        ("mcp__server__tool", true),
        ("functions.apply_patch", true),
        ("", false),
        ("-x", false),
        ("a b", false),
        ("x'); DROP TABLE executions; --", false),
        ("naïve", false),
        (&"x".repeat(128), true),
        (&"x".repeat(129), false),
    ] {
        assert_eq!(is_valid(name), valid, "{name}");
        let made = made_valid(name);
        assert!(is_valid(&made), "{name} became {made}");
        assert!(!valid || made == name, "{name} became {made}");
    }
}

#[test]
fn native_names_map_where_the_meaning_is_the_same() {
    for (native, ours) in [
        ("Read", Some("file_read")),
        ("Write", Some("file_write")),
        ("Edit", Some("file_edit")),
        ("MultiEdit", Some("file_edit")),
        ("Grep", Some("file_search")),
        ("Glob", Some("file_glob")),
        ("Bash", Some("bash_exec")),
        ("Task", None),
        ("TodoWrite", None),
    ] {
        assert_eq!(of_claude_code(native), ours, "{native}");
    }
    for (native, ours) in [
        ("shell", Some("bash_exec")),
        ("exec_command", Some("bash_exec")),
        ("local_shell", Some("bash_exec")),
        ("Bash", Some("bash_exec")),
        ("apply_patch", Some("file_edit")),
        ("read_file", Some("file_read")),
        ("write_stdin", None),
        ("update_plan", None),
        ("mcp__docs__search", None),
    ] {
        assert_eq!(of_codex(native), ours, "{native}");
    }
    assert_eq!((written(true), written(false)), ("file_create", "file_write"));
}

#[test]
fn what_changes_files_is_exactly_spec_001s_list() {
    let listed = ["file_edit", "file_write", "file_create", "splice_patch"];
    for name in CONTRACT.into_iter().chain(DECLARED_BY_INIT).chain(["Edit", "file_edits", ""]) {
        assert_eq!(is_mutation(name), listed.contains(&name), "{name}");
    }
}

#[test]
fn a_tool_that_only_looks_has_nothing_to_lose() {
    for (tool, expected) in [
        ("file_read", Stake::Nothing),
        ("file_search", Stake::Nothing),
        ("WebFetch", Stake::Nothing),
        ("AskUserQuestion", Stake::Nothing),
        ("ToolSearch", Stake::Nothing),
        ("mcp__fs__read_file", Stake::Nothing),
        ("mcp__fs__list_directory", Stake::Nothing),
        ("mcp__tracker__getIssue", Stake::Nothing),
        ("ReadMcpResourceTool", Stake::Nothing),
        ("file_edit", Stake::Deed),
        ("file_write", Stake::Deed),
        ("mcp__fs__write_file", Stake::Files),
        ("mcp__fs__find_and_replace", Stake::Files),
        ("mcp__db__get_or_create", Stake::Files),
        ("mcp__db__query", Stake::Files),
        ("mcp__tests__run", Stake::Files),
        ("mcp__read__run", Stake::Files),
        ("bash_exec", Stake::Files),
        ("splice_patch", Stake::Files),
        ("splice_plan", Stake::Files),
        ("lsp_check", Stake::Files),
        ("ready", Stake::Files),
        ("", Stake::Files),
    ] {
        assert_eq!(stake(tool), expected, "{tool}");
    }
}
