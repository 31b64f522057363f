//! Operations on memory, as other programs read them.

use crate::store::sql::exported::Form::{Integer, Text, Time};
use crate::store::sql::exported::{Exported, column};

pub static MEMORY_OPERATIONS: Exported = Exported {
    name: "memory_operations",
    about: "an operation on branch memory",
    columns: &[
        column("session", "s.id", Text, "the session's id"),
        column("sequence", "o.seq", Integer, "its event"),
        column("at", "o.at_ms", Time, "when it was done"),
        column("kind", "o.kind", Text, "what was done"),
        column("branch", "o.branch", Text, "the branch"),
        column("key", "o.key", Text, "of a core block its label"),
        column("record", "o.record", Integer, "of a record its number"),
        column("node", "o.node", Text, "the node that did it"),
        column("run", "o.run", Text, "the run that it was part of"),
        column("phase", "o.phase", Text, "the phase of the flow"),
        column(
            "door",
            "o.door",
            Text,
            "the way that it came: a command, the pipe, an agent's tool",
        ),
        column("execution", "o.execution", Text, "the execution that did it"),
    ],
    from: "FROM idx.memory_ops o LEFT JOIN idx.sessions s ON s.number = o.session",
    filter: "1",
    order: "o.seq",
    at: ("o.seq", "o.at_ms"),
    day: "o.at_ms",
    changed: "o.seq",
    session: "s.id",
    stores: &["idx"],
};
