//! Linters that are told to overlook something end nothing of what they would have found.

use super::ended::{A, ESLINT, MYPY, MYPY_OK, NOTHING, hold};
use super::*;

const TSC: &str = "src/a.ts(3,1): error TS2304: Cannot find name 'x'.\n";
const PYRIGHT: &str = "/w/a.py\n  /w/a.py:3:5 - error: \"x\" is not defined (reportUndefinedVariable)\n1 error, 0 warnings, 0 informations\n";
const PYRIGHT_OK: &str = "0 errors, 0 warnings, 0 informations\n";
const FLAKE8: &str = "a.py:1:1: F401 'os' imported but unused\n";
const PYLINT: &str = "************* Module a\na.py:1:0: W0611: Unused import os (unused-import)\n\n-----\nYour code has been rated at 0.00/10\n";
const PYLINT_OK: &str = "\n-----\nYour code has been rated at 10.00/10\n";
const SHELLCHECK: &str = "a.sh:3:6: warning: Double quote to prevent globbing. [SC2086]\n";
const RUBOCOP: &str = "a.rb:1:1: W: Lint/UselessAssignment: Useless assignment to variable - x.\n\n1 file inspected, 1 offense detected\n";
const RUBOCOP_OK: &str = "1 file inspected, no offenses detected\n";
const RUFF_OK: &str = "All checks passed!\n";
const GOLANGCI_OK: &str = "0 issues.\n";

