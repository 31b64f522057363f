//! Chains of real executions: the graph's steps with the index's facts, and what a later check no
//! longer showed.

use crate::execution::contract::{ChangedFile, Execution, ExecutionDb, record_execution};
use crate::execution::query::{EdgeType, ExecutionChain, QueryError, Stores, Trace};
use crate::parse::check::diagnostic::Diagnostic;

const BEGAN: u64 = 1_735_036_800_000;

/// A project in which `lsp_check`s and edits happened.
struct History {
    folder: tempfile::TempDir,
    db: ExecutionDb,
    at: u64,
}

impl History {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("crate")).unwrap();
        let db = ExecutionDb::initialize(folder.path()).unwrap();
        Self { folder, db, at: BEGAN }
    }

    fn record(&mut self, execution: Execution) {
        self.at += 1_000;
        let execution = Execution { timestamp: self.at, ..execution };
        assert_eq!(record_execution(&self.db, execution).unwrap().lagging, Vec::<String>::new());
    }

    fn check(&mut self, folder: &str, codes: &[&str]) {
        let diagnostics = codes.iter().map(|code| Diagnostic {
            level: "error".to_owned(),
            message: format!("{code} happened"),
            file_name: Some("src/lib.rs".to_owned()),
            line_start: Some(3),
            code: Some((*code).to_owned()),
        });
        self.record(Execution {
            tool_name: "lsp_check".to_owned(),
            arguments: format!(r#"{{"path":"{folder}"}}"#),
            success: codes.is_empty(),
            diagnostics: diagnostics.collect(),
            ..Execution::default()
        });
    }

    fn edit(&mut self, path: &str) {
        self.record(Execution {
            tool_name: "file_edit".to_owned(),
            arguments: format!(r#"{{"path":"{path}"}}"#),
            success: true,
            changed_files: vec![ChangedFile { path: path.to_owned(), created: false }],
            ..Execution::default()
        });
    }

    fn stores(&self) -> crate::execution::query::Stores {
        crate::execution::query::Stores::open(&crate::stores::places(self.folder.path())).unwrap()
    }
}

fn traced<'s>(
    stores: &'s Stores,
    path: &str,
    narrowed: impl FnOnce(ExecutionChain<'s>) -> ExecutionChain<'s>,
) -> Result<Trace, QueryError> {
    stores.trace(&narrowed(stores.code()?.execution_chain_of_file(path)))
}

fn numbers(trace: &Trace) -> Vec<u64> {
    trace.steps.iter().map(|step| step.execution.ordinal.unwrap()).collect()
}

fn cleared(trace: &Trace) -> Vec<(u64, Vec<String>)> {
    let steps = trace.steps.iter().filter(|step| !step.cleared.is_empty());
    steps.map(|step| (step.execution.ordinal.unwrap(), step.cleared.clone())).collect()
}

#[test]
fn a_chain_ends_with_the_check_that_no_longer_shows_what_was_wrong() {
    let mut history = History::new();
    history.check("crate", &["E0425", "E0308"]); // 1
    history.edit("src/lib.rs"); // 2
    history.check("other", &[]); // 3: not the same target
    history.edit("src/other.rs"); // 4
    history.check("crate", &["E0308"]); // 5: E0425 is gone
    history.edit("src/lib.rs"); // 6
    history.check("crate", &[]); // 7: and so is the other
    history.check("crate", &[]); // 8
    let stores = history.stores();
    let trace = traced(&stores, "src/lib.rs", |chain| chain).unwrap();
    assert_eq!(numbers(&trace), [1, 2, 5, 6, 7]);
    let owned = |codes: &[&str]| codes.iter().map(|code| (*code).to_owned()).collect::<Vec<_>>();
    assert_eq!(cleared(&trace), [(5, owned(&["E0425"])), (7, owned(&["E0308"]))]);
    assert!(trace.known && trace.next.is_none());
    assert_eq!(
        trace.steps[1].links.iter().map(|link| link.edge).collect::<Vec<_>>(),
        [EdgeType::ExecutedOn, EdgeType::Affected]
    );
    // What lies beyond a page is on another one.
    let first = traced(&stores, "src/lib.rs", |chain| chain.page(2, None)).unwrap();
    assert_eq!(numbers(&first), [5, 6, 7]);
    let second = traced(&stores, "src/lib.rs", |chain| chain.page(2, first.next)).unwrap();
    assert_eq!((numbers(&second), second.next), (vec![1, 2], None));
    let before = traced(&stores, "src/lib.rs", |it| it.before_diagnostic("E0308")).unwrap();
    assert_eq!(
        (numbers(&before).len(), before.before.unwrap().code),
        (0, Some("E0308".to_owned()))
    );
    assert!(!traced(&stores, "src/none.rs", |chain| chain).unwrap().known);
}

#[test]
fn without_a_graph_a_chain_says_so_and_the_rest_is_answered() {
    let mut history = History::new();
    history.edit("src/lib.rs");
    let graph = history.folder.path().join("codegraph.db");
    std::fs::rename(&graph, history.folder.path().join("aside")).unwrap();
    let stores = history.stores();
    let error = traced(&stores, "src/lib.rs", |chain| chain).unwrap_err();
    assert!(matches!(error, QueryError::NoGraph { .. }), "{error}");
    let around = stores.around(&crate::execution::query::Reference::Last, 3).unwrap();
    assert_eq!((around.links.len(), around.files.len()), (0, 1));
}

#[test]
fn what_a_check_no_longer_showed_is_found_through_indexes() {
    let history = History::new();
    let index = rusqlite::Connection::open(history.folder.path().join(".annals/index.db")).unwrap();
    let of_checks = crate::execution::query::next_check::ASKED;
    for sql in of_checks.into_iter().chain([super::SHOWN, super::WITHOUT]) {
        let mut explain = index.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let plan: Vec<String> =
            explain.raw_query().mapped(|row| row.get(3)).map(Result::unwrap).collect();
        assert!(!plan.iter().any(|step| step.starts_with("SCAN")), "{plan:?}");
        assert!(!plan.iter().any(|step| step.contains("TEMP B-TREE")), "{plan:?}");
    }
}
