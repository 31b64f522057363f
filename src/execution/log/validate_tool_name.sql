-- tool_name must be from allowed set
CREATE TRIGGER validate_tool_name BEFORE INSERT ON executions
BEGIN
    SELECT CASE
        WHEN NEW.tool_name NOT IN (
            'file_read', 'file_write', 'file_create',
            'file_search', 'file_glob',
            'splice_patch', 'splice_plan',
            'symbols_in_file', 'references_to_symbol_name', 'references_from_file_to_symbol_name',
            'lsp_check'
        ) THEN RAISE(ABORT, 'Invalid tool_name')
    END;
END;
