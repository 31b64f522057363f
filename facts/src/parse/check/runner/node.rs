//! `node --test`: Node's own test runner.

use super::tap::Tap;
use super::{Found, OutputStream, Parsed, RunnerOutput};

/// Reads what Node's test runner prints: its report for people (`✖ name`), and TAP.
#[derive(Debug, Default)]
pub struct NodeTest {
    tap: Tap,
    open: Option<Found>,
    /// `test at a.test.mjs:3:1`, of the next one.
    at: Option<String>,
    /// The report for people tells what failed at its end, again.
    is_again: bool,
    /// It sums up as no other that writes TAP does.
    is_nodes: bool,
}

impl RunnerOutput for NodeTest {
    fn line(&mut self, from: OutputStream, line: &str) {
        let sum = line.strip_prefix("# ").or_else(|| line.strip_prefix("ℹ "));
        self.is_nodes |= line.starts_with("ℹ pass ")
            || sum.is_some_and(|it| {
                // tape writes `# pass  3`.
                let passed = it.strip_prefix("pass ").and_then(|it| it.chars().next());
                passed.is_some_and(|it| it.is_ascii_digit())
                    || it.starts_with("cancelled ")
                    || it.starts_with("duration_ms ")
            });
        if let Some(sum) = line.strip_prefix("ℹ ")
            && self.tap.total(sum)
        {
            self.end();
        } else if let Some(at) = line.strip_prefix("test at ").filter(|_| self.is_again) {
            self.end();
            self.at = Some(at.to_owned());
        } else if line == "✖ failing tests:" {
            self.end();
            self.is_again = true;
        } else if let Some(name) = line.strip_prefix("✖ ").filter(|_| self.is_again) {
            self.end();
            let at = self.at.take();
            if !name.contains(" # TODO") {
                self.open = Some(Found::new(without_time(name), at.as_deref()));
            }
        } else if let Some(open) = self.open.take() {
            self.open = Some(spec(open, line));
        } else {
            self.tap.line(from, line);
        }
    }

    fn finish(mut self: Box<Self>) -> Parsed {
        self.end();
        let parsed = Box::new(self.tap).finish();
        Parsed { is_understood: parsed.is_understood && self.is_nodes, ..parsed }
    }
}

impl NodeTest {
    fn end(&mut self) {
        if let Some(open) = self.open.take() {
            self.tap.add(open);
        }
    }
}

fn spec(mut open: Found, line: &str) -> Found {
    let bare = line.trim_start();
    if bare.starts_with("at ") && line.starts_with("      ") {
        open.stack.line(bare.trim_end_matches(" {"));
    } else if !open.stack.is_empty() {
        if let Some(value) = bare.strip_prefix("actual: ") {
            open.actual = Some(value.trim_end_matches(',').to_owned());
        } else if let Some(value) = bare.strip_prefix("expected: ") {
            open.expected = Some(value.trim_end_matches(',').to_owned());
        }
    } else if open.message.is_empty() {
        // `TypeError [Error]: no`, `AssertionError [ERR_ASSERTION]: no`.
        let (name, message) = bare.split_once(": ").unwrap_or(("", bare));
        let name = name.split(" [").next().unwrap_or(name);
        if !name.is_empty() && name.bytes().all(|it| it.is_ascii_alphanumeric()) {
            open.error = Some(name.to_owned());
            open.message.line(message);
        } else if !bare.is_empty() {
            let plain =
                bare.strip_prefix('\'').and_then(|it| it.strip_suffix('\'')).unwrap_or(bare);
            let is_suite =
                |it: &str| it.ends_with("subtest failed") || it.ends_with("subtests failed");
            open.is_suite |= is_suite(plain);
            open.message.line(plain);
        }
    } else {
        open.message.line(line.strip_prefix("  ").unwrap_or(line));
    }
    open
}

/// `eq (5.388585ms)` → `eq`.
fn without_time(name: &str) -> &str {
    match name.rsplit_once(" (") {
        Some((name, took)) if took.ends_with("ms)") => name,
        _ => name,
    }
}
