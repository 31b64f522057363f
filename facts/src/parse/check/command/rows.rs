//! Which commands check the work. A row counts where the program is called by one of `programs`, and where
//! given with one of `verbs` as its first word, or with one of `option`; the first that fits has it.

use super::table::Trust::{Hook, Named, Report, Task};
use super::table::{Idle, Row, TaskRow, Tasks};
use crate::parse::check::Kind;

const TEST: Row = Row {
    programs: "",
    verbs: "",
    option: "",
    kind: Kind::Test,
    tools: "",
    quiet: "",
    trust: Named,
};
const TYPES: Row = Row { kind: Kind::Types, ..TEST };
const LINT: Row = Row { kind: Kind::Lint, ..TEST };
const BUILD: Row = Row { kind: Kind::Build, ..TEST };
const FORMAT: Row = Row { kind: Kind::Format, ..TEST };

#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    Row { programs: "pytest py.test unittest nose2 nosetests tox nox ava jest mocha vitest tape rspec phpunit \
                     pest ctest cargo-nextest gotestsum cypress karma jasmine tap playwright-test bats busted \
                     minitest prove xmlrunner", ..TEST },
    Row { programs: "tsc vue-tsc mypy pyright basedpyright pyre pytype svelte-check",
          quiet: "tsc vue-tsc", ..TYPES },
    Row { programs: "dmypy", verbs: "run check recheck", tools: "mypy", ..TYPES },
    Row { programs: "eslint flake8 pylint staticcheck shellcheck hadolint rubocop stylelint phpstan psalm \
                     clippy-driver oxlint xo standard markdownlint yamllint actionlint revive errcheck \
                     swiftlint ktlint detekt checkstyle bandit semgrep tflint ansible-lint",
          quiet: "eslint stylelint flake8 shellcheck staticcheck", ..LINT },
    Row { programs: "cargo", verbs: "test t nextest miri llvm-cov tarpaulin", tools: "rustc", ..TEST },
    Row { programs: "cargo", verbs: "check c", tools: "rustc", ..TYPES },
    Row { programs: "cargo", verbs: "clippy", tools: "rustc", ..LINT },
    Row { programs: "cargo", verbs: "build b doc", tools: "rustc", ..BUILD },
    Row { programs: "cargo", verbs: "fmt", option: "--check", ..FORMAT },
    Row { programs: "go", verbs: "test", ..TEST },
    Row { programs: "go", verbs: "vet", quiet: "go", ..LINT },
    Row { programs: "go", verbs: "build", quiet: "go", ..BUILD },
    Row { programs: "golangci-lint", verbs: "run", tools: "go", ..LINT },
    Row { programs: "npm pnpm yarn", verbs: "test t tst", ..TEST },
    Row { programs: "bun ng rails composer playwright zig swift dotnet bazel deno mix hatch flutter dart sbt \
                     lein stack cabal", verbs: "test", ..TEST },
    Row { programs: "dune", verbs: "runtest test", quiet: "dune", ..TEST },
    Row { programs: "dune", verbs: "build", quiet: "dune", ..BUILD },
    Row { programs: "dotnet swift bazel zig stack cabal", verbs: "build", ..BUILD },
    Row { programs: "ng", verbs: "build", ..BUILD },
    Row { programs: "ng", verbs: "lint", ..LINT },
    Row { programs: "manage.py", verbs: "test", tools: "unittest", ..TEST },
    Row { programs: "manage.py", verbs: "check", ..LINT },
    Row { programs: "artisan", verbs: "test", tools: "phpunit", ..TEST },
    Row { programs: "deno", verbs: "check", ..TYPES },
    Row { programs: "deno", verbs: "lint", ..LINT },
    Row { programs: "mix", verbs: "compile", ..BUILD },
    Row { programs: "mix", verbs: "credo", ..LINT },
    Row { programs: "rake", verbs: "test spec", ..TEST },
    Row { programs: "gradle gradlew", verbs: "test check", tools: "javac junit kotlin", ..TEST },
    Row { programs: "gradle gradlew", verbs: "build compileJava compileKotlin assemble",
          tools: "javac junit kotlin", ..BUILD },
    Row { programs: "gradle gradlew", verbs: "lint detekt ktlint checkstyle", tools: "javac kotlin", ..LINT },
    Row { programs: "mvn mvnw", verbs: "test verify", tools: "javac junit", ..TEST },
    Row { programs: "mvn mvnw", verbs: "package compile install", tools: "javac junit", ..BUILD },
    Row { programs: "biome", verbs: "check lint ci", ..LINT },
    Row { programs: "ruff", verbs: "check", ..LINT },
    Row { programs: "ty", verbs: "check", ..TYPES },
    Row { programs: "ruff", verbs: "format", option: "--check --diff", ..FORMAT },
    Row { programs: "rustfmt black isort prettier", option: "--check --check-only --list-different", ..FORMAT },
    Row { programs: "xcodebuild", option: "test", ..TEST },
    Row { programs: "node", option: "--test", ..TEST },
    Row { programs: "pre-commit lefthook husky", verbs: "run", trust: Task, ..LINT },
    // What no gate goes by: it only says what is wrong where it says anything.
    Row { programs: "gofmt goimports gofumpt", option: "-l -d", quiet: "gofmt goimports gofumpt",
          trust: Report, ..FORMAT },
    Row { programs: "black isort", option: "--diff", trust: Report, ..FORMAT },
    Row { programs: "rustc", option: "--test", trust: Report, ..TEST },
    Row { programs: "gcc g++ cc c++ clang clang++ javac rustc ld kotlinc ghc swiftc", trust: Report, ..BUILD },
    Row { programs: "zig", verbs: "cc c++", tools: "gcc", trust: Report, ..BUILD },
    Row { programs: "cmake", option: "--build -B", tools: "gcc", trust: Report, ..BUILD },
    Row { programs: "meson msbuild webpack vite rollup esbuild next",
          verbs: "build compile test lint typecheck", trust: Report, ..BUILD },
    Row { programs: "git", verbs: "commit push", trust: Hook, ..LINT },
];

