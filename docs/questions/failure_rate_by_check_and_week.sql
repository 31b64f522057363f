-- How often each kind of check failed, week by week.
SELECT week, checked, count(*) AS runs, sum(CASE WHEN verdict = 'failed' THEN 1 ELSE 0 END) AS failed,
       round(1e2 * sum(CASE WHEN verdict = 'failed' THEN 1 ELSE 0 END) / count(*), 1) AS failed_percent
FROM executions
WHERE verdict IN ('passed', 'failed') AND corrected_by IS NULL
GROUP BY week, checked
ORDER BY week, checked
