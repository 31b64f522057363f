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
-- one did, as a coverage.
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

-- name: the last part of the path, by which a file is found whatever it was given from.
CREATE TABLE paths (
    number INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL
);

-- role: 0 named, 1 changed, 2 created. at_ms and at_seq are the execution's, here and below, so
-- that the newest of many are found without looking at the others.
CREATE TABLE execution_paths (
    execution INTEGER NOT NULL,
    path INTEGER NOT NULL,
    role INTEGER NOT NULL,
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

-- One row an event of branch memory or of a phase. kind: the event's name. key: of core memory.
-- record: of the archive. door: by which layer it came; NULL where it is of a phase. has_place: whether
-- it leaves a file below experiments/.
CREATE TABLE memory_ops (
    seq INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    session INTEGER,
    kind TEXT NOT NULL,
    branch TEXT NOT NULL,
    key TEXT,
    record INTEGER,
    node TEXT,
    run TEXT,
    phase TEXT,
    door TEXT,
    execution TEXT,
    has_place INTEGER NOT NULL
);

-- What an event of branch memory changed. layer: 'core', 'recall', 'archival' or 'inherited'. name: the
-- key; the number of an event, a record or a summary of inherited events. branch: the one that it was
-- changed for.
CREATE TABLE memory_changes (
    layer TEXT NOT NULL,
    name TEXT NOT NULL,
    branch TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (layer, name, branch, seq)
) WITHOUT ROWID;

-- Repositories, numbered as they were first met; hash: 64 hexadecimal digits. What it was made of is
-- NULL, and identified_seq with it, where no event says. family: the number of the repository that was
-- met first of those linked with it, itself included. last_seq: the last event about it.
CREATE TABLE repos (
    number INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    path TEXT,
    remote TEXT,
    branch TEXT,
    identified_seq INTEGER,
    family INTEGER NOT NULL,
    last_seq INTEGER NOT NULL
);

-- Repositories whose memories were made one, as it was recorded.
CREATE TABLE repo_links (
    seq INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    repo INTEGER NOT NULL,
    other INTEGER NOT NULL
);

-- What holds for a repository. seq, here and below: the last event that said so. tags: a JSON array of
-- texts.
CREATE TABLE repo_conventions (
    repo INTEGER NOT NULL,
    id TEXT NOT NULL,
    title TEXT NOT NULL,
    content TEXT NOT NULL,
    tags TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (repo, id)
) WITHOUT ROWID;

-- What was decided for it. impacted_paths: a JSON array of texts.
CREATE TABLE repo_decisions (
    repo INTEGER NOT NULL,
    id TEXT NOT NULL,
    summary TEXT NOT NULL,
    rationale TEXT NOT NULL,
    impacted_paths TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (repo, id)
) WITHOUT ROWID;

-- What was noted of it. source: manual, agent or tool.
CREATE TABLE repo_notes (
    repo INTEGER NOT NULL,
    id TEXT NOT NULL,
    content TEXT NOT NULL,
    source TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (repo, id)
) WITHOUT ROWID;

-- What steps came to. made_by: events, model or caller. step: the sequence of the step's end.
CREATE TABLE repo_summaries (
    seq INTEGER PRIMARY KEY,
    repo INTEGER NOT NULL,
    run_id TEXT NOT NULL,
    step_id TEXT NOT NULL,
    summary TEXT NOT NULL,
    made_by TEXT NOT NULL,
    step INTEGER,
    created_ms INTEGER NOT NULL
);

-- The newest index of each kind of its tree. content: the whole file, JSON. inputs: the blake3 of what
-- it was made from.
CREATE TABLE repo_indexes (
    repo INTEGER NOT NULL,
    kind TEXT NOT NULL,
    content TEXT NOT NULL,
    files INTEGER NOT NULL,
    inputs BLOB NOT NULL,
    at_ms INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (repo, kind)
) WITHOUT ROWID;

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
-- place: its place among the attempt's failures, from 0. message: normalised. updated_ms: the session's.
CREATE TABLE debug_failures (
    session INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    place INTEGER NOT NULL,
    error_type TEXT NOT NULL,
    message TEXT NOT NULL,
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

-- What was learnt. successes, trials: of the template; NULL where nobody counted them.
CREATE TABLE debug_patterns (
    session INTEGER NOT NULL,
    pattern TEXT NOT NULL,
    category TEXT,
    frequency INTEGER NOT NULL,
    fix_template TEXT,
    effectiveness REAL,
    successes INTEGER,
    trials INTEGER,
    updated_ms INTEGER NOT NULL,
    PRIMARY KEY (session, pattern)
) WITHOUT ROWID;
