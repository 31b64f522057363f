-- The commands that took longest together.
SELECT substr(command, 1, 80) AS command, count(*) AS runs, sum(duration_ms) AS total_ms, max(duration_ms) AS longest_ms
FROM executions
WHERE command IS NOT NULL AND duration_ms IS NOT NULL AND corrected_by IS NULL
GROUP BY substr(command, 1, 80)
ORDER BY total_ms DESC, command
LIMIT 20
