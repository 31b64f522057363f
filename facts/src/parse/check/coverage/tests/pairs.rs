//! Pairs of a failure and what passed after it, honest and not, in several languages.

use super::ended::{A, ESLINT, JEST_A, MYPY, MYPY_OK, NOTHING, hold};
use super::*;

const MIX: &str = "..\n\n  1) test adds (ATest)\n     test/a_test.exs:4\n     Assertion with == failed\n     code:  assert 1 == 2\n     left:  1\n     right: 2\n     stacktrace:\n       test/a_test.exs:5: (test)\n\n\nFinished in 0.02 seconds (0.00s async, 0.02s sync)\n3 tests, 1 failure\n";
const MIX_OK: &str = "Finished in 0.02 seconds (0.00s async, 0.02s sync)\n3 tests, 0 failures\n";
const MIX_PART: &str = "3 tests, 0 failures, 2 excluded\n";
const TSC: &str = "src/a.ts(3,1): error TS2304: Cannot find name 'x'.\n";
const RUFF_OK: &str = "All checks passed!\n";

#[test]
fn a_linter_ends_what_it_still_shows() {
    let warning =
        ESLINT.replace("  error ", "  warning ").replace("2 errors, 0 w", "0 errors, 2 w");
    let (strict, quiet) = ("npx eslint --max-warnings 0 .", "npx eslint --quiet .");
    hold(&[
        (("cargo fmt --check", A, FORMAT), ("cargo fmt --all -- --check", A, NOTHING), true),
        (("cargo fmt --all -- --check", A, FORMAT), ("cargo fmt --check", A, NOTHING), true),
        (("cargo fmt --check", A, FORMAT), ("cargo fmt --all -- --check -l", A, NOTHING), true),
        (
            ("cargo fmt --check", A, FORMAT),
            ("cargo fmt --all -- --check --color never", A, NOTHING),
            true,
        ),
        (("npx eslint .", A, ESLINT), (quiet, A, NOTHING), true),
        (("npx eslint .", A, ESLINT), ("npx eslint . --fix", A, NOTHING), true),
        (("npx eslint .", A, ESLINT), ("yarn eslint . --fix --quiet", A, NOTHING), true),
        ((quiet, A, ESLINT), ("npx eslint .", A, NOTHING), true),
        ((strict, A, ESLINT), (quiet, A, NOTHING), true),
        ((strict, A, &warning), (quiet, A, NOTHING), false),
        ((strict, A, &warning), ("npx eslint --quiet --max-warnings 0 .", A, NOTHING), false),
        ((strict, A, &warning), ("npx eslint --max-warnings 0 --fix .", A, NOTHING), true),
        (("npx eslint .", A, ESLINT), ("npx eslint . --fix-dry-run", A, NOTHING), false),
        (("npx eslint .", A, ESLINT), ("npx eslint --no-eslintrc .", A, NOTHING), false),
        (("npx eslint .", A, ESLINT), ("npx eslint 'src/**/*.js'", A, NOTHING), true),
        (("npx eslint .", A, ESLINT), ("npx eslint 'src/**/*.ts'", A, NOTHING), false),
        (("npx eslint .", A, ESLINT), ("npx eslint 'src/*.test.js'", A, NOTHING), false),
        (("mypy .", A, MYPY), ("dmypy run -- .", A, MYPY_OK), true),
        (("mypy a.py", A, MYPY), ("dmypy run", A, MYPY_OK), true),
        (("mypy .", A, MYPY), ("dmypy check a.py", A, MYPY_OK), true),
        (("mypy .", A, MYPY), ("dmypy recheck", A, MYPY_OK), true),
        (("mypy .", A, MYPY), ("dmypy run -- b.py", A, MYPY_OK), false),
        (("mypy .", A, MYPY), ("dmypy stop", A, "Daemon stopped\n"), false),
        (("dmypy run -- .", A, MYPY), ("mypy .", A, MYPY_OK), true),
        (("dmypy run -- .", A, MYPY), ("mypy b.py", A, MYPY_OK), false),
        (("ruff check .", A, RUFF), ("uvx ruff check", A, RUFF_OK), true),
        (("ruff check .", A, RUFF), ("ruff check --ignore F401 .", A, RUFF_OK), false),
        (("ruff check .", A, RUFF), ("ruff format --check .", A, NOTHING), false),
    ]);
}

