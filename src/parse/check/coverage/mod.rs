//! What a check looks at, and whether a later one would have shown a fault (ruling 10).
//!
//! A fault is named in the same terms as a check's reach: the layers, files and tests that it lies in. What is not
//! understood covers only itself.

mod need;
mod options;
mod shows;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::parse::has_word;
use crate::parse::shell::Program;

pub use need::need;
use options::is_same_test;

/// What a check can show, a bit each.
pub mod layer {
    /// Faults of the code that is built.
    pub const CODE: u8 = 1;
    /// Faults of the code of tests.
    pub const TEST_CODE: u8 = 2;
    /// Tests that fail.
    pub const RUN: u8 = 4;
    /// What a linter finds, and only the same one.
    pub const LINT: u8 = 8;
    /// What a formatter finds, and only the same one.
    pub const FORMAT: u8 = 16;
    pub const COMPILED: u8 = CODE | TEST_CODE;
}

/// The reach of a check, or what a failed one found fault with.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Coverage {
    /// Programs of one language show each other's faults of code.
    pub language: String,
    pub program: String,
    pub layers: u8,
    /// Where it ran.
    pub folder: String,
    /// Files, folders (`a/...` with all below), packages, from the root; none: all below the folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<String>,
    /// Names of tests, or parts of them; none: all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<String>,
    /// Options that leave something out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub narrowed: Vec<String>,
    /// Options with which other code is built.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub config: Vec<String>,
    /// Packages in its reach that have no test.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub untested: Vec<String>,
    /// Tests that were left out by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<String>,
}

/// What is built with these shows what it shows without.
const MORE: &str = "-race --all-features CGO_ENABLED=0";
/// What chooses the tests that failed last.
const LAST_FAILED: &str = "--lf --last-failed --onlyFailures";
/// Variables that only change what is printed.
const SHOWN_BY: &str = "\
    RUST_BACKTRACE RUST_LOG CI NO_COLOR FORCE_COLOR CARGO_TERM_COLOR TERM COLUMNS PYTHONUNBUFFERED \
    PYTHONDONTWRITEBYTECODE";
/// Programs that run it elsewhere, as the words behind them say.
const AWAY: &str = "docker docker-compose podman kubectl ssh";
/// Of what a task is given, what chooses nothing.
const SHOWING: &str = "-- -s -v -q --silent --verbose --quiet";

use layer::{COMPILED, FORMAT, LINT, RUN};

impl Coverage {
    /// Of a program that checks; `None` where nothing is known of it. `is_lint`: any other linter.
    pub(crate) fn of(program: &Program<'_>, is_lint: bool) -> Option<Self> {
        let (name, verb) = (program.name, program.verb());
        if program.has("-C") {
            return None; // elsewhere
        }
        let is_its = |(_, verbs, ..): &&&shows::Shows| {
            verbs.is_empty() || verb.is_some_and(|it| has_word(verbs, it))
        };
        let known = shows::of(name).iter().find(is_its);
        let (language, layers) = match known {
            Some((_, _, language, layers)) => (*language, *layers),
            None if is_lint => ("", LINT),
            None => return None,
        };
        let mut found = Self {
            language: language.to_owned(),
            program: name.to_owned(),
            layers,
            ..Self::default()
        };
        found.read(program, known.is_some_and(|it| !it.1.is_empty()));
        if name.starts_with("gradle") {
            // `:api:test` is a module's.
            let modules = program.operands().filter_map(|it| Some(it.rsplit_once(':')?.0));
            found.narrowed.extend(modules.filter(|it| !it.is_empty()).map(str::to_owned));
        }
        Some(found)
    }

    /// Called with variables, or in a container: only a check that is called so looks at the same.
    pub fn behind(mut self, words: &[String]) -> Self {
        let before = || words.iter().take_while(|it| !it.ends_with(&self.program));
        let is_shown = |it: &str| it.split_once('=').is_some_and(|it| has_word(SHOWN_BY, it.0));
        let given: Vec<String> = match before().any(|it| has_word(AWAY, it)) {
            true => before().filter(|it| !it.starts_with('-')).cloned().collect(),
            false => before().filter(|it| it.contains('=') && !is_shown(it)).cloned().collect(),
        };
        self.config.extend(given);
        self.config.sort();
        self
    }

    /// Of a command that only stands for itself, a project's task; `given`: the words behind it, which may
    /// choose a part of it.
    pub fn of_itself(command: &str, given: &[String]) -> Self {
        let (language, program) = (String::new(), command.to_owned());
        let narrowed = given.iter().filter(|it| !has_word(SHOWING, it)).cloned().collect();
        Self { language, program, layers: u8::MAX, narrowed, ..Self::default() }
    }

