//! Which of many coverages show a fault, without asking each of them.
//!
//! A coverage is filed by what it must share with a fault to cover it: its program, an option that leaves something
//! out, then its folder, a place in it or a part of a test's name. What is found by these is too much rather than too
//! little, and is asked (`covers`) in the end.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use super::covers::{is_by_pattern, is_last_failed, within};
use super::layer::{FORMAT, LINT};
use super::reach::{is_package, plain};
use super::{Coverage, PACKAGE};

/// Coverages, each by its number: the first is 0.
#[derive(Debug, Default)]
pub struct Filed {
    all: Vec<Coverage>,
    programs: BTreeMap<String, OfProgram>,
    languages: BTreeMap<String, BTreeSet<String>>,
    /// Those that build a project, of whichever language.
    builders: Vec<usize>,
}

#[derive(Debug, Default)]
struct OfProgram {
    all: Vec<usize>,
    /// By an option that leaves something out.
    narrowed: BTreeMap<Option<String>, Shelf>,
}

/// Those that are narrowed alike.
#[derive(Debug, Default)]
struct Shelf {
    of_all_tests: Places,
    of_tests: Places,
    /// By what tests' names begin with, or hold.
    tests: Parts,
}

#[derive(Debug, Default)]
struct Places {
    /// Of those that look at all of a folder.
    folders: Paths,
    named: Paths,
    patterns: Parts,
}

#[derive(Debug, Default)]
struct Paths {
    paths: BTreeMap<String, Vec<usize>>,
    /// By their bytes from the last to the first: a package is told by the ends of its path.
    backwards: BTreeMap<Vec<u8>, Vec<usize>>,
}

#[derive(Debug, Default)]
struct Parts(BTreeMap<String, Vec<usize>>);

type Found<'f> = Vec<&'f [usize]>;

/// So many are asked rather than looked for by something else.
const FEW: usize = 64;
/// Of a text that holds more parts than this, all are taken.
const PARTS_MAX: usize = 512;

impl Filed {
    pub fn add(&mut self, coverage: Coverage) {
        let number = self.all.len();
        if coverage.builds_all() {
            self.builders.push(number);
        }
        if !coverage.language.is_empty() {
            let programs = self.languages.entry(coverage.language.clone()).or_default();
            programs.insert(coverage.program.clone());
        }
        let program = self.programs.entry(coverage.program.clone()).or_default();
        program.all.push(number);
        let longest = coverage.narrowed.iter().filter(|it| !is_last_failed(it));
        let longest = longest.max_by_key(|it| it.len()).cloned();
        let shelf = program.narrowed.entry(longest).or_default();
        match coverage.tests.is_empty() {
            true => shelf.of_all_tests.add(number, &coverage),
            false => shelf.of_tests.add(number, &coverage),
        }
        for test in &coverage.tests {
            shelf.tests.add(number, test.strip_suffix('$').unwrap_or(test));
        }
        self.all.push(coverage);
    }

    /// The numbers of those that would show a fault, the lowest first.
    pub fn covering(&self, need: &Coverage) -> Vec<usize> {
        let is_one = |it: &usize| self.all.get(*it).is_some_and(|it| it.covers(need));
        self.alike(need).into_iter().filter(is_one).collect()
    }

    /// Those that share with a fault what they are filed by.
    pub(super) fn alike(&self, need: &Coverage) -> BTreeSet<usize> {
        let only_own = need.layers == 0 || need.layers & (LINT | FORMAT) != 0;
        let mut found: Found<'_> = vec![&self.builders];
        let others = self.languages.get(&need.language).into_iter().flatten();
        let others = others.filter(|it| !only_own && **it != need.program);
        for program in others.chain([&need.program]).filter_map(|it| self.programs.get(it)) {
            if need.layers == 0 {
                found.push(&program.all);
                continue;
            }
            let options = need.narrowed.iter().cloned().map(Some).chain([None]);
            let options: BTreeSet<Option<String>> = options.collect();
            for shelf in options.iter().filter_map(|it| program.narrowed.get(it)) {
                shelf.find(need, &mut found);
            }
        }
        found.into_iter().flatten().copied().collect()
    }
}

impl Shelf {
    fn find<'f>(&'f self, need: &Coverage, found: &mut Found<'f>) {
        self.of_all_tests.find(need, found);
        let mut by_place = Vec::new();
        self.of_tests.find(need, &mut by_place);
        if need.is_built_alone() {
            found.append(&mut by_place);
            return;
        }
        // Each test that failed is one of those that are chosen: the shortest has the fewest parts.
        let mut tests: Vec<&String> = need.tests.iter().collect();
        tests.sort_by_key(|it| it.len());
        let mut best = by_place;
        for test in &tests {
            if size(&best) <= FEW {
                break;
            }
            let mut by_test = Vec::new();
            self.tests.within(test, &mut by_test);
            if size(&by_test) < size(&best) {
                best = by_test;
            }
        }
        if !tests.is_empty() {
            found.append(&mut best);
        }
    }
}

