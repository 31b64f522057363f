-- artifact_type must be from allowed set
CREATE TRIGGER validate_artifact_type BEFORE INSERT ON execution_artifacts
BEGIN
    SELECT CASE
        WHEN NEW.artifact_type NOT IN ('stdout', 'stderr', 'diagnostics') THEN
            RAISE(ABORT, 'Invalid artifact_type')
    END;
END;

-- content_json must be valid JSON
CREATE TRIGGER validate_json BEFORE INSERT ON execution_artifacts
BEGIN
    SELECT CASE WHEN json_valid(NEW.content_json) <> 1 THEN RAISE(ABORT, 'Invalid JSON in content_json') END;
END;
