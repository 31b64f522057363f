//! Command lines: what checks, what writes.

use super::Script;
use crate::projector::grounding::CheckKind::{self, Masked, None, Plain};

fn check(command: &str) -> CheckKind {
    Script::of(command).check(&["./ci.sh".to_owned(), "make quick".to_owned()])
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
        ("timeout -k 5 60 cargo test", None),
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
        ("pnpm test", Plain),
        ("yarn test", Plain),
        ("npx tsc --noEmit", Plain),
        ("npx -y eslint .", Plain),
        ("go test ./...", Plain),
        ("go vet ./...", Plain),
        ("go run .", None),
        ("ruff check .", Plain),
        ("ruff format .", None),
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
        ("cargo test 2>&1 | tail -5", Masked),
        ("set -o pipefail; cargo test | tail -5", Plain),
        ("cargo test || true", Masked),
        ("cargo test; echo done", Masked),
        ("cargo test &", Masked),
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
        "echo cargo test",
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
    for command in
        ["ctest -V", "go test -v ./...", "pytest -n 4", "make -j4 -Clinux test", "make -k check"]
    {
        assert_eq!(check(command), Plain, "{command}");
    }
}

#[test]
fn commands_that_write() {
    for (command, writes) in [
        ("echo x > src/a.rs", true),
        ("echo x >> src/a.rs", true),
        ("echo x>a", true),
        ("echo x 2> err.txt", true),
        ("echo x &> out", true),
        ("echo x >| out", true),
        ("cat > src/a.rs <<'EOF'\nfn main() {}\nEOF", true),
        ("cargo test 2>&1", false),
        ("cargo test > /dev/null 2>&1", false),
        ("cargo test > /tmp/out.txt", false),
        ("cargo test > /tmp/../home/x", true),
        ("echo x >&2", false),
        ("echo 'a > b'", false),
        ("echo \"a > b\"", false),
        ("sed -i 's/a/b/' x", true),
        ("sed -i.bak s/a/b/ x", true),
        ("sed --in-place=.bak s/a/b/ x", true),
        ("sed -n 1,5p x", false),
        ("perl -pi -e s/a/b/ x", true),
        ("perl -ne print x", false),
        ("echo x | tee src/a.rs", true),
        ("echo x | tee /dev/stderr", false),
        ("mv a b", true),
        ("cp a /tmp/b", true),
        ("cp /tmp/a /tmp/b", false),
        ("rm -rf target", true),
        ("git apply x.patch", true),
        ("git -C sub checkout -- .", true),
        ("git status", false),
        ("git diff", false),
        ("git log --grep=apply", false),
        ("patch -p1 < x.patch", true),
        ("cargo fmt", true),
        ("cargo fmt --check", false),
        ("cargo fmt --all -- --check", false),
        ("cargo fix", true),
        ("cargo clippy --fix", true),
        ("prettier --write .", true),
        ("prettier --check .", false),
        ("black .", true),
        ("black --check .", false),
        ("find . -name '*.o' -delete", true),
        ("find . -exec sed -i s/a/b/ {} +", true),
        ("find . -exec grep x {} +", false),
        ("rg -l x | xargs sed -i s/a/b/", true),
        ("bash -c 'echo x > y'", true),
        ("cd x && touch y", true),
        ("apply_patch x", true),
        ("ls -la", false),
        ("cat a", false),
        ("", false),
    ] {
        assert_eq!(Script::of(command).writes(), writes, "{command}");
    }
}

#[test]
fn command_lines_that_show_the_timeline() {
    for (command, reads) in [
        ("annals timeline", true),
        ("/usr/bin/annals timeline -n 5", true),
        ("annals timeline --block --chars 900", true),
        ("annals timeline --query 'memory_query(last=5)'", true),
        ("cd /home/me/x && annals timeline", true),
        ("ls; annals timeline 2>&1", true),
        ("annals timeline | head -50", true),
        ("annals timeline | cat", true),
        ("bash -lc 'annals timeline'", true),
        ("annals tool memory_query --last 5", true),
        ("echo annals timeline", false),
        ("echo hi # annals timeline", false),
        ("annals timeline && cargo test", false),
        ("true || annals timeline", false),
        ("annals timeline || true", false),
        ("annals timeline &", false),
        ("annals timeline > /dev/null", false),
        ("annals timeline &>/dev/null", false),
        ("annals timeline | true", false),
        ("annals timeline | head -0", false),
        ("annals timeline | head -n 0", false),
        ("annals timeline | tail -n0", false),
        ("annals timeline | cat >/dev/null", false),
        ("annals timeline | grep x", false),
        ("annals timeline --help", false),
        ("annals timeline -n 0", false),
        ("annals timeline -n0", false),
        ("annals timeline --number=0", false),
        ("annals timeline --block --chars 0", false),
        ("annals timeline --session other", false),
        ("annals timeline --session=other", false),
        ("annals timeline --query 'memory_query(session=other)'", false),
        ("annals timeline --evidence", false),
        ("annals timeline --at @1", false),
        ("annals timeline --dir /x", false),
        ("annals --dir /x timeline", false),
        ("if false; then annals timeline; fi", false),
        ("if false\nthen annals timeline\nfi", false),
        ("alias annals=true; annals timeline", false),
        ("annals() { true; }; annals timeline", false),
        ("f() (annals timeline)", false),
        ("exit 0; annals timeline", false),
        ("PATH=/x; annals timeline", false),
        ("xargs -n1 annals timeline </dev/null", false),
        ("annals tool memory_query --help", false),
        ("annals log", false),
        ("", false),
    ] {
        assert_eq!(Script::of(command).reads_timeline(), reads, "{command}");
    }
}

#[test]
fn a_hostile_line_is_read_in_bounds_or_not_at_all() {
    for command in [
        "a;".repeat(20_000),
        "(".repeat(30_000),
        "sh -c ".repeat(5_000),
        "'".repeat(30_001),
        "\\".repeat(30_001),
        "<<a ".repeat(5_000),
        ">".repeat(30_000),
        "x".repeat(1 << 20),
        "\u{1F600}\u{0}".repeat(1_000),
        "eval eval eval eval eval eval echo".to_owned(),
    ] {
        let script = Script::of(&command);
        let _ = (script.check(&[]), script.writes(), script.reads_timeline()); // only that it ends
    }
}
