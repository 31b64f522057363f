-- How often the checks failed that each model ran.
SELECT coalesce(s.model, '') AS model, count(DISTINCT s.session) AS sessions, count(*) AS checks,
       sum(CASE WHEN e.verdict = 'failed' THEN 1 ELSE 0 END) AS failed,
       round(1e2 * sum(CASE WHEN e.verdict = 'failed' THEN 1 ELSE 0 END) / count(*), 1) AS failed_percent
FROM executions e
JOIN sessions s ON s.journal = e.journal AND s.session = e.session
WHERE e.verdict IN ('passed', 'failed') AND e.corrected_by IS NULL
GROUP BY coalesce(s.model, '')
ORDER BY checks DESC, model
