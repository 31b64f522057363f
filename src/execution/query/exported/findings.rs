//! The tables of what was found: by checks, in the code graph, in the journal itself.

use super::{AT_TIME, EXECUTION, NO, OF_EXECUTIONS, SEQUENCE, SESSION, TOOL};
use crate::store::sql::exported::Form::{Flag, Integer, Json, Text, Time};
use crate::store::sql::exported::{Exported, column};

pub static DIAGNOSTICS: Exported = Exported {
    name: "diagnostics",
    about: "a diagnostic that a check printed",
    columns: &[
        NO,
        EXECUTION,
        SEQUENCE,
        SESSION,
        AT_TIME,
        TOOL,
        column("level", "d.level", Text, "`error`, `warning`, …"),
        column("code", "d.code", Text, "its code: `E0425`"),
        column("file_name", "d.file_name", Text, "as it was printed"),
        column("line", "d.line", Integer, "its line, from 1"),
        column("message", "d.message", Text, "what it says"),
    ],
    from: "FROM idx.executions e LEFT JOIN idx.sessions s ON s.number = e.session \
           CROSS JOIN idx.execution_diagnostics x ON x.execution = e.seq \
           CROSS JOIN idx.diagnostics d ON d.number = x.diagnostic",
    order: "e.at_ms, e.at_seq, x.diagnostic",
    ..OF_EXECUTIONS
};

/// What tells two failures apart, names and numbers taken out, so that the same one is known again.
pub static FAILURE_CAUSES: Exported = Exported {
    name: "failure_causes",
    about: "why a check failed: a compiler's or linter's rule, an assertion, a panic",
    columns: &[
        NO,
        EXECUTION,
        SEQUENCE,
        SESSION,
        AT_TIME,
        column(
            "cause",
            "c.kind",
            Text,
            "the cause, its names, numbers and paths masked: alike for all that failed so",
        ),
        column("place", "x.place", Text, "the file that it was told of"),
        column("names", "trim(x.names)", Text, "the names that were masked"),
    ],
    from: "FROM idx.executions e LEFT JOIN idx.sessions s ON s.number = e.session \
           CROSS JOIN idx.execution_causes x ON x.execution = e.seq \
           CROSS JOIN idx.causes c ON c.number = x.cause",
    order: "e.at_ms, e.at_seq, x.cause",
    ..OF_EXECUTIONS
};

pub static TEST_FAILURES: Exported = Exported {
    name: "test_failures",
    about: "a test that a run named as failed; at most 200 of one run",
    columns: &[
        NO,
        EXECUTION,
        SEQUENCE,
        SESSION,
        AT_TIME,
        column("program", "e.program", Text, "what ran: `go test`"),
        column("number", "f.number", Integer, "its place among those of its run, from 1"),
        column("name", "f.name", Text, "the test's name, as its runner tells it"),
        column(
            "file",
            "f.file",
            Text,
            "its file, from where the check ran, where the runner tells it",
        ),
        column("line", "f.line", Integer, "its line there, from 1"),
        column("source", "f.source", Text, "the file that the failure came from"),
        column("source_line", "f.source_line", Integer, "its line there, from 1"),
        column(
            "error_type",
            "f.error",
            Text,
            "what kind of error: `AssertionError`, `TimeoutError`, …",
        ),
        column("message", "f.message", Text, "what it says, or the first kibibyte of it"),
        column("ran", "f.ran", Flag, "0 where it could not be built or loaded"),
    ],
    from: "FROM idx.executions e LEFT JOIN idx.sessions s ON s.number = e.session \
           CROSS JOIN idx.failed_tests f ON f.execution = e.seq",
    order: "e.at_ms, e.at_seq, f.number",
    ..OF_EXECUTIONS
};

pub static EDGES: Exported = Exported {
    name: "edges",
    about: "an edge of the code graph that an execution made",
    columns: &[
        EXECUTION,
        SEQUENCE,
        SESSION,
        AT_TIME,
        TOOL,
        column(
            "edge_type",
            "g.edge_type",
            Text,
            "`EXECUTED_ON`, `REFERENCED`, `PRODUCED` or `AFFECTED`",
        ),
        column(
            "to_kind",
            "t.kind",
            Text,
            "what it leads to: `File`, `Symbol`, `diagnostic`, or `annals_stub` for what no graph knows",
        ),
        column("to_name", "t.name", Text, "its name"),
        column("to_file", "t.file_path", Text, "its file"),
        column("data", "g.data", Json, "what else the edge says"),
    ],
    from: "FROM graph.graph_edges g \
           JOIN graph.graph_entities f ON f.id = g.from_id AND f.kind = 'execution' \
           JOIN graph.graph_entities t ON t.id = g.to_id \
           JOIN idx.executions e ON e.id = json_extract(f.data, '$.execution_id') \
           LEFT JOIN idx.sessions s ON s.number = e.session",
    order: "e.at_ms, e.at_seq, g.edge_type, t.kind, t.name, g.id",
    stores: &["idx", "graph"],
    ..OF_EXECUTIONS
};

pub static FINDINGS: Exported = Exported {
    name: "integrity_findings",
    about: "something that does not fit: a loss on record, a line that could not be read, a result without its call",
    columns: &[
        column("sequence", "a.seq", Integer, "the event that tells it, or it was found behind"),
        column(
            "at",
            FOUND_MS,
            Time,
            "when that was, as far as the execution before it tells, or the first",
        ),
        column("kind", "a.kind", Text, "what does not fit"),
        column("execution", "a.execution", Text, "the execution that it is about"),
        column("message", "a.message", Text, "for people"),
    ],
    from: "FROM idx.anomalies a",
    filter: "1",
    order: "a.seq, a.number",
    at: ("a.seq", FOUND_MS),
    day: FOUND_MS,
    changed: "a.seq",
    session: "NULL",
    stores: &["idx"],
};

const FOUND_MS: &str = "coalesce((SELECT e.at_ms FROM idx.executions e WHERE e.at_seq <= a.seq \
     ORDER BY e.at_seq DESC LIMIT 1), (SELECT e.at_ms FROM idx.executions e ORDER BY e.at_seq LIMIT 1), 0)";
