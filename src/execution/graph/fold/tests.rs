//! Every cell of tool × edge × outcome, and what paths and symbols lead to.

use crate::event::{
    Body, Change, Closing, Envelope, Event, ExecutionFinished, ExecutionId, ExecutionInterrupted,
    ExecutionStarted, Json, Outcome, Recorded, Sequence, Source, tool,
};
use crate::execution::graph::{CodeGraph, CodeGraphReader};
use crate::store::{Ask, Position, Projector};

const DIAGNOSTICS: &str = r#"[{"level":"error","message":"cannot find value `x`","file_name":"src/lib.rs","line_start":3,"code":"E0425"},"no object",{"level":"warning","message":"unused","file_name":"src/cart.rs","line_start":1,"code":null}]"#;

/// What a tool's execution leads to: what it did on its files, what became of them where it went
/// well without saying so, where it says that it changed one, where it says that it made one, what
/// it asked of its symbols, and whether its diagnostics are linked.
type Row = (
    &'static str,
    Option<&'static str>,
    Option<&'static str>,
    Option<&'static str>,
    Option<&'static str>,
    Option<&'static str>,
    bool,
);

/// Spec 000 §2 with rulings 8 and 9, and every other tool that there may be.
const TABLE: [Row; 15] = [
    ("file_read", Some("read"), None, None, None, None, false),
    ("file_write", Some("write"), None, Some("patched"), Some("created"), None, false),
    ("file_create", Some("create"), Some("created"), Some("created"), Some("created"), None, false),
    ("file_edit", Some("edit"), Some("patched"), Some("patched"), Some("created"), None, false),
    ("file_search", None, None, None, None, None, false),
    ("file_glob", None, None, None, None, None, false),
    (
        "splice_patch",
        Some("patch"),
        Some("patched"),
        Some("patched"),
        Some("created"),
        Some("target_symbol"),
        true,
    ),
    ("splice_plan", Some("plan"), None, None, None, None, false),
    ("symbols_in_file", None, None, None, None, Some("symbols_in_file"), false),
    ("references_to_symbol_name", None, None, None, None, Some("references_to_symbol_name"), false),
    (
        "references_from_file_to_symbol_name",
        None,
        None,
        None,
        None,
        Some("references_from_file_to_symbol"),
        false,
    ),
    ("lsp_check", Some("check"), None, Some("patched"), Some("created"), None, true),
    ("bash_exec", None, None, Some("patched"), Some("created"), None, false),
    ("memory_query", None, None, Some("patched"), Some("created"), None, false),
    ("declared_by_somebody", None, None, Some("patched"), Some("created"), None, false),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Nothing,
    Changed,
    Created,
}

fn recorded(sequence: u64, body: Body) -> Recorded {
    let event = Event { envelope: Envelope::new(None, Source::Live, 1_766_534_400_000), body };
    Recorded { sequence: Sequence(sequence), recorded_ms: 0, event }
}

fn id() -> ExecutionId {
    ExecutionId::v7(1_766_534_400_000, &[7; 10])
}

fn started(tool: &str) -> Recorded {
    recorded(
        1,
        Body::ExecutionStarted(ExecutionStarted {
            execution: id(),
            tool: tool.to_owned(),
            native_tool: None,
            call: None,
            actor: None,
            parent: None,
            arguments: Json("{}".to_owned()),
            paths: vec!["src/lib.rs".to_owned()],
            symbols: vec!["checkout".to_owned()],
            cwd: None,
            branch: None,
        }),
    )
}

fn closed(tool: &str, outcome: Outcome, said: Said) -> Recorded {
    let tool = tool.to_owned();
    if outcome == Outcome::Interrupted {
        let reason = "gone".to_owned();
        let body = ExecutionInterrupted { execution: id(), tool, reason };
        return recorded(2, Body::ExecutionInterrupted(body));
    }
    let change = Change { path: "src/lib.rs".to_owned(), created: said == Said::Created };
    let closing = Closing {
        outcome,
        exit_code: None,
        duration_ms: None,
        error: None,
        stdout: None,
        stderr: None,
        diagnostics: Some(Json(DIAGNOSTICS.to_owned())),
        paths: vec!["./src/lib.rs".to_owned()],
        symbols: vec!["checkout".to_owned()],
        changed: if said == Said::Nothing { Vec::new() } else { vec![change] },
    };
    recorded(2, Body::ExecutionFinished(ExecutionFinished { execution: id(), tool, closing }))
}

