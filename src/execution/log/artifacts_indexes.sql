-- Query all artifacts for an execution
CREATE INDEX idx_artifacts_execution ON execution_artifacts(execution_id);

-- Query by artifact type
CREATE INDEX idx_artifacts_type ON execution_artifacts(artifact_type);

-- Composite: execution + type (specific artifact retrieval)
CREATE INDEX idx_artifacts_execution_type ON execution_artifacts(execution_id, artifact_type);
