-- At which hour of the day (UTC) calls are made.
SELECT CAST((at_ms % 86400000 - at_ms % 3600000) / 3600000 AS INTEGER) AS hour, count(*) AS calls
FROM executions
WHERE corrected_by IS NULL
GROUP BY CAST((at_ms % 86400000 - at_ms % 3600000) / 3600000 AS INTEGER)
ORDER BY hour
