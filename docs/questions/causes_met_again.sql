-- Causes of failures that more than one session met.
SELECT cause, count(DISTINCT session) AS sessions, count(DISTINCT execution) AS runs
FROM failure_causes
GROUP BY cause
HAVING count(DISTINCT session) > 1
ORDER BY sessions DESC, runs DESC, cause
LIMIT 20
