-- How far this file has read the journal, the tools and checks declared by then, the project's folder as
-- the journal's first event has it, and how the rows that are not
-- ours looked when the edges to them were made.
CREATE TABLE IF NOT EXISTS annals_cursor (
    name TEXT NOT NULL,
    seq INTEGER NOT NULL,
    tools TEXT NOT NULL DEFAULT '[]',
    checks TEXT NOT NULL DEFAULT '',
    root TEXT NOT NULL DEFAULT '',
    files INTEGER NOT NULL DEFAULT 0,
    symbols INTEGER NOT NULL DEFAULT 0,
    last_file INTEGER NOT NULL DEFAULT 0,
    last_symbol INTEGER NOT NULL DEFAULT 0,
    graph_version INTEGER NOT NULL DEFAULT 0
);
-- Every row that is not ours and that an edge of ours leads to: what vanished is found by it.
CREATE TABLE IF NOT EXISTS annals_targets (
    entity INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    name TEXT NOT NULL
);
-- The name is sqlitegraph's own for this index, which its fourth schema brings.
CREATE INDEX IF NOT EXISTS idx_entities_kind_name ON graph_entities(kind, name);
