//! What the arguments of a check narrow it to.

use super::compiler::is_given_files;
use super::flags::{self, How};
use super::layer::{FORMAT, LINT, RUN, TEST_CODE};
use super::{BY, Coverage, STRICT};
use crate::parse::has_word;
use crate::parse::shell::Program;

/// What only shows more or less, or says how many run at a time.
const SHOWING: &str = "\
    -- -s -v -vv -q -qq -k --silent --verbose --quiet --nocapture --no-capture --show-output --keep-going \
    --fix --watch=false --watchAll=false --ci --runInBand --coverage --no-coverage --no-cov --no-color";
/// The words before what a linter or a formatter is given.
const VERBS: &str = "check recheck lint ci run credo format";
/// Programs whose options are switched off by a word.
const SWITCHED: &str = "tsc vue-tsc golangci-lint";
/// What eslint's warnings fail by.
pub(super) const WARNINGS: &str = "strict --max-warnings";
/// Plugins of pytest without which as much is found.
const PLUGINS: &str = "no:cacheprovider no:randomly no:warnings no:xdist no:cov";

/// Whether a word that is handed on chooses nothing: `-v`, `-j4`, `ARGS=-v`.
pub fn is_showing(word: &str) -> bool {
    match word.split_once('=').filter(|it| !it.0.starts_with('-')) {
        Some(("V" | "VERBOSE", _)) => true,
        Some((_, given)) => !given.is_empty() && given.split_whitespace().all(is_showing),
        None => has_word(SHOWING, word) || word.strip_prefix("-j").is_some_and(is_number),
    }
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|it| it.is_ascii_digit())
}

impl Coverage {
    /// `has_verb`: its first operand is its verb.
    pub(super) fn read(&mut self, program: &Program<'_>, has_verb: bool) {
        if self.read_c(program.arguments) {
            return self.sort();
        }
        let is_cargo = self.language == "rust";
        let mut operands = Vec::new();
        let mut words = program.arguments.iter().map(String::as_str);
        while let Some(word) = words.next() {
            if word == "--" && is_cargo {
                self.read_handed(words.by_ref());
                break;
            }
            if word == "--" && program.name == "tox" {
                self.narrowed.extend(words.by_ref().map(|it| format!("-- {it}")));
                break;
            }
            let (name, given) = match word.split_once('=') {
                Some((name, given)) if word.starts_with('-') => (name, Some(given)),
                _ => (word, None),
            };
            let is_off = given.or_else(|| words.clone().next()) == Some("false");
            let is_off = is_off && flags::how(program.name, name) != Some(How::Shown);
            if is_off && word.starts_with("--") && has_word(SWITCHED, program.name) {
                self.narrowed.push(format!("{name} false"));
                continue;
            }
            let mut value = || given.or_else(|| words.next()).unwrap_or_default().to_owned();
            match name {
                "-p" if is_cargo => self.places.push(format!("-p {}", value())),
                "--package" => self.places.push(format!("-p {}", value())),
                // Others end badly where something is left.
                "--fix" if is_cargo => self.narrowed.push(name.to_owned()),
                "--all-targets" | "--tests" if is_cargo => self.layers |= TEST_CODE,
                "-W" => match value() {
                    it if it.starts_with("error") => self.config.push(format!("{STRICT}-W {it}")),
                    _ => {}
                },
                _ if word.starts_with('+') && is_cargo => self.config.push(format!("{BY}{word}")),
                _ => match flags::how(program.name, name) {
                    Some(How::Shown) => drop(value()),
                    Some(How::Named) => {
                        let given = value();
                        self.name_tests(name, &given);
                    }
                    Some(How::Built) => self.config.push(format!("{name} {}", value())),
                    Some(How::Strict) => self.config.push(format!("{STRICT}{name} {}", value())),
                    Some(How::Chosen) => match value() {
                        it if name == "-p" && has_word(PLUGINS, &it) => {}
                        it => self.narrowed.push(format!("{name} {it}")),
                    },
                    Some(How::BuiltFlag) => self.config.push(name.to_owned()),
                    Some(How::StrictFlag) => self.config.push(format!("{STRICT}{name}")),
                    Some(How::ChosenFlag) => self.narrowed.push(name.to_owned()),
                    Some(How::Flag) => {}
                    None if self.is_glued(word) => self.narrowed.push(word.to_owned()),
                    None if word.starts_with('-') || matches!(word, "true" | "false") => {}
                    None if is_number(word) => {} // of an option that nobody knows
                    None => operands.push(word.to_owned()),
                },
            }
        }
        let has_verb = has_verb || self.language.is_empty() && is_verb(operands.first());
        operands.drain(..usize::from(has_verb).min(operands.len()));
        if is_cargo && operands.first().is_some_and(|it| it == "run") {
            operands.remove(0);
        }
        self.name_places(operands);
        // All that lies below is what it is without places.
        if self.places.iter().any(|it| matches!(it.as_str(), "./..." | "..." | ".")) {
            let is_tree = self.language != "go" || !self.places.contains(&".".to_owned());
            if is_tree {
                self.places.clear();
            }
        }
        if program.name == "eslint" && program.arguments.iter().any(|it| it == "--quiet") {
            // It looks at no warnings, however few are allowed.
            self.config.retain(|it| !it.starts_with(WARNINGS));
        }
        if self.language == "go" && self.places.is_empty() && !self.is_whole(program) {
            self.places.push(".".to_owned());
        }
        self.sort();
    }

