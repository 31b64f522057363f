-- Which tools are called, and how often each fails.
SELECT tool, count(*) AS calls, sum(CASE WHEN success = 0 THEN 1 ELSE 0 END) AS failed,
       round(1e2 * sum(CASE WHEN success = 0 THEN 1 ELSE 0 END) / count(*), 1) AS failed_percent
FROM executions
WHERE corrected_by IS NULL
GROUP BY tool
ORDER BY calls DESC, tool
