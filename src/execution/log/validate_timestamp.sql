-- timestamp must be reasonable (not future, not before 2020-01-01)
CREATE TRIGGER validate_timestamp BEFORE INSERT ON executions
BEGIN
    SELECT CASE
        WHEN NEW.timestamp < 1577836800000 THEN RAISE(ABORT, 'Timestamp too old')
        WHEN NEW.timestamp > strftime('%s', 'now') * 1000 + 86400000 THEN RAISE(ABORT, 'Timestamp in future')
    END;
END;