    fn sort(&mut self) {
        for list in [&mut self.tests, &mut self.narrowed, &mut self.config] {
            list.sort();
            list.dedup();
        }
    }

    /// Whether a linter's option stands before its word without a space: `-eSC2086`.
    fn is_glued(&self, word: &str) -> bool {
        let option = word.get(..2).filter(|it| !word.starts_with("--") && it.len() < word.len());
        let is_linter = self.language.is_empty() && self.layers & LINT != 0;
        is_linter && option.is_some_and(|it| flags::how(&self.program, it) == Some(How::Chosen))
    }

    fn name_places(&mut self, operands: Vec<String>) {
        match self.language.as_str() {
            "rust" => self.tests.extend(operands),
            "python" => {
                for operand in operands {
                    let (file, test) = operand.split_once("::").unzip();
                    self.tests.extend(test.map(str::to_owned));
                    self.places.push(file.unwrap_or(&operand).to_owned());
                }
            }
            // `test/a_test.exs:12`: one test of a file.
            "elixir" => {
                for operand in operands {
                    let at = operand.rsplit_once(':').filter(|it| is_number(it.1));
                    self.narrowed.extend(at.map(|_| operand.clone()));
                    self.places.push(at.map_or(&*operand, |it| it.0).to_owned());
                }
            }
            // Goals: what is chosen is told by options.
            "java" if !is_given_files(&self.program) => {}
            "java" => self.name_files(operands),
            // `a/test`: a project's.
            "scala" => {
                let of = operands.iter().filter_map(|it| Some(it.rsplit_once('/')?.0.to_owned()));
                self.places.extend(of);
            }
            _ => self.places.extend(operands),
        }
    }

    /// What cargo hands on: to the harness, or the linter's levels.
    fn read_handed<'a>(&mut self, mut words: impl Iterator<Item = &'a str>) {
        let (is_run, formats) = (self.layers & RUN != 0, self.layers & FORMAT != 0);
        while let Some(word) = words.next() {
            match word {
                _ if is_showing(word) || formats && word == "--check" => {}
                "--test-threads" => drop(words.next()),
                "-l" | "--files-with-diff" if formats => {}
                "--color" if formats => drop(words.next()),
                _ if word.starts_with("--test-threads=") => {}
                _ if is_run => self.narrowed.push(format!("-- {word}")),
                "-D" | "-F" | "--deny" | "--forbid" => {
                    let lint = words.next().unwrap_or_default();
                    self.config.push(format!("{STRICT}-D {lint}"));
                }
                "-W" | "--warn" => drop(words.next()),
                "-A" | "--allow" => {
                    self.narrowed.push(format!("-A {}", words.next().unwrap_or_default()));
                }
                _ if word.starts_with("-D") => {
                    self.config.push(format!("{STRICT}-D {}", &word[2..]));
                }
                _ => self.config.push(format!("-- {word}")),
            }
        }
    }

    /// `-run '^(TestA|TestB)$'`, `-Dtest=ATest,BTest#adds`, `-k name`.
    fn name_tests(&mut self, option: &str, given: &str) {
        // Of Go alone the end of a name is kept.
        let end = if option == "-run" && given.ends_with('$') { "$" } else { "" };
        let names = given.trim_matches(['^', '$']);
        let names = names.strip_prefix('(').and_then(|it| it.strip_suffix(')')).unwrap_or(names);
        let apart = |c: char| c == '|' || c == ',' && option.starts_with("-D");
        let names = names.split(apart).map(|it| format!("{}{end}", it.replace('#', ".")));
        self.tests.extend(names);
    }

    /// Whether `go test` is told to look at all below: without a package it looks at its own folder alone.
    fn is_whole(&self, program: &Program<'_>) -> bool {
        self.program != "go" || program.operands().any(|it| matches!(it, "./..." | "..."))
    }
}

fn is_verb(operand: Option<&String>) -> bool {
    operand.is_some_and(|it| has_word(VERBS, it))
}

/// Whether a test is the one that a runner names by less, or by more: `a_test.py::test_one` is `test_one`.
pub(super) fn is_same_test(test: &str, named: &str) -> bool {
    let ends = |long: &str, short: &str| {
        let before = long.strip_suffix(short);
        before.is_some_and(|it| !it.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    let behind = test.strip_prefix(named);
    ends(test, named)
        || ends(named, test)
        || behind.is_some_and(|it| it.starts_with(['/', '[']) || it.starts_with(" ("))
}