#[test]
fn exunit_is_read_by_its_sum_and_its_files() {
    hold(&[
        (("mix test", A, MIX), ("mix test | tail -5", A, MIX_OK), true),
        (("mix test", A, MIX), ("mix test 2>&1 | tail -1", A, "3 tests, 0 failures\n"), true),
        (("mix test", A, MIX), ("mix test | tail -5", A, "3 tests, 1 failure\n"), false),
        (("mix test", A, MIX), ("mix test test/a_test.exs", A, MIX_OK), true),
        (("mix test", A, MIX), ("mix test test/b_test.exs", A, MIX_OK), false),
        (("mix test", A, MIX), ("mix test test/a_test.exs:9", A, MIX_PART), false),
        (("mix test", A, MIX), ("MIX_ENV=test mix test --trace --seed 0", A, MIX_OK), true),
        (("mix test", A, MIX), ("mix test --only slow", A, MIX_PART), false),
        (("mix test", A, MIX), ("mix test --stale", A, MIX_OK), false),
        (("mix test", A, MIX), ("mix test --failed", A, MIX_OK), true),
        (("mix test", A, MIX), ("mix compile", A, NOTHING), false),
        (("mix test", A, MIX), ("cd apps/b && mix test", A, MIX_OK), false),
    ]);
    let table = [
        ("mix test | tail -5", MIX, 0, Verdict::Failed),
        ("mix test | tail -2", "5 doctests, 3 tests, 1 failure, 1 excluded\n", 0, Verdict::Failed),
        (
            "mix test | tail -2",
            "5 doctests, 2 properties, 3 tests, 0 failures\n\n",
            0,
            Verdict::Passed,
        ),
        ("mix test | tail -5", MIX_OK, 0, Verdict::Passed),
        ("mix test | tail -5", "** (CompileError) lib/a.ex:1\n", 0, Verdict::Unknown),
    ];
    for (command, printed, code, verdict) in table {
        assert_eq!(report(command, printed, code).verdict, verdict, "{command}: {printed}");
    }
}

#[test]
fn a_folder_below_is_not_the_root() {
    hold(&[
        (("cd sub && pytest", A, PYTEST), ("pytest tests/test_a.py", A, PYTEST_OK), false),
        (("pytest", "/w/sub", PYTEST), ("pytest tests/test_a.py", A, PYTEST_OK), false),
        (("cd sub && pytest", A, PYTEST), ("pytest tests", A, PYTEST_OK), false),
        (
            ("cd sub && pytest tests/test_a.py", A, PYTEST),
            ("pytest tests/test_a.py", A, PYTEST_OK),
            false,
        ),
        (("pytest tests/test_a.py", A, PYTEST), ("cd sub && pytest", A, PYTEST_OK), false),
        (("cd sub && pytest", A, PYTEST), ("pytest sub/tests/test_a.py", A, PYTEST_OK), true),
        (("cd sub && pytest", A, PYTEST), ("pytest", A, PYTEST_OK), true),
        (("cd sub && npx tsc", A, TSC), ("npx tsc -p sub", A, NOTHING), true),
        (("cd sub && npx tsc", A, TSC), ("npx tsc src/a.ts", A, NOTHING), false),
    ]);
}

