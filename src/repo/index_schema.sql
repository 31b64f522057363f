-- Repositories, numbered as they were first met; hash: 64 hexadecimal digits. What it was made of is
-- NULL, and identified_seq with it, where no event says. family: the number of the repository that was
-- met first of those linked with it, itself included. last_seq: the last event about it.
CREATE TABLE repos (
    number INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    path TEXT,
    remote TEXT,
    branch TEXT,
    common TEXT,
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

-- Made after the rows.

CREATE INDEX repos_family ON repos(family, last_seq);
CREATE INDEX repo_summaries_repo ON repo_summaries(repo, seq);
