CREATE UNIQUE INDEX executions_ordinal ON executions(ordinal) WHERE ordinal IS NOT NULL;
CREATE INDEX executions_at ON executions(at_ms, at_seq);
CREATE INDEX executions_session ON executions(session, at_ms, at_seq);
CREATE INDEX executions_tool ON executions(tool, at_ms, at_seq);
CREATE INDEX executions_failed ON executions(at_ms, at_seq) WHERE outcome = 'failed';
CREATE INDEX executions_at_seq ON executions(at_seq);
CREATE INDEX executions_parent ON executions(parent, at_ms, at_seq) WHERE parent IS NOT NULL;
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
CREATE INDEX executions_need ON executions(session) WHERE need IS NOT NULL;
CREATE INDEX execution_coverages_at ON execution_coverages(coverage, at_ms, at_seq);
CREATE INDEX execution_coverages_passed ON execution_coverages(coverage, at_ms, at_seq)
    WHERE passed;
CREATE INDEX execution_coverages_session
    ON execution_coverages(coverage, session, at_ms, at_seq) WHERE passed;
CREATE INDEX labels_executions ON labels(executions DESC, number);
CREATE INDEX execution_labels_at ON execution_labels(label, at_ms, at_seq);
CREATE INDEX prompts_session ON prompts(session, seq);
CREATE INDEX prompts_native ON prompts(native_id) WHERE native_id IS NOT NULL;
CREATE INDEX prompts_digest ON prompts(at_ms, digest);
CREATE INDEX tallies_newest ON tallies(tool, outcome, at_ms, at_seq);
CREATE INDEX pending_at ON pending(session, at_ms, at_seq);
CREATE INDEX pending_loops ON pending(session, at_ms, at_seq) WHERE alike >= 3;
CREATE INDEX memory_ops_branch ON memory_ops(branch, seq);
CREATE INDEX memory_ops_memory ON memory_ops(seq) WHERE door IS NOT NULL;
CREATE INDEX memory_ops_placed ON memory_ops(seq) WHERE has_place;
CREATE INDEX repos_family ON repos(family, last_seq);
CREATE INDEX repo_summaries_repo ON repo_summaries(repo, seq);
CREATE INDEX debug_ops_session ON debug_ops(session, seq);
CREATE INDEX debug_sessions_native ON debug_sessions(native_id) WHERE native_id IS NOT NULL;
CREATE INDEX debug_sessions_file ON debug_sessions(file_path, number);
CREATE INDEX debug_sessions_status ON debug_sessions(status, updated_ms);
CREATE INDEX debug_sessions_last ON debug_sessions(last_seq);
CREATE INDEX debug_sessions_updated ON debug_sessions(updated_ms);
CREATE INDEX debug_failures_type ON debug_failures(error_type, updated_ms, session, file);
CREATE INDEX debug_failures_type_file ON debug_failures(error_type, file, updated_ms, session);
CREATE INDEX debug_failures_message ON debug_failures(message, session);
CREATE INDEX debug_failures_message_file ON debug_failures(message, file, session);
CREATE INDEX debug_failures_test ON debug_failures(test_name, session);
CREATE INDEX debug_failures_file ON debug_failures(file, session);
CREATE INDEX debug_causes_category ON debug_causes(root_cause_category, updated_ms, session);
CREATE INDEX debug_patterns_pattern ON debug_patterns(pattern, updated_ms, session);
CREATE INDEX debug_patterns_category
    ON debug_patterns(category, effectiveness, trials, updated_ms, session);
