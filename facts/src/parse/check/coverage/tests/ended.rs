//! Which failures later calls end, each with where it ran: a table of failed call, later call, and whether it is over.

use super::*;
use crate::event::target::Target;
use crate::parse::check::call_key;

/// The root of the project whose calls these are.
const ROOT: &str = "/w";

/// A command, where it ran (`-`: nobody said), and what it printed.
pub(super) type Call<'a> = (&'a str, &'a str, &'a str);

/// Whether a call that passed ends one that failed, as the stores judge it: by what it looked at, or as the same call.
pub(super) fn ends(failed: Call<'_>, passed: Call<'_>) -> (bool, String) {
    let report = |(command, cwd, printed): Call<'_>, code| {
        let site = Site { root: ROOT, cwd: Some(cwd).filter(|it| *it != "-") };
        let mut reader = CheckReader::of(command, &CheckRules::default());
        reader.feed(OutputStream::Stdout, printed.as_bytes());
        let key = call_key(Target::of_command(command.to_owned()).key(), Some(command), site);
        (reader.finish(Some(code)).placed(site), key)
    };
    let ((failed, key), (passed, other)) = (report(failed, 1), report(passed, 0));
    let (need, reached) = (need(&failed), passed.reached());
    let is_shown = need.as_ref().is_some_and(|need| reached.iter().any(|it| it.covers(need)));
    let is_missed = need.as_ref().is_some_and(|need| reached.iter().any(|it| it.misses(need)));
    let is_same =
        key == other && !is_missed && passed.verdict == Verdict::Passed && !passed.is_partial;
    (is_shown || is_same, format!("{need:?}\n    {:?} {reached:?}", passed.verdict))
}

