//! What the programs that check show.

use super::layer::{CODE, COMPILED, FORMAT, LINK, LINT, RUN};
use crate::parse::Index;

/// Programs, their verbs (none: whatever they are called with), language, and what they show.
pub type Shows = (&'static str, &'static str, &'static str, u8);
const SHOWS: &[Shows] = &[
    ("cargo", "check c build b", "rust", CODE),
    ("cargo", "clippy", "rust", CODE | LINT),
    ("cargo", "test t nextest", "rust", COMPILED | RUN),
    ("cargo-nextest", "", "rust", COMPILED | RUN),
    ("cargo", "fmt", "rust", FORMAT),
    ("go", "build", "go", CODE),
    ("go", "vet", "go", COMPILED | LINT),
    ("go", "test", "go", COMPILED | RUN),
    ("gotestsum", "", "go", COMPILED | RUN),
    ("golangci-lint", "run", "go", COMPILED | LINT),
    ("tsc", "", "typescript", COMPILED),
    ("vue-tsc", "", "", COMPILED),
    ("playwright", "test", "", RUN),
    ("jest vitest mocha ava tape node", "", "", RUN),
    ("sbt", "", "scala", COMPILED | RUN),
    ("dune", "runtest test", "ocaml", COMPILED | RUN),
    ("dune", "build", "ocaml", CODE),
    ("prove", "", "", RUN),
    ("mix", "test", "elixir", COMPILED | RUN),
    ("mix", "compile", "elixir", CODE),
    ("pytest py.test unittest nose2 tox nox", "", "python", RUN),
    ("gcc g++ cc c++ clang clang++ cmake ctest ninja", "", "c", CODE | LINK),
    ("mvn mvnw gradle gradlew", "test verify check", "java", COMPILED | RUN),
    ("mvn mvnw gradle gradlew javac", "", "java", CODE),
    ("gofmt goimports gofumpt rustfmt black isort prettier", "", "", FORMAT),
];

static BY_PROGRAM: Index<Shows> = Index::of(SHOWS, |it| it.0);

/// The rows of a program.
pub fn of(program: &str) -> impl Iterator<Item = &'static Shows> {
    BY_PROGRAM.rows(program)
}
