//! Files of projects, and the checks in them.

use super::{FILES, FOLDERS, Task, check_of, expanded};
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
    let tasks = expanded(read(name, text));
    let checks = tasks.into_iter().filter_map(|it| check_of(&it, name));
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
fn what_a_task_does_beside_its_checks_counts() {
    for (name, text, expected) in [
        (
            "Makefile",
            "PKGS = $(shell go list ./...)\na-test:\n\tgo test $(ARGS) ./...\nb-test:\n\tgo test $(PKGS)\n\
             test:\n\tgo test ./... | tail -5\nvet:\n\t$(GO) vet ./...\nlint:\n\t$(MAKE) vet\n\
             fmt:\n\tgofmt -l -w .\n",
            &[
                ("make a-test", Kind::Test, InForce),
                ("make b-test", Kind::Test, InForce),
                ("make test", Kind::Test, Idle),
                ("make vet", Kind::Lint, Waiting),
                ("make lint", Kind::Lint, Waiting),
            ][..],
        ),
        (
            "mise.toml",
            "[tasks]\nsmoke = 'kubectl apply -f a.yml && go test ./smoke'\ntest = 'npm ci && npx vitest run'\n",
            &[("mise run test", Kind::Test, InForce)],
        ),
        (
            "Taskfile.yml",
            "tasks:\n  lint:\n    ignore_error: true\n    cmds: [golangci-lint run]\n\
             \x20 test:\n    cmds:\n      - cmd: go test ./...\n        ignore_error: true\n\
             \x20 ci:\n    cmds:\n      - task: unit\n  unit: go test ./...\n",
            &[
                ("task lint", Kind::Lint, Idle),
                ("task test", Kind::Test, Idle),
                ("task ci", Kind::Test, InForce),
                ("task unit", Kind::Test, InForce),
            ],
        ),
        (
            "noxfile.py",
            "import nox\n@nox.session(name=\"lint\")\ndef l(session):\n    pass\n@nox.session\ndef tests(session):\n    pass\n",
            &[("nox -s lint", Kind::Lint, Waiting), ("nox -s tests", Kind::Test, Waiting)],
        ),
        (
            "package.json",
            r#"{"scripts": {"test": "npm run typecheck && npm run test:unit", "typecheck": "tsc --noEmit",
                "test:unit": "vitest run", "test:watch": "vitest", "a": "npm run b", "b": "npm run a"}}"#,
            &[
                ("npm run test", Kind::Test, InForce),
                ("npm run typecheck", Kind::Types, InForce),
                ("npm run test:unit", Kind::Test, InForce),
            ],
        ),
    ] {
        let mut found = checks(name, text);
        let mut expected: Vec<_> =
            expected.iter().map(|it| (it.0.to_owned(), it.1, it.2)).collect();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        expected.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(found, expected, "{name}");
    }
    let steps = "jobs:\n  a:\n    steps:\n      - run: |\n          cd web;\n          npx eslint .\n      - run: pytest\n";
    let runs = read(".github/workflows/ci.yml", steps).into_iter().map(|it| it.runs.unwrap());
    assert_eq!(runs.collect::<Vec<_>>(), ["cd web && npx eslint .", "pytest"]);
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
            expanded(tasks).iter().for_each(|it| drop(check_of(it, name)));
        }
    }
}
