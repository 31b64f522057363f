//! Tool inference, row by row.

use super::{CHECK, COMMAND, targets, tool};

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

#[test]
fn a_calls_arguments_name_its_targets() {
    let root = tempfile::tempdir().unwrap();
    std::fs::create_dir(root.path().join("src")).unwrap();
    for (tool, arguments, paths, symbols) in [
        (
            "splice_patch",
            r#"{"file":"src/lib.rs","symbol":"foo","kind":"fn","with":"patches/foo.rs"}"#,
            vec!["src/lib.rs"],
            vec!["foo"],
        ),
        ("file_read", r#"{"path":"src/lib.rs"}"#, vec!["src/lib.rs"], vec![]),
        ("file_edit", r#"{"file_path":"/p/a.rs","name":"n"}"#, vec!["/p/a.rs"], vec![]),
        ("lsp_check", r#"{"path":"src"}"#, vec![], vec![]),
        ("lsp_check", r#"{"path":"src/a.rs"}"#, vec!["src/a.rs"], vec![]),
        ("references_to_symbol_name", r#"{"name":"foo"}"#, vec![], vec!["foo"]),
        ("references_to_symbol_name", r#"{"symbol":["a","b","a"]}"#, vec![], vec!["a", "b"]),
        ("file_read", r#"{"path":5,"file":{"path":"x"}}"#, vec![], vec![]),
        ("file_read", r#"[1]"#, vec![], vec![]),
        ("file_read", "", vec![], vec![]),
    ] {
        let found = targets(tool, arguments, root.path());
        assert_eq!((found.paths, found.symbols), (owned(&paths), owned(&symbols)), "{arguments}");
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}
