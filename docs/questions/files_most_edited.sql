-- The files that are edited most, and in how many sessions.
SELECT target, count(*) AS edits, count(DISTINCT session) AS sessions
FROM executions
WHERE tool IN ('file_edit', 'file_write', 'file_create') AND success = 1 AND corrected_by IS NULL AND target IS NOT NULL
GROUP BY target
ORDER BY edits DESC, target
LIMIT 20
