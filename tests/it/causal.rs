//! Causes, end to end: a session on a copy of the sample crate, through the command line; its chain;
//! the graph lost and made again; and magellan, where it is installed, beside it.

use std::path::Path;
use std::process::Command;

use rusqlite::Connection;

use crate::project::{Project, Ran};
use crate::skipped::skipped;

/// The sample crate, which magellan 4.17 indexed, in its fixtures' folder.
const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/sample-crate");

const PATCH: &str =
    r#"{"file":"src/lib.rs","symbol":"checkout","kind":"fn","with":"patches/checkout.rs"}"#;

/// A copy of the sample crate in which a session was recorded: read, patch, a check that fails with
/// E0425, a fix, a check that passes.
fn recorded() -> Project {
    let project = Project::empty();
    copy(Path::new(SAMPLE), project.root());
    project.annals(["init"]).code(0);
    let read = ["record", "--tool", "file_read", "--arguments", r#"{"path":"src/lib.rs"}"#];
    project.annals(read).code(0);
    patch(&project, "with_tax(net,", "with_tax(nett,");
    let check = ["run", "--", "cargo", "check", "--offline", "--quiet"];
    project.annals(check).code(101).says("E0425");
    patch(&project, "with_tax(nett,", "with_tax(net,");
    project.annals(check).code(0);
    project
}

/// What splice would do, and the record of it.
fn patch(project: &Project, from: &str, to: &str) {
    let lib = project.path("src/lib.rs");
    let text = std::fs::read_to_string(&lib).expect("src/lib.rs");
    assert!(text.contains(from));
    std::fs::write(&lib, text.replace(from, to)).expect("written");
    let record =
        ["record", "--tool", "splice_patch", "--arguments", PATCH, "--changed", "src/lib.rs"];
    project.annals(record).code(0);
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("made");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), &to).expect("copied");
        }
    }
}

/// The steps of a chain: number, tool, what was done, whether it went well, what came of it.
fn steps(project: &Project, what: &[&str]) -> Vec<(u64, String, String, String, String)> {
    let arguments = ["trace", "--json"].iter().chain(what);
    let trace = project.annals(arguments).code(0).json();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let step = |step: &serde_json::Value| {
        let links = step["links"].as_array().expect("links");
        let of = |edge: &str| {
            let found = links.iter().find(|link| link["edge"] == edge);
            found.map(|link| text(&link["word"])).unwrap_or_default()
        };
        let codes = links.iter().map(|link| text(&link["diagnostic"]["code"]));
        let cleared = step["cleared"].as_array().expect("a list").iter();
        let came = [of("AFFECTED")].into_iter().chain(codes);
        let came = came.chain(cleared.map(|code| format!("-{}", text(code)))).collect::<String>();
        let no = step["no"].as_u64().expect("a number");
        (no, text(&step["tool"]), of("EXECUTED_ON"), text(&step["outcome"]), came)
    };
    trace["steps"].as_array().expect("steps").iter().map(step).collect()
}

fn expected() -> Vec<(u64, String, String, String, String)> {
    [
        (1, "file_read", "read", "ok", ""),
        (2, "splice_patch", "patch", "ok", "patched"),
        (3, "lsp_check", "check", "failed", "E0425"),
        (4, "splice_patch", "patch", "ok", "patched"),
        (5, "lsp_check", "", "ok", "-E0425"),
    ]
    .map(|(no, tool, operation, outcome, came)| {
        (no, tool.to_owned(), operation.to_owned(), outcome.to_owned(), came.to_owned())
    })
    .to_vec()
}

/// The digest of our rows in the graph.
fn digest(project: &Project) -> String {
    let status = project.annals(["status", "--digest", "--json"]).code(0).json();
    let stores = status["stores"].as_array().expect("stores").clone();
    let graph = stores.iter().find(|store| store["store"] == "codegraph.db").expect("the graph");
    graph["digest"].as_str().expect("a digest").to_owned()
}

