//! Places in code: `src/lib.rs:20:14`.

/// A place: its file and line, and what follows.
pub fn place(text: &str) -> Option<(&str, i64, &str)> {
    // From the left: a Windows drive's colon is not followed by a digit.
    let mut from = 0;
    loop {
        let colon = from + text[from..].find(':')?;
        let rest = &text[colon + 1..];
        let digits = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
        if digits > 0 && colon > 0 {
            let line = rest[..digits].parse().ok()?; // too many digits for a line
            return Some((&text[..colon], line, &rest[digits..]));
        }
        from = colon + 1;
    }
}

/// Whether code at this path is the project's own: no library, no language's own.
pub fn is_own(file: &str) -> bool {
    let foreign = [
        "/rustc/",
        "/.cargo/",
        "/rustlib/",
        "site-packages",
        "dist-packages",
        "/lib/python",
        "node_modules",
        "node:",
        "internal/",
        "<",
        "/usr/lib/go",
        "/usr/local/go",
        "/go/pkg/mod/",
        "/src/runtime/",
        "/src/testing/",
        "_testmain.go",
    ];
    !foreign.iter().any(|part| file.contains(part))
}
