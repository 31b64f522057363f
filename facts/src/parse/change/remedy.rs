//! What of a change may have ended a failure.

use std::collections::BTreeSet;

use super::Hunk;
use super::code::code_of;
use super::files::{is_code, is_helper, is_of_runner, is_of_tests, name_of};
use super::net::net;
use super::own_test::{OwnFiles, is_changed, may_change, takes_tests};
use super::silence::silences;
use super::tree::{Turned, turned_by};
use crate::event::Ordered;
use crate::parse::check::cause::{Cause, names_in};

/// How a failure was found, as far as that says what may end it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// A test ran and failed: what ends it is code, and never the test itself.
    OfTest,
    /// A linter or a formatter told it: of anything that it may have read, comments and blanks too.
    Told,
    /// A compiler or a program told it: of anything but those.
    OfCode,
}

/// A failure, as far as it decides what may have ended it.
#[derive(Clone, Copy, Debug)]
pub struct FailedBy<'f> {
    pub kind: FailureKind,
    /// All that it is known to have said: the line that tells it, its places.
    pub said: &'f str,
    /// What it named, each behind a blank.
    pub names: &'f str,
}

/// What of the edits and commands between a failure and a check that no longer had it may be the fix: what they came
/// to, without what only silences, and without a new file that nothing names. Of a test that failed code alone, and
/// nothing where the test may not have run again. Empty: there is nothing to learn.
pub fn remedy(hunks: Vec<Hunk>, of: FailedBy<'_>) -> Vec<Hunk> {
    let is_of_test = of.kind == FailureKind::OfTest;
    let turned = hunks.iter().filter_map(|it| it.command.as_deref()).filter_map(turned_by).max();
    let mut found = net(hunks);
    let own = OwnFiles::told_by(of.said);
    let takes = found.iter().filter_map(|it| it.command.as_deref()).any(takes_tests);
    if turned == Some(Turned::Tree) || takes || is_of_test && is_changed(&found, &own) {
        return Vec::new();
    }
    found.retain(|hunk| {
        let is_turning = hunk.command.as_deref().is_some_and(|it| turned_by(it).is_some());
        let is_of_code = hunk.file.is_empty() || is_code(&hunk.file);
        let is_other =
            !is_helper(&hunk.file) && (is_of_tests(&hunk.file) || is_of_runner(&hunk.file));
        let is_empty = of.kind != FailureKind::Told && says_the_same(hunk);
        !is_turning
            && is_of_code
            && !silences(hunk)
            && !is_empty
            && !(is_of_test && (is_other || own.has(&hunk.file) || is_assertion(hunk)))
    });
    let is_told =
        |it: &Hunk| has_name(of.said, name_of(&it.file)) || has_name(of.said, stem_of(&it.file));
    let is_strange =
        |it: &Hunk| it.is_new && !is_told(it) && !found.iter().any(|other| names_file(other, it));
    let strange: Vec<Hunk> = found.iter().filter(|it| is_strange(it)).cloned().collect();
    let has_said = |it: &Hunk| it.new_lines().any(|line| names_in(line, of.names));
    found.retain(|it| !strange.contains(it) || !is_of_test && has_said(it));
    let is_other =
        turned == Some(Turned::Surroundings) || turned == Some(Turned::Restored) && !is_of_test;
    if is_other && !found.iter().any(is_told) {
        found.clear();
    }
    found
}

/// Whether a command tells that an ending is none, or may be none, though it changed no file that is told.
pub fn is_judged(command: &str, of: FailedBy<'_>) -> bool {
    let is_of_test = of.kind == FailureKind::OfTest;
    turned_by(command).is_some()
        || takes_tests(command)
        || is_of_test && may_change(command, &OwnFiles::told_by(of.said))
}

/// Whether one change names the file of another one.
fn names_file(one: &Hunk, other: &Hunk) -> bool {
    let stem = stem_of(&other.file);
    one.file != other.file && one.new_lines().any(|line| has_name(line, stem))
}