#[test]
fn a_recorded_session_has_its_whole_causal_chain_and_a_lost_graph_comes_back() {
    let project = recorded();
    assert_eq!(steps(&project, &["src/lib.rs"]), expected());
    project
        .annals(["trace", "src/lib.rs"])
        .code(0)
        .says("error[E0425] src/lib.rs:11: cannot find value `nett` in this scope")
        .says("E0425 no longer shown");
    let numbers = |what: &[&str]| -> Vec<u64> {
        steps(&project, what).into_iter().map(|step| step.0).collect()
    };
    for (what, expect) in [
        (vec!["src/lib.rs", "--before", "E0425"], vec![1, 2]),
        (vec!["checkout"], vec![2, 4]),
        (vec!["checkout", "--symbol", "--before", "E0425"], vec![2]),
        (vec!["checkout", "--file", "src/lib.rs"], vec![2, 4]),
        (vec!["checkout", "--file", "src/cart.rs"], vec![]),
        (vec!["src/cart.rs"], vec![]),
        (vec!["src/lib.rs", "-n", "2"], vec![3, 4, 5]),
    ] {
        assert_eq!(numbers(&what), expect, "{what:?}");
    }
    project.annals(["trace", "3"]).code(0).says("PRODUCED").says("after it on src/lib.rs");
    project.annals(["trace", "src/none.rs"]).code(0).says("knows no file");
    let other = Project::new();
    let found =
        r#"[{"level":"error","message":"m","file_name":"src/b.rs","line_start":1,"code":"E0308"}]"#;
    other
        .annals(["record", "--tool", "lsp_check", "--path", "src/b.rs", "--diagnostics", found])
        .code(0);
    other.annals(["trace", "src/b.rs", "--before", "E0308"]).code(0).says("lies before that");
    project.annals(["trace", "99"]).code(2).says("nothing is recorded");
    project.annals(["trace", "src/lib.rs", "--before", "E9999"]).code(2).says("no diagnostic");

    // A copy of the journal alone, evidence, and the past know the same chain.
    let elsewhere = tempfile::tempdir().expect("a folder");
    copy(&project.path(".annals/journal"), &elsewhere.path().join("journal"));
    let journal = elsewhere.path().join("journal").to_string_lossy().into_owned();
    let root = project.root().to_string_lossy().into_owned();
    let absolute = project.path("src/lib.rs").to_string_lossy().into_owned();
    for (what, expect) in [
        (vec!["src/lib.rs", "--evidence"], vec![1, 2, 3, 4, 5]),
        (vec!["src/lib.rs", "--dir", &journal], vec![1, 2, 3, 4, 5]),
        (vec![&absolute, "--dir", &journal], vec![1, 2, 3, 4, 5]),
        (vec!["src/lib.rs", "--at", "3"], vec![1, 2, 3]),
        (vec!["checkout", "--dir", &journal, "--before", "E0425"], vec![2]),
    ] {
        assert_eq!(numbers(&what), expect, "{what:?}");
    }
    let both = ["trace", "src/lib.rs", "--json", "--dir", &root, "--dir", &journal];
    let both = project.annals(both).code(0).json();
    assert_eq!(both["steps"].as_array().map(Vec::len), Some(10));
    assert!(both["steps"][0]["journal"].is_string() && both["next"].is_null());

    let before = digest(&project);
    let graph = Connection::open(project.path("codegraph.db")).expect("the graph");
    let gone = graph.execute_batch(
        "DELETE FROM graph_edges WHERE from_id IN \
             (SELECT id FROM graph_entities WHERE kind = 'execution'); \
             DELETE FROM graph_entities WHERE kind IN ('execution', 'diagnostic', 'annals_stub')",
    );
    gone.expect("deleted by hand");
    drop(graph);
    project.annals(["rebuild", "graph"]).code(0);
    assert_eq!(digest(&project), before);
    assert_eq!(steps(&project, &["src/lib.rs"]), expected());
}

#[test]
fn a_copy_elsewhere_and_a_project_that_moved_have_the_same_chain() {
    let project = recorded();
    project.annals(["bundle", "all.bundle"]).code(0);
    let elsewhere = Project::new();
    let bundle = project.path("all.bundle").to_string_lossy().into_owned();
    assert_eq!(steps(&elsewhere, &["src/lib.rs", "--dir", &bundle]), expected());
    // No graph goes along: what is made anew must find the paths of before.
    let moved = elsewhere.path("moved");
    std::fs::create_dir_all(&moved).expect("a folder");
    copy(&project.path(".annals"), &moved.join(".annals"));
    let moved = moved.to_string_lossy().into_owned();
    assert_eq!(steps(&elsewhere, &["src/lib.rs", "--dir", &moved]), expected());
}

#[test]
fn magellan_goes_on_with_the_file_and_what_it_indexes_again_keeps_its_chain() {
    if Command::new("magellan").arg("--version").output().is_err() {
        return skipped("magellan is not installed (cargo install magellan --version 4.17.0)");
    }
    let project = recorded();
    let magellan = |script: &str| Ran::of(&mut project.shell(&format!("magellan {script}")));
    magellan("status --db codegraph.db").code(0);
    magellan("find --db codegraph.db --name checkout").code(0).says("checkout");
    magellan("doctor --db codegraph.db").code(0);
    // Again, from a changed file: its rows get new ids, and our edges went with the old ones.
    let lib = project.path("src/lib.rs");
    let text = std::fs::read_to_string(&lib).expect("src/lib.rs");
    std::fs::write(&lib, text + "\n/// One more.\npub fn free() -> u64 {\n    0\n}\n")
        .expect("written");
    magellan("index --db codegraph.db --file src/lib.rs").code(0);
    magellan("find --db codegraph.db --name free").code(0).says("free");
    assert_eq!(steps(&project, &["src/lib.rs"]), expected());
    magellan("doctor --db codegraph.db").code(0);
}
