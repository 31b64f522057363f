//! The tests that a run names as passed.

use std::collections::BTreeSet;

/// Of a run that names more, nothing is kept.
const NAMES_MAX: usize = 4_096;

/// The tests that a run named as passed, by a digest of each: who asks knows the name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassedTests {
    digests: BTreeSet<u32>,
    lines: u64,
}

impl PassedTests {
    pub fn read(&mut self, line: &str) {
        if let Some(name) = passed(line.trim()).filter(|_| self.digests.len() <= NAMES_MAX) {
            self.digests.insert(digest(name));
            self.lines += 1;
        }
    }

    /// Whether it names all of so many tests that passed.
    pub fn is_whole(&self, count: u64) -> bool {
        (1..=NAMES_MAX).contains(&self.digests.len()) && self.lines >= count
    }

    pub fn has(&self, test: &str) -> bool {
        self.digests.contains(&digest(test))
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        self.digests.iter().flat_map(|it| it.to_le_bytes()).collect()
    }

    pub fn of_bytes(bytes: &[u8]) -> Self {
        let (digests, _) = bytes.as_chunks::<4>();
        let digests = digests.iter().map(|it| u32::from_le_bytes(*it)).collect();
        Self { digests, lines: 0 }
    }
}

fn digest(test: &str) -> u32 {
    let hash = blake3::hash(bare(test).as_bytes());
    let [a, b, c, d, ..] = *hash.as_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// A test's own name, without what it lies in: runners tell more of that where it fails than where it passes.
pub fn bare(test: &str) -> &str {
    let test = test.split(" (").next().unwrap_or(test).trim();
    let test = ["::", " > ", " › "].iter().fold(test, |it, by| it.rsplit(by).next().unwrap_or(it));
    let is_path = |it: char| it.is_alphanumeric() || it == '_' || it == '.';
    match test.rsplit_once('.') {
        Some((_, name)) if test.chars().all(is_path) && !name.is_empty() => name,
        _ => test,
    }
}

/// The test that a line says passed, as its runner names it.
fn passed(text: &str) -> Option<&str> {
    // Go, cargo, unittest.
    if let Some(name) = text.strip_prefix("--- PASS: ") {
        return name.split_whitespace().next();
    }
    if let Some(name) = text.strip_suffix(" ... ok") {
        return Some(name.strip_prefix("test ").unwrap_or(name));
    }
    // nextest
    if let Some((_, name)) = text.strip_prefix("PASS [").and_then(|it| it.split_once(']')) {
        return name.split_whitespace().next_back();
    }
    // pytest, of which several may run at once.
    if let Some((before, behind)) = text.split_once("PASSED") {
        let name = if before.starts_with("[gw") { behind } else { before };
        return Some(name.trim()).filter(|it| it.contains("::"));
    }
    // jest, vitest, mocha, node, TAP.
    if let Some(name) = ["✓ ", "✔ ", "√ "].iter().find_map(|it| text.strip_prefix(it)) {
        let name = name.rsplit_once(" (").filter(|it| it.1.ends_with(')')).map_or(name, |it| it.0);
        let timed = name.rsplit_once(' ').filter(|it| is_time(it.1));
        return Some(timed.map_or(name, |it| it.0));
    }
    let (number, name) = text.strip_prefix("ok ")?.split_once(" - ")?;
    number.bytes().all(|it| it.is_ascii_digit()).then_some(name)
}

fn is_time(word: &str) -> bool {
    let number = word.strip_suffix("ms").or_else(|| word.strip_suffix('s')).unwrap_or("-");
    number.bytes().all(|it| it.is_ascii_digit() || it == b'.')
}

#[cfg(test)]
mod tests {
    use super::{PassedTests, bare, passed};

    #[test]
    fn a_line_that_tells_of_one_test_that_passed_names_it() {
        for (line, name) in [
            ("--- PASS: TestA/two_parts (0.00s)", Some("TestA/two_parts")),
            ("--- FAIL: TestA (0.00s)", None),
            ("test shop::tests::adds ... ok", Some("adds")),
            ("test shop::tests::adds ... FAILED", None),
            ("test_adds (shop.ShopTest.test_adds) ... ok", Some("test_adds")),
            ("PASS [   0.005s] shop::it tests::adds", Some("adds")),
            ("tests/test_a.py::TestShop::test_adds[1.5] PASSED   [ 50%]", Some("test_adds[1.5]")),
            ("[gw0] [ 50%] PASSED tests/test_a.py::test_adds", Some("test_adds")),
            ("2 PASSED", None),
            ("✓ adds two numbers (3 ms)", Some("adds two numbers")),
            ("✔ adds two numbers (0.5ms)", Some("adds two numbers")),
            ("✓ src/a.test.ts > shop > adds 2ms", Some("adds")),
            ("ok 1 - adds", Some("adds")),
            ("ok  \texample.com/shop\t0.010s", None),
        ] {
            assert_eq!(passed(line).map(bare), name, "{line}");
        }
    }

    #[test]
    fn what_is_kept_knows_the_names_again() {
        let mut found = PassedTests::default();
        ["test a::adds ... ok", "test a::b::takes ... ok"].iter().for_each(|it| found.read(it));
        assert!(found.is_whole(2) && !found.is_whole(3) && !PassedTests::default().is_whole(0));
        let kept = PassedTests::of_bytes(&found.to_bytes());
        for (name, has) in [("a::adds", true), ("b::takes", true), ("other", false)] {
            assert_eq!(kept.has(name), has, "{name}");
        }
    }
}