/// Programs whose tasks are called as what they do.
#[rustfmt::skip]
pub const TASK_ROWS: &[TaskRow] = &[
    TaskRow { programs: "npm pnpm yarn bun", verbs: "run run-script", words: "" },
    TaskRow { programs: "pnpm yarn", verbs: "", words: "lint build check typecheck test" },
    TaskRow { programs: "turbo nx lerna", verbs: "run", words: "test lint build typecheck check" },
    TaskRow { programs: "deno", verbs: "task", words: "" },
    TaskRow { programs: "composer", verbs: "run run-script", words: "" },
    TaskRow { programs: "mise rtx", verbs: "run r", words: "" },
    TaskRow { programs: "make gmake", verbs: "",
              words: "test tests check lint build all ci verify vet typecheck unittest" },
    TaskRow { programs: "just mise task invoke inv poe pdm taskipy", verbs: "",
              words: "test tests check lint build ci verify vet typecheck" },
];

/// Words that a task's name begins with (`test:unit`, `lint-go`), by what it checks then.
pub const TASKS: Tasks = &[
    (Kind::Types, "typecheck type-check types"),
    (Kind::Test, "test tests spec e2e unit integration coverage unittest"),
    (Kind::Lint, "lint check vet verify ci clippy validate"),
    (Kind::Build, "build compile"),
    (Kind::Format, "fmt format"),
];

/// Options with which linters end well whatever they find.
pub const LENIENT: &str = "--exit-zero --no-fail --issues-exit-code=0";

/// Formatters that end well whatever they list.
pub const LISTING: &str = "gofmt goimports gofumpt black isort";

/// Environments whose scripts are called as programs in them are.
pub const SCRIPT_RUNNERS: &str = "pdm hatch rye poetry pipenv uv pixi devbox";

/// Targets of make that are not the code.
pub const NO_BUILDS: &str = "\
    clean distclean mrproper install uninstall help run dev start stop serve fmt format docs deploy publish \
    release";

#[rustfmt::skip]
pub const IDLE: Idle = Idle {
    options: "--help --version --no-run --dry-run --just-print --recon --question --if-present \
              --collect-only --co --fixtures --markers --showConfig --show-config --print-config --init \
              --show-only --setup-only --setup-plan --notest --watch --watchAll",
    makers: "make gmake just rake ninja",
    compilers: "gcc g++ cc c++ clang clang++ javac rustc kotlinc scalac ghc swiftc",
    own: &[
        ("go", "-list -n -h -c -count=0"),
        ("gcc g++ cc c++ clang clang++", "-###"),
        ("ctest", "-N -h"),
        ("pytest py.test", "-h -V"),
        ("cargo", "-h -V -n"),
        ("cargo-nextest", "list archive -h -V"),
        ("tox", "-n -l -a list config -h"),
        ("nox", "-l -h"),
        ("gradle gradlew", "-m"),
        ("dotnet", "-t -h"),
        ("mvn mvnw", "-DskipTests -DskipTests=true -Dmaven.test.skip=true -h -v"),
        ("vitest", "list watch dev -w -h -v"),
        ("gofmt goimports gofumpt", "-w"),
        ("tsc", "-h -v"),
        ("bazel", "--nobuild --noanalyze"),
        ("mise", "-n -h"),
        ("task", "-n --dry --status -h"),
        ("git", "-h -n --no-verify"),
    ],
    pairs: &[
        ("go", "-count", "0"),
        ("gradle", "-x", "test"),
        ("gradlew", "-x", "test"),
        ("gradle", "--exclude-task", "test"),
        ("gradlew", "--exclude-task", "test"),
        ("cargo", "nextest", "archive"),
        ("swift", "test", "list"),
    ],
    variables: &[
        ("MAKEFLAGS", "make gmake"),
        ("GNUMAKEFLAGS", "make gmake"),
        ("PYTEST_ADDOPTS", "pytest py.test"),
    ],
};