#[test]
fn a_script_is_its_packages_however_a_manager_is_told() {
    hold(&[
        (("yarn test", A, JEST), ("npm test", A, JEST_A), true),
        (("pnpm test", A, JEST), ("bun run test", A, JEST_A), true),
        (("npm test -w a", A, JEST), ("npm test --workspace a", A, JEST_A), true),
        (("npm test -w a", A, JEST), ("npm --workspace=a test", A, JEST_A), true),
        (("npm test -w a", A, JEST), ("npm test -w b", A, JEST_A), false),
        (("npm test -w a", A, JEST), ("npm test", A, JEST_A), false),
        (("npm test", A, JEST), ("npm test -w a", A, JEST_A), false),
        (("pnpm --filter a test", A, JEST), ("pnpm -F a run test", A, JEST_A), true),
        (("pnpm --filter a test", A, JEST), ("pnpm test --filter=a", A, JEST_A), true),
        (("pnpm --filter a test", A, JEST), ("pnpm --filter b test", A, JEST_A), false),
        (("yarn workspace a test", A, JEST), ("yarn workspace b test", A, JEST_A), false),
        (("npm test", A, JEST), ("npm test -- --watchAll=false", A, JEST_A), true),
        (("npm test", A, JEST), ("npm test -- --coverage", A, JEST_A), true),
        (("npm test", A, JEST), ("npm test -- other", A, JEST_OK), false),
        (("npm test", A, JEST), ("NODE_ENV=test npm test", A, JEST_A), true),
        (("yarn jest", A, JEST), ("npx jest src/sum.test.js", A, JEST_A), true),
        (("yarn jest", A, JEST), ("pnpm exec jest src/other.test.js", A, JEST_OK), false),
        (("npx tsc", A, TSC), ("yarn tsc --noEmit", A, NOTHING), true),
        (("bunx tsc --noEmit", A, TSC), ("tsc", A, NOTHING), true),
        (("npx tsc --noEmit", A, TSC), ("npx tsc --version", A, "Version 5.4.5\n"), false),
        (("npx tsc --noEmit", A, TSC), ("npx tsc --noEmit src/b.ts", A, NOTHING), false),
    ]);
}

#[test]
fn a_run_is_the_same_whoever_starts_it_and_a_list_is_none() {
    let listed = "tests/test_a.py::test_one\n\n1 test collected in 0.01s\n";
    hold(&[
        (("python -m pytest", A, PYTEST), ("uv run pytest", A, PYTEST_OK), true),
        (("uv run pytest tests", A, PYTEST), ("pytest", A, PYTEST_OK), true),
        (
            ("poetry run pytest", A, PYTEST),
            (".venv/bin/pytest tests/test_a.py", A, PYTEST_OK),
            true,
        ),
        (("pytest", A, PYTEST), ("python -m pytest -q --tb=short | tail -3", A, PYTEST_OK), true),
        (("pytest", A, PYTEST), ("pytest --collect-only -q", A, listed), false),
        (("pytest", A, PYTEST), ("pytest -m 'not slow'", A, PYTEST_OK), false),
        (("pytest", A, PYTEST), ("python -m unittest", A, "Ran 3 tests in 0.001s\n\nOK\n"), false),
        (("go test ./...", A, GO_TEST), ("go test -list . ./...", A, "TestOne\n"), false),
        (("go test ./...", A, GO_TEST), ("go test -count=1 -v ./...", A, GO_OK), true),
        (("go test ./...", A, GO_TEST), ("go test -c ./a", A, NOTHING), false),
        (("cargo test", A, RUST_TEST), ("cargo t --workspace", A, RUST_OK), true),
        (("cargo test", A, RUST_TEST), ("cargo test --no-run", A, NOTHING), false),
        (("cargo test", A, RUST_TEST), ("cargo test -- --list", A, "it: test\n"), false),
    ]);
}

/// Skips that are only counted: the same number as before leaves out what it left out before.
#[test]
fn a_test_that_is_always_skipped_keeps_nothing_pending() {
    let failed = PYTEST.replace("1 failed in", "1 failed, 2 passed, 1 skipped in");
    let named = "tests/test_a.py::test_one PASSED [50%]\ntests/test_b.py::test_x SKIPPED (no) [100%]\n\n=== 1 passed, 1 skipped in 0.01s ===\n";
    hold(&[
        (("pytest", A, &failed), ("pytest", A, "=== 3 passed, 1 skipped in 0.01s ===\n"), true),
        (("pytest", A, &failed), ("pytest", A, "=== 2 passed, 2 skipped in 0.01s ===\n"), false),
        (("pytest", A, &failed), ("pytest tests/test_a.py::test_one", A, PYTEST_OK), true),
        (("pytest tests/test_a.py::test_one", A, PYTEST), ("pytest -v", A, named), true),
    ]);
}
