-- Reads of the timeline.
CREATE TABLE reads (
    seq INTEGER PRIMARY KEY,
    session INTEGER,
    at_ms INTEGER NOT NULL,
    query TEXT NOT NULL,
    read_by TEXT NOT NULL,
    through INTEGER NOT NULL,
    returned INTEGER NOT NULL
);

-- What the gate refused, or would have.
CREATE TABLE verdicts (
    seq INTEGER PRIMARY KEY,
    session INTEGER,
    at_ms INTEGER NOT NULL,
    execution TEXT,
    call_key TEXT,
    tool TEXT NOT NULL,
    target TEXT,
    rule TEXT NOT NULL,
    reason TEXT NOT NULL,
    required_query TEXT NOT NULL,
    mode TEXT NOT NULL
);

-- Calls that ran although they had been denied; verdict: the sequence of the refusal, if known.
CREATE TABLE bypasses (
    seq INTEGER PRIMARY KEY,
    session INTEGER,
    at_ms INTEGER NOT NULL,
    execution TEXT NOT NULL,
    call_key TEXT,
    tool TEXT NOT NULL,
    verdict INTEGER
);

-- Claims of success; cited: a JSON array of execution ids.
CREATE TABLE claims (
    seq INTEGER PRIMARY KEY,
    session INTEGER,
    at_ms INTEGER NOT NULL,
    claim TEXT NOT NULL,
    accepted INTEGER NOT NULL,
    verified_by TEXT,
    cited TEXT NOT NULL,
    reason TEXT
);

-- Plans that were checked; faults: a JSON array of objects with step, tool and reason.
CREATE TABLE plans (
    seq INTEGER PRIMARY KEY,
    session INTEGER,
    at_ms INTEGER NOT NULL,
    digest BLOB NOT NULL,
    steps INTEGER NOT NULL,
    accepted INTEGER NOT NULL,
    faults TEXT NOT NULL
);

-- Steps. seq: of the event that began it, or of its end where none did. changed and follow_up: JSON
-- arrays of texts.
CREATE TABLE steps (
    seq INTEGER PRIMARY KEY,
    session INTEGER,
    began_ms INTEGER,
    title TEXT,
    ended_seq INTEGER,
    ended_ms INTEGER,
    executions INTEGER,
    failed INTEGER,
    refused INTEGER,
    mutations INTEGER,
    checks_passed INTEGER,
    changed TEXT,
    follow_up TEXT,
    summary TEXT
);

-- Blocks of the timeline that were given to a model.
CREATE TABLE checkpoints (
    seq INTEGER PRIMARY KEY,
    session INTEGER,
    at_ms INTEGER NOT NULL,
    through INTEGER NOT NULL,
    executions INTEGER NOT NULL,
    step INTEGER NOT NULL
);
