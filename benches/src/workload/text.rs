//! Text like that of tools: words, paths and numbers, as compressible as such output is.

use super::Random;

const WORDS: [&str; 48] = [
    "error",
    "warning",
    "compiling",
    "checking",
    "finished",
    "running",
    "test",
    "tests",
    "passed",
    "failed",
    "expected",
    "found",
    "struct",
    "module",
    "cannot",
    "find",
    "value",
    "in",
    "this",
    "scope",
    "the",
    "of",
    "a",
    "to",
    "and",
    "is",
    "not",
    "borrowed",
    "mutable",
    "lifetime",
    "function",
    "returns",
    "unused",
    "variable",
    "let",
    "match",
    "self",
    "impl",
    "pub",
    "fn",
    "crate",
    "use",
    "target",
    "debug",
    "release",
    "profile",
    "note",
    "help",
];
const FOLDERS: [&str; 8] =
    ["src", "tests", "crates/core", "lib", "app/ui", "benches", "docs", "api"];
const STEMS: [&str; 12] = [
    "main", "parser", "cart", "price", "session", "router", "index", "model", "writer", "reader",
    "config", "render",
];

/// `bytes` bytes of words and numbers, in lines of about eighty.
pub fn prose(random: &mut Random, bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 16);
    let mut line = 0;
    while text.len() < bytes {
        let before = text.len();
        if random.percent(12) {
            text.push_str(&random.between(0, 99_999).to_string());
        } else {
            text.push_str(random.pick::<&str>(&WORDS));
        }
        line += text.len() - before + 1;
        text.push(if line > 80 { '\n' } else { ' ' });
        line = if line > 80 { 0 } else { line };
    }
    text.truncate(bytes);
    text
}

/// One of some thousand source files.
pub fn path(random: &mut Random) -> String {
    let (folder, stem) = (random.pick(&FOLDERS), random.pick(&STEMS));
    format!("{folder}/{stem}_{}.rs", random.between(0, 40))
}
