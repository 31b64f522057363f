CREATE TABLE cursor (name TEXT PRIMARY KEY, seq INTEGER NOT NULL);
-- cut: the last event that a branch sees of its parent.
CREATE TABLE forks (name TEXT PRIMARY KEY, parent TEXT, cut INTEGER NOT NULL) WITHOUT ROWID;
-- A version each, and each deletion. namespace: a JSON array. value: JSON as it was written; NULL: deleted.
-- created_ms: when the key had its first value since it was deleted. over_ms: from when on it holds no more; NULL: never.
CREATE TABLE kv (
  seq INTEGER PRIMARY KEY,
  branch TEXT NOT NULL,
  namespace TEXT NOT NULL,
  key TEXT NOT NULL,
  version INTEGER NOT NULL,
  value TEXT,
  created_ms INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  over_ms INTEGER
);
CREATE INDEX kv_key ON kv (branch, namespace, key, seq);
CREATE TABLE thread_messages (
  seq INTEGER PRIMARY KEY,
  branch TEXT NOT NULL,
  thread TEXT NOT NULL,
  number INTEGER NOT NULL,
  role TEXT NOT NULL,
  content TEXT NOT NULL,
  at_ms INTEGER NOT NULL
);
CREATE INDEX thread_messages_at ON thread_messages (branch, thread, seq);
-- What is not seen any more: a message that was taken back, or, where popped is NULL, all before.
CREATE TABLE thread_marks (seq INTEGER PRIMARY KEY, branch TEXT NOT NULL, thread TEXT NOT NULL, popped INTEGER);
CREATE INDEX thread_marks_at ON thread_marks (branch, thread, seq);
