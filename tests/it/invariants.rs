//! The contract's invariants between `execution_log.db` and `codegraph.db`, in plain SQL, after a
//! history with every tool and every outcome; and that each would be noticed if it were broken.

use rusqlite::Connection;

use crate::project::{Project, Ran};

/// A clause; a question that lists what breaks it; and something by hand that does.
struct Clause {
    id: &'static str,
    broken: &'static str,
    break_it: &'static str,
}

/// Edges of ours: those that begin at an execution.
const CLAUSES: &[Clause] = &[
    Clause {
        id: "G1: edges lead to entities that exist",
        broken: "SELECT g.id FROM graph_edges g LEFT JOIN graph_entities a ON a.id = g.from_id \
                 LEFT JOIN graph_entities b ON b.id = g.to_id WHERE a.id IS NULL OR b.id IS NULL",
        break_it: "DELETE FROM graph_entities WHERE kind = 'diagnostic'",
    },
    Clause {
        id: "G2: one entity an execution",
        broken: "SELECT json_extract(data, '$.execution_id') FROM graph_entities \
                 WHERE kind = 'execution' GROUP BY 1 HAVING count(*) > 1",
        break_it: "INSERT INTO graph_entities (kind, name, data) SELECT kind, name, data \
                   FROM graph_entities WHERE kind = 'execution' LIMIT 1",
    },
    Clause {
        id: "G3: the four types of edge and no others",
        broken: "SELECT g.id FROM graph_edges g JOIN graph_entities x ON x.id = g.from_id \
                 WHERE x.kind = 'execution' \
                 AND g.edge_type NOT IN ('EXECUTED_ON', 'AFFECTED', 'PRODUCED', 'REFERENCED')",
        break_it: "UPDATE graph_edges SET edge_type = 'TOUCHED' WHERE edge_type = 'AFFECTED'",
    },
    Clause {
        id: "G4: data of entities and edges holds the execution's id",
        broken: "SELECT id FROM graph_entities WHERE kind IN ('execution', 'diagnostic', \
                 'annals_stub') AND (NOT json_valid(data) \
                 OR json_extract(data, '$.execution_id') IS NULL) \
                 UNION ALL SELECT g.id FROM graph_edges g JOIN graph_entities x ON x.id = g.from_id \
                 WHERE x.kind = 'execution' AND (NOT json_valid(g.data) \
                 OR json_extract(g.data, '$.execution_id') \
                 IS NOT json_extract(x.data, '$.execution_id'))",
        break_it: "UPDATE graph_edges SET data = '{}' WHERE edge_type = 'PRODUCED'",
    },
    Clause {
        id: "G6: no edge leads to an execution",
        broken: "SELECT g.id FROM graph_edges g JOIN graph_entities x ON x.id = g.to_id \
                 WHERE x.kind = 'execution'",
        break_it: "UPDATE graph_edges SET to_id = from_id WHERE edge_type = 'AFFECTED'",
    },
    Clause {
        id: "X1: every execution has its entity, and every entity its execution",
        broken: "SELECT id FROM log.executions WHERE tool_name || ':' || id NOT IN \
                 (SELECT name FROM graph_entities WHERE kind = 'execution') \
                 UNION ALL SELECT name FROM graph_entities WHERE kind = 'execution' \
                 AND name NOT IN (SELECT tool_name || ':' || id FROM log.executions)",
        break_it: "UPDATE graph_entities SET name = 'file_read:none' WHERE id = \
                   (SELECT max(id) FROM graph_entities WHERE kind = 'execution')",
    },
    Clause {
        id: "X1: the entity says of the execution what its row says",
        broken: "SELECT e.id FROM log.executions e JOIN graph_entities x \
                 ON x.kind = 'execution' AND x.name = e.tool_name || ':' || e.id \
                 WHERE json_extract(x.data, '$.timestamp') <> e.timestamp \
                 OR json_extract(x.data, '$.success') <> e.success \
                 OR json_extract(x.data, '$.tool') <> e.tool_name \
                 OR x.file_path IS NOT NULL",
        break_it: "UPDATE graph_entities SET data = replace(data, 'false', 'true') \
                   WHERE kind = 'execution'",
    },
    Clause {
        id: "X1: every diagnostics artifact has its edges",
        broken: "SELECT a.execution_id FROM log.execution_artifacts a JOIN log.executions e \
                 ON e.id = a.execution_id JOIN graph_entities x \
                 ON x.kind = 'execution' AND x.name = e.tool_name || ':' || e.id \
                 WHERE a.artifact_type = 'diagnostics' \
                 AND e.tool_name IN ('lsp_check', 'splice_patch') \
                 AND json_array_length(a.content_json) <> (SELECT count(*) FROM graph_edges g \
                 WHERE g.from_id = x.id AND g.edge_type = 'PRODUCED')",
        break_it: "DELETE FROM graph_edges WHERE edge_type = 'PRODUCED'",
    },
    Clause {
        id: "X2: artifacts are of executions that exist",
        broken: "SELECT execution_id FROM log.execution_artifacts \
                 WHERE execution_id NOT IN (SELECT id FROM log.executions)",
        break_it: "DELETE FROM log.execution_artifacts; DELETE FROM log.executions; \
                   PRAGMA foreign_keys = OFF; INSERT INTO log.execution_artifacts \
                   (execution_id, artifact_type, content_json) VALUES ('x', 'stdout', '{}')",
    },
];

