//! The tables of sessions and of what was said in them.

use super::SESSION;
use crate::store::sql::exported::Form::{Flag, Integer, Text, Time};
use crate::store::sql::exported::{Exported, column};

pub static SESSIONS: Exported = Exported {
    name: "sessions",
    about: "a session of an agent",
    columns: &[
        SESSION,
        column("agent", "nullif(s.agent, '')", Text, "`claude-code`"),
        column("native_id", "nullif(s.native_id, '')", Text, "the agent's own id of it"),
        column("agent_version", "s.agent_version", Text, "the agent's version"),
        column("model", "s.model", Text, "the first model that answered"),
        column("parent", "s.parent", Text, "the session that began it"),
        column("title", "s.title", Text, "what the agent calls it"),
        column("cwd", "s.cwd", Text, "the folder it began in"),
        column("branch", "s.branch", Text, "git's branch there"),
        column("began", "s.first_ms", Time, "its first event"),
        column("last", "s.last_ms", Time, "its last event"),
        column("first_sequence", "s.first_seq", Integer, "its first event"),
        column("last_sequence", "s.last_seq", Integer, "its last event"),
        column("ended", "s.ended_seq IS NOT NULL", Flag, "whether its end is on record"),
        column("end_reason", "s.end_reason", Text, "why it ended"),
        column(
            "prompts",
            "(SELECT count(*) FROM idx.prompts p WHERE p.session = s.number)",
            Integer,
            "how many",
        ),
        column("calls", CALLS, Integer, "its executions, corrected ones left out"),
        column("failed", FAILED, Integer, "those of them that failed"),
    ],
    from: "FROM idx.sessions s",
    filter: "1",
    order: "s.last_ms, s.number",
    at: ("s.last_seq", "s.last_ms"),
    day: "s.first_ms",
    changed: "max(s.last_seq, coalesce(s.ended_seq, 0))",
    session: "s.id",
    stores: &["idx"],
};

const CALLS: &str = "(SELECT count(*) FROM idx.executions e WHERE e.session = s.number \
     AND e.corrected_by IS NULL)";
const FAILED: &str = "(SELECT count(*) FROM idx.executions e WHERE e.session = s.number \
     AND e.corrected_by IS NULL AND e.outcome = 'failed')";

/// As `index.db` has them: the beginning of a long one.
pub static PROMPTS: Exported = Exported {
    name: "prompts",
    about: "a prompt of a user",
    columns: &[
        SESSION,
        column("sequence", "p.seq", Integer, "its event"),
        column("at", "p.at_ms", Time, "when it was given"),
        column("native_id", "p.native_id", Text, "the agent's own id of it"),
        column("actor", "p.actor", Text, "who gave it, where that is told"),
        column("text", "p.text", Text, "its text, or the beginning of a long one"),
    ],
    from: "FROM idx.prompts p LEFT JOIN idx.sessions s ON s.number = p.session",
    filter: "1",
    order: "p.seq",
    at: ("p.seq", "p.at_ms"),
    day: "p.at_ms",
    changed: "p.seq",
    session: "s.id",
    stores: &["idx"],
};

pub static MESSAGES: Exported = Exported {
    name: "messages",
    about: "a message of an agent, and the tokens that it took",
    columns: &[
        SESSION,
        column("sequence", "m.seq", Integer, "its event: the last that tells it"),
        column("at", "m.at_ms", Time, "when it was said"),
        column("agent", "s.agent", Text, "whose session it is"),
        column("native_id", "m.native_id", Text, "the agent's own id of it"),
        column("actor", "m.actor", Text, "who of the session said it"),
        column("parent", "m.parent", Text, "the session that began its session"),
        column("model", "m.model", Text, "the model"),
        column("stop_reason", "m.stop_reason", Text, "why it ended"),
        column("input_tokens", "m.input", Integer, "tokens read, but for those of a cache"),
        column("output_tokens", "m.output", Integer, "tokens written"),
        column("cache_read_tokens", "m.cache_read", Integer, "tokens read from a cache"),
        column("cache_write_tokens", "m.cache_write", Integer, "tokens written into a cache"),
        column("text_bytes", "m.text_bytes", Integer, "bytes of its text"),
        column("thinking_bytes", "m.thinking_bytes", Integer, "bytes of its thoughts"),
    ],
    from: "FROM idx.messages m LEFT JOIN idx.sessions s ON s.number = m.session",
    filter: "1",
    order: "m.seq",
    at: ("m.seq", "m.at_ms"),
    day: "m.at_ms",
    changed: "m.seq",
    session: "s.id",
    stores: &["idx"],
};
