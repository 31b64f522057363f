//! Chains, in graphs of the contract's shape, written row by row.

mod rows;

use super::{
    DEFINERS, DEFINING_FILES, DIAGNOSTIC, DIAGNOSTIC_NAMED, DIAGNOSTICS_OF, DiagnosticId, EDGES,
    EXECUTION, EdgeType, FILE, FILE_STUB, FILE_STUBS_ENDING, FILES_ENDING, LINKED,
    LINKED_BY_CHANGE, LINKS, REFERENCES, SYMBOL, SYMBOL_STUB, SYMBOL_WORDS_IN, SYMBOLS,
    SYMBOLS_COUNT, SYMBOLS_IN,
};
use crate::event::ExecutionId;
use crate::execution::query::QueryError;
use rows::{ASKED, CART, CHECKOUT, LIB, PATCHED, READ, Rows};

fn tools(page: &crate::execution::query::Page<super::ChainStep>) -> Vec<(u64, &str)> {
    page.items.iter().map(|step| (step.execution.timestamp, &*step.execution.tool)).collect()
}

#[test]
fn a_files_chain_is_in_order_of_time_whatever_the_order_of_recording() {
    let mut rows = Rows::new();
    rows.execution("file_edit", 30, &[PATCHED]);
    rows.execution("file_read", 10, &[READ]);
    rows.execution("file_read", 20, &[(CART, "EXECUTED_ON", "operation", "read")]);
    rows.execution("file_write", 30, &[PATCHED]);
    let (check, _) = rows.diagnostic(40, "diagnostic:E0425:00000000000000aa", "src/lib.rs");
    let graph = rows.graph();
    let absolute = rows.folder.path().join("src/lib.rs");
    for path in ["src/lib.rs", "./src/lib.rs", "lib.rs", &absolute.to_string_lossy()] {
        let chain = graph.execution_chain_of_file(path).fetch().unwrap();
        let expect = [(10, "file_read"), (30, "file_edit"), (30, "file_write"), (40, "lsp_check")];
        assert_eq!(tools(&chain), expect, "{path}");
        assert_eq!(chain.next, None);
        let produced: Vec<_> =
            chain.items[3].links.iter().filter_map(|l| l.diagnostic.as_ref()).collect();
        assert_eq!(produced.len(), 1);
        assert_eq!((produced[0].entity, produced[0].code.as_deref()), (check, Some("E0425")));
        assert_eq!(chain.items[0].links[0].word.as_deref(), Some("read"));
        assert_eq!(chain.items[1].links[0].edge, EdgeType::Affected);
    }
    let unknown = graph.execution_chain_of_file("src/none.rs");
    assert!(!unknown.is_known().unwrap());
    assert!(unknown.fetch().unwrap().items.is_empty());
}