/// Every tool of the contract and more, every outcome, diagnostics, symbols, changes.
fn history() -> Project {
    let project = Project::new();
    let mut lines = Vec::new();
    for tool in [
        "file_read",
        "file_write",
        "file_create",
        "file_search",
        "file_glob",
        "splice_patch",
        "splice_plan",
        "symbols_in_file",
        "references_to_symbol_name",
        "references_from_file_to_symbol_name",
        "lsp_check",
        "file_edit",
        "memory_query",
        "bash_exec",
    ] {
        for (outcome, more) in [
            ("ok", r#","changed":[{"path":"src/a.rs"},{"path":"src/new.rs","created":true}]"#),
            (
                "failed",
                r#","stderr":"e","diagnostics":[{"level":"error","message":"m","file_name":"src/a.rs","line_start":3,"code":"E0425"},{"level":"warning","message":"w","file_name":null,"line_start":null,"code":null}]"#,
            ),
            ("refused", ""),
            ("interrupted", ""),
        ] {
            lines.push(format!(
                r#"{{"tool":"{tool}","outcome":"{outcome}","paths":["src/a.rs"],"symbols":["foo"]{more}}}"#
            ));
        }
    }
    Ran::of(project.command().arg("record").write_stdin(lines.join("\n"))).code(0);
    project
}

fn open(project: &Project) -> Connection {
    let graph = Connection::open(project.path("codegraph.db")).expect("the graph");
    let log = project.path("execution_log.db");
    graph.execute("ATTACH DATABASE ?1 AS log", [log.to_string_lossy()]).expect("the log");
    graph
}

fn found(conn: &Connection, sql: &str) -> usize {
    let mut broken = conn.prepare(sql).expect("a question");
    let rows = broken.query_map([], |_| Ok(())).expect("an answer");
    rows.count()
}

#[test]
fn the_contracts_invariants_hold_between_the_two_files() {
    let project = history();
    let conn = open(&project);
    assert_eq!(found(&conn, "SELECT 1 FROM log.executions"), 14 * 4);
    for clause in CLAUSES {
        assert_eq!(found(&conn, clause.broken), 0, "{}", clause.id);
        // That it holds is worth something only if it could be found broken.
        conn.execute_batch("PRAGMA foreign_keys = OFF; BEGIN").expect("begun");
        conn.execute_batch(clause.break_it).expect(clause.id);
        assert_ne!(found(&conn, clause.broken), 0, "{} is not noticed", clause.id);
        conn.execute_batch("ROLLBACK").expect("taken back");
    }
    drop(conn);
    project.annals(["rebuild", "--check"]).code(0);
}

#[test]
fn a_symbol_or_a_diagnostic_never_leads_to_an_execution_whatever_happens() {
    let project = history();
    let conn = open(&project);
    // Everything but executions has no edge of ours at all that begins at it.
    let sql = "SELECT g.id FROM graph_edges g JOIN graph_entities x ON x.id = g.from_id \
               WHERE x.kind IN ('diagnostic', 'annals_stub')";
    assert_eq!(found(&conn, sql), 0);
    assert_ne!(found(&conn, "SELECT id FROM graph_entities WHERE kind = 'annals_stub'"), 0);
}
