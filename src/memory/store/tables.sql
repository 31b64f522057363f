CREATE TABLE branches (
    id TEXT PRIMARY KEY,
    parent_id TEXT NULL,
    node_uid TEXT NULL,
    created_at REAL
);

CREATE TABLE core_kv (
    branch_id TEXT,
    key TEXT,
    value TEXT,
    updated_at REAL,
    PRIMARY KEY (branch_id, key)
);

CREATE TABLE core_meta (
    branch_id TEXT,
    key TEXT,
    importance INTEGER,
    ttl TEXT,
    updated_at REAL,
    PRIMARY KEY (branch_id, key)
);

CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    branch_id TEXT,
    kind TEXT,
    text TEXT,
    tags TEXT,
    created_at REAL,
    task_hint TEXT,
    memory_size INTEGER
);

CREATE TABLE archival (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    branch_id TEXT,
    text TEXT,
    tags TEXT,
    created_at REAL
);

CREATE VIRTUAL TABLE archival_fts USING fts5(
    text, tags, branch_id
);

CREATE TABLE inherited_exclusions (
    branch_id TEXT,
    excluded_event_id INTEGER,
    excluded_at REAL,
    PRIMARY KEY (branch_id, excluded_event_id)
);

CREATE TABLE inherited_summaries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    branch_id TEXT,
    summary_text TEXT,
    summarized_event_ids TEXT,
    kind TEXT,
    created_at REAL
);