fn size(found: &Found<'_>) -> usize {
    found.iter().map(|it| it.len()).sum()
}

impl Places {
    fn add(&mut self, number: usize, coverage: &Coverage) {
        if coverage.places.is_empty() {
            self.folders.add(number, &coverage.folder, &coverage.folder);
        }
        for place in &coverage.places {
            let tree = plain(place);
            let is_tree = tree.len() < place.len();
            let path = match place.contains('*') && !is_tree {
                true => {
                    let folder = place.rsplit_once('/').map_or("", |it| it.0);
                    folder.strip_suffix("**").map_or(folder, |it| it.trim_end_matches('/'))
                }
                false => tree,
            };
            self.named.add(number, path, tree);
            if is_by_pattern(&coverage.program) && !is_tree {
                self.patterns.add(number, within(place, &coverage.folder));
            }
        }
    }

    fn find<'f>(&'f self, need: &Coverage, found: &mut Found<'f>) {
        let place = need.places.first().unwrap_or(&need.folder);
        if is_package(place) {
            let package = place.trim_start_matches(PACKAGE);
            let last = package.rsplit('/').next().unwrap_or_default();
            self.folders.ending_in(last, found);
            self.named.ending_in(last, found);
        } else {
            self.named.above(place, found);
            self.patterns.within(place, found);
        }
        self.folders.above(place, found);
        if !need.places.is_empty() {
            self.folders.above(&need.folder, found);
        }
    }
}

impl Paths {
    fn add(&mut self, number: usize, path: &str, whole: &str) {
        self.paths.entry(path.to_owned()).or_default().push(number);
        let backwards = whole.trim_end_matches('/').bytes().rev().collect();
        self.backwards.entry(backwards).or_default().push(number);
    }

    /// A path, and those that it lies below.
    fn above<'f>(&'f self, path: &str, found: &mut Found<'f>) {
        let ends = path.match_indices('/').map(|it| it.0).chain([0, path.len()]);
        let ends: BTreeSet<usize> = ends.collect();
        found.extend(ends.iter().filter_map(|it| self.paths.get(&path[..*it])).map(Vec::as_slice));
    }

    fn ending_in<'f>(&'f self, last: &str, found: &mut Found<'f>) {
        let last: Vec<u8> = last.bytes().rev().collect();
        let from = self.backwards.range::<[u8], _>((Bound::Included(&last[..]), Bound::Unbounded));
        let those = from.take_while(|it| it.0.starts_with(&last));
        found.extend(those.map(|it| it.1.as_slice()));
    }
}

impl Parts {
    fn add(&mut self, number: usize, part: &str) {
        self.0.entry(part.to_owned()).or_default().push(number);
    }

    /// Those that a text holds.
    fn within<'f>(&'f self, text: &str, found: &mut Found<'f>) {
        let before = found.len();
        found.extend(self.0.get("").map(Vec::as_slice));
        for (start, _) in text.char_indices() {
            // The greatest part up to a text, where that does not begin with it, shares with it all that
            // any other one does with which it begins.
            let mut rest = &text[start..];
            while let Some((part, numbers)) = self.up_to(rest) {
                if let Some(shorter) = rest.strip_prefix(part.as_str()) {
                    if found.len() >= before + PARTS_MAX {
                        found.truncate(before);
                        found.extend(self.0.values().map(Vec::as_slice));
                        return;
                    }
                    found.push(numbers);
                    rest = &rest[..rest.len() - shorter.len()];
                    rest = &rest[..rest.char_indices().next_back().map_or(0, |it| it.0)];
                } else {
                    let alike = |it: &(char, char)| it.0 == it.1;
                    let shared = rest.chars().zip(part.chars()).take_while(alike);
                    rest = &rest[..shared.map(|it| it.0.len_utf8()).sum()];
                }
            }
        }
    }

    /// The greatest part that is no greater than a text; not the empty one.
    fn up_to(&self, text: &str) -> Option<(&String, &[usize])> {
        let range = (Bound::Excluded(""), Bound::Included(text));
        let last = if text.is_empty() { None } else { self.0.range::<str, _>(range).next_back() };
        last.map(|(part, numbers)| (part, numbers.as_slice()))
    }
}
