//! Which files matter now, by what is on record of them: what earlier sessions touched, the less the longer ago and
//! more on the same branch; whose names, and whose sessions' prompts, have the words of the prompt at hand; what is
//! named outright; what was touched together with that; what failing checks speak of. Code before tests.
//!
//! Everything comes from the index: the same events and the same prompt give the same order, whatever the clock and
//! the tree say.

mod history;
mod words;

#[cfg(test)]
mod tests;

use crate::event::Ordered;

use std::collections::{BTreeMap, BTreeSet};

use history::{Said, Touch};
use words::{Documents, words};

/// After so long what was touched counts half.
const HALF_LIFE_MS: f64 = 3.0 * 86_400_000.0;
/// What a touch weighs that changed nothing.
const READ: f64 = 0.5;
/// What a prompt says of a file that its session only read.
const ONLY_READ: f64 = 0.3;

// How much each weighs at most, found by replaying real sessions.
const HISTORY: f64 = 1.5;
const NAME: f64 = 0.7;
const PROMPTS: f64 = 1.0;
const BRANCH: f64 = 0.7;
const TOGETHER: f64 = 1.0;
const FAILING: f64 = 0.5;
const NAMED: f64 = 3.0;
/// What a test weighs of its code.
const TEST: f64 = 0.85;

/// What is at hand when it is asked which files matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AtHand {
    /// What was asked for, if anything.
    pub prompt: Option<String>,
    pub branch: Option<String>,
    /// From the root.
    pub paths: Vec<String>,
}

/// A file, and whether it was named outright.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedFile {
    /// From the root.
    pub path: String,
    pub is_named: bool,
    score: f64,
}

/// The weighed sum of what speaks for each file.
#[derive(Default)]
struct Sum<'a>(BTreeMap<&'a str, f64>);

impl<'a> Sum<'a> {
    /// Adds what one thing says, so that it weighs no more than this of whatever file.
    fn add(&mut self, weight: f64, says: &BTreeMap<&'a str, f64>) {
        let most = says.values().copied().fold(0.0, f64::max);
        for (path, value) in says.iter().filter(|_| most > 0.0) {
            *self.0.entry(path).or_default() += weight * value / most;
        }
    }
}

fn rank<'a>(
    hand: &AtHand,
    touches: &[Touch],
    branches: &BTreeMap<i64, Option<String>>,
    prompts: &dyn Fn() -> &'a [Said],
    failing: &BTreeSet<String>,
) -> Vec<RankedFile> {
    let now = touches.iter().map(|it| it.at_ms).max().unwrap_or(0);
    let branch = hand.branch.as_deref().filter(|it| !MAIN.contains(it));
    let is_on_branch = |it: &Touch| {
        branch.is_some() && branches.get(&it.session).and_then(Option::as_deref) == branch
    };
    let [mut history, mut on_branch] = [(); 2].map(|()| BTreeMap::<&str, f64>::new());
    // Of each session what it touched, and whether it changed it.
    let mut sessions: BTreeMap<i64, BTreeMap<&str, bool>> = BTreeMap::new();
    for touch in touches {
        let path = touch.path.as_str();
        let age = now.saturating_sub(touch.at_ms) as f64 / HALF_LIFE_MS;
        let weight = 0.5_f64.powf(age) * if touch.changed { 1.0 } else { READ };
        *history.entry(path).or_default() += weight;
        if is_on_branch(touch) {
            let best = on_branch.entry(path).or_default();
            *best = weight.max(*best);
        }
        *sessions.entry(touch.session).or_default().entry(path).or_default() |= touch.changed;
    }
    let text = hand.prompt.as_deref().unwrap_or_default();
    let mut asked = words(text);
    asked.extend(branch.map(words).unwrap_or_default());
    let is_named = |path: &str| hand.paths.iter().any(|it| it == path) || names(text, path);
    let named: BTreeMap<&str, f64> =
        history.keys().filter(|path| is_named(path)).map(|path| (*path, 1.0)).collect();
    let [mut by_name, mut by_prompts] = [(); 2].map(|()| Documents::asked(&asked));
    for path in history.keys().filter(|_| !asked.is_empty()) {
        let words = words(path);
        by_name.add(path, words.len(), &by_name.of(&words), 1.0);
    }
    let prompts = if asked.is_empty() { &[] } else { prompts() };
    for (session, words) in prompts {
        let Some(touched) = sessions.get(session) else { continue };
        let found = by_prompts.of_numbers(words);
        for (path, is_changed) in touched {
            let weight = if *is_changed { 1.0 } else { ONLY_READ };
            by_prompts.add(path, words.len(), &found, weight);
        }
    }
    let failed = history.keys().filter(|path| failing.contains(**path)).map(|path| (*path, 1.0));
    let mut sum = Sum::default();
    sum.add(HISTORY, &history);
    sum.add(NAME, &by_name.ranked());
    sum.add(PROMPTS, &by_prompts.ranked());
    sum.add(BRANCH, &on_branch);
    sum.add(TOGETHER, &together(&sessions, &named));
    sum.add(FAILING, &failed.collect());
    sum.add(NAMED, &named);
    let file = |(path, score): (&str, f64)| {
        let score = score * if is_test(path) { TEST } else { 1.0 };
        let (path, is_named) = (path.to_owned(), named.contains_key(path));
        RankedFile { path, is_named, score }
    };
    let mut found: Vec<RankedFile> = sum.0.into_iter().map(file).collect();
    found.order_by(|one, other| {
        other.score.total_cmp(&one.score).then_with(|| one.path.cmp(&other.path))
    });
    found
}

/// What was touched in the sessions that touched what is named: the more of their sessions both share.
fn together<'a>(
    sessions: &BTreeMap<i64, BTreeMap<&'a str, bool>>,
    named: &BTreeMap<&'a str, f64>,
) -> BTreeMap<&'a str, f64> {
    let (mut both, mut all) = (BTreeMap::<&str, f64>::new(), BTreeMap::<&str, f64>::new());
    for files in sessions.values().filter(|_| !named.is_empty()) {
        let is_shared = files.keys().any(|path| named.contains_key(path));
        for path in files.keys() {
            *all.entry(path).or_default() += 1.0;
            *both.entry(path).or_default() += if is_shared { 1.0 } else { 0.0 };
        }
    }
    // One session more in each: what was touched once tells little.
    both.into_iter()
        .map(|(path, both)| (path, both / (all.get(path).unwrap_or(&0.0) + 1.0)))
        .collect()
}

/// Whether a text names a file: by its path, or by its name alone where that is no common word.
fn names(text: &str, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '.');
    text.contains(path)
        || name.len() >= NAME_BYTES_MIN
            && text.match_indices(name).any(|(at, _)| {
                let behind = text[at + name.len()..].trim_start_matches('.');
                !text[..at].ends_with(is_part)
                    && !behind
                        .starts_with(|it: char| it.is_alphanumeric() || it == '_' || it == '-')
            })
}

fn is_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let in_folder = path.split('/').any(|it| matches!(it, "tests" | "test" | "__tests__" | "spec"));
    in_folder
        || name.starts_with("test_")
        || ["_test.", ".test.", ".spec.", "_spec."].iter().any(|it| name.contains(it))
}

const MAIN: [&str; 4] = ["main", "master", "trunk", "HEAD"];
/// A shorter name is told from a word by its path alone.
const NAME_BYTES_MIN: usize = 5;
