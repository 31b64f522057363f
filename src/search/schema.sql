CREATE TABLE cursor (name TEXT PRIMARY KEY, seq INTEGER NOT NULL);
-- What texts are of: sessions, tools, files, models.
CREATE TABLE names (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
-- Prompts that began a session's turns.
CREATE TABLE turns (session INTEGER PRIMARY KEY, turns INTEGER NOT NULL);
-- A text each; `number` is its row in the full-text index, given once.
CREATE TABLE documents (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  seq INTEGER NOT NULL,
  part INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  session INTEGER,
  turn INTEGER,
  tool INTEGER,
  path INTEGER,
  model INTEGER,
  failed INTEGER NOT NULL,
  left_out INTEGER NOT NULL,
  said BLOB,
  words BLOB NOT NULL
);
CREATE UNIQUE INDEX documents_said ON documents (said) WHERE said IS NOT NULL;
CREATE VIRTUAL TABLE found USING fts5(
  parts, wholes, content = '', contentless_delete = 1,
  tokenize = 'porter unicode61 remove_diacritics 2'
);
