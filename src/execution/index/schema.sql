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
-- while it is open: the order of every list. command: a check's whole command line. target_key: sixteen bytes of blake3 of what the call
-- was about, normalised, or of its arguments where they say nothing of the kind; NULL where the
-- start was lost. arguments_digest: the same of its canonical arguments. told: how it ended by what its
-- caller was told; outcome: that, or failed where it is a check that failed all the same, behind a pipe: every
-- question goes by it. checked: the kind of check, by which program; verdict: passed, failed or unknown, and what
-- that rests on. telling: the one line that says most of why it did not end well. said: sixteen bytes of blake3 of
-- that line; two failures are alike where it is. need: what a later check must look at to have shown what a failed
-- one did, as a coverage. The target_key of a check tells its folder too. partial: 1 where a check passed with tests
-- left out, or where not all that it failed with was seen. tests_ran, tests_skipped: of a run of tests that counts
-- them whether they pass or fail. tests_passed: of one that names all that passed, four bytes of a digest each.
-- untimed: 1 where no source tells when it began or when it ended: those are places in an order.
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
    command TEXT,
    target_key BLOB,
    arguments_digest BLOB,
    outcome TEXT,
    told TEXT,
    exit_code INTEGER,
    duration_ms INTEGER,
    error TEXT,
    diagnostic TEXT,
    said BLOB,
    checked TEXT,
    program TEXT,
    verdict TEXT,
    basis TEXT,
    telling TEXT, -- and how many others there are
    need TEXT,
    partial INTEGER,
    tests_ran INTEGER,
    tests_skipped INTEGER,
    tests_passed BLOB,
    -- An exit code of 1 answers what it asks; ended otherwise it has none.
    asks INTEGER,
    started_seq INTEGER,
    started_ms INTEGER,
    closed_seq INTEGER,
    closed_ms INTEGER,
    at_seq INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    corrects TEXT,
    corrected_by TEXT,
    untimed INTEGER
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

-- name: the last part of the path, by which a file is found whatever it was given from.
CREATE TABLE paths (
    number INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL
);

-- role: 0 named, 1 changed, 2 created. session, at_ms and at_seq are the execution's, here and below, so
-- that the newest of many are found without looking at the others.
CREATE TABLE execution_paths (
    execution INTEGER NOT NULL,
    path INTEGER NOT NULL,
    role INTEGER NOT NULL,
    session INTEGER,
    at_ms INTEGER NOT NULL,
    at_seq INTEGER NOT NULL,
    PRIMARY KEY (execution, path)
) WITHOUT ROWID;

CREATE TABLE symbols (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);

CREATE TABLE execution_symbols (
    execution INTEGER NOT NULL,
    symbol INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    at_seq INTEGER NOT NULL,
    PRIMARY KEY (execution, symbol)
) WITHOUT ROWID;

-- One row a distinct diagnostic; digest: sixteen bytes of the blake3 of all the rest.
CREATE TABLE diagnostics (
    number INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    label INTEGER NOT NULL,
    code TEXT,
    level TEXT NOT NULL,
    file_name TEXT,
    line INTEGER,
    message TEXT NOT NULL
);

-- What checks looked at: language, program, layers, folder, places, tests, options; JSON.
CREATE TABLE coverages (
    number INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE
);

-- What a check looked at, as far as it is known to have run to its end. Corrected ones have none.
CREATE TABLE execution_coverages (
    execution INTEGER NOT NULL,
    coverage INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    at_seq INTEGER NOT NULL,
    session INTEGER,
    passed INTEGER NOT NULL,
    PRIMARY KEY (execution, coverage)
) WITHOUT ROWID;

-- Recorded by the execution, or else read from what it printed.
CREATE TABLE execution_diagnostics (
    execution INTEGER NOT NULL,
    diagnostic INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    at_seq INTEGER NOT NULL,
    PRIMARY KEY (execution, diagnostic)
) WITHOUT ROWID;

-- What failures had for a cause. key: sixteen bytes of blake3, equal for two failures of one cause; kind: the tool,
-- the code or the exception, and the message with what differs from one time to the next masked.
CREATE TABLE causes (
    number INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE,
    kind TEXT NOT NULL
);

-- place: the file it came from, or the test. names: what was masked as a name, each behind a blank.
CREATE TABLE execution_causes (
    execution INTEGER NOT NULL,
    cause INTEGER NOT NULL,
    place TEXT,
    names TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    at_seq INTEGER NOT NULL,
    PRIMARY KEY (execution, cause)
) WITHOUT ROWID;

