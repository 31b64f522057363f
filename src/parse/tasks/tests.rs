//! Files of projects, and the checks in them.

use super::{FILES, FOLDERS, Task, check_of};
use crate::event::CheckStanding::{self, Idle, InForce, Waiting};
use crate::parse::check::Kind;

fn read(name: &str, text: &str) -> Vec<Task> {
    let reader = FILES.iter().find(|it| it.0 == name).map(|it| it.1);
    let folder = || FOLDERS.iter().find(|it| name.starts_with(it.0)).unwrap().2;
    match reader {
        Some(reader) => reader(text),
        None => folder()(name.rsplit('/').next().unwrap(), text),
    }
}

fn checks(name: &str, text: &str) -> Vec<(String, Kind, CheckStanding)> {
    let checks = read(name, text).into_iter().filter_map(|it| check_of(&it, name));
    checks.map(|it| (it.command, it.kind, it.standing)).collect()
}

#[test]
fn a_task_is_what_it_runs() {
    for (name, text, expected) in [
        (
            "mise.toml",
            "[tasks]\ntest = 'echo ok'\n[tasks.unit]\nrun = ['go vet ./...', 'go test ./...']\n\
             [tasks.lint]\nrun = './lint.sh'\n[tasks.serve]\nrun = 'go run .'\n\
             [tasks.check]\nrun = 'go test ./... || true'\n",
            &[
                ("mise run check", Kind::Test, Idle),
                ("mise run lint", Kind::Lint, Waiting),
                ("mise run test", Kind::Test, Idle),
                ("mise run unit", Kind::Test, InForce),
            ][..],
        ),
        (
            "mise-tasks/test",
            "#!/usr/bin/env bash\nset -e\npytest -q\n",
            &[("mise run test", Kind::Test, InForce)],
        ),
        (
            "Makefile",
            "LINT ?= golangci-lint\n.PHONY: check\ncheck: build ## all\n\t@$(LINT) run ./...\nbuild:\n\tcp a b\n\
             test:\n\t-go test ./...\n",
            &[("make check", Kind::Lint, InForce), ("make test", Kind::Test, Idle)],
        ),
        (
            "justfile",
            "set shell := ['bash']\nx := 'y'\ntest *args:\n    cargo test {{args}}\nfmt:\n    cargo fmt\n",
            &[("just test", Kind::Test, InForce)],
        ),
        (
            "Taskfile.yml",
            "version: '3'\ntasks:\n  lint:\n    cmds:\n      - golangci-lint run\n  test: exit 0\n",
            &[("task lint", Kind::Lint, InForce), ("task test", Kind::Test, Idle)],
        ),
        (
            "package.json",
            r#"{"scripts": {"test": "vitest run", "lint": "eslint .", "start": "node .", "typecheck": "./t.sh"}}"#,
            &[
                ("npm run lint", Kind::Lint, InForce),
                ("npm run test", Kind::Test, InForce),
                ("npm run typecheck", Kind::Types, Waiting),
            ],
        ),
        (
            "pyproject.toml",
            "[tool.ruff]\n[tool.pytest.ini_options]\n[tool.poe.tasks]\ntest = 'pytest'\nlint = { cmd = 'ruff check' }\n",
            &[
                ("poe lint", Kind::Lint, InForce),
                ("poe test", Kind::Test, InForce),
                ("pytest", Kind::Test, InForce),
                ("ruff check", Kind::Lint, InForce),
            ],
        ),
        ("tox.ini", "[tox]\nenvlist = py3\n", &[("tox", Kind::Test, InForce)]),
        (
            "go.mod",
            "module a\n",
            &[
                ("go build ./...", Kind::Build, InForce),
                ("go test ./...", Kind::Test, InForce),
                ("go vet ./...", Kind::Lint, InForce),
            ],
        ),
        (
            ".cargo/config.toml",
            "[alias]\nt = 'test --all'\nx = ['run', '-p', 'x']\n",
            &[("cargo t", Kind::Test, InForce)],
        ),
        (
            ".github/workflows/ci.yml",
            "jobs:\n  a:\n    steps:\n      - uses: x\n      - run: |\n          npm ci\n          npx eslint .\n\
             \x20     - run: pytest ${{ matrix.x }}\n",
            &[("npx eslint .", Kind::Lint, InForce)],
        ),
        (
            ".gitlab-ci.yml",
            "unit:\n  script: [cargo test]\n",
            &[("cargo test", Kind::Test, InForce)],
        ),
    ] {
        let mut found = checks(name, text);
        found.sort_by(|a, b| a.0.cmp(&b.0));
        let found: Vec<_> = found.iter().map(|it| (it.0.as_str(), it.1, it.2)).collect();
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn hostile_files_are_bounded_and_panic_nowhere() {
    let deep = |open: &str, close: &str| open.repeat(60_000) + &close.repeat(60_000);
    let laughs = (0..30).fold("a0: &a0 x\n".to_owned(), |text, at| {
        text + &format!("a{}: &a{0} [*a{at}, *a{at}, *a{at}, *a{at}]\n", at + 1)
    });
    let texts = [
        deep("[", "]"),
        deep("{\"scripts\":", "}"),
        deep("tasks:\n ", ""),
        laughs,
        "A = $(A)$(A)\n".repeat(300) + "test:\n\t$(A)\n",
        "x:".repeat(100_000),
        "test:\n".to_owned() + &"\tgo test\n".repeat(20_000),
        "\u{0}\u{feff}\r\ré: é\n\té".to_owned(),
        String::new(),
    ];
    for text in &texts {
        for name in FILES.iter().map(|it| it.0).chain(["mise-tasks/x", ".github/workflows/x.yml"]) {
            let tasks = read(name, text);
            assert!(tasks.len() <= 256, "{name}");
            tasks.iter().for_each(|it| drop(check_of(it, name)));
        }
    }
}
