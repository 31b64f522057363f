//! Causes, and the masks of what differs.

mod programs;

use super::template::template;
use super::*;
use crate::parse::check::lines::OutputStream;
use crate::parse::check::{CheckReader, CheckRules};

fn causes(command: &str, printed: &str) -> Vec<Cause> {
    let mut reader = CheckReader::of(command, &CheckRules::default());
    reader.feed(OutputStream::Stdout, printed.as_bytes());
    let report = reader.finish(Some(1));
    Cause::of(Some(&report), &report.diagnostics(), report.telling.as_deref())
}

#[test]
fn what_differs_is_masked_by_its_kind() {
    for (message, is_compiler, masked) in [
        ("undefined: foo", true, "undefined: <name>"),
        ("undefined: Cart", true, "undefined: <name>"),
        ("declared and not used: total", true, "declared and not used: <name>"),
        ("total declared but not used", true, "<name> declared but not used"),
        ("missing return", true, "missing return"),
        (
            "cannot use x (variable of type int) as string value in return statement",
            true,
            "cannot use <name> (variable of type <name>) as <name> value in return statement",
        ),
        ("cannot find value `cuont` in this scope", true, "cannot find value <name> in this scope"),
        ("name 'factroy' is not defined", false, "name <name> is not defined"),
        ("name 'dta' is not defined", false, "name <name> is not defined"),
        (
            "index out of range [5] with length 3",
            false,
            "index out of range [<num>] with length <num>",
        ),
        (
            "open /tmp/x1/config.json: no such file or directory",
            false,
            "open <path>: no such file or directory",
        ),
        ("pointer 0xc000123456 was freed", false, "pointer <addr> was freed"),
        (
            "Property 'x' does not exist on type 'Cart'.",
            true,
            "Property <name> does not exist on type <name>.",
        ),
        (
            "Argument of type 'string' is not assignable to parameter of type 'number'.",
            true,
            "Argument of type <name> is not assignable to parameter of type <name>.",
        ),
        ("missing structure fields: a_b, c_d and e_f", true, "missing structure field: <name>…"),
        ("expected ‘;’ before ‘}’ token", true, "expected <name> before <name> token"),
        // Whatever the types are, and however an expression is written.
        (
            "cannot use k.rows (variable of type *keptCart) as float64 value in argument to need",
            true,
            "cannot use <name> (variable of type <name>) as <name> value in argument to <name>",
        ),
        (
            "cart{…}.Total undefined (type cart has no field)",
            true,
            "<name> undefined (type <name> has no field)",
        ),
        (
            "Sprintf format %d has arg price of wrong type string",
            true,
            "Sprintf format <verb> has arg <name> of wrong type <name>",
        ),
        (
            "invalid operation: price * count (mismatched types int and Cart)",
            true,
            "invalid operation: <name> * <name> (mismatched type <name>…)",
        ),
        ("all.slice(...).order is not a function", false, "<name> is not a function"),
        (
            "no method `a` found for mutable reference `&mut Vec<u32>` here",
            true,
            "no method <name> found for <name> here",
        ),
        (
            "no method `a` found for reference `&str` here",
            true,
            "no method <name> found for <name> here",
        ),
        // One or several.
        (
            "f() missing 2 required positional arguments: 'a' and 'b'",
            false,
            "<name> missing <num> required positional argument: <name>…",
        ),
        // That nothing is there, or that it is still wrapped, is what is wrong.
        (
            "'NoneType' object has no attribute 'x'",
            false,
            "NoneType object has no attribute <name>",
        ),
        ("'list' object has no attribute 'push'", false, "<name> object has no attribute <name>"),
        (
            "Type 'Promise<number>' is not assignable to type 'number'.",
            true,
            "Type Promise is not assignable to type <name>.",
        ),
        (
            "Type 'string' is not assignable to type 'never'.",
            true,
            "Type <name> is not assignable to type never.",
        ),
        ("called `Option::unwrap()` on a `None` value", false, "called Option on a None value"),
        ("\"Unexpected token in JSON\"", false, "Unexpected token in JSON"),
        (
            "`Unexpected token 'b', \"basket\" is not valid JSON`",
            false,
            "Unexpected token <name>… is not valid JSON",
        ),
        ("pct is not defined", false, "<name> is not defined"),
        ("rows is not iterable", false, "<name> is not iterable"),
        (
            "error returned from external package is unwrapped: sig: func (*git.Repository).Worktree() (*git.Worktree, error)",
            true,
            "error returned from external package is unwrapped: sig: <name>",
        ),
        ("", true, ""),
    ] {
        assert_eq!(template(message, is_compiler).0, masked, "{message}");
    }
}

#[test]
fn one_cause_is_known_again_in_another_place() {
    let same = |command: &str, one: &str, other: &str| {
        let (one, other) = (causes(command, one), causes(command, other));
        assert!(!one.is_empty() && !other.is_empty(), "{command}");
        one[0].key() == other[0].key()
    };
    assert!(same(
        "go build ./...",
        "# m\n./a.go:3:2: undefined: foo\n",
        "# m/b\nb/c.go:9:7: undefined: Bar\n"
    ));
    assert!(!same(
        "go build ./...",
        "# m\n./a.go:3:2: undefined: foo\n",
        "# m\n./a.go:3:2: missing return\n"
    ));
    let pytest = |file: &str, test: &str, error: &str| {
        format!(
            "=== FAILURES ===\n___ {test} ___\n\n    def {test}():\n>       go()\nE       {error}\n\n{file}:3: X\n\
                 === short test summary info ===\nFAILED {file}::{test} - {error}\n=== 1 failed in 0.02s ===\n"
        )
    };
    let name = |it: &str| format!("NameError: name '{it}' is not defined");
    assert!(same(
        "pytest",
        &pytest("a.py", "test_a", &name("factroy")),
        &pytest("b.py", "test_b", &name("dta"))
    ));
    // An assertion tells only with its test.
    let wrong = "AssertionError: assert 1 == 2";
    assert!(!same("pytest", &pytest("a.py", "test_a", wrong), &pytest("b.py", "test_b", wrong)));
    assert!(same(
        "pytest",
        &pytest("a.py", "test_a", wrong),
        &pytest("a.py", "test_a", "AssertionError: assert 3 == 2")
    ));
}

