-- Calls that were interrupted, refused or are open, which is no failure.
SELECT tool, outcome, count(*) AS calls
FROM executions
WHERE success IS NULL AND corrected_by IS NULL
GROUP BY tool, outcome
ORDER BY calls DESC, tool, outcome
