//! TAP, the Test Anything Protocol, versions 12 to 14.

use super::failed_test::{Block, Found};
use super::text::milliseconds;
use super::{OutputStream, Parsed, RunnerOutput};
use crate::event::TestResults;

/// Subtests within subtests that are told apart.
const LEVELS_MAX: usize = 64;

/// Reads points (`not ok 1 - name`), the blocks of YAML behind them, subtests, plans, and sums (`# pass 3`).
#[derive(Debug, Default)]
pub struct Tap {
    parsed: Parsed,
    open: Option<Found>,
    block: Block,
    /// Of each level that is open its indent, and whether one of its points failed.
    levels: Vec<(usize, bool)>,
    /// Points that have none below them.
    counted: TestResults,
    /// Points of the outermost level that are still to come by its plan.
    left: u64,
    /// A plan says that there is nothing to run.
    is_none: bool,
    /// It has a version or a plan: somebody's `ok` alone is no TAP.
    is_tap: bool,
    /// `# pass 3` was seen: the sum counts, not what was counted here.
    is_summed: bool,
}

impl RunnerOutput for Tap {
    fn line(&mut self, _: OutputStream, line: &str) {
        let bare = line.trim_start_matches(' ');
        let indent = line.len() - bare.len();
        if let Some(point) = Point::of(bare).filter(|_| !self.is_in_text(indent)) {
            self.end();
            self.point(indent, point);
        } else if let Some(why) = bailed(line) {
            self.end();
            self.bail(why.trim());
        } else if bare == "}" && !self.is_in_text(indent) {
            self.end();
            self.levels.retain(|it| it.0 <= indent);
        } else if self.open.is_some() && self.detail(indent, bare) {
        } else if let Some(sum) = line.strip_prefix("# ") {
            self.total(sum);
        } else if indent == 0 {
            self.is_tap |= bare.starts_with("TAP version ");
            if let Some(count) = plan(bare) {
                self.is_tap = true;
                self.is_none |= count == 0;
                self.left = self.left.saturating_add(count);
            }
        }
    }

    fn finish(mut self: Box<Self>) -> Parsed {
        self.end();
        let results = &mut self.parsed.results;
        if !self.is_summed {
            *results = std::mem::take(&mut self.counted);
        }
        let bad = results.failed + results.errors.unwrap_or(0);
        // Of a plan that was not kept nobody knows how the rest went.
        let is_kept = self.is_summed || bad > 0 || self.left == 0;
        let is_told = results.total > 0 || self.is_none;
        self.parsed.is_understood = self.is_summed || self.is_tap && is_told && is_kept;
        self.parsed
    }
}

impl Tap {
    /// Adds a test that failed, but not a suite, which fails with its tests.
    pub fn add(&mut self, failed: Found) {
        if !failed.is_suite {
            self.parsed.failures.add(failed.finish());
        }
    }

    fn end(&mut self) {
        if let Some(open) = self.open.take() {
            self.add(open);
        }
        self.block = Block::default();
    }

    fn point(&mut self, indent: usize, point: Point<'_>) {
        let mut below = None;
        while let Some((_, failed)) = self.levels.pop_if(|it| it.0 > indent) {
            below = Some(below.unwrap_or(false) || failed);
        }
        let is_bad = !point.is_ok && !point.is_excused;
        let is_full = self.levels.len() == LEVELS_MAX;
        match self.levels.last_mut().filter(|it| it.0 == indent) {
            Some((_, failed)) => *failed |= is_bad,
            None if is_full => {}
            None => self.levels.push((indent, is_bad)),
        }
        if indent == 0 {
            self.left = self.left.saturating_sub(1);
        }
        // `not ok 1 - cart {`: its tests follow, as vitest has them.
        let is_suite = below.is_some() || point.name.ends_with('{');
        if is_bad {
            let mut found = Found::new(point.name, None);
            found.is_suite = point.name.ends_with('{') || below == Some(true);
            (self.open, self.block) = (Some(found), Block::Before(indent));
        }
        if is_suite && !(is_bad && below == Some(false)) {
            return;
        }
        let counted = &mut self.counted;
        counted.total += 1;
        match (point.is_excused, point.is_ok) {
            (true, _) => *counted.skipped.get_or_insert(0) += 1,
            (false, true) => counted.passed += 1,
            (false, false) => counted.failed += 1,
        }
    }

    fn bail(&mut self, why: &str) {
        self.is_tap = true;
        *self.counted.errors.get_or_insert(0) += 1;
        self.counted.total += 1;
        let mut found = Found::new("Bail out!", None);
        found.message.line(if why.is_empty() { "no test was run any more" } else { why });
        self.add(found);
    }

