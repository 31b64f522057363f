-- Which tests failed most often, in how many sessions, and when last.
SELECT t.program, t.name, count(*) AS failures, count(DISTINCT t.session) AS sessions, max(t.day) AS last_day
FROM test_failures t
JOIN executions e ON e.journal = t.journal AND e.execution = t.execution
WHERE t.ran = 1 AND e.corrected_by IS NULL
GROUP BY t.program, t.name
ORDER BY failures DESC, t.name, t.program
LIMIT 20