#[test]
fn what_is_no_check_has_a_cause_where_it_threw() {
    let of = |line: &str| Cause::of(None, &[], Some(line));
    assert_eq!(
        of("NameError: name 'x' is not defined (a.py:2)")[0].kind,
        "NameError name <name> is not defined"
    );
    assert_eq!(of("NameError: name 'x' is not defined (a.py:2)")[0].place.as_deref(), Some("a.py"));
    assert_eq!(
        of("panic: runtime error: index out of range [5] with length 3")[0].kind,
        "panic runtime error: index out of range [<num>] with length <num>"
    );
    assert_eq!(of("failed with exit code 1"), []);
    assert_eq!(of("fatal: not a git repository"), []);
    assert_eq!(of("error: pathspec 'x' did not match"), []);
}

#[test]
fn one_cause_in_many_tests_is_one() {
    let lines: String = (0..46)
        .map(|it| format!("FAILED t.py::test_{it} - NameError: name 'go' is not defined\n"))
        .collect();
    let printed = format!("=== short test summary info ===\n{lines}=== 46 failed in 0.02s ===\n");
    assert_eq!(causes("pytest", &printed).len(), 1);
}

#[test]
fn an_exception_whose_type_is_told_beside_its_message_is_met_anywhere() {
    let failure = |test: &str, error_type, message: &str| TestFailure {
        test_name: test.to_owned(),
        test_file: None,
        test_line: None,
        error_type,
        error_message: message.to_owned(),
        stack_trace: None,
        expected: None,
        actual: None,
        source_location: None,
    };
    for (of, message, is_general) in [
        (ErrorType::TypeError, "f() missing 1 required positional argument: 'x'", true),
        (ErrorType::RuntimeError, "attempt to subtract with overflow", true),
        (ErrorType::ReferenceError, "x is not defined", true),
        (ErrorType::RuntimeError, "failed", false),
        (ErrorType::TimeoutError, "it took longer than that", false),
        (ErrorType::AssertionError, "the total is not what was wanted", false),
        (ErrorType::Other, "the total is not what was wanted", false),
    ] {
        let key = |test: &str| Cause::of_test(&failure(test, of, message)).key();
        assert_eq!(key("a") == key("b"), is_general, "{message}");
    }
}

#[test]
fn what_ended_a_failure_is_offered_where_the_names_do_not_speak_against_it() {
    for (one, other, expected) in [
        ("undefined: strings", "undefined: strings", Some(3)),
        // An import is missing, or a name is misspelt.
        ("undefined: strings", "undefined: path", Some(1)),
        ("undefined: totl_price", "undefined: itemCont", Some(1)),
        ("undefined: strings", "undefined: amontPrice", None),
        ("undefined: Cart", "undefined: cart", Some(2)),
        ("undefined: Cart", "undefined: basket", None),
        // What was there before: another is elsewhere now.
        ("undefined: paths.ShadowBranchPrefix", "undefined: cpID", None),
        ("undefined: paths.ShadowBranchPrefix", "undefined: paths.ValidateSessionID", Some(2)),
        ("undefined: EntireSessionID", "undefined: AgentTypeGemini", None),
        ("undefined: agent", "undefined: AgentTypeGemini", None),
        (
            "blob.Writer undefined (type plumbing.Hash has no field or method Writer)",
            "m.Intent undefined (type BlobMetadata has no field or method Intent)",
            None,
        ),
        (
            "strat.GetSessionLog undefined (type strategy.Strategy has no field or method GetSessionLog)",
            "cmd.SetOut undefined (type *exec.Cmd has no field or method SetOut)",
            None,
        ),
        (
            "strat.GetSessionLog undefined (type strategy.Strategy has no field or method GetSessionLog)",
            "s.GetSessionLog undefined (type *Auto has no field or method GetSessionLog)",
            Some(2),
        ),
        // One type of another.
        (
            "cannot use checkpointID (variable of type string) as id.CheckpointID value in argument to f",
            "cannot use committedContent (variable of type string) as []byte value in argument to g.h",
            None,
        ),
        (
            "cannot use checkpointID (variable of type string) as id.CheckpointID value in argument to f",
            "cannot use cp.Other (variable of type string) as id.CheckpointID value in argument to g",
            Some(2),
        ),
        (
            "cannot use total (variable of type int) as string value in argument to f",
            "cannot use countOf (variable of type int) as string value in argument to g",
            Some(0),
        ),
        // What is not needed goes, whatever its name is.
        ("declared and not used: strat", "declared and not used: commitRemoved", Some(0)),
    ] {
        let ((kind, one), other) = (template(one, true), template(other, true).1);
        assert_eq!(likeness(&kind, &one, &other), expected, "{kind}: {one} | {other}");
    }
}