fn stem_of(file: &str) -> &str {
    let name = name_of(file);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn has_name(text: &str, name: &str) -> bool {
    let is_of_word = |it: char| it.is_alphanumeric() || it == '_';
    name.len() > 1
        && text.match_indices(name).any(|(at, _)| {
            !text[..at].ends_with(is_of_word) && !text[at + name.len()..].starts_with(is_of_word)
        })
}

/// Whether nothing but assertions changed, as in the tests that a file of Rust has in it.
fn is_assertion(hunk: &Hunk) -> bool {
    let mut lines = hunk.old_lines().chain(hunk.new_lines()).peekable();
    lines.peek().is_some() && lines.all(|it| it.trim_start().starts_with("assert"))
}

/// Whether nothing but comments and blanks changed.
fn says_the_same(hunk: &Hunk) -> bool {
    let code = |lines: &[String]| code_of(&hunk.file, lines.iter().map(String::as_str));
    hunk.command.is_none() && code(&hunk.removed) == code(&hunk.added)
}

/// Whether one change tries another one again: half of the lines that the first brought are among those of the
/// second; of one that only takes away, half of those. Where nobody knows the lines the files decide.
pub fn is_alike(fix: &[Hunk], trial: &[Hunk]) -> bool {
    let files =
        |them: &[Hunk]| -> BTreeSet<String> { them.iter().map(|it| it.file.clone()).collect() };
    let is_unknown = |them: &[Hunk]| them.iter().any(|it| it.command.is_some());
    if !fix.is_empty() && fix == trial {
        return true;
    }
    if is_unknown(fix) || is_unknown(trial) {
        let commands = |them: &[Hunk]| -> Vec<String> {
            them.iter().filter_map(|it| it.command.clone()).collect()
        };
        let both = (commands(fix), commands(trial));
        return both.0 == both.1 || !files(fix).is_disjoint(&files(trial));
    }
    let brings = fix.iter().any(|it| it.new_lines().any(says_something));
    let of = |them: &[Hunk]| -> BTreeSet<String> {
        let lines = them.iter().flat_map(|it| -> Box<dyn Iterator<Item = &str>> {
            if brings { Box::new(it.new_lines()) } else { Box::new(it.old_lines()) }
        });
        lines.filter(|it| says_something(it)).map(|it| it.trim().to_owned()).collect()
    };
    let (own, others) = (of(fix), of(trial));
    !own.is_empty() && own.intersection(&others).count() * 2 >= own.len()
}

fn says_something(line: &str) -> bool {
    line.chars().any(char::is_alphanumeric)
}

/// Of a fix the hunks that have to do with a cause, those that name what it names before those in its file. Where some
/// do, what names another cause of the same failure is left out.
pub fn of_cause(hunks: Vec<Hunk>, own: &Cause, others: &[Cause]) -> Vec<Hunk> {
    let rank = |hunk: &Hunk, cause: &Cause| {
        let is_there = cause.place.as_deref().is_some_and(|place| is_same_file(&hunk.file, place));
        (is_named(hunk, &cause.names), is_there)
    };
    let mut ranked: Vec<((bool, bool), Hunk)> =
        hunks.into_iter().map(|it| (rank(&it, own), it)).collect();
    if ranked.iter().any(|(rank, _)| *rank != (false, false)) {
        let is_of_another = |hunk: &Hunk| others.iter().any(|it| rank(hunk, it) != (false, false));
        ranked.retain(|(rank, hunk)| *rank != (false, false) || !is_of_another(hunk));
    }
    ranked.order_by(|(one, _), (other, _)| other.cmp(one));
    ranked.into_iter().map(|(_, hunk)| hunk).collect()
}

fn is_same_file(file: &str, place: &str) -> bool {
    let is_end = |whole: &str, end: &str| {
        whole.strip_suffix(end).is_some_and(|it| it.is_empty() || it.ends_with('/'))
    };
    !file.is_empty() && (is_end(file, place) || is_end(place, file))
}

/// Whether a line that went or came has one of the names that a failure named.
pub fn is_named(hunk: &Hunk, names: &str) -> bool {
    let lines = hunk.old_lines().chain(hunk.new_lines());
    lines.chain(hunk.command.as_deref()).any(|line| names_in(line, names))
}
