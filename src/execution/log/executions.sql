CREATE TABLE executions (
    -- Primary key: UUID v4 string format
    -- Example: "550e8400-e29b-41d4-a716-446655440000"
    id TEXT PRIMARY KEY NOT NULL,

    -- Tool name: exact function name from odincode API
    -- Allowed values:
    --   "file_read", "file_write", "file_create"
    --   "file_search", "file_glob"
    --   "splice_patch", "splice_plan"
    --   "symbols_in_file", "references_to_symbol_name", "references_from_file_to_symbol_name"
    --   "lsp_check"
    tool_name TEXT NOT NULL,

    -- Arguments: canonicalized JSON representation
    -- Format: JSON object with tool-specific structure
    -- Example for splice_patch:
    --   {"file": "src/lib.rs", "symbol": "foo", "kind": "fn", "with": "patches/foo.rs"}
    -- Example for lsp_check:
    --   {"path": "/path/to/project"}
    arguments_json TEXT NOT NULL,

    -- Timestamp: Unix milliseconds since epoch
    -- Example: 1735036800000 (2025-12-24 00:00:00 UTC)
    timestamp INTEGER NOT NULL,

    -- Success flag: true if operation completed without error
    -- NULL if operation was interrupted (crash, system failure)
    success BOOLEAN NOT NULL,

    -- Exit code: process exit code for external tool calls
    -- NULL for tools without exit codes (file operations, magellan queries)
    -- Standard interpretation: 0 = success, non-zero = failure
    exit_code INTEGER,

    -- Duration: execution time in milliseconds
    -- NULL if timing unavailable
    duration_ms INTEGER,

    -- Error message: human-readable failure description
    -- NULL if success=true
    -- Format: Free text, may contain structured error codes
    error_message TEXT
);
