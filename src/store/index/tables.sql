-- How far this file has read the journal; one row, named as in execution_log.db.
CREATE TABLE cursor (
    name TEXT NOT NULL,
    seq INTEGER NOT NULL
);

-- One row a session, numbered as they were first seen. Empty agent: no SessionStarted was seen.
CREATE TABLE sessions (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL DEFAULT '',
    native_id TEXT NOT NULL DEFAULT '',
    agent_version TEXT,
    model TEXT,
    parent TEXT,
    cwd TEXT,
    branch TEXT,
    title TEXT,
    first_seq INTEGER NOT NULL,
    first_ms INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    ended_seq INTEGER,
    end_reason TEXT
);

-- One row an execution. seq is the event that made the row: its start, or the closing event where
-- the start was lost, or the correction. at_ms and at_seq are the closing event's, the start's
-- while it is open: the order of every list.
CREATE TABLE executions (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    ordinal INTEGER,
    call_key TEXT,
    session INTEGER,
    source TEXT NOT NULL,
    tool TEXT NOT NULL,
    native_tool TEXT,
    actor TEXT,
    parent TEXT,
    cwd TEXT,
    branch TEXT,
    target TEXT,
    outcome TEXT,
    exit_code INTEGER,
    duration_ms INTEGER,
    error TEXT,
    diagnostic TEXT,
    started_seq INTEGER,
    started_ms INTEGER,
    closed_seq INTEGER,
    closed_ms INTEGER,
    at_seq INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    corrects TEXT,
    corrected_by TEXT
);

CREATE UNIQUE INDEX executions_call_key
    ON executions(call_key) WHERE call_key IS NOT NULL;

-- Starts that do not count: they repeat a call under another id, or an id that has a row. What
-- closes them closes that row.
CREATE TABLE void_starts (
    id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    execution INTEGER NOT NULL,
    PRIMARY KEY (id, seq)
) WITHOUT ROWID;

CREATE TABLE paths (
    number INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE
);

-- role: 0 named, 1 changed, 2 created.
CREATE TABLE execution_paths (
    path INTEGER NOT NULL,
    execution INTEGER NOT NULL,
    role INTEGER NOT NULL,
    PRIMARY KEY (path, execution)
) WITHOUT ROWID;

-- digest: the blake3 of the whole text, hex; text: its beginning.
CREATE TABLE prompts (
    seq INTEGER PRIMARY KEY,
    session INTEGER,
    at_ms INTEGER NOT NULL,
    native_id TEXT,
    actor TEXT,
    digest TEXT NOT NULL,
    text TEXT NOT NULL
);

-- Where contents large enough to be referred to stand inline for the first time. key: the first
-- eight bytes of the content's blake3.
CREATE TABLE contents (
    key INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL
);

-- Declared tools, besides the contract's own.
CREATE TABLE tools (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    seq INTEGER NOT NULL,
    declared_by TEXT NOT NULL
);

-- Flaws of transcripts, so that reading one again lists nothing twice.
CREATE TABLE flaws (
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    flaw TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (file, line, flaw, detail)
) WITHOUT ROWID;

-- What no store could take as it was.
CREATE TABLE anomalies (
    number INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    execution TEXT,
    message TEXT NOT NULL
);
