//! The tables of executions, as other programs read them.

mod findings;
mod sessions;

use super::execution::DURATION_MAX;
use crate::store::sql::exported::Form::{Flag, Integer, Json, Text, Time};
use crate::store::sql::exported::{Column, Exported, column};

pub use findings::{DIAGNOSTICS, EDGES, FAILURE_CAUSES, FINDINGS, TEST_FAILURES};
pub use sessions::{MESSAGES, PROMPTS, SESSIONS};

const PATHS: &str = "(SELECT json_group_array(path) FROM (SELECT p.path FROM \
     idx.execution_paths x JOIN idx.paths p ON p.number = x.path WHERE x.execution = e.seq \
     ORDER BY p.path))";
const SYMBOLS: &str = "(SELECT json_group_array(name) FROM (SELECT y.name FROM \
     idx.execution_symbols x JOIN idx.symbols y ON y.number = x.symbol WHERE x.execution = e.seq \
     ORDER BY y.name))";
const OPEN: &str = "coalesce(e.outcome, 'open')";
const SUCCESS: &str = "CASE e.outcome WHEN 'ok' THEN 1 WHEN 'failed' THEN 0 END";
const ERROR: &str = "coalesce(l.error_message, e.error)";
/// The last event that changed an execution's row.
const CHANGED: &str = "max(e.at_seq, coalesce(e.started_seq, 0), coalesce(e.closed_seq, 0), \
     coalesce((SELECT c.at_seq FROM idx.executions c WHERE c.id = e.corrected_by), 0))";
const EXECUTIONS_FROM: &str = "FROM idx.executions e \
     LEFT JOIN idx.sessions s ON s.number = e.session \
     LEFT JOIN log.executions l ON l.rowid = e.ordinal AND l.id = e.id";
const AT: (&str, &str) = ("e.at_seq", "e.at_ms");
const BY_TIME: &str = "e.at_ms, e.at_seq";

/// What all tables have in common whose rows are of an execution `e` in a session `s`.
const OF_EXECUTIONS: Exported = Exported {
    name: "",
    about: "",
    columns: &[],
    from: "",
    filter: "1",
    order: BY_TIME,
    at: AT,
    day: AT.1,
    changed: CHANGED,
    session: "s.id",
    stores: &["idx"],
};

const NO: Column = column("no", "e.ordinal", Integer, "its number, as people are shown it");
const EXECUTION: Column = column("execution", "e.id", Text, "the execution's id");
const SEQUENCE: Column = column("sequence", "e.at_seq", Integer, "the event that it stands at");
const SESSION: Column = column("session", "s.id", Text, "the session's id");
const AT_TIME: Column = column("at", "e.at_ms", Time, "when it ended, or began where it did not");
const TOOL: Column = column("tool", "e.tool", Text, "the tool, by the contract's name");

pub static EXECUTIONS: Exported = Exported {
    name: "executions",
    about: "an execution of a tool, corrected ones too",
    columns: EXECUTION_COLUMNS,
    from: EXECUTIONS_FROM,
    stores: &["idx", "log"],
    ..OF_EXECUTIONS
};

/// Those of [`EXECUTIONS`] that ran and failed.
pub static FAILURES: Exported = Exported {
    name: "failures",
    about: "an execution that ran and failed",
    columns: EXECUTION_COLUMNS,
    from: EXECUTIONS_FROM,
    filter: "e.outcome = 'failed' AND e.corrected_by IS NULL",
    stores: &["idx", "log"],
    ..OF_EXECUTIONS
};

/// The index has it of checks; of any other shell's call the arguments say it.
const COMMAND: &str = "coalesce(e.command, CASE WHEN e.tool = 'bash_exec' AND json_valid(l.arguments_json) \
     THEN json_extract(l.arguments_json, '$.command') END)";