/// Applies it as often as asked; the edges as `TYPE target data`, and the number of entities.
fn edges(start: &Recorded, end: &Recorded, times: usize) -> (Vec<String>, i64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("codegraph.db");
    Box::new(CodeGraph::create(&path, folder.path()).unwrap()).finish().unwrap();
    let mut projector = CodeGraph::open(&path, folder.path()).unwrap();
    for _ in 0..times {
        projector.begin().unwrap();
        let tools = tool::DECLARED_BY_INIT.iter().chain(&["declared_by_somebody"]);
        let declared = crate::event::ToolsDeclared {
            tools: tools.map(|tool| (*tool).to_owned()).collect(),
            by: "a test".to_owned(),
        };
        projector.apply(&recorded(0, Body::ToolsDeclared(declared)), None).unwrap();
        projector.apply(end, Some(start)).unwrap();
        projector.commit(Position { journal: [1; 16], sequence: 2, chain: [2; 32] }).unwrap();
    }
    let graph = CodeGraphReader::open(&path).unwrap();
    let sql = "SELECT format('%s %s:%s %s', e.edge_type, t.kind, t.name, e.data) \
               FROM graph_edges e JOIN graph_entities f ON f.id = e.from_id \
               JOIN graph_entities t ON t.id = e.to_id WHERE f.kind = ?1 ORDER BY e.id";
    let found = graph.answer(sql, &[Ask::Text("execution".into())], |row| row.get(0)).unwrap();
    let sql = "SELECT (SELECT count(*) FROM graph_entities WHERE kind = 'execution') + \
               (SELECT count(*) FROM graph_edges) * 1000";
    let counted: i64 = graph.answer(sql, &[], |row| row.get(0)).unwrap().remove(0);
    assert_eq!(counted / 1000, found.len() as i64, "every edge begins at an execution");
    (found, counted % 1000)
}

#[test]
fn every_tool_has_the_edges_that_the_contract_says_and_no_others() {
    let id = id().to_string();
    let outcomes = [Outcome::Ok, Outcome::Failed, Outcome::Refused, Outcome::Interrupted];
    for (tool, on, well, changed, created, asked, produced) in TABLE {
        for outcome in outcomes {
            for said in [Said::Nothing, Said::Changed, Said::Created] {
                let ran = outcome != Outcome::Refused;
                let told = ran && outcome != Outcome::Interrupted;
                let affected = match said {
                    Said::Nothing => well.filter(|_| outcome == Outcome::Ok),
                    Said::Changed => changed.filter(|_| told),
                    Said::Created => created.filter(|_| told),
                };
                let file = "annals_stub:src/lib.rs";
                let edge = |kind: &str, target: &str, key: &str, word: &str| {
                    format!(r#"{kind} {target} {{"{key}":"{word}","execution_id":"{id}"}}"#)
                };
                let mut expect = Vec::new();
                expect.extend(
                    on.filter(|_| ran).map(|on| edge("EXECUTED_ON", file, "operation", on)),
                );
                if tool == "lsp_check" {
                    // A check that named one file was of that file, whatever else it found.
                    assert_eq!(on, Some("check"));
                }
                expect.extend(affected.map(|what| edge("AFFECTED", file, "change_type", what)));
                let symbol = "annals_stub:checkout";
                let asked = asked.filter(|_| ran);
                expect.extend(asked.map(|asked| edge("REFERENCED", symbol, "query_type", asked)));
                let (start, end) = (started(tool), closed(tool, outcome, said));
                let (mut found, executions) = edges(&start, &end, 1);
                assert_eq!(executions, 1, "{tool} {outcome:?}");
                assert_eq!(edges(&start, &end, 2).0, found, "{tool}: twice is once");
                let count = if produced && told { 2 } else { 0 };
                let diagnostics = found.split_off(found.len() - count);
                assert_eq!(found, expect, "{tool} {outcome:?} {said:?}");
                for (line, (code, word)) in
                    diagnostics.iter().zip([("\"E0425\"", "error"), ("null", "warning")])
                {
                    let label = if code == "null" { "warning" } else { "E0425" };
                    assert!(line.starts_with(&format!("PRODUCED diagnostic:diagnostic:{label}:")));
                    let data =
                        format!(r#"{{"severity":"{word}","code":{code},"execution_id":"{id}"}}"#);
                    assert!(line.ends_with(&data), "{line}");
                }
            }
        }
    }
}

#[test]
fn a_tool_that_is_not_in_force_has_no_entity() {
    let (found, executions) =
        edges(&started("mystery"), &closed("mystery", Outcome::Ok, Said::Nothing), 1);
    assert_eq!((found.len(), executions), (0, 0));
}

#[test]
fn a_check_of_a_folder_was_of_the_files_it_found_fault_with() {
    let cases: [(&[&str], &[&str]); 7] = [
        (&["."], &["src/lib.rs", "src/cart.rs"]),
        (&["src"], &["src/lib.rs", "src/cart.rs"]),
        (&["src/cart.rs"], &["src/cart.rs"]),
        (&["tests"], &[]),
        (&[], &["src/lib.rs", "src/cart.rs"]),
        (&["src/lib.rs", "."], &["src/lib.rs", "src/cart.rs"]),
        (&["/elsewhere"], &[]),
    ];
    for (paths, expect) in cases {
        let mut start = started("lsp_check");
        if let Body::ExecutionStarted(start) = &mut start.event.body {
            start.paths = paths.iter().map(|path| (*path).to_owned()).collect();
        }
        let mut end = closed("lsp_check", Outcome::Failed, Said::Nothing);
        if let Body::ExecutionFinished(end) = &mut end.event.body {
            end.closing.paths.clear();
        }
        let on: Vec<String> = edges(&start, &end, 1)
            .0
            .iter()
            .filter_map(|edge| edge.strip_prefix("EXECUTED_ON annals_stub:"))
            .map(|edge| edge.split(' ').next().unwrap().to_owned())
            .collect();
        assert_eq!(on, expect, "{paths:?}");
    }
}
