-- The commands that took longest together, as they were told or at most.
SELECT substr(command, 1, 80) AS command, count(*) AS runs,
       sum(coalesce(duration_ms, duration_ms_max)) AS total_ms, max(coalesce(duration_ms, duration_ms_max)) AS longest_ms
FROM executions
WHERE command IS NOT NULL AND coalesce(duration_ms, duration_ms_max) IS NOT NULL AND corrected_by IS NULL
GROUP BY substr(command, 1, 80)
ORDER BY total_ms DESC, command
LIMIT 20