    /// As stores have it: JSON.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// `None`: it is no such text, and covers nothing.
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok() // as above
    }

    /// As it is seen from the folder that it ran in: `folder` is told from `cwd`.
    pub fn placed(mut self, cwd: Option<&str>) -> Self {
        self.folder = joined(cwd.unwrap_or_default(), &self.folder);
        for place in &mut self.places {
            if !place.starts_with("-p ") {
                *place = joined(&self.folder, place);
            }
        }
        self.places.sort();
        self
    }

    /// Whether it would show a fault that lies in `need`.
    pub fn covers(&self, need: &Self) -> bool {
        let is_own = self.program == need.program;
        let shares = is_own || !self.language.is_empty() && self.language == need.language;
        let only_own = need.layers & (LINT | FORMAT) != 0;
        shares
            && (is_own || !only_own)
            && need.layers & !self.layers == 0
            && self.is_built_as(need)
            && self.narrowed.iter().all(|it| {
                let is_last = is_own && need.layers == RUN && has_word(LAST_FAILED, it);
                is_last || need.narrowed.contains(it)
            })
            && self.reaches(need)
            && self.runs(need)
    }

    fn is_built_as(&self, need: &Self) -> bool {
        let is_more = |it: &&String| has_word(MORE, it) && !need.config.contains(it);
        self.config.iter().filter(|it| !is_more(it)).eq(&need.config)
    }

    fn reaches(&self, need: &Self) -> bool {
        let is_all = self.places.is_empty();
        match need.places.is_empty() {
            true if is_all => is_below(&need.folder, &self.folder),
            true => {
                self.folder == need.folder && self.places == need.places
                    || need.folder != self.folder && self.has(&need.folder, &need.folder)
            }
            false if is_all => need.places.iter().all(|it| {
                match is_package(it) || it.starts_with("-p ") {
                    // Where it lies is not known: it is told from the folder that it failed in.
                    true => is_below(&need.folder, &self.folder),
                    false => is_below(plain(it), &self.folder),
                }
            }),
            false => need.places.iter().all(|it| self.has(it, &need.folder)),
        }
    }

    /// Whether one of its places holds this one, which is told from a folder.
    fn has(&self, place: &str, from: &str) -> bool {
        let holds = |own: &String| match own.strip_suffix("/...") {
            Some(tree) if is_package(place) => self.is_of(tree, place, from),
            Some(tree) => is_below(plain(place), tree),
            None if is_package(place) => self.is_of(own, place, from),
            // A package of Go is one folder.
            None if self.language == "go" => own == place || parent(place) == own,
            None => is_below(plain(place), own),
        };
        self.places.iter().any(holds)
    }

    /// Whether a package (`pkg:example.com/x/cmd`) is this folder's.
    fn is_of(&self, folder: &str, package: &str, from: &str) -> bool {
        let below = |from: &str| folder.strip_prefix(from).unwrap_or(folder).trim_matches('/');
        let name = folder.rsplit('/').next().unwrap_or_default();
        // Where that is the folder itself, only its name is left.
        let below = [below(from), below(&self.folder), name].into_iter().find(|it| !it.is_empty());
        let below = below.unwrap_or_default();
        let package = package.trim_start_matches(PACKAGE);
        !below.is_empty() && (package == below || package.ends_with(&format!("/{below}")))
    }

    fn runs(&self, need: &Self) -> bool {
        let is_run = |test: &String| {
            self.tests.iter().any(|own| match own.strip_suffix('$') {
                Some(own) => {
                    test.strip_prefix(own).is_some_and(|it| it.is_empty() || it.starts_with('/'))
                }
                None => test.contains(own.as_str()),
            })
        };
        let is_left_out = |test: &String| self.skipped.iter().any(|it| is_same_test(test, it));
        let has_none = |it: &String| {
            it.strip_prefix(PACKAGE).is_some_and(|it| self.untested.iter().any(|own| own == it))
        };
        let is_run_at_all =
            !need.places.iter().any(has_none) && !need.tests.iter().any(is_left_out);
        if need.layers & RUN != 0 && !is_run_at_all {
            return false;
        }
        self.tests.is_empty()
            || need.layers & !COMPILED == 0 && need.layers != 0
            || !need.tests.is_empty() && need.tests.iter().all(is_run)
    }
}

/// What stands before the name of a package that is no path.
pub(super) const PACKAGE: &str = "pkg:";

fn is_package(place: &str) -> bool {
    place.starts_with(PACKAGE)
}

fn plain(place: &str) -> &str {
    place.strip_suffix("/...").unwrap_or(place)
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// Whether a path is a folder, or below it. Everything is below no folder.
fn is_below(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder);
    folder.is_empty() || rest.is_some_and(|it| it.is_empty() || it.starts_with('/'))
}

/// A path from a folder, without `.` and `..`.
pub fn joined(folder: &str, path: &str) -> String {
    let path = path.trim();
    let whole = match path.starts_with('/') || is_package(path) || folder.is_empty() {
        true => path.to_owned(),
        false => format!("{folder}/{path}"),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|it| *it != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let root = if whole.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}
