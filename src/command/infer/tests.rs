//! Tool inference, row by row.

use super::{CHECK, COMMAND, tool};

#[test]
fn only_cargos_checks_are_lsp_check() {
    for (line, expect) in [
        ("cargo check", CHECK),
        ("cargo clippy --all-targets -- -D warnings", CHECK),
        ("/usr/bin/cargo +nightly --color always check", CHECK),
        ("cargo -q --offline c", CHECK),
        ("cargo test", COMMAND),
        ("cargo", COMMAND),
        ("cargo --color check build", COMMAND),
        ("rustc main.rs", COMMAND),
        ("sh -c check", COMMAND),
        ("", COMMAND),
    ] {
        let argv: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        assert_eq!(tool(&argv), expect, "{line}");
    }
}
