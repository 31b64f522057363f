CREATE UNIQUE INDEX executions_ordinal ON executions(ordinal) WHERE ordinal IS NOT NULL;
CREATE INDEX executions_at ON executions(at_ms, at_seq);
CREATE INDEX executions_session ON executions(session, at_ms, at_seq);
CREATE INDEX executions_tool ON executions(tool, at_ms, at_seq);
CREATE INDEX executions_failed ON executions(at_ms, at_seq) WHERE outcome = 'failed';
CREATE INDEX executions_open ON executions(seq) WHERE closed_seq IS NULL;
CREATE INDEX execution_paths_execution ON execution_paths(execution);
CREATE INDEX prompts_session ON prompts(session, native_id);
CREATE INDEX prompts_digest ON prompts(at_ms, digest);