const EXECUTION_COLUMNS: &[Column] = &[
    NO,
    EXECUTION,
    SEQUENCE,
    column("started_sequence", "e.started_seq", Integer, "the event of its start"),
    SESSION,
    column("agent", "s.agent", Text, "whose session it is: `claude-code`"),
    column("actor", "e.actor", Text, "who of the session ran it: a subagent's id"),
    AT_TIME,
    column("started", "e.started_ms", Time, "when it began"),
    column("source", "e.source", Text, "who recorded it: `run`, `hook`, `import`, …"),
    TOOL,
    column("native_tool", "coalesce(e.native_tool, e.tool)", Text, "the tool, by the agent's name"),
    column("outcome", OPEN, Text, "`ok`, `failed`, `interrupted`, `refused` or `open`"),
    column(
        "told",
        "e.told",
        Text,
        "the outcome as the agent told it: behind a pipe a check that failed is told as `ok`",
    ),
    column(
        "success",
        SUCCESS,
        Flag,
        "null where it was interrupted, refused or is open: that is no failure",
    ),
    column("exit_code", "e.exit_code", Integer, "null where there was none"),
    column("duration_ms", "e.duration_ms", Integer, "as it was told, milliseconds"),
    column(
        "duration_ms_max",
        DURATION_MAX,
        Integer,
        "at most, where nobody told it; null where the times only tell an order",
    ),
    column(
        "untimed",
        "coalesce(e.untimed, 0)",
        Flag,
        "1 where its log tells no times that can be: they are places in an order",
    ),
    column("target", "e.target", Text, "the file or what else it was about"),
    column("error", ERROR, Text, "what failed, for people"),
    column("diagnostic", "e.diagnostic", Text, "its first diagnostic"),
    column("cwd", "e.cwd", Text, "the folder it ran in"),
    column("branch", "e.branch", Text, "git's branch there"),
    column("parent", "e.parent", Text, "the execution that it is part of"),
    column("corrects", "e.corrects", Text, "the execution that it tells again, rightly"),
    column(
        "corrected_by",
        "e.corrected_by",
        Text,
        "the execution that tells it rightly: then this one does not count",
    ),
    column("paths", PATHS, Json, "the files that it touched"),
    column("symbols", SYMBOLS, Json, "the symbols that it named"),
    column(
        "arguments",
        "l.arguments_json",
        Json,
        "as the tool was given them; null while it is open",
    ),
    column("command", COMMAND, Text, "the command line, of a shell's call"),
    column(
        "checked",
        "e.checked",
        Text,
        "of a check what it is: `test`, `lint`, `build`, `format`, …",
    ),
    column("program", "e.program", Text, "of a check what ran: `go test`"),
    column(
        "verdict",
        "e.verdict",
        Text,
        "of a check: `passed`, `failed` or `unknown`, whatever its exit code says",
    ),
    column(
        "basis",
        "e.basis",
        Text,
        "what the verdict rests on: `exit_code`, `output`, `both` or `nothing`",
    ),
    column("telling", "e.telling", Text, "the line of its output that tells why it failed"),
    column("tests_ran", "e.tests_ran", Integer, "tests that ran"),
    column("tests_skipped", "e.tests_skipped", Integer, "tests that were skipped"),
];

pub static ARTIFACTS: Exported = Exported {
    name: "artifacts",
    about: "what an execution printed or found",
    columns: &[
        NO,
        EXECUTION,
        SEQUENCE,
        SESSION,
        AT_TIME,
        TOOL,
        column("artifact_type", "a.artifact_type", Text, "`stdout`, `stderr` or `diagnostics`"),
        column("content", "a.content_json", Json, "`{\"text\": …}`, or a list of diagnostics"),
    ],
    from: "FROM idx.executions e LEFT JOIN idx.sessions s ON s.number = e.session \
           CROSS JOIN log.execution_artifacts a ON a.execution_id = e.id",
    order: "e.at_ms, e.at_seq, a.id",
    stores: &["idx", "log"],
    ..OF_EXECUTIONS
};