/// The failed call with what it printed; what passed prints, and with what it is called: with the words of the
/// first list it ends the failure, with those of the second it does not.
type Silenced =
    (&'static str, &'static str, &'static str, &'static [&'static str], &'static [&'static str]);

#[test]
fn a_linter_that_overlooks_ends_nothing() {
    let table: &[Silenced] = &[
        (
            "mypy .",
            MYPY,
            MYPY_OK,
            &["mypy .", "mypy a.py", "mypy . --pretty", "mypy --strict .", "python -m mypy ."],
            &[
                "mypy --ignore-errors .",
                "mypy --config-file /dev/null .",
                "mypy --config-file=other.ini .",
                "mypy --exclude a.py .",
                "mypy --follow-imports=skip .",
                "mypy --follow-imports silent .",
                "mypy --ignore-missing-imports .",
                "mypy --disable-error-code name-defined .",
                "mypy --allow-untyped-defs .",
                "mypy --no-strict-optional .",
                "mypy --no-check-untyped-defs .",
                "mypy --no-warn-return-any .",
                "mypy --python-version 3.8 .",
                "mypy --platform win32 .",
                "mypy -p b",
                "mypy b.py",
            ],
        ),
        (
            "golangci-lint run ./...",
            LINT,
            GOLANGCI_OK,
            &[
                "golangci-lint run",
                "golangci-lint run --fix",
                "golangci-lint run -E revive ./a/...",
            ],
            &[
                "golangci-lint run --new",
                "golangci-lint run --new-from-rev=HEAD~1",
                "golangci-lint run --enable-only errcheck",
                "golangci-lint run -D ineffassign",
                "golangci-lint run --disable=ineffassign",
                "golangci-lint run --fast-only",
                "golangci-lint run --default none",
                "golangci-lint run --disable-all",
                "golangci-lint run --tests=false",
                "golangci-lint run --max-issues-per-linter 0 --skip-dirs a",
                "golangci-lint run --skip-files a.go",
                "golangci-lint run -e ineffectual",
                "golangci-lint run --exclude ineffectual",
                "golangci-lint run --config other.yml",
                "golangci-lint run --no-config",
                "golangci-lint run --build-tags x",
                "golangci-lint run ./b/...",
            ],
        ),
        (
            "golangci-lint run ./...",
            LINT,
            NOTHING,
            &[],
            &[
                "golangci-lint run --issues-exit-code=0 > /dev/null",
                "golangci-lint run --issues-exit-code 0 > /dev/null",
            ],
        ),
        (
            "ruff check .",
            RUFF,
            RUFF_OK,
            &["ruff check", "ruff check a.py", "ruff check . --fix", "ruff check --no-cache ."],
            &[
                "ruff check --ignore F401 .",
                "ruff check --select E501 .",
                "ruff check --extend-ignore=F401 .",
                "ruff check --exclude a.py .",
                "ruff check --per-file-ignores a.py:F401 .",
                "ruff check --isolated .",
                "ruff check --config other.toml .",
                "ruff check --add-noqa .",
                "ruff check b.py",
            ],
        ),
        ("ruff check .", RUFF, NOTHING, &[], &["ruff check --exit-zero . > /dev/null"]),
        (
            "npx eslint .",
            ESLINT,
            NOTHING,
            &["npx eslint .", "npx eslint --quiet .", "eslint src", "npx eslint --cache ."],
            &[
                "npx eslint --rule 'no-undef: off' .",
                "npx eslint --ignore-pattern src .",
                "npx eslint --ignore-path x .",
                "npx eslint --global x .",
                "npx eslint --env browser .",
                "npx eslint --ext .ts .",
                "npx eslint --no-inline-config --no-eslintrc .",
                "npx eslint -c other.js .",
                "npx eslint --suppress-all .",
                "npx eslint --pass-on-no-patterns",
                "npx eslint src/b.js",
            ],
        ),
        (
            "flake8",
            FLAKE8,
            NOTHING,
            &["flake8", "flake8 .", "flake8 a.py", "flake8 --show-source"],
            &[
                "flake8 --exit-zero",
                "flake8 --ignore F401",
                "flake8 --extend-ignore=F401",
                "flake8 --select E",
                "flake8 --exclude a.py",
                "flake8 --extend-exclude=a.py",
                "flake8 --filename b.py",
                "flake8 --isolated",
                "flake8 --max-line-length 200",
                "flake8 b.py",
            ],
        ),
        (
            "pylint a.py b.py",
            PYLINT,
            PYLINT_OK,
            &["pylint a.py", "pylint a.py b.py -j 4"],
            &[
                "pylint -d W0611 a.py",
                "pylint --disable=all a.py",
                "pylint -E a.py",
                "pylint --errors-only a.py",
                "pylint --rcfile x a.py",
                "pylint --ignore a.py a.py b.py",
                "pylint --ignore-paths a.py a.py",
                "pylint --ignore-patterns a a.py",
                "pylint --fail-under 5 a.py",
                "pylint --exit-zero a.py",
                "pylint b.py",
            ],
        ),
        (
            "pyright",
            PYRIGHT,
            PYRIGHT_OK,
            &["pyright", "pyright a.py", "npx pyright ."],
            &[
                "pyright --level error b.py",
                "pyright -p other.json",
                "pyright --project other.json",
                "pyright --pythonversion 3.8",
                "pyright --pythonplatform Windows",
                "pyright --skipunannotated",
                "pyright b.py",
            ],
        ),
        (
            "shellcheck -f gcc a.sh",
            SHELLCHECK,
            NOTHING,
            &["shellcheck a.sh", "shellcheck -x a.sh", "shellcheck *.sh"],
            &[
                "shellcheck -e SC2086 a.sh",
                "shellcheck -eSC2086 a.sh",
                "shellcheck --exclude=SC2086 a.sh",
                "shellcheck -S error a.sh",
                "shellcheck --severity=error a.sh",
                "shellcheck -i SC1000 a.sh",
                "shellcheck b.sh",
            ],
        ),
        (
            "rubocop -f emacs",
            RUBOCOP,
            RUBOCOP_OK,
            &["rubocop", "rubocop a.rb", "bundle exec rubocop", "rubocop -a"],
            &[
                "rubocop --only Style",
                "rubocop --except Lint/UselessAssignment",
                "rubocop --fail-level E",
                "rubocop --fail-level=error",
                "rubocop -x",
                "rubocop --fix-layout",
                "rubocop -l b.rb",
                "rubocop --safe",
                "rubocop -c other.yml",
                "rubocop --auto-gen-config",
                "rubocop --disable-uncorrectable -a",
                "rubocop --display-only-fail-level-offenses",
                "rubocop b.rb",
            ],
        ),
        (
            "cargo clippy -- -D warnings",
            DENIED,
            NOTHING,
            &["cargo clippy --all-targets -- -D warnings"],
            &[
                "cargo clippy -- -A clippy::needless_return",
                "cargo clippy -- -D warnings -A clippy::all",
                "cargo clippy -- -D warnings -Aclippy::all",
                "cargo clippy -- -D warnings --allow=clippy::all",
                "cargo clippy -- -Awarnings",
                "cargo clippy -- --cap-lints allow",
                "cargo clippy -- -D warnings --cap-lints=allow",
                "RUSTFLAGS=--cap-lints=allow cargo clippy -- -D warnings",
                "RUSTFLAGS='--cap-lints allow' cargo clippy -- -D warnings",
                "RUSTFLAGS=-Awarnings cargo clippy -- -D warnings",
                "CLIPPY_CONF_DIR=x cargo clippy -- -D warnings",
                "cargo clippy --no-deps -p b -- -D warnings",
                "cargo clippy --config x=1 -- -D warnings",
            ],
        ),
        (
            "npx tsc",
            TSC,
            NOTHING,
            &["npx tsc", "npx tsc --noEmit", "tsc -b", "npx tsc --strict", "tsc src/a.ts"],
            &[
                "npx tsc --skipLibCheck",
                "npx tsc --noCheck",
                "npx tsc --strict false",
                "npx tsc --allowJs false --checkJs false --types x",
                "npx tsc -p tsconfig.other.json",
                "npx tsc --noResolve",
                "npx tsc --help",
                "npx tsc -v",
                "npx tsc src/b.ts",
            ],
        ),
    ];
    let mut rows = Vec::new();
    for (failed, printed, then, plain, silenced) in table {
        let row =
            |is_over| move |it: &&'static str| ((*failed, A, *printed), (*it, A, *then), is_over);
        rows.extend(plain.iter().map(row(true)));
        rows.extend(silenced.iter().map(row(false)));
    }
    hold(&rows);
}