    /// `tests 9`, `pass  2`, `duration_ms 663.12`: whether it is part of a sum.
    pub fn total(&mut self, told: &str) -> bool {
        let Some((word, count)) = told.split_once(' ') else { return false };
        let (count, results) = (count.trim(), &mut self.parsed.results);
        if word == "duration_ms" {
            results.duration_ms = milliseconds(&format!("{count}ms")).filter(|_| self.is_summed);
            return self.is_summed;
        }
        let Ok(count) = count.parse::<u32>().map(u64::from) else { return false };
        match word {
            "tests" => *results = TestResults { total: count, ..TestResults::default() },
            "pass" => {
                results.passed = count;
                self.is_summed = true;
            }
            "fail" => results.failed = count,
            // What could not be run to its end.
            "cancelled" => results.errors = Some(count).filter(|it| *it > 0),
            "skipped" | "skip" | "todo" => {
                let sum = results.skipped.unwrap_or(0) + count;
                results.skipped = Some(sum).filter(|it| *it > 0);
            }
            "suites" => {}
            _ => return false,
        }
        results.total = results.total.max(results.passed + results.failed);
        self.end();
        true
    }

    /// Whether a line this far in belongs to a text of the block, whatever it says.
    fn is_in_text(&self, indent: usize) -> bool {
        let (Block::Message(keys) | Block::Stack(keys) | Block::Other(keys)) = self.block else {
            return false;
        };
        self.open.is_some() && indent > keys
    }

    /// Takes a line behind a point that failed; false where it is none of its.
    fn detail(&mut self, indent: usize, bare: &str) -> bool {
        let Some(open) = &mut self.open else { return false };
        let text = |keys: usize| {
            let is_text = indent > keys || bare.is_empty();
            is_text.then(|| format!("{}{bare}", " ".repeat(indent.saturating_sub(keys + 2))))
        };
        match self.block {
            Block::Before(point) if bare == "---" && indent > point => {
                self.block = Block::Keys(None);
            }
            Block::Before(point) if indent > point && !bare.starts_with('#') => open.said(bare),
            Block::Before(_) if bare.is_empty() => {}
            Block::Message(keys) if let Some(line) = text(keys) => open.message.line(&line),
            Block::Stack(keys) if let Some(line) = text(keys) => open.stack.line(&line),
            Block::Other(keys) if text(keys).is_some() => {}
            Block::Keys(None) if bare != "..." => self.block = open.key(indent, bare),
            Block::Keys(Some(keys))
            | Block::Message(keys)
            | Block::Stack(keys)
            | Block::Other(keys)
                if indent >= keys && bare != "..." =>
            {
                self.block = open.key(keys, bare);
            }
            _ => {
                self.end();
                return bare == "...";
            }
        }
        true
    }
}

/// `Bail out! no database`, and what prove says of it.
fn bailed(line: &str) -> Option<&str> {
    let of_prove = || line.strip_prefix("Bailout called.  Further testing stopped: ");
    line.strip_prefix("Bail out!").or_else(of_prove)
}

/// `1..4`, `1..0 # SKIP no database`.
fn plan(line: &str) -> Option<u64> {
    let count = line.strip_prefix("1..")?.split_whitespace().next()?;
    count.parse::<u32>().ok().map(u64::from) // no plan
}

struct Point<'a> {
    is_ok: bool,
    name: &'a str,
    /// To be done, or skipped.
    is_excused: bool,
}

impl<'a> Point<'a> {
    /// `ok`, `not ok 2 - name # TODO why`, `ok 3 name`.
    fn of(bare: &'a str) -> Option<Self> {
        let (is_ok, rest) = match bare.strip_prefix("not ") {
            Some(rest) => (false, rest.strip_prefix("ok")?),
            None => (true, bare.strip_prefix("ok")?),
        };
        if !rest.is_empty() && !rest.starts_with(' ') {
            return None;
        }
        let rest =
            rest.trim_start().trim_start_matches(|it: char| it.is_ascii_digit()).trim_start();
        let rest = rest.strip_prefix("- ").unwrap_or(rest);
        let mut name = rest;
        let mut is_excused = false;
        let hashes = rest.match_indices('#').map(|it| it.0);
        for at in hashes.filter(|at| !rest[..*at].ends_with('\\')) {
            let word = rest[at + 1..].trim_start();
            let is =
                |it: &str| word.get(..it.len()).is_some_and(|word| word.eq_ignore_ascii_case(it));
            if is("todo") || is("skip") || is("time=") {
                is_excused = !is("time=");
                // Its subtests follow: `# time=3ms {`.
                name = if word.ends_with('{') { rest } else { rest[..at].trim_end() };
                break;
            }
        }
        Some(Self { is_ok, name, is_excused })
    }
}
