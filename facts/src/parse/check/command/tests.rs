//! Command lines: what checks the work.

mod wrappers;

use super::CheckKind::{self, End, Masked, None, Plain};
use crate::event::{CheckList, DeclaredCheck};
use crate::parse::check::{CheckRules, Kind};
use crate::parse::shell::Script;

fn check(command: &str) -> CheckKind {
    CheckKind::of(&Script::of(command), &declared(&["./ci.sh", "make quick"]))
}

fn declared(commands: &[&str]) -> CheckRules {
    let check = |command: &&str| DeclaredCheck {
        command: (*command).to_owned(),
        kind: Kind::Test,
        found_in: DeclaredCheck::USER.to_owned(),
        runs: Option::None,
        standing: crate::event::CheckStanding::InForce,
    };
    let checks = commands.iter().map(check).collect();
    CheckList { checks, ..CheckList::default() }.into()
}

#[test]
fn checks_are_known_behind_what_stands_before_them() {
    for (command, expected) in [
        ("cargo test", Plain),
        ("cargo +nightly test -p x -- --nocapture", Plain),
        ("cargo --color always check", Plain),
        ("/usr/bin/cargo clippy", Plain),
        ("cargo nextest run", Plain),
        ("cd /home/me/x && cargo build", Plain),
        ("cd x\ncargo build", Plain),
        ("RUST_LOG=debug CARGO_TERM_COLOR=always cargo test", Plain),
        ("env RUSTFLAGS='-D warnings' cargo test", Plain),
        ("timeout 60 cargo test", Plain),
        ("timeout -k 5 60 cargo test", Plain),
        ("time -p cargo test", Plain),
        ("bash -lc 'cd x && pytest -q'", Plain),
        ("sh -c \"sh -c 'pytest'\"", Plain),
        ("cargo fmt --check", Plain),
        ("cargo fmt", None),
        ("pytest tests/", Plain),
        ("python3 -m pytest", Plain),
        ("uv run pytest", Plain),
        ("poetry run mypy .", Plain),
        ("npm test", Plain),
        ("npm run test:unit", Plain),
        ("npm run lint", Plain),
        ("npm run start", None),
        ("mise run test:ci", Plain),
        ("mise exec go@1.24 -- go test ./...", Plain),
        ("mise run -n test", None),
        ("mise run dev", None),
        ("pnpm test", Plain),
        ("yarn test", Plain),
        ("npx tsc --noEmit", Plain),
        ("npx -y eslint .", Plain),
        ("go test ./...", Plain),
        ("go vet ./...", Plain),
        ("ruff check .", Plain),
        ("make -C sub test", Plain),
        ("make check", Plain),
        ("make install", None),
        ("./ci.sh --fast", Plain),
        ("X=1 make quick", Plain),
        ("./gradlew test", Plain),
        ("cargo test && echo ok", Plain),
        ("cargo fmt && cargo test", Plain),
        ("cargo test;", Plain),
        ("(cd x && cargo test)", Plain),
        ("cargo test 2>&1 | tail -5", End),
        ("set -o pipefail; cargo test | tail -5", Plain),
        ("cargo test || true", Masked),
        ("cargo test; echo done", Masked),
        ("cargo test &", Masked),
        ("bash -c 'cargo test &'", Masked),
        ("bash -c 'cargo test & true'", Masked),
        ("bash -c 'cargo test' &", Masked),
        ("npx jest --passWithNoTests", Masked),
        ("cargo nextest run --no-tests=pass", Masked),
        ("cargo nextest run --no-tests pass", Masked),
        ("NEXTEST_NO_TESTS=pass cargo nextest run", Masked),
        ("cargo check; cargo test", Masked),
        ("! cargo test", Masked),
        ("if cargo test; then echo ok; fi", Masked),
        ("cargo --version", None),
        ("cargo test --help", None),
        ("echo cargo test", None),
        ("echo 'x; cargo test'", None),
        ("# cargo test", None),
        ("cat <<EOF\ncargo test\nEOF", None),
        ("cat <<EOF\nx\nEOF\ncargo test", Plain),
        ("git commit -m 'run cargo test'", None),
        ("rg 'cargo test'", None),
        ("ls", None),
        ("", None),
        ("cargo test 'open", None),
    ] {
        assert_eq!(check(command), expected, "{command}");
    }
}

#[test]
fn a_check_that_is_called_to_check_nothing_is_none() {
    for command in [
        "cargo test --no-run",
        "cargo test --workspace --no-run -q",
        "cargo test -- --list",
        "cargo nextest list",
        "cargo check --help",
        "cargo -V",
        "make -n",
        "make -n test",
        "make -kn check",
        "make --dry-run test",
        "make -q test",
        "just -n test",
        "npm test --if-present",
        "npm run test --if-present",
        "npm --if-present test",
        "pytest --collect-only",
        "pytest --co -q",
        "python -m pytest --fixtures",
        "pytest --version",
        "go test -list .",
        "go test -run '^$' ./...",
        "go test -run=^$ ./...",
        "go vet -h",
        "ctest -N",
        "ctest --show-only",
        "tox -l",
        "npx jest --listTests",
        "npx jest --showConfig",
        "npx vitest list",
        "npx playwright test --list",
        "npx mocha --dry-run",
        "npx tsc --init",
        "npx eslint --print-config a.js",
        "gradle test --dry-run",
        "./gradlew -m test",
        "mvn verify -DskipTests",
        "dotnet test --list-tests",
        "phpunit --list-tests",
        "go test -c ./...",
        "go test -count=0 ./...",
        "go test -count 0 ./...",
        "tox --notest",
        "gradle build -x test",
        "./gradlew build --exclude-task test",
        "env MAKEFLAGS=-n make test",
        "MAKEFLAGS=n make test",
        "MAKEFLAGS='-j4 -n' make test",
        "export MAKEFLAGS=--dry-run; make test",
        "make MAKEFLAGS=-n test",
        "PYTEST_ADDOPTS=--collect-only pytest",
        "printf 'cargo test\\n'",
        "true",
        ": cargo test",
        "true # cargo test",
        "which pytest",
        "command -v cargo",
        "ls tests",
        "cat Makefile | grep test",
    ] {
        assert_eq!(check(command), None, "{command}");
    }
    for command in [
        "npm test --ignore-scripts",
        "MAKEFLAGS=-j4 make test",
        "MAKEFLAGS=-n cargo test",
        "go test -count=1 ./...",
        "gradle build -x javadoc",
        "ctest -V",
        "go test -v ./...",
        "pytest -n 4",
        "make -j4 -Clinux test",
        "make -k check",
    ] {
        assert_eq!(check(command), Plain, "{command}");
    }
}
