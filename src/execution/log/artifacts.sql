CREATE TABLE execution_artifacts (
    -- Auto-increment primary key
    id INTEGER PRIMARY KEY AUTOINCREMENT,

    -- Foreign key reference to executions table
    execution_id TEXT NOT NULL,

    -- Artifact type discriminator
    -- Allowed values (case-sensitive):
    --   "stdout" - Captured standard output from external tools
    --   "stderr" - Captured standard error from external tools
    --   "diagnostics" - Structured compiler diagnostics from lsp_tools
    artifact_type TEXT NOT NULL,

    -- Content: structured JSON representation
    -- For "stdout"/"stderr": JSON string with raw text
    --   {"text": "full output here"}
    -- For "diagnostics": JSON array of diagnostic objects
    --   [{"level": "error", "message": "...", "file_name": "...", "line_start": 1, "code": "E0425"}]
    content_json TEXT NOT NULL,

    -- Foreign key constraint
    FOREIGN KEY (execution_id) REFERENCES executions(id) ON DELETE RESTRICT
);