-- The tests that a run named as failed, in its order, at most as many as a report of one holds. source: where in the code it
-- came from. ran: 0 where it could not be built or loaded.
CREATE TABLE failed_tests (
    execution INTEGER NOT NULL,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    file TEXT,
    line INTEGER,
    source TEXT,
    source_line INTEGER,
    error TEXT NOT NULL,
    message TEXT NOT NULL,
    ran INTEGER NOT NULL,
    PRIMARY KEY (execution, number)
) WITHOUT ROWID;

-- What diagnostics are asked for by: the code; where there is none, the level. How many executions
-- had it, and in how many sessions; corrected ones are not counted.
CREATE TABLE labels (
    number INTEGER PRIMARY KEY,
    label TEXT NOT NULL UNIQUE,
    executions INTEGER NOT NULL DEFAULT 0,
    sessions INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE execution_labels (
    execution INTEGER NOT NULL,
    label INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    at_seq INTEGER NOT NULL,
    PRIMARY KEY (execution, label)
) WITHOUT ROWID;

-- The same of each session (0: of none).
CREATE TABLE session_labels (
    session INTEGER NOT NULL,
    label INTEGER NOT NULL,
    executions INTEGER NOT NULL,
    PRIMARY KEY (session, label)
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

-- One row a message of an agent: its tokens, each NULL where it does not tell; of a message that was told
-- again, the last. Its text is in the event. text_bytes, thinking_bytes: how long they are.
CREATE TABLE messages (
    seq INTEGER PRIMARY KEY,
    native_id TEXT NOT NULL UNIQUE,
    session INTEGER,
    at_ms INTEGER NOT NULL,
    actor TEXT,
    parent TEXT,
    model TEXT,
    stop_reason TEXT,
    input INTEGER,
    output INTEGER,
    cache_read INTEGER,
    cache_write INTEGER,
    text_bytes INTEGER NOT NULL,
    thinking_bytes INTEGER NOT NULL
);

-- Where another model began to speak (kind: ModelChanged) or what was said became a summary (Compacted).
-- was, became: the models. tokens: how many there were before the summary.
CREATE TABLE marks (
    seq INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    native_id TEXT NOT NULL,
    session INTEGER,
    at_ms INTEGER NOT NULL,
    was TEXT,
    became TEXT,
    why TEXT,
    tokens INTEGER
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

-- The project's own checks in force. number: their place in the list. kind: format, build, types, lint or
-- test. runs: the command line behind it, where that was read. standing: in_force, waiting or idle. seq: the event that declared the list.
CREATE TABLE checks (
    number INTEGER PRIMARY KEY,
    command TEXT NOT NULL,
    kind TEXT NOT NULL,
    found_in TEXT NOT NULL,
    runs TEXT,
    standing TEXT NOT NULL,
    seq INTEGER NOT NULL
);

-- Where the project was when its journal was made: what was told without a folder ran there.
CREATE TABLE origin (
    seq INTEGER PRIMARY KEY,
    root TEXT NOT NULL
);

-- Every list of checks and matchers that was in force, from its event on. list: JSON.
CREATE TABLE check_lists (
    seq INTEGER PRIMARY KEY,
    declared_by TEXT NOT NULL,
    list TEXT NOT NULL
);

-- What agents call the contract's tools.
CREATE TABLE native_tools (
    native_tool TEXT NOT NULL,
    tool TEXT NOT NULL,
    PRIMARY KEY (native_tool, tool)
) WITHOUT ROWID;

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

-- Executions that ended, by session (0: of none; -1: the whole project), tool and outcome: how many,
-- and the newest of them. Corrected ones are not counted.
CREATE TABLE tallies (
    session INTEGER NOT NULL,
    tool TEXT NOT NULL,
    outcome TEXT NOT NULL,
    executions INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    at_seq INTEGER NOT NULL,
    execution INTEGER NOT NULL,
    PRIMARY KEY (session, tool, outcome)
) WITHOUT ROWID;

-- Steps begun and reads of the timeline, of a session (0, -1: as above).
CREATE TABLE standings (
    session INTEGER PRIMARY KEY,
    steps INTEGER NOT NULL DEFAULT 0,
    reads INTEGER NOT NULL DEFAULT 0,
    last_read_ms INTEGER
);

-- Failures that no later success of the same tool on the same target resolved, nor a check that passed and would
-- have shown the newest of them: within a session, or
-- (-1) within the project. failures: how many since then, from since_ms on; alike: how many of them,
-- the newest in a row, said the same; execution: the newest. A file_create is a file_write here.
CREATE TABLE pending (
    session INTEGER NOT NULL,
    tool TEXT NOT NULL,
    target_key BLOB NOT NULL,
    failures INTEGER NOT NULL,
    alike INTEGER NOT NULL,
    since_ms INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    at_seq INTEGER NOT NULL,
    execution INTEGER NOT NULL,
    PRIMARY KEY (session, tool, target_key)
) WITHOUT ROWID;

-- Made after the rows.

CREATE UNIQUE INDEX executions_ordinal ON executions(ordinal) WHERE ordinal IS NOT NULL;
CREATE INDEX executions_at ON executions(at_ms, at_seq);
CREATE INDEX executions_session ON executions(session, at_ms, at_seq);
CREATE INDEX executions_tool ON executions(tool, at_ms, at_seq);
CREATE INDEX executions_failed ON executions(at_ms, at_seq) WHERE outcome = 'failed';
CREATE INDEX executions_at_seq ON executions(at_seq);
CREATE INDEX executions_parent ON executions(parent, at_ms, at_seq) WHERE parent IS NOT NULL;
CREATE INDEX executions_corrected ON executions(seq) WHERE corrected_by IS NOT NULL;
CREATE INDEX executions_open ON executions(seq) WHERE closed_seq IS NULL;
CREATE INDEX executions_failed_tool ON executions(tool, at_ms, at_seq) WHERE outcome = 'failed';
CREATE INDEX executions_failed_native ON executions(native_tool, at_ms, at_seq)
    WHERE outcome = 'failed' AND native_tool IS NOT NULL;
CREATE INDEX executions_failed_arguments ON executions(arguments_digest, tool, at_ms, at_seq)
    WHERE outcome = 'failed' AND arguments_digest IS NOT NULL;
CREATE INDEX executions_target ON executions(target_key, tool, at_ms, at_seq, outcome)
    WHERE target_key IS NOT NULL AND corrected_by IS NULL;
CREATE INDEX executions_session_tool ON executions(session, tool, outcome, at_ms, at_seq);
CREATE INDEX executions_session_target
    ON executions(session, target_key, tool, at_ms, at_seq, outcome)
    WHERE target_key IS NOT NULL AND corrected_by IS NULL;
CREATE INDEX paths_name ON paths(name);
CREATE INDEX execution_paths_at ON execution_paths(path, at_ms, at_seq, role);
CREATE INDEX execution_paths_changed ON execution_paths(at_ms, at_seq) WHERE role > 0;
CREATE INDEX execution_symbols_at ON execution_symbols(symbol, at_ms, at_seq);
CREATE INDEX executions_checked_in ON executions(cwd)
    WHERE command IS NOT NULL AND cwd IS NOT NULL;
CREATE INDEX executions_need ON executions(session) WHERE need IS NOT NULL;
CREATE INDEX execution_coverages_at ON execution_coverages(coverage, at_ms, at_seq);
CREATE INDEX execution_coverages_passed ON execution_coverages(coverage, at_ms, at_seq)
    WHERE passed;
CREATE INDEX execution_coverages_session
    ON execution_coverages(coverage, session, at_ms, at_seq) WHERE passed;
CREATE INDEX execution_causes_place ON execution_causes(place, at_ms, at_seq)
    WHERE place IS NOT NULL;
CREATE INDEX execution_causes_at ON execution_causes(cause, at_ms, at_seq);
CREATE INDEX labels_executions ON labels(executions DESC, number);
CREATE INDEX execution_labels_at ON execution_labels(label, at_ms, at_seq);
CREATE INDEX prompts_session ON prompts(session, seq);
CREATE INDEX prompts_native ON prompts(native_id) WHERE native_id IS NOT NULL;
CREATE INDEX messages_session ON messages(session, seq);
CREATE INDEX marks_native ON marks(kind, native_id);
CREATE INDEX prompts_digest ON prompts(at_ms, digest);
CREATE INDEX tallies_newest ON tallies(tool, outcome, at_ms, at_seq);
CREATE INDEX pending_at ON pending(session, at_ms, at_seq);
CREATE INDEX pending_loops ON pending(session, at_ms, at_seq) WHERE alike >= 3;
