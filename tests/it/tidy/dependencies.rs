//! What the product may stand on: a list, so that a crate is a decision and not an accident.

use super::root;

/// The product's dependencies. SQLite is the only database (spec 000, constraint 3).
const PERMITTED: &[&str] = &[
    "annals-facts",
    "annals-journal-format",
    "argon2",
    "bincode",
    "blake3",
    "clap",
    "clap_complete",
    "clap_mangen",
    "crossterm",
    "data-encoding",
    "ed25519-dalek",
    "fs2",
    "globset",
    "ignore",
    "indicatif",
    "jiff",
    "memchr",
    // With the feature `object-store` alone: Apache-2.0 or MIT, of the Arrow project.
    "object_store",
    // With the feature `parquet` alone: Apache-2.0, of the Arrow project.
    "parquet",
    "ratatui",
    "regex",
    // With the feature `otlp` alone: MIT or Apache-2.0; `object_store` speaks by it as well.
    "reqwest",
    "rusqlite",
    "rustix",
    "serde",
    "serde-saphyr",
    "serde_json",
    "sha2",
    "signal-hook",
    "similar",
    "thiserror",
    // With `object-store` or `otlp` alone.
    "tokio",
    "toml",
    "uuid",
    "zstd",
];

/// What facts may stand on; of SQL, how a column holds an id.
const PERMITTED_FACTS: &[&str] = &[
    "aho-corasick",
    "bincode",
    "blake3",
    "data-encoding",
    "jiff",
    "memchr",
    "quick-xml",
    "regex",
    "regex-automata",
    "rusqlite",
    "serde",
    "serde-saphyr",
    "serde_json",
    "serde_json_canonicalizer",
    "serde_path_to_error",
    "similar",
    "thiserror",
    "toml",
    "uuid",
];

/// What the journal's bytes may stand on.
const PERMITTED_FORMAT: &[&str] =
    &["blake3", "crc32fast", "fs2", "libc", "memmap2", "rustix", "sha2", "thiserror", "zstd"];

#[test]
fn only_permitted_crates_are_depended_on() {
    for (manifest, permitted) in [
        ("Cargo.toml", PERMITTED),
        ("facts/Cargo.toml", PERMITTED_FACTS),
        ("journal-format/Cargo.toml", PERMITTED_FORMAT),
    ] {
        let text = std::fs::read_to_string(root().join(manifest)).expect(manifest);
        let table = text.split("\n[dependencies]\n").nth(1).expect("a table of dependencies");
        let table = table.split("\n[").next().expect("the table");
        let names: Vec<&str> = table
            .lines()
            .filter_map(|line| line.split_once(" = ").map(|(name, _)| name.trim()))
            .collect();
        assert!(!names.is_empty(), "{manifest}: no dependency was read");
        for name in names {
            assert!(permitted.contains(&name), "{manifest}: {name} is not on the list");
        }
    }
}