#[test]
fn pages_hold_every_step_once() {
    let mut rows = Rows::new();
    for at in 0..25 {
        // Many of one time: the order of recording parts them.
        rows.execution("file_read", 10 + at / 10, &[READ]);
    }
    let graph = rows.graph();
    let mut seen = Vec::new();
    let mut after = None;
    loop {
        let page = graph.execution_chain_of_file("src/lib.rs").page(7, after).fetch().unwrap();
        let mut entities: Vec<_> = page.items.iter().map(|step| step.execution.entity).collect();
        entities.extend(seen);
        seen = entities;
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    let all = graph.execution_chain_of_file("src/lib.rs").page(99, None).fetch().unwrap();
    assert_eq!(seen, all.items.iter().map(|step| step.execution.entity).collect::<Vec<_>>());
    assert_eq!(seen.len(), 25);
}

#[test]
fn a_symbols_chain_has_what_named_it_and_what_changed_its_file() {
    let mut rows = Rows::new();
    rows.execution("file_read", 10, &[READ]);
    rows.execution(
        "symbols_in_file",
        20,
        &[(CHECKOUT, "REFERENCED", "query_type", "symbols_in_file")],
    );
    rows.execution("splice_patch", 30, &[READ, ASKED, PATCHED]);
    rows.execution("file_edit", 40, &[PATCHED]);
    let (first, _) = rows.diagnostic(50, "diagnostic:E0425:00000000000000aa", "src/lib.rs");
    rows.execution("splice_patch", 60, &[ASKED]);
    rows.execution("file_edit", 70, &[(CART, "AFFECTED", "change_type", "patched")]);
    rows.diagnostic(80, "diagnostic:E0425:00000000000000bb", "src/cart.rs");
    let stub = rows.entity("annals_stub", "gone", None, "{}");
    rows.execution("splice_patch", 90, &[(stub, "REFERENCED", "query_type", "target_symbol")]);
    let graph = rows.graph();

    let all = graph.execution_chain_affecting_symbol("checkout").fetch().unwrap();
    let before = [(20, "symbols_in_file"), (30, "splice_patch"), (40, "file_edit")];
    assert_eq!(tools(&all), [&before[..], &[(60, "splice_patch")]].concat());
    for id in [DiagnosticId::Entity(first), "diagnostic:E0425:00000000000000aa".into()] {
        let chain = graph.execution_chain_affecting_symbol("checkout").before_diagnostic(id);
        assert_eq!(tools(&chain.fetch().unwrap()), before);
    }
    // A code means its newest diagnostic, in the file that is asked about where one is.
    let newest = graph.execution_chain_affecting_symbol("checkout").before_diagnostic("E0425");
    assert_eq!(newest.fetch().unwrap().items.len(), 4);
    assert_eq!(tools(&newest.in_file("src/lib.rs").fetch().unwrap()), before);
    for (symbol, steps) in [
        ("sample::./src/lib.rs::checkout", 4),
        ("lib.rs::checkout", 0),
        ("other::checkout", 0),
        ("gone", 1),
        ("nothing", 0),
    ] {
        let chain = graph.execution_chain_affecting_symbol(symbol).fetch().unwrap();
        assert_eq!(chain.items.len(), steps, "{symbol}");
    }
    let elsewhere = graph.execution_chain_affecting_symbol("checkout").in_file("src/cart.rs");
    assert!(elsewhere.fetch().unwrap().items.is_empty());
    let error = graph.execution_chain_of_file("src/lib.rs").before_diagnostic("E9999").fetch();
    assert!(matches!(error, Err(QueryError::NoDiagnostic { id }) if id == "E9999"));
}

#[test]
fn the_first_production_bounds_a_chain_though_later_ones_follow() {
    let mut rows = Rows::new();
    rows.execution("file_edit", 10, &[PATCHED]);
    let (diagnostic, _) = rows.diagnostic(20, "diagnostic:E0425:00000000000000aa", "src/lib.rs");
    rows.execution("file_edit", 30, &[PATCHED]);
    rows.execution("lsp_check", 40, &[READ, (diagnostic, "PRODUCED", "severity", "error")]);
    let chain = |rows: &Rows| {
        let graph = rows.graph();
        let chain = graph.execution_chain_of_file("src/lib.rs").before_diagnostic(diagnostic);
        chain.fetch().unwrap().items.len()
    };
    assert_eq!(chain(&rows), 1);
    // Where the first's entity is gone, the first of those that are left.
    rows.conn
        .execute(
            "DELETE FROM graph_entities WHERE name LIKE 'lsp_check:%' AND data LIKE '%:20,%'",
            [],
        )
        .unwrap();
    assert_eq!(chain(&rows), 2);
}

#[test]
fn an_executions_files_are_listed_with_what_was_done_to_them() {
    let mut rows = Rows::new();
    let patch = (LIB, "EXECUTED_ON", "operation", "patch");
    let created = (CART, "AFFECTED", "change_type", "created");
    let (_, id) = rows.execution("splice_patch", 10, &[patch, ASKED, PATCHED, created]);
    let (_, other) = rows.execution("tool_of_ours", 20, &[READ]);
    let graph = rows.graph();
    let files = graph.files_touched_by_execution(id).unwrap();
    let told: Vec<_> = files
        .iter()
        .map(|file| (&*file.path, file.operation.as_deref(), file.change_type.as_deref()))
        .collect();
    assert_eq!(
        told,
        [("src/lib.rs", Some("patch"), Some("patched")), ("src/cart.rs", None, Some("created"))]
    );
    assert!(graph.files_touched_by_execution(other).unwrap().is_empty(), "not a declared tool");
    rows.conn
        .execute_batch(
            "CREATE TABLE annals_cursor (tools TEXT); \
             INSERT INTO annals_cursor VALUES ('[\"tool_of_ours\"]')",
        )
        .unwrap();
    assert_eq!(graph.files_touched_by_execution(other).unwrap().len(), 1);
    let unknown = ExecutionId::v7(99, &[9; 10]);
    assert!(graph.files_touched_by_execution(unknown).unwrap().is_empty());
}

#[test]
fn rows_that_are_not_as_the_contract_says_are_passed_over() {
    let mut rows = Rows::new();
    rows.execution("file_read", 10, &[READ]);
    for data in ["{}", "no json", r#"{"tool":5,"timestamp":"x","success":1,"execution_id":"y"}"#] {
        let wrong = rows.entity("execution", "file_read:x", None, data);
        rows.edge(wrong, LIB, "EXECUTED_ON", "no json");
    }
    let (entity, id) = rows.execution("file_read", 20, &[]);
    rows.edge(entity, LIB, "EXECUTED_ON", "no json");
    rows.edge(entity, LIB, "SOMETHING_ELSE", "{}");
    rows.edge(entity, 999, "AFFECTED", "{}");
    rows.entity("diagnostic", "diagnostic:E1:x", None, "no json");
    let graph = rows.graph();
    let chain = graph.execution_chain_of_file("src/lib.rs").fetch().unwrap();
    assert_eq!(tools(&chain), [(10, "file_read"), (20, "file_read")]);
    assert_eq!(chain.items[1].links.len(), 1);
    assert_eq!(chain.items[1].links[0].word, None);
    assert_eq!(graph.files_touched_by_execution(id).unwrap().len(), 1);
    assert!(matches!(graph.diagnostic("E1"), Err(QueryError::NoDiagnostic { .. })));
}

/// Every question that the graph is asked.
const ALL: [&str; 21] = [
    DEFINING_FILES,
    SYMBOLS_COUNT,
    SYMBOL_WORDS_IN,
    EXECUTION,
    FILE,
    FILE_STUB,
    SYMBOL_STUB,
    FILES_ENDING,
    FILE_STUBS_ENDING,
    SYMBOLS,
    DEFINERS,
    LINKED,
    LINKED_BY_CHANGE,
    EDGES,
    LINKS,
    DIAGNOSTIC,
    DIAGNOSTIC_NAMED,
    DIAGNOSTICS_OF,
    SYMBOLS_IN,
    REFERENCES,
    SYMBOL,
];

#[test]
fn no_question_scans_edges_or_entities() {
    let rows = Rows::new();
    let plan = |sql: &str| -> Vec<String> {
        let mut explain = rows.conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let count = explain.parameter_count();
        let nulls = vec![rusqlite::types::Null; count];
        let steps = explain.query_map(rusqlite::params_from_iter(nulls), |row| row.get(3)).unwrap();
        steps.collect::<Result<_, _>>().unwrap()
    };
    for sql in ALL {
        let plan = plan(sql);
        // A bounded subquery's own rows are counted.
        let scans = |step: &String| step.starts_with("SCAN") && !step.contains("(subquery");
        assert!(!plan.iter().any(scans), "{sql}: {plan:?}");
        // Only what a code has is sorted.
        let sorts = plan.iter().any(|step| step.contains("TEMP B-TREE"));
        assert_eq!(sorts, sql == DIAGNOSTICS_OF, "{sql}: {plan:?}");
    }
}

#[test]
fn of_what_was_touched_often_pages_are_short_and_hold_every_step_once() {
    let mut rows = Rows::new();
    rows.conn.execute_batch("BEGIN").unwrap();
    let mut expected = Vec::new();
    let mut bound = 0;
    for at in 0..1_500 {
        rows.next = 0;
        let touched = [READ, PATCHED];
        expected.push(rows.execution("file_edit", 1_000 + at, &touched).0);
        if at == 700 {
            (bound, _) =
                rows.diagnostic(1_000 + at, "diagnostic:E0425:00000000000000aa", "src/lib.rs");
        }
    }
    rows.conn.execute_batch("COMMIT").unwrap();
    let graph = rows.graph();
    let chain = || graph.execution_chain_of_file("src/lib.rs");
    let first = chain().page(5, None).fetch().unwrap();
    assert_eq!(
        tools(&first).iter().map(|step| step.0).collect::<Vec<_>>(),
        [2_495, 2_496, 2_497, 2_498, 2_499]
    );
    let mut seen = Vec::new();
    let mut after = None;
    loop {
        let page = chain().page(101, after).fetch().unwrap();
        let mut steps: Vec<_> = page.items.iter().map(|step| step.execution.entity).collect();
        steps.extend(seen);
        seen = steps;
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    let check = seen.iter().position(|entity| !expected.contains(entity)).unwrap();
    seen.remove(check);
    assert_eq!(seen, expected);
    let before = chain().before_diagnostic(bound).page(2, None).fetch().unwrap();
    assert_eq!(tools(&before), [(1_699, "file_edit"), (1_700, "file_edit")]);
    let symbol = graph.execution_chain_affecting_symbol("checkout").page(3, None).fetch().unwrap();
    assert_eq!(tools(&symbol).last(), Some(&(2_499, "file_edit")));
}
