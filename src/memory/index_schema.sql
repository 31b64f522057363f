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

-- The words of the archive's records, several in a row. first: the number of the first of them. keys: as
-- memory/words/ writes them.
CREATE TABLE memory_words (
    branch TEXT NOT NULL,
    first INTEGER NOT NULL,
    keys BLOB NOT NULL,
    PRIMARY KEY (branch, first)
);

-- What the archive's records mean, as the user's command says: the last vector of each whose text is the same still.
-- vector: as the event has it.
CREATE TABLE memory_vectors (
    record INTEGER PRIMARY KEY,
    branch TEXT NOT NULL,
    model TEXT NOT NULL,
    vector BLOB NOT NULL
);

-- Made after the rows.

CREATE INDEX memory_ops_branch ON memory_ops(branch, seq);
CREATE INDEX memory_ops_memory ON memory_ops(seq) WHERE door IS NOT NULL;
CREATE INDEX memory_vectors_branch ON memory_vectors(branch, record);
CREATE INDEX memory_ops_placed ON memory_ops(seq) WHERE has_place;
CREATE INDEX memory_ops_kept ON memory_ops(seq)
    WHERE kind IN ('KvPut', 'KvDeleted', 'MessageAppended', 'MessagePopped', 'ThreadCleared');
