//! What programs that a check ran are ended by, and what they only logged.

use super::causes;

#[test]
fn what_make_ran_has_causes_of_its_own() {
    for (printed, kind) in [
        (
            "t: t.c:3: main: Assertion `add(1,2)==3' failed.\nmake: *** [Makefile:3: test] Aborted\n",
            "Assertion `add(1,2)==3' failed",
        ),
        (
            "t.c:(.text+0xf): undefined reference to `add'\ncollect2: error: ld returned 1 exit status\n\
             make: *** [Makefile:5: t] Error 1\n",
            "gcc undefined reference to <name>",
        ),
        ("./t\nmake: *** [Makefile:3: test] Segmentation fault\n", "Segmentation fault"),
        (
            "sh run.sh\nrun.sh: 2: NOPE: parameter not set\nmake: *** [Makefile:3: test] Error 2\n",
            "sh NOPE: parameter not set",
        ),
    ] {
        let kinds: Vec<String> =
            causes("make test", printed).into_iter().map(|it| it.kind).collect();
        assert_eq!(kinds, [kind], "{printed}");
    }
}

#[test]
fn what_a_test_only_logged_is_not_its_cause() {
    let printed = "=== RUN   TestA\n    hooks.go:155: Hook output: INFO stop\n    a_test.go:53: Expected x, got y\n\
                   --- FAIL: TestA (1.0s)\nFAIL\nFAIL\tx\t1.0s\nFAIL\n";
    let found = causes("go test -v ./...", printed);
    assert_eq!(found[0].kind, "AssertionError Expected x, got y");
    assert!(found[0].is_of_test);
    let built = causes(
        "go test ./...",
        "# x [x.test]\n./a_test.go:3:2: undefined: y\nFAIL\tx [build failed]\n",
    );
    assert!(built.iter().all(|it| !it.is_of_test), "{built:?}");
}
