-- One row an event of debug memory. session: the UUID of the debug session.
CREATE TABLE debug_ops (
    seq INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    kind TEXT NOT NULL
);

-- Debug sessions as their events leave them. number: the sequence of the event that began it. attempts:
-- all of them, and those that failed. document: the contract's JSON document; beside: what it has no
-- member for, JSON. patterns: how many were learnt. last_seq: the last event of its own that changed it.
CREATE TABLE debug_sessions (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    native_id TEXT,
    file_path TEXT NOT NULL,
    status TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    attempts_failed INTEGER NOT NULL,
    patterns INTEGER NOT NULL,
    agent TEXT,
    task_id TEXT,
    last_seq INTEGER NOT NULL,
    beside TEXT NOT NULL,
    document TEXT NOT NULL
);

-- Debug sessions whose document was kept as long as the rules say.
CREATE TABLE debug_expired (
    id TEXT PRIMARY KEY
) WITHOUT ROWID;

-- The distinct failures of a session, each as it was last. session, here and below: its number.
-- place: its place among the attempt's failures, from 0. cause: the key of what is wrong. updated_ms: the session's.
CREATE TABLE debug_failures (
    session INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    place INTEGER NOT NULL,
    error_type TEXT NOT NULL,
    cause BLOB NOT NULL,
    test_name TEXT NOT NULL,
    file TEXT,
    function TEXT,
    updated_ms INTEGER NOT NULL,
    PRIMARY KEY (session, attempt, place)
) WITHOUT ROWID;

-- In how many sessions a file of the source failed in some way.
CREATE TABLE debug_files (
    error_type TEXT NOT NULL,
    file TEXT NOT NULL,
    sessions INTEGER NOT NULL,
    PRIMARY KEY (error_type, file)
) WITHOUT ROWID;

-- What kinds of mistakes the attempts of a session were thought to be.
CREATE TABLE debug_causes (
    session INTEGER NOT NULL,
    root_cause_category TEXT NOT NULL,
    updated_ms INTEGER NOT NULL,
    PRIMARY KEY (session, root_cause_category)
) WITHOUT ROWID;

-- The execution behind whose attempt a fix was taken back, a UUID.
CREATE TABLE debug_taken_back (
    execution TEXT NOT NULL,
    session INTEGER NOT NULL,
    PRIMARY KEY (execution, session)
) WITHOUT ROWID;

-- What was learnt. successes, trials: of the template; NULL where nobody counted them. bound: what so many
-- trials prove at least of its effectiveness.
CREATE TABLE debug_patterns (
    session INTEGER NOT NULL,
    pattern TEXT NOT NULL,
    category TEXT,
    frequency INTEGER NOT NULL,
    fix_template TEXT,
    effectiveness REAL,
    successes INTEGER,
    trials INTEGER,
    bound REAL NOT NULL,
    updated_ms INTEGER NOT NULL,
    PRIMARY KEY (session, pattern)
) WITHOUT ROWID;

-- Made after the rows.

CREATE INDEX debug_ops_session ON debug_ops(session, seq);
CREATE INDEX debug_sessions_native ON debug_sessions(native_id) WHERE native_id IS NOT NULL;
CREATE INDEX debug_sessions_file ON debug_sessions(file_path, number);
CREATE INDEX debug_sessions_status ON debug_sessions(status, updated_ms);
CREATE INDEX debug_sessions_last ON debug_sessions(last_seq);
CREATE INDEX debug_sessions_updated ON debug_sessions(updated_ms);
CREATE INDEX debug_failures_type ON debug_failures(error_type, updated_ms, session, file);
CREATE INDEX debug_failures_type_file ON debug_failures(error_type, file, updated_ms, session);
CREATE INDEX debug_failures_cause ON debug_failures(cause, session);
CREATE INDEX debug_failures_cause_file ON debug_failures(cause, file, session);
CREATE INDEX debug_failures_test ON debug_failures(test_name, session);
CREATE INDEX debug_failures_file ON debug_failures(file, session);
CREATE INDEX debug_taken_back_session ON debug_taken_back(session);
CREATE INDEX debug_causes_category ON debug_causes(root_cause_category, updated_ms, session);
CREATE INDEX debug_patterns_pattern ON debug_patterns(pattern, updated_ms, session);
CREATE INDEX debug_patterns_category
    ON debug_patterns(category, bound, updated_ms, session);
