//! The source files of the workspace, and what of them is code.

use std::path::Path;

use super::root;

/// One Rust file.
pub struct Source {
    /// From the workspace's root, with `/`.
    pub path: String,
    pub text: String,
}

impl Source {
    pub fn of(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    /// Whether it is part of what users run: no test, no benchmark.
    pub fn is_product(&self) -> bool {
        let file = self.path.rsplit('/').next().unwrap_or_default();
        let tested = self.path.contains("/tests/") || file == "tests.rs";
        let of = ["src/", "facts/src/", "journal-format/src/"];
        !tested && of.iter().any(|folder| self.path.starts_with(folder))
    }

    /// Its lines without comments and string literals, numbered from 1, as far as they are not a
    /// test's own.
    pub fn code_lines(&self) -> impl Iterator<Item = (usize, String)> {
        let mut test_next = false;
        self.text.lines().enumerate().filter_map(move |(at, line)| {
            let code = code_of(line);
            // Only single items are marked so (`mod tests;`); blocks live in tests.rs.
            let skip = std::mem::replace(&mut test_next, code.trim() == "#[cfg(test)]");
            (!skip && !code.trim().is_empty()).then_some((at + 1, code))
        })
    }
}

/// Every Rust file of the workspace.
pub fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    for folder in ["src", "facts", "journal-format", "tests", "benches"] {
        walk(&root().join(folder), &mut found);
    }
    assert!(found.len() > 30, "the walk found only {} files", found.len());
    found
}

fn walk(folder: &Path, found: &mut Vec<Source>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the workspace") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            // Fixtures are other people's code.
            let ours =
                ["target", "fixtures"].iter().all(|name| path.file_name() != Some(name.as_ref()));
            if ours {
                walk(&path, found);
            }
        } else if path.extension() == Some("rs".as_ref()) {
            let text = std::fs::read_to_string(&path).expect("a source file");
            let path = path.strip_prefix(root()).expect("below the root");
            found.push(Source { path: path.to_string_lossy().replace('\\', "/"), text });
        }
    }
}

/// The line without what stands in quotation marks and after `//`. Literals over several lines
/// are not seen through: their lines count as code.
fn code_of(line: &str) -> String {
    let mut code = String::with_capacity(line.len());
    let mut chars = line.chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' if quoted => drop(chars.next()),
            '\'' if !quoted && chars.peek() == Some(&'"') => {
                chars.next();
                chars.next_if_eq(&'\'');
            }
            '"' => {
                quoted = !quoted;
                code.push(c);
            }
            '/' if !quoted && chars.peek() == Some(&'/') => break,
            _ if quoted => {}
            _ => code.push(c),
        }
    }
    code
}
