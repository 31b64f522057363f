-- Query by tool name
CREATE INDEX idx_executions_tool ON executions(tool_name);

-- Query by time range (chronological queries)
CREATE INDEX idx_executions_timestamp ON executions(timestamp);

-- Query by success/failure status
CREATE INDEX idx_executions_success ON executions(success);

-- Composite index: tool + timestamp (common query pattern)
CREATE INDEX idx_executions_tool_timestamp ON executions(tool_name, timestamp);
