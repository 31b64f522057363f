//! Whether a check that passed would have shown what another found.

use super::layer::{COMPILED, FORMAT, LINK, LINT, RUN};
use super::options::is_same_test;
use super::reach::{is_below, is_package, parent, plain};
use super::{BY, Coverage, PACKAGE, STRICT, need};
use crate::parse::has_word;

/// What is built with these shows what it shows without.
const MORE: &str = "-race --all-features CGO_ENABLED=0";
/// What chooses the tests that failed last.
const LAST_FAILED: &str = "--lf --last-failed --onlyFailures --failed";
/// Runners whose operands are looked for in the paths of files.
const BY_PATTERN: &str = "jest vitest playwright";
/// Runners that run no tests but those of their own kind, of one language.
const OF_ONE_KIND: &str = "unittest nose2";

impl Coverage {
    /// Whether it would show a fault that lies in `need`.
    pub fn covers(&self, need: &Self) -> bool {
        let is_own = self.program == need.program;
        let shares = is_own
            || !self.language.is_empty()
                && self.language == need.language
                && !has_word(OF_ONE_KIND, &self.program);
        let only_own = need.layers & (LINT | FORMAT) != 0;
        if need.layers == 0 {
            return is_own;
        }
        if self.builds_all() && has_word("c java", &need.language) {
            return need.layers & !(COMPILED | LINK) == 0 && self.reaches(need);
        }
        // What says no soonest, first: a long history has thousands of both.
        shares
            && (is_own || !only_own)
            && need.layers & !self.layers == 0
            && self.may_run(need)
            && self.is_built_as(need)
            && self.narrowed.iter().all(|it| {
                let is_last = is_own && need.layers == RUN && is_last_failed(it);
                is_last || need.narrowed.contains(it)
            })
            && self.reaches(need)
            && self.runs(need)
    }

    /// Whether it builds the same code as another one, and is as strict.
    pub fn is_built_as(&self, need: &Self) -> bool {
        let is_strict = |it: &&String| it.starts_with(STRICT);
        let runner = |of: &Self| of.config.iter().find(|it| it.starts_with(BY)).cloned();
        let is_more = |it: &&String| has_word(MORE, it) && !need.config.contains(it);
        let is_plain = |it: &&String| !is_strict(it) && !it.starts_with(BY);
        let is_other = runner(self).zip(runner(need)).is_some_and(|it| it.0 != it.1);
        let plain = self.config.iter().filter(is_plain).filter(|it| !is_more(it));
        !is_other
            && need.config.iter().filter(is_strict).all(|it| self.config.contains(it))
            && plain.eq(need.config.iter().filter(is_plain))
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
                    true => {
                        let is_within = is_below(&self.folder, &need.folder);
                        is_below(&need.folder, &self.folder)
                            || is_package(it)
                                && is_within
                                && self.is_of(&self.folder, it, &need.folder)
                    }
                    false => is_below(plain(it), &self.folder),
                }
            }),
            false => need.places.iter().all(|it| self.has(it, &need.folder)),
        }
    }

    /// Whether one of its places holds this one, which is told from a folder.
    pub(super) fn has(&self, place: &str, from: &str) -> bool {
        let holds = |own: &String| match own.strip_suffix("/...") {
            Some(tree) if is_package(place) => self.is_of(tree, place, from),
            Some(tree) => is_below(plain(place), tree),
            None if is_package(place) => self.is_of(own, place, from),
            None if is_by_pattern(&self.program) => {
                is_below(place, &self.folder)
                    && within(place, &self.folder).contains(within(own, &self.folder))
            }
            None if own.contains('*') => is_matched(place, own),
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

    /// Whether a test that failed cannot be missing from it: it ran no fewer, left no more of them out, and took
    /// no file of theirs away.
    fn has_all(&self, need: &Self) -> bool {
        let is_path = |it: &String| !is_package(it) && !it.starts_with("-p ");
        let is_known = !need.places.is_empty() && need.places.iter().all(is_path);
        let is_gone = |removed: &String| match is_known {
            true => need.places.iter().any(|it| is_below(plain(it), removed)),
            // Any test's file may be it.
            false => need::is_test(removed),
        };
        let is_chosen = !self.tests.is_empty() || !self.narrowed.is_empty();
        let is_as_wide = self.places == need.asked && self.folder == need.folder && !is_chosen;
        let runs_fewer = is_as_wide && self.ran.zip(need.ran).is_some_and(|it| it.0 < it.1);
        let leaves_more = need.is_counted() && self.unnamed > need.unnamed;
        !self.removed.iter().any(is_gone) && !leaves_more && !runs_fewer
    }

    /// Whether the same call, which passed, may have passed because a test is missing that failed.
    pub fn misses(&self, need: &Self) -> bool {
        let is_same = self.program == need.program && self.folder == need.folder;
        is_same && need.layers & RUN != 0 && need.is_counted() && !self.has_all(need)
    }

    /// Of a failure: whether tests failed that are named, or counted among all that ran.
    fn is_counted(&self) -> bool {
        !self.tests.is_empty() || self.ran.is_some()
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
        if need.layers & RUN != 0 && !(is_run_at_all && self.has_all(need)) {
            return false;
        }
        self.runs_all(need) || !need.tests.is_empty() && need.tests.iter().all(is_run)
    }

    /// Whether it runs every test, or none need be run.
    fn runs_all(&self, need: &Self) -> bool {
        self.tests.is_empty() || need.is_built_alone()
    }

    /// Of a failure: whether it is shown by what builds it, whichever tests run.
    pub(super) fn is_built_alone(&self) -> bool {
        self.layers & !COMPILED == 0 && self.layers != 0
    }

    /// Whether its tests can be those that failed at all.
    fn may_run(&self, need: &Self) -> bool {
        self.runs_all(need) || !need.tests.is_empty()
    }
}

pub(super) fn is_last_failed(option: &str) -> bool {
    has_word(LAST_FAILED, option)
}

/// Whether a runner looks for its operands in the paths of files.
pub(super) fn is_by_pattern(program: &str) -> bool {
    has_word(BY_PATTERN, program)
}

/// A path from a folder that it lies in.
pub(super) fn within<'p>(path: &'p str, folder: &str) -> &'p str {
    path.strip_prefix(folder).unwrap_or(path).trim_start_matches('/')
}

/// Whether a file is one of `src/**/*.js`, `src/*.js`; of another pattern none is.
fn is_matched(file: &str, pattern: &str) -> bool {
    let (folder, name) = pattern.rsplit_once('/').unwrap_or(("", pattern));
    let (tree, is_deep) = match folder.strip_suffix("**") {
        Some(tree) => (tree.trim_end_matches('/'), true),
        None => (folder, false),
    };
    let is_within = if is_deep { is_below(file, tree) } else { parent(file) == tree };
    let end = name.strip_prefix("*.").filter(|it| it.bytes().all(|it| it.is_ascii_alphanumeric()));
    is_within && end.is_some_and(|it| file.rsplit_once('.').is_some_and(|file| file.1 == it))
}
