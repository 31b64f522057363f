//! Questions to a graph that magellan made of a real crate.

use std::path::Path;

use serde_json::json;

use super::Folder;

/// The sample crate and its graph; `None` where they are not here.
fn sample() -> Option<Folder> {
    let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/sample-crate");
    if !crate_dir.join("codegraph.db").is_file() {
        crate::skipped::skipped("no ../shared/data/sample-crate/codegraph.db");
        return None;
    }
    let folder = Folder::new(&[]);
    for path in ["codegraph.db", "src/lib.rs", "src/cart.rs", "src/main.rs", "src/price.rs"] {
        folder.put(path, &std::fs::read(crate_dir.join(path)).unwrap());
    }
    Some(folder)
}

#[test]
fn a_files_symbols_and_a_symbols_uses_come_from_the_graph() {
    let Some(folder) = sample() else { return };
    for (tool, arguments, text) in [
        (
            "symbols_in_file",
            json!({"file": "src/cart.rs"}),
            "src/cart.rs:4: struct Cart\nsrc/cart.rs:9: fn Cart::add\nsrc/cart.rs:13: fn Cart::total\n",
        ),
        ("symbols_in_file", json!({"path": "./src/main.rs"}), "src/main.rs:3: fn main\n"),
        (
            "references_to_symbol_name",
            json!({"symbol": "add"}),
            "src/main.rs:5: call of Cart::add in main\n",
        ),
        (
            "references_to_symbol_name",
            json!({"name": "Cart::add"}),
            "src/main.rs:5: call of Cart::add in main\n",
        ),
        ("references_to_symbol_name", json!({"symbol": "total"}), ""),
        (
            "references_from_file_to_symbol_name",
            json!({"file": "src/main.rs", "symbol": "add"}),
            "src/main.rs:5: call of Cart::add in main\n",
        ),
        ("references_from_file_to_symbol_name", json!({"file": "src/lib.rs", "symbol": "add"}), ""),
    ] {
        let given = folder.call(tool, &arguments).unwrap();
        assert_eq!(given.text, text, "{tool} {arguments}");
    }
    for (tool, arguments, says) in [
        ("symbols_in_file", json!({"file": "src/none.rs"}), "the graph knows no file"),
        ("symbols_in_file", json!({"file": "../lib.rs"}), "has `..` in it"),
        ("references_to_symbol_name", json!({"symbol": "none"}), "the graph knows no symbol"),
        (
            "references_from_file_to_symbol_name",
            json!({"file": "x.rs", "symbol": "add"}),
            "index the project with magellan",
        ),
    ] {
        let said = folder.says(tool, &arguments);
        assert!(said.contains(says), "{said}");
    }
}

#[test]
fn without_a_graph_the_tools_say_so() {
    let folder = Folder::new(&[("src/a.rs", "")]);
    let said = folder.says("symbols_in_file", &json!({"file": "src/a.rs"}));
    assert!(said.contains("graph"), "{said}");
    assert!(!folder.path("codegraph.db").exists());
}
