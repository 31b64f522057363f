//! What a check looks at, and whether a later one would have shown a fault (ruling 10).
//!
//! A fault is named in the same terms as a check's reach: the layers, files and tests that it lies in. What is not
//! understood covers only itself.

mod before;
mod compiler;
mod covers;
mod filed;
mod flags;
mod need;
mod options;
mod reach;
mod shows;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::event::derived::{Decode, Encode};
use crate::parse::has_word;
use crate::parse::shell::Program;

pub use filed::Filed;
pub use need::{is_test, need};
pub use options::is_showing;
pub use reach::is_below;
use reach::is_package;
pub use reach::{Led, Site, joined};

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
    /// What was compiled and could not be linked.
    pub const LINK: u8 = 32;
    pub const COMPILED: u8 = CODE | TEST_CODE;
}

/// The reach of a check, or what a failed one found fault with.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Encode, Decode, Serialize, Deserialize,
)]
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
    /// Files that its command line took away before it ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
    /// So many tests ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ran: Option<u64>,
    /// So many tests were left out that it does not name.
    #[serde(default, skip_serializing_if = "is_none_of_them")]
    pub unnamed: u64,
    /// Of a failure: the places that its check was given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<String>,
}

fn is_none_of_them(count: &u64) -> bool {
    *count == 0
}

/// What stands before an option with which it finds more.
const STRICT: &str = "strict ";
/// What stands before the name of one that runs it, of which there are several.
const BY: &str = "by ";

use layer::LINT;

impl Coverage {
    /// Of a command that runs a program that checks; `None` where nothing is known of it. `is_lint`: any other linter.
    pub fn of(led: &Led, is_lint: bool) -> Option<Self> {
        let program = &Program::of(&led.words)?;
        let (name, verb) = (program.name, program.verb());
        let is_its = |(_, verbs, ..): &&shows::Shows| {
            verbs.is_empty() || verb.is_some_and(|it| has_word(verbs, it))
        };
        let known = shows::of(name).find(is_its);
        let (language, layers) = match known {
            Some((_, _, language, layers)) => (*language, *layers),
            None if is_lint => ("", LINT),
            None => return None,
        };
        let mut found = Self {
            language: language.to_owned(),
            // The same checker, which goes on running.
            program: if name == "dmypy" { "mypy" } else { name }.to_owned(),
            layers,
            folder: led.folder.clone(),
            config: led.file.clone().into_iter().collect(),
            ..Self::default()
        };
        let before = &led.words[..led.words.len() - program.arguments.len() - 1];
        found.stands_behind(before);
        found.read(program, known.is_some_and(|it| !it.1.is_empty()));
        if name.starts_with("gradle") {
            // `:api:test` is a module's.
            let modules = program.operands().filter_map(|it| Some(it.rsplit_once(':')?.0));
            found.narrowed.extend(modules.filter(|it| !it.is_empty()).map(str::to_owned));
        }
        Some(found)
    }

    /// Of a command that only stands for itself, a project's task; `given`: the words behind it, which may
    /// choose a part of it.
    pub fn of_task(led: &Led, task: &str, before: &[String], given: &[String]) -> Self {
        let mut found = Self {
            program: task.to_owned(),
            layers: u8::MAX,
            folder: led.folder.clone(),
            config: led.file.clone().into_iter().collect(),
            narrowed: given.iter().filter(|it| !is_showing(it)).cloned().collect(),
            ..Self::default()
        };
        found.stands_behind(before);
        found
    }

    /// Of what a task runs, called from elsewhere.
    pub fn within(mut self, led: &Led, before: &[String]) -> Self {
        self.folder = joined(&led.folder, &self.folder);
        self.stands_behind(before);
        self
    }

    /// As stores have it: JSON.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// `None`: it is no such text, and covers nothing.
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok() // as above
    }

    /// What lies in a tree, told from the top of that.
    pub fn below(mut self, top: &str) -> Self {
        let own = |path: &mut String| {
            if let Some(below) = path.strip_prefix(top).filter(|_| is_below(path, top)) {
                *path = below.trim_start_matches('/').to_owned();
            }
        };
        own(&mut self.folder);
        self.places.iter_mut().for_each(own);
        self
    }

    /// As it is seen from the project's root; its own folder is told from where the call ran.
    pub fn placed(mut self, site: Site<'_>) -> Self {
        for place in self.places.iter_mut().filter(|it| !it.starts_with("-p ") && !is_package(it)) {
            *place = site.path_of(&joined(&self.folder, place));
        }
        for removed in &mut self.removed {
            *removed = site.path_of(removed);
        }
        self.folder = site.path_of(&self.folder);
        self.places.sort();
        self
    }
}

/// What stands before the name of a package that is no path.
pub(super) const PACKAGE: &str = "pkg:";