pub(super) fn hold(table: &[(Call<'_>, Call<'_>, bool)]) {
    let wrong: Vec<String> = table
        .iter()
        .filter_map(|(failed, passed, is_over)| {
            let (ends, why) = ends(*failed, *passed);
            let told = || format!("{:?} then {:?}: {ends}\n    {why}", failed.0, passed.0);
            (ends != *is_over).then(told)
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

pub(super) const A: &str = "-";
pub(super) const NOTHING: &str = "";
pub(super) const CUSTOM: &str = "error: no\n";
pub(super) const JEST_A: &str = "PASS src/sum.test.js\nTests:       1 passed, 1 total\n";
const GO_PASS: &str = GO_OK;
pub(super) const MYPY: &str = "a.py:3: error: Name \"x\" is not defined  [name-defined]\nFound 1 error in 1 file (checked 2 source files)\n";
pub(super) const MYPY_OK: &str = "Success: no issues found in 2 source files\n";
const PLAYWRIGHT: &str = "Running 1 test using 1 worker\n\n  1) tests/a.spec.ts:3:5 \u{203a} adds \u{2500}\u{2500}\u{2500}\n\n    Error: no\n\n        at /w/tests/a.spec.ts:4:9\n\n  1 failed\n    tests/a.spec.ts:3:5 \u{203a} adds \u{2500}\u{2500}\u{2500}\n";
const PLAYWRIGHT_OK: &str = "Running 1 test using 1 worker\n\n  1 passed (1.2s)\n";

#[test]
fn where_it_looks_is_one_line_of_sight() {
    let rust_w = RUST;
    hold(&[
        // Without a folder it ran in the root.
        (("pytest", A, PYTEST), ("pytest", "/w", PYTEST_OK), true),
        (("pytest", "/w", PYTEST), ("pytest -q", A, PYTEST_OK), true),
        (("pytest", "/w/a", PYTEST), ("pytest", A, PYTEST_OK), true),
        (("pytest", A, PYTEST), ("pytest", "/w/a", PYTEST_OK), false),
        (("pytest", A, PYTEST), ("pytest", "/v", PYTEST_OK), false),
        (("pytest", "/v", PYTEST), ("pytest", A, PYTEST_OK), false),
        (("npm run build", A, CUSTOM), ("npm run build", "/w", NOTHING), true),
        (("npm run build", A, CUSTOM), ("npm run build", "/w/b", NOTHING), false),
        (("cd a && pytest", A, PYTEST), ("pytest", "/w/a", PYTEST_OK), true),
        (("cd /w && pytest", "/w/a", PYTEST), ("pytest", A, PYTEST_OK), true),
        (("(cd b && true); (cd a && pytest)", A, PYTEST), ("cd a && pytest", A, PYTEST_OK), true),
        (("(cd a && true); pytest", A, PYTEST), ("pytest", A, PYTEST_OK), true),
        (("cd a && (cd b && pytest)", A, PYTEST), ("cd a/b && pytest", A, PYTEST_OK), true),
        (("bash -c 'cd a && true'; pytest", A, PYTEST), ("cd a && pytest", A, PYTEST_OK), false),
        (("cd a && bash -c 'pytest'", A, PYTEST), ("cd a && pytest", A, PYTEST_OK), true),
        // Led there by a word.
        (("env -C a pytest", A, PYTEST), ("env -C b pytest", A, PYTEST_OK), false),
        (("env -C a pytest", A, PYTEST), ("cd a && pytest", A, PYTEST_OK), true),
        (("env --chdir=a pytest", A, PYTEST), ("pytest", "/w/a", PYTEST_OK), true),
        (
            ("uv run --directory a pytest", A, PYTEST),
            ("uv run --directory b pytest", A, PYTEST_OK),
            false,
        ),
        (("uv run --directory a pytest", A, PYTEST), ("cd a && uv run pytest", A, PYTEST_OK), true),
        (("uv --directory a run pytest", A, PYTEST), ("cd a && pytest", A, PYTEST_OK), true),
        (("mvn -f a test", A, MVN), ("mvn -f b test", A, MVN_OK), false),
        (("mvn -f a/pom.xml test", A, MVN), ("cd a && mvn test", A, MVN_OK), true),
        (("gradle -p a test", A, MVN), ("gradle -p b test", A, MVN_OK), false),
        (("gradle -p a test", A, MVN), ("cd a && gradle test", A, MVN_OK), true),
        (
            ("cargo check --manifest-path a/Cargo.toml", A, rust_w),
            ("cargo check --manifest-path b/Cargo.toml", A, NOTHING),
            false,
        ),
        (
            ("cargo check --manifest-path a/Cargo.toml", A, rust_w),
            ("cd a && cargo check", A, NOTHING),
            true,
        ),
        (
            ("cd a && cargo check", A, rust_w),
            ("cargo check --manifest-path=a/Cargo.toml", A, NOTHING),
            true,
        ),
        (("npm --prefix a test", A, JEST), ("npm --prefix b test", A, JEST_OK), false),
        (("npm --prefix a test", A, JEST), ("cd a && npm test", A, JEST_A), true),
        (("pnpm -C a test", A, JEST), ("pnpm -C b test", A, JEST_A), false),
        (("pnpm -C a test", A, JEST), ("cd a && pnpm test", A, JEST_A), true),
        (("pnpm -C a exec vitest run", A, JEST), ("pnpm -C b exec vitest run", A, JEST_A), false),
        (("yarn --cwd a test", A, JEST), ("yarn --cwd b test", A, JEST_A), false),
        (("yarn --cwd a test", A, JEST), ("cd a && yarn test", A, JEST_A), true),
        (("make -C a test", A, PYTEST), ("make -C b test", A, PYTEST_OK), false),
        (("make -C a test", A, PYTEST), ("cd a && make test", A, PYTEST_OK), true),
        (("make -Ca test", A, PYTEST), ("make --directory=a test", A, PYTEST_OK), true),
        (("poetry -C a run pytest", A, PYTEST), ("poetry -C b run pytest", A, PYTEST_OK), false),
        (("poetry -C a run pytest", A, PYTEST), ("cd a && poetry run pytest", A, PYTEST_OK), true),
        (("tox -c a", A, CUSTOM), ("tox -c b", A, "congratulations :)\n"), false),
        (("tox -c a/tox.ini", A, CUSTOM), ("cd a && tox", A, "congratulations :)\n"), true),
        (("go -C a test ./...", A, GO_TEST), ("go -C b test ./...", A, GO_PASS), false),
        (("cd a && go test ./...", A, GO_TEST), ("go test ./a/...", A, GO_PASS), true),
        (("cd a && go test ./...", A, GO_TEST), ("go -C a test ./...", A, GO_PASS), true),
        (("go test ./a/...", A, GO_TEST), ("go -C a test ./...", "/w", GO_PASS), true),
        (("go -C a test ./...", A, GO_TEST), ("go test ./a/...", A, GO_PASS), true),
        (("cd a && mypy .", A, MYPY), ("cd b && mypy .", A, MYPY_OK), false),
        // A browser's tests behind whatever stands there.
        (
            ("npx playwright test", A, PLAYWRIGHT),
            ("sleep 3; npx playwright test", A, PLAYWRIGHT_OK),
            true,
        ),
        (
            ("npx playwright test", A, PLAYWRIGHT),
            ("CI=1 npx playwright test", A, PLAYWRIGHT_OK),
            true,
        ),
        (
            ("npx playwright test", A, PLAYWRIGHT),
            ("timeout 60 npx playwright test", A, PLAYWRIGHT_OK),
            true,
        ),
        (
            ("npx playwright test", A, PLAYWRIGHT),
            ("npx playwright test --workers=1", A, PLAYWRIGHT_OK),
            true,
        ),
        (
            ("npx playwright test", A, PLAYWRIGHT),
            ("npx playwright test --workers 1 tests/a.spec.ts", A, PLAYWRIGHT_OK),
            true,
        ),
        (
            ("npx playwright test", A, PLAYWRIGHT),
            ("npx playwright test tests/b.spec.ts", A, PLAYWRIGHT_OK),
            false,
        ),
        (("npx playwright test", A, PLAYWRIGHT), ("npx jest", A, JEST_OK), false),
    ]);
}

pub(super) const ESLINT: &str =
    "\n/w/src/a.js\n  3:1  error  no  no-undef\n\n\u{2716} 1 problem (1 error, 0 warnings)\n\n";

const COUNTED: &str =
    "collected 2 items\n\ntests/test_a.py .s\n\n=== 1 passed, 1 skipped in 0.01s ===\n";
const PYTEST_TWO: &str = "..F\n=== FAILURES ===\n___ test_one ___\n\n>       assert 1 == 2\nE       assert 1 == 2\n\ntests/test_a.py:2: AssertionError\n=== short test summary info ===\nFAILED tests/test_a.py::test_one - assert 1 == 2\n=== 1 failed, 2 passed, 1 skipped in 0.01s ===\n";

#[test]
fn what_leaves_something_out_ends_nothing() {
    let three = "=== 3 passed, 1 skipped in 0.01s ===\n";
    let two = "=== 2 passed, 1 skipped in 0.01s ===\n";
    hold(&[
        (("python3.11 -m pytest", A, PYTEST), ("python3.12 -m pytest", A, PYTEST_OK), false),
        (("python3.11 -m pytest", A, PYTEST), ("python3.11 -m pytest -q", A, PYTEST_OK), true),
        (("python -m pytest", A, PYTEST), ("python3 -m pytest -q", A, PYTEST_OK), true),
        (
            ("uv run -p 3.11 pytest", A, PYTEST),
            ("uv run --python 3.12 pytest", A, PYTEST_OK),
            false,
        ),
        (("cargo +nightly check", A, RUST), ("cargo +stable check", A, NOTHING), false),
        (("go test ./...", A, GO_TEST), ("export X=$(go test ./...)", A, NOTHING), false),
        (("pytest", A, PYTEST), ("echo $(pytest)", A, NOTHING), false),
        (("pytest", A, PYTEST), ("f() { local x=$(pytest); }; f", A, NOTHING), false),
        (("cargo check", A, RUST), ("export X=$( (cargo check) )", A, NOTHING), false),
        (("cargo check", A, RUST), ("diff <(cargo check) x", A, NOTHING), false),
        (("cargo check", A, RUST), ("x=$(cargo check)", A, NOTHING), true),
        (("cargo check", A, RUST), ("(cargo check -q)", A, NOTHING), true),
        // One skip that is counted may be the very test.
        (("pytest tests/test_a.py::test_one", A, PYTEST), ("pytest", A, COUNTED), false),
        (("pytest tests/test_a.py::test_one", A, PYTEST), ("pytest", A, PYTEST_OK), true),
        (("pytest", A, PYTEST_TWO), ("pytest -q", A, three), true),
        (("pytest", A, PYTEST_TWO), ("pytest -q", A, two), false),
        (("pytest", A, PYTEST_TWO), ("pytest tests/test_a.py", A, PYTEST_OK), true),
        (("pytest", A, PYTEST_TWO), ("pytest", A, two), false),
        (("pytest", A, PYTEST_TWO), ("pytest", A, three), true),
        (("pytest", A, PYTEST_TWO), ("pytest", A, "=== 2 passed in 0.01s ===\n"), false),
        (("pytest 2>&1 | tail -3", A, PYTEST_TWO), ("pytest 2>&1 | tail -3", A, three), true),
        (("make test", A, PYTEST_TWO), ("make test", A, two), false),
        (("cargo test", A, RUST_TEST), ("cargo test 2>&1 | tail -3", A, RUST_OK), true),
        (("go test ./...", A, GO_TEST), ("go test ./...", A, GO_OK), true),
        // What is left out elsewhere.
        (("make test", A, PYTEST), ("ARGS='-k two' make test", A, PYTEST_OK), false),
        (("make test", A, PYTEST), ("make test ARGS='-k two'", A, PYTEST_OK), false),
        (("ARGS='-k one' make test", A, PYTEST), ("make test", A, PYTEST_OK), true),
        (("pytest", A, PYTEST), ("export PYTEST_ADDOPTS='-k two'; pytest -q", A, PYTEST_OK), false),
        (("pytest", A, PYTEST), ("PYTEST_ADDOPTS=-q pytest", A, PYTEST_OK), true),
        (("npx vitest run", A, JEST), ("npx vitest run --shard=1/2", A, JEST_A), false),
        (("npx jest", A, JEST), ("npx jest --shard 1/2", A, JEST_A), false),
        (("npx jest", A, JEST), ("npx jest --config other.js", A, JEST_A), false),
        (("npx jest", A, JEST), ("npx jest -c other.js", A, JEST_A), false),
        (("npx jest --config x.js", A, JEST), ("npx jest --config x.js --silent", A, JEST_A), true),
        (("pytest", A, PYTEST), ("pytest -c other.ini", A, PYTEST_OK), false),
        (("pytest", A, PYTEST), ("pytest -o addopts=-x", A, PYTEST_OK), false),
        (("npx eslint .", A, ESLINT), ("npx eslint . --ignore-pattern src", A, NOTHING), false),
        (("npx eslint .", A, ESLINT), ("npx eslint -c other.js .", A, NOTHING), false),
        (("mypy .", A, MYPY), ("mypy --exclude a.py .", A, MYPY_OK), false),
        (("mypy --strict .", A, MYPY), ("mypy .", A, MYPY_OK), false),
        (("npx eslint --max-warnings 0 .", A, ESLINT), ("npx eslint .", A, NOTHING), true),
        // The file of the test that failed is gone.
        (("pytest", A, PYTEST), ("rm tests/test_a.py && pytest", A, PYTEST_OK), false),
        (("pytest", A, PYTEST), ("rm -rf tests && pytest", A, PYTEST_OK), false),
        (("pytest", A, PYTEST), ("git rm -q tests/test_a.py; pytest -q", A, PYTEST_OK), false),
        (("pytest", A, PYTEST), ("rm -rf .cache && pytest", A, PYTEST_OK), true),
        (("go test ./...", A, GO_TEST), ("rm a/a_test.go && go test ./...", A, GO_OK), false),
    ]);
}

#[test]
fn what_a_formatter_lists_is_over_where_it_lists_nothing() {
    let listed = "a.go\nwin/b.go\n";
    let report = |command: &str, printed: &str| super::report(command, printed, 0);
    for command in [
        "gofmt -l .",
        "gofmt -l a.go win/b.go",
        "gofmt -l -s .",
        "gofmt -l $(git ls-files '*.go')",
        "gofmt -l . | head",
        "gofmt -l . 2>&1",
        "gofmt -l *.go",
        "cd /w && gofmt -l .",
    ] {
        let failed = report(command, listed);
        assert_eq!(failed.verdict, Verdict::Failed, "{command}");
        let need = need(&failed).unwrap();
        for (later, printed) in [
            ("gofmt -l .", ""),
            ("gofmt -w . && gofmt -l .", ""),
            ("gofmt -w a.go; gofmt -l .", ""),
            ("gofmt -l . && go vet ./...", ""),
            ("gofmt -l . && go test ./...", "ok  \texample.com/x\t0.1s\n"),
            ("gofmt -l . ; echo done", "done\n"),
        ] {
            let passed = report(later, printed);
            let reached = passed.reached();
            let is_over = reached.iter().any(|it| it.covers(&need));
            assert!(is_over, "{command}, {later}: {need:?} {:?} {reached:?}", passed.verdict);
        }
    }
}
