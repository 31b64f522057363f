//! What failed to look at something: it is told, and takes no proof from what passed.

use std::convert::Infallible;

use super::super::judge_claim;
use super::made::Made;
use crate::event::Outcome;

#[test]
fn a_look_that_failed_takes_no_proof_from_a_check_that_passed() {
    for (tool, arguments, stands) in [
        ("file_read", r#"{"path":"gone.rs"}"#, true),
        ("file_search", r#"{"pattern":"["}"#, true),
        ("WebFetch", r#"{"url":"https://example.org"}"#, true),
        ("AskUserQuestion", "{}", true),
        ("ToolSearch", r#"{"query":"x"}"#, true),
        ("mcp__fs__read_file", r#"{"path":"gone.rs"}"#, true),
        ("bash_exec", r#"{"command":"ls nowhere"}"#, true),
        ("bash_exec", r#"{"command":"cd src && cat gone.rs"}"#, true),
        // A deed that changed no file takes none from what is said of checks.
        ("file_edit", r#"{"path":"src/foo.rs"}"#, true),
        ("bash_exec", r#"{"command":"git push"}"#, true),
        ("bash_exec", r#"{"command":"rm x && ls x"}"#, false),
        ("bash_exec", r#"{"command":"sed -i s/a/b/ x.rs; ls nowhere"}"#, false),
        ("mcp__fs__write_file", r#"{"path":"a.rs"}"#, false),
        ("bash_exec", r#"{"command":"./deploy"}"#, false),
        ("lsp_check", "{}", false),
        ("mcp__tests__run", "{}", false),
    ] {
        let made = Made::new()
            .ran(9_000, "file_edit", r#"{"path":"src/foo.rs"}"#, Outcome::Ok)
            .ran(5_000, "bash_exec", r#"{"command":"cargo test"}"#, Outcome::Ok)
            .ran(1_000, tool, arguments, Outcome::Failed);
        let known = |_: &_| Ok::<_, Infallible>(None);
        let claim = judge_claim(&made.grounding, "all tests pass", known).unwrap();
        assert_eq!(claim.is_accepted(), stands, "{tool}");
        assert_eq!(made.grounding.failed, 1, "{tool}: it is counted");
    }
}

#[test]
fn a_claim_of_what_a_call_failed_at_needs_one_that_went_well() {
    let cat = r#"{"command":"cat build/out.txt"}"#;
    let test = r#"{"command":"test -f build/out.txt"}"#;
    let read = r#"{"path":"build/out.txt"}"#;
    let fetch = r#"{"url":"http://localhost:3000/health"}"#;
    let page = r#"{"url":"https://example.org/a"}"#;
    let push = r#"{"command":"git push origin main"}"#;
    // What failed, what went well since, what is claimed, whether it stands.
    let table = [
        ("file_read", read, None, "out.txt is generated.", false),
        ("file_read", read, None, "All tests pass and `build/out.txt` is there.", false),
        ("file_read", read, None, "No failures, out.txt is written.", false),
        ("mcp__fs__read_file", read, None, "out.txt is generated.", false),
        ("bash_exec", cat, None, "out.txt is generated.", false),
        ("bash_exec", test, None, "out.txt is generated.", false),
        ("file_read", read, Some(("file_read", read)), "out.txt is generated.", true),
        ("file_read", read, Some(("file_create", read)), "out.txt is generated.", false),
        ("file_read", read, Some(("bash_exec", cat)), "out.txt is generated.", true),
        ("file_read", read, None, "All tests pass.", true),
        ("file_read", read, None, "All tests pass, out.txt was removed.", true),
        ("file_read", read, None, "layout.txt is generated.", true),
        ("WebFetch", fetch, None, "The server is up.", false),
        ("WebFetch", fetch, None, "localhost:3000 answers.", false),
        ("WebFetch", fetch, None, "http://localhost:3000/ answers.", false),
        ("WebFetch", fetch, Some(("WebFetch", fetch)), "The server is up.", true),
        ("WebFetch", fetch, None, "All tests pass.", true),
        ("WebFetch", page, None, "example.org is online.", false),
        ("WebFetch", page, None, "The server is up.", true),
        ("bash_exec", push, None, "All tests pass, and it is pushed.", false),
        ("bash_exec", push, Some(("bash_exec", push)), "All tests pass, and it is pushed.", true),
        ("file_edit", read, None, "Fixed out.txt, all tests pass.", false),
    ];
    for (tool, arguments, then, text, stands) in table {
        let tests = r#"{"command":"cargo test"}"#;
        let made = Made::new().ran(5_000, "bash_exec", tests, Outcome::Ok);
        let mut made = made.ran(1_000, tool, arguments, Outcome::Failed);
        if let Some((tool, arguments)) = then {
            made = made.ran(500, tool, arguments, Outcome::Ok);
        }
        let known = |_: &_| Ok::<_, Infallible>(None);
        let claim = judge_claim(&made.grounding, text, known).unwrap();
        assert_eq!(claim.is_accepted(), stands, "{tool} {arguments} {then:?}: {text}");
    }
}
