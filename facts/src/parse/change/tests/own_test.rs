//! What of the test that failed may change, and what hides whether it ran again.

use super::*;

#[test]
fn what_leaves_the_test_as_it_was_hides_no_fix() {
    let good = || edit("a.go", "return 1", "return 2");
    let test = |old: &str, new: &str| edit("a_test.go", old, new);
    let body = "if A() != 2 {\nt.Fatal()\n}\n}";
    let whole = |name: &str| format!("func {name}(t *testing.T) {{\n{body}");
    for (name, hunks) in [
        ("renamed", vec![test(&whole("TestA"), &whole("TestTwo"))]),
        ("moved", vec![test(&whole("TestA"), ""), edit("b_test.go", "", &whole("TestA"))]),
        ("with another", vec![test("", &whole("TestB"))]),
        ("with a comment", vec![test("if A() != 2 {", "// two\nif A() != 2 {")]),
        ("laid out otherwise", vec![test("if A() != 2 {", "if  A() != 2  {")]),
        ("moved by a shell", vec![Hunk::of_command("a_test.go", "git mv a_test.go two_test.go")]),
        ("with what is declared", vec![Hunk::of_command("", "go mod tidy && npm ci")]),
        ("formatted", vec![Hunk::of_command("a_test.go", "gofmt -w .")]),
        ("with another's test", vec![edit("c_test.go", "if C() != 2 {", "if C() != 3 {")]),
    ] {
        let hunks = [hunks, vec![good()]].concat();
        assert_eq!(left(&hunks, of_test()), "-return 1|+return 2|", "{name}");
    }
    let renamed_to = renamed(&[test(&whole("TestA"), &whole("TestTwo"))]);
    assert_eq!(renamed_to, [("TestA".to_owned(), "TestTwo".to_owned())]);
    let said = "tests/test_a.py:5: assert 1 == 2 test_a";
    for file in ["tests/helpers.py", "conftest.py", "tests/conftest.py"] {
        let hunk = edit(file, "return 1", "return 2");
        let found = left(&[hunk], FailedBy { said, ..of_test() });
        assert_eq!(found, "-return 1|+return 2|", "{file}");
    }
}

#[test]
fn a_command_that_may_change_the_test_teaches_nothing_of_it() {
    let good = || edit("a.go", "return 1", "return 2");
    let said = "pkg/a_test.go:5: got 1, want 2 TestA";
    for (command, is_fix) in [
        ("sed -i s/2/1/ pkg/a_test.go", false),
        ("cd pkg && sed -i s/2/1/ a_test.go", false),
        ("sed -i s/2/1/ pkg/*.go", false),
        ("sed -i s/2/1/ pkg/a.go", true),
        ("cd pkg && sed -i s/1/2/ a.go && go test ./...", true),
        ("grep -rl 'want 2' . | xargs sed -i s/2/1/", false),
        ("for f in *.go; do perl -pi -e s/2/1/ $f; done", false),
        ("find . -name '*_test.go' -delete", false),
        ("find . -name '*_test.go'", true),
        ("rm -rf pkg", false),
        ("rm -rf dist", true),
        ("mv pkg/a_test.go /tmp/", false),
        ("mv pkg/a_test.go pkg/_a_test.go", false),
        ("cp /tmp/other.go pkg/a_test.go", false),
        ("cp pkg/a_test.go /tmp/kept.go", true),
        ("echo 'package pkg' > pkg/a_test.go", false),
        ("go test ./pkg/ > out.txt", true),
        ("python3 - <<'EOF'\nopen('pkg/a_test.go', 'w').write('')\nEOF", false),
        ("python3 - <<'EOF'\nopen('pkg/a.go', 'w').write('')\nEOF", true),
        ("python3 -c \"import glob; [open(it, 'w') for it in glob.glob('*/*.go')]\"", false),
        ("python3 mend.py pkg/a_test.go", false),
        ("python3 mend.py", true),
        ("./mend.sh pkg", false),
        ("cat pkg/a_test.go; git diff pkg/a_test.go; go test -v ./pkg -run TestA", true),
        ("git -C . checkout pkg", false),
        ("git co -- .", false),
        ("git stash && go test ./...", false),
        ("git add -A && git commit -qm x && git push", true),
        ("patch -p1 < mend.patch", false),
        ("gofmt -w . && cargo fmt", true),
    ] {
        let hunks = [good(), Hunk::of_command("", command)];
        let judged = hunks.iter().filter(|it| {
            it.command.as_ref().is_none_or(|it| is_judged(it, FailedBy { said, ..of_test() }))
        });
        let judged: Vec<Hunk> = judged.cloned().collect();
        let is_left = !left(&judged, FailedBy { said, ..of_test() }).is_empty();
        assert_eq!(is_left, is_fix, "{command}");
    }
}
