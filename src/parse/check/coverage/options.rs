//! What the arguments of a check narrow it to.

use super::Coverage;
use super::layer::{FORMAT, RUN, TEST_CODE};
use crate::parse::has_word;
use crate::parse::shell::Program;

/// Options with a word behind them that choose nothing.
const HARMLESS: &str = "\
    -c -o -n -W -r -j -F -Z -C -D --tb --maxfail --timeout --color --durations --config --jobs --profile \
    --test-threads --rootdir -count -timeout --reporters --reporter --cov --format --output-format \
    --message-format -parallel -benchtime -coverprofile --project";
/// Options with which other code is built, with a word behind them and without.
const CONFIG: &str = "--features --target -tags --cfg -P";
const CONFIG_FLAGS: &str = "--all-features --no-default-features -race";
/// Options that choose what is looked at, with a word behind them and without.
const CHOOSING: &str = "\
    -m --deselect --ignore --package --bin --example --bench --skip --manifest-path --exclude -skip \
    --filter-expr -E --test --select --ignore-files --extend-ignore";
const CHOOSING_FLAGS: &str = "\
    --lf --last-failed --nf --lib --bins --doc --examples --exact --ignored --onlyFailures --onlyChanged \
    --changed -short --new --exit-zero";
/// Of what `cargo test` hands on, what only shows more or less.
const SHOWING: &str = "--nocapture --no-capture --show-output -q --quiet";
/// Options that name tests.
const NAMING: &str =
    "-k -t -run --testNamePattern -g --grep --test-name-pattern -Dtest -Dit.test --tests";

impl Coverage {
    /// `has_verb`: its first operand is its verb.
    pub(super) fn read(&mut self, program: &Program<'_>, has_verb: bool) {
        let is_cargo = self.language == "rust";
        let mut operands = Vec::new();
        let mut words = program.arguments.iter().map(String::as_str);
        while let Some(word) = words.next() {
            if word == "--" && is_cargo {
                // The harness's own, or the linter's levels.
                let is_run = self.layers & RUN != 0;
                let formats = self.layers & FORMAT != 0;
                let is_shown = |it: &&str| has_word(SHOWING, it) || formats && *it == "--check";
                let given = words.by_ref().filter(|it| !is_shown(it));
                let list = if is_run { &mut self.narrowed } else { &mut self.config };
                list.extend(given.map(|it| format!("-- {it}")));
                break;
            }
            let (name, given) = match word.split_once('=') {
                Some((name, given)) if word.starts_with('-') => (name, Some(given)),
                _ => (word, None),
            };
            let mut value = || given.or_else(|| words.next()).unwrap_or_default().to_owned();
            match name {
                // All options of these lists begin so.
                _ if !name.starts_with('-') => operands.push(word.to_owned()),
                "-p" if is_cargo => self.places.push(format!("-p {}", value())),
                "--package" => self.places.push(format!("-p {}", value())),
                // Others end badly where something is left.
                "--fix" if is_cargo => self.narrowed.push(name.to_owned()),
                "--all-targets" | "--tests" if is_cargo => self.layers |= TEST_CODE,
                _ if has_word(NAMING, name) => {
                    let given = value();
                    self.name_tests(name, &given);
                }
                _ if has_word(CONFIG, name) => self.config.push(format!("{name} {}", value())),
                _ if has_word(CONFIG_FLAGS, name) => self.config.push(name.to_owned()),
                _ if has_word(CHOOSING, name) => self.narrowed.push(format!("{name} {}", value())),
                _ if has_word(CHOOSING_FLAGS, name) => self.narrowed.push(name.to_owned()),
                _ if has_word(HARMLESS, name) => drop(value()),
                _ => {}
            }
        }
        operands.drain(..usize::from(has_verb).min(operands.len()));
        match is_cargo {
            true if operands.first().is_some_and(|it| it == "run") => drop(operands.remove(0)),
            _ => {}
        }
        match self.language.as_str() {
            "rust" => self.tests.extend(operands),
            "python" => {
                for operand in operands {
                    let (file, test) = operand.split_once("::").unzip();
                    self.tests.extend(test.map(str::to_owned));
                    self.places.push(file.unwrap_or(&operand).to_owned());
                }
            }
            _ => self.places.extend(operands),
        }
        // All that lies below is what it is without places.
        if self.places.iter().any(|it| matches!(it.as_str(), "./..." | "..." | ".")) {
            let is_tree = self.language != "go" || !self.places.contains(&".".to_owned());
            if is_tree {
                self.places.clear();
            }
        }
        if self.language == "go" && self.places.is_empty() && !self.is_whole(program) {
            self.places.push(".".to_owned());
        }
        for list in [&mut self.tests, &mut self.narrowed, &mut self.config] {
            list.sort();
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
